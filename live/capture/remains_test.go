package capture

import (
	"context"
	"net"
	"os"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"
)

// TestErrorsSayWhatWasFound: of captures that share no packets each error has counts, and no two kinds the same ones.
func TestErrorsSayWhatWasFound(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *world)
		want   string
	}{
		"empty":     {func(w *world) { w.seen[1] = nil }, "second.pcap has 1 packets (1 not IP)"},
		"not IP":    {func(w *world) { w.each(1, func([]byte) []byte { return w.arp() }) }, "second.pcap has 22 packets (22 not IP)"},
		"truncated": {func(w *world) { w.each(1, func(f []byte) []byte { return f[:30] }) }, "(2 not IP, 20 cut off within their headers)"},
		"cut":       {func(w *world) { w.each(1, func(f []byte) []byte { return f[:38] }) }, "(2 not IP, 20 cut off within their headers)"},
		"fragments": {func(w *world) { w.each(1, func(f []byte) []byte { f[20] |= 0x20; return f }) }, "20 fragments)"},
		"tunnels": {func(w *world) {
			w.each(1, func(f []byte) []byte {
				return w.frame(0, 7, layers.IPProtocolGRE, gopacket.Payload([]byte{0, 0, 8, 0}), gopacket.Payload(f[14:]))
			})
		}, "20 of tunnels, whose inner packets are not read, 20 without partner in the other), the first without partner from 10.0.0.9 to 10.0.0.1"},
		"translated": {func(w *world) {
			w.each(1, func(f []byte) []byte { copy(f[26:30], net.IPv4(203, 0, 113, 5).To4()); return f })
		}, "(2 not IP, 20 without partner in the other), the first without partner from 203.0.113.5 to 10.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			talk(w, 20)
			c.change(w)
			_, err := Import(context.Background(), Spec{Files: w.files()})
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "first.pcap has 22 packets (2 not IP, 20 without partner in the other), the first without partner from 10.0.0.9 to 10.0.0.1;")
		})
	}
	for bytes, want := range map[int64]string{24: "second.pcap has 0 packets", 30: "second.pcap ends within its first packet"} {
		w := newWorld(t, 1)
		talk(w, 20)
		files := w.files()
		require.NoError(t, os.Truncate(files[1], bytes))
		_, err := Import(context.Background(), Spec{Files: files})
		require.ErrorContains(t, err, want)
	}
}

// each changes the frames of a host, those that are no ARP.
func (w *world) each(host int, change func([]byte) []byte) {
	for i, s := range w.seen[host] {
		if s.frame[12] == 8 && s.frame[13] == 0 {
			w.seen[host][i].frame = change(append([]byte(nil), s.frame...))
		}
	}
}
