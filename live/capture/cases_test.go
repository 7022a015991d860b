package capture

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestSmallCaptures: between two hosts that are 50 µs apart, whose captures testdata has, Net is 50 µs within its bound.
func TestSmallCaptures(t *testing.T) {
	for _, c := range []struct {
		name string
		rows int
		slow int // rows of 4 s: sent again after a timeout
		warn string
	}{
		{"alike", 10, 0, ""},
		{"twice", 20, 0, "40 packets in twice.b.pcap are doubles of others"},
		{"one-way", 140, 0, "the largest 1"},
		{"timeout", 50, 1, "1 segments were sent again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, warnings := smallCapture(t, c.name)
			require.Len(t, rows, c.rows)
			require.Contains(t, warnings, c.warn)
			for _, r := range rows {
				want := int64(50_000)
				if r.NetNs.Value > 1e9 {
					c.slow--
					want += 4e9
				}
				require.InDelta(t, want, r.NetNs.Value, float64(r.BoundNs.Value), "packet %d of node %d", r.Number, r.Sender)
			}
			require.Zero(t, c.slow)
		})
	}
}

func smallCapture(t *testing.T, name string) (rows []trace.PacketRow, warnings string) {
	run, err := Import(context.Background(), Spec{Files: [2]string{"testdata/" + name + ".a.pcap", "testdata/" + name + ".b.pcap"}})
	require.NoError(t, err)
	return slices.Collect(run.Packets), strings.Join(run.Manifest.Warnings, "\n")
}
