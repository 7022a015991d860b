package bip_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/bip"
	"github.com/sigview/sigview/sim"
)

func spec(t require.TestingT) bip.Spec {
	p, err := platform.Load("ppro")
	require.NoError(t, err)
	return *p.BIP
}

func TestValidate(t *testing.T) {
	good := spec(t)
	require.NoError(t, good.Validate())
	for want, change := range map[string]func(*bip.Spec){
		"bip.long_bytes is 0, want 1 to 4096": func(s *bip.Spec) { s.LongBytes = 0 },
		"bip.slots is -1":                     func(s *bip.Spec) { s.Slots = -1 },
		"bip.list_pages is 1":                 func(s *bip.Spec) { s.ListPages = 1 },
		"bip.host.send_us is -0.5":            func(s *bip.Spec) { s.Host.Send = -sim.Microsecond / 2 },
		"bip.firmware.packet_bytes is 128, want at least long_bytes = 256":                       func(s *bip.Spec) { s.Firmware.PacketBytes = 128 },
		"bip.firmware.request_bytes is 256, want at least long_bytes + 4·descriptor_words = 264": func(s *bip.Spec) { s.Firmware.RequestBytes = 256 },
		"bip.firmware.send_packets is 0":                                                         func(s *bip.Spec) { s.Firmware.SendPackets = 0 },
	} {
		bad := good
		change(&bad)
		require.ErrorContains(t, bad.Validate(), want)
	}
}

// TestFragment: fragments fit into packets, make up the message, and are as
// long as the pipeline's model wants.
func TestFragment(t *testing.T) {
	s := spec(t)
	require.Equal(t, 256, s.Fragment(256), "too short to be cut")
	require.InDelta(t, 1024, s.Fragment(5461), 80) // sqrt(5461 · 3 · 128 / 2)
	require.Equal(t, s.Firmware.PacketBytes, s.Fragment(4<<20))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(s.LongBytes, 4<<20).Draw(t, "n")
		f := s.Fragment(n)
		require.True(t, f > 0 && f <= s.Firmware.PacketBytes && f%8 == 0, "%d", f)
		longer := s.Fragment(2 * n)
		require.GreaterOrEqual(t, longer, f)
	})
}

// TestTraits: the cells of the comparison (userspace Tables 1 and 2) and what
// programs have to know.
func TestTraits(t *testing.T) {
	s := spec(t)
	require.Equal(t, comm.Traits{
		Name: "bip", Title: "BIP-0.92: bare messages, no protection, no flow control, zero copy",
		Model: comm.SendReceive, Control: "Data Only",
		Overflow: "Data Loss", Errors: "Catastrophic", Management: "Static",
		Promises: comm.Promises{Ordered: true, Why: "a message that overflows the receiver's buffer is lost, and so is a longer one whose receive is not posted in time"},
		SendPath: "DMA+v2p trans", ReceivePath: "DMA+v2p trans", Protection: "None", Reliability: "None", Notice: "None",
		Synchronous: true, Consumes: true, Anyone: true, PostFrom: 256, MaxBytes: 4 << 20,
	}, *s.Traits())
}
