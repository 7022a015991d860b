package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/sim"
)

func TestValidateNamesField(t *testing.T) {
	good := base(Topology{Nodes: 8})
	require.NoError(t, good.Validate())
	cases := map[string]func(*Spec){
		"network.link_mbps is 0, want 0.001 to 1e7":                           func(s *Spec) { s.LinkRate = 0 },
		"network.wire_ns is 0, want 0.001 to 1e6":                             func(s *Spec) { s.WireDelay = 0 },
		"network.switch_ns is -0.001, want 0 to 1e6":                          func(s *Spec) { s.SwitchDelay = -1 },
		"network.switch_ns is 1e+09, want 0 to 1e6":                           func(s *Spec) { s.SwitchDelay = sim.Second },
		"network.arbitration is \"arbitration(9)\", want fifo or round-robin": func(s *Spec) { s.Arbitration = 9 },
		"network.block_limit_ms is 0, want 0.001":                             func(s *Spec) { s.BlockLimit = 0 },
		"network.slack_bytes is 0, want 1":                                    func(s *Spec) { s.SlackBytes = 0 },
		"network.go_bytes is 23, want at least the 24 bytes of a round":       func(s *Spec) { s.GoBytes = 23 },
		"network.stop_bytes is 32, want more than go_bytes = 32":              func(s *Spec) { s.StopBytes = 32 },
		"network.slack_bytes is 87, want at least stop_bytes + 24 bytes":      func(s *Spec) { s.SlackBytes = 87 },
		"network.Nodes is 1, want 2 to":                                       func(s *Spec) { s.Topology.Nodes = 1 },
		"network.Nodes is 3, want 2 for a cable":                              func(s *Spec) { s.Topology = Topology{Shape: Cable, Nodes: 3} },
		"network.switch_ports is 7, want":                                     func(s *Spec) { s.Topology.Radix = 7 },
		"network.Width is 3, want 0 or a divisor of the 8 switches":           func(s *Spec) { s.Topology = Topology{Shape: Mesh, Nodes: 8, Width: 3} },
		"network.Width is 3, want 0 or a divisor of the 4 switches":           func(s *Spec) { s.Topology = Topology{Shape: Mesh, Nodes: 8, Width: 3, SwitchNodes: 2} },
		"network.dimensions is 3, want none for a tree":                       func(s *Spec) { s.Topology = Topology{Nodes: 8, Dimensions: 3} },
		"network.dimensions is 1, want 2 or 3":                                func(s *Spec) { s.Topology = Topology{Shape: Mesh, Nodes: 8, Dimensions: 1} },
		"network.switch_nodes is 2, want none for a tree":                     func(s *Spec) { s.Topology = Topology{Nodes: 8, SwitchNodes: 2} },
		"network.trees is 2, want 1 for a mesh":                               func(s *Spec) { s.Topology = Topology{Shape: Mesh, Nodes: 8, Trees: 2} },
		"network.topology is \"topology(8)\"":                                 func(s *Spec) { s.Topology.Shape = 8 },
		"network.Faults.bit_error is 1, want":                                 func(s *Spec) { s.Faults.ErrorPerByte = 1 },
		"network.Faults.burst_bytes is -1, want":                              func(s *Spec) { s.Faults.BurstBytes = -1 },
		"network.Faults.Drops[0].Nth is 0, want":                              func(s *Spec) { s.Faults.Drops = []Drop{{}} },
		"network.Faults.Drops[0].Kind is":                                     func(s *Spec) { s.Faults.Drops = []Drop{{Nth: 1, Kind: 255}} },
		"network.Faults.stalls[0].node is 8, want 0 to 7":                     func(s *Spec) { s.Faults.Stalls = []Stall{{Node: 8, For: 1}} },
		"network.Faults.stalls[0].for_ps is 0, want more than 0":              func(s *Spec) { s.Faults.Stalls = []Stall{{}} },
		"network.Faults.stalls[0].start_ps is -1, want at least 0":            func(s *Spec) { s.Faults.Stalls = []Stall{{At: -1, For: 1}} },
		"network.Faults.outages[0].node is 8, want 0 to 7":                    func(s *Spec) { s.Faults.Outages = []Stall{{Node: 8, For: 1}} },
		"network.Faults.storms[0].node is 1, want none: the network has no":   func(s *Spec) { s.Faults.Storms = []Stall{{Node: 1, For: 1}} },
	}
	for want, spoil := range cases {
		s := good
		spoil(&s)
		require.ErrorContains(t, s.Validate(), want)
		_, err := New(sim.New(1), s)
		require.Error(t, err)
	}
}

func TestValidateNamesFieldOfBuffer(t *testing.T) {
	for _, c := range []struct {
		control FlowControl
		want    string
		spoil   func(*Spec, *Buffer)
	}{
		{PFC, "network.go_bytes is 1, want none with", func(s *Spec, _ *Buffer) { s.GoBytes = 1 }},
		{PFC, "network.block_limit_ms is 1, want none with", func(s *Spec, _ *Buffer) { s.BlockLimit = sim.Millisecond }},
		{PFC, "network.arbitration is round-robin, want fifo", func(s *Spec, _ *Buffer) { s.Arbitration = RoundRobin }},
		{PFC, "network.buffer.flow_control is \"flow control(9)\", want none, pfc or credits", func(_ *Spec, b *Buffer) { b.Control = 9 }},
		{PFC, "network.buffer.largest_packet_bytes is 0, want 64 to", func(_ *Spec, b *Buffer) { b.LargestPacket = 0 }},
		{PFC, "network.buffer.headroom_bytes is 1309, want at least 1310", func(_ *Spec, b *Buffer) { b.Headroom-- }},
		{PFC, "network.buffer.headroom_bytes is 1310, want at least 1315", func(s *Spec, _ *Buffer) { s.Buffer.Reaction += 35 * sim.Nanosecond }},
		{PFC, "network.buffer.headroom_bytes is 1310, want at least ", func(s *Spec, _ *Buffer) {
			s.Inward = []Link{{Node: 1, LinkRate: s.LinkRate / 2, WireDelay: s.WireDelay}}
		}},
		{PFC, "network.buffer.headroom_bytes is 1310, want at least ", func(s *Spec, _ *Buffer) {
			s.Inward = []Link{{Node: 1, LinkRate: s.LinkRate, WireDelay: 3 * s.WireDelay}}
		}},
		{PFC, "network.buffer.switch_bytes is 11079, want at least 11080", func(s *Spec, b *Buffer) { b.SwitchBytes = 11079 }},
		{PFC, "network.buffer.alpha is 0, want more than 0", func(_ *Spec, b *Buffer) { b.Alpha = 0 }},
		{PFC, "network.Faults.storms[0].node is 8, want 0 to 7", func(s *Spec, _ *Buffer) { s.Faults.Storms = []Stall{{Node: 8, For: 1}} }},
		{Lossy, "network.Faults.storms[0].node is 0, want none", func(s *Spec, _ *Buffer) { s.Faults.Storms = []Stall{{For: 1}} }},
		{PFC, "network.buffer.drop_band_bytes is 9, want none", func(_ *Spec, b *Buffer) { b.DropBand = 9 }},
		{PFC, "network.buffer.input_bytes is 9, want none with network.buffer.flow_control = \"pfc\"", func(_ *Spec, b *Buffer) { b.InputBytes = 9 }},
		{PFC, "network.buffer.ecn.max_bytes is 7, want more than min_bytes = 7", func(_ *Spec, b *Buffer) { b.ECN = &ECN{Min: 7, Max: 7} }},
		{Lossy, "network.buffer.headroom_bytes is 9, want none with network.buffer.flow_control = \"none\"", func(_ *Spec, b *Buffer) { b.Headroom = 9 }},
		{Lossy, "network.buffer.xoff_bytes is 9, want none", func(_ *Spec, b *Buffer) { b.Xoff = 9 }},
		{Lossy, "network.buffer.xon_gap_bytes is 9, want none", func(_ *Spec, b *Buffer) { b.XonGap = 9 }},
		{Lossy, "network.buffer.pause_reaction_ns is 9, want none", func(_ *Spec, b *Buffer) { b.Reaction = 9 * sim.Nanosecond }},
		{Lossy, "network.buffer.alpha is 0, want more than 0", func(_ *Spec, b *Buffer) { b.Alpha = 0 }},
		{Lossy, "network.buffer.switch_bytes is 599, want at least 600", func(_ *Spec, b *Buffer) { b.SwitchBytes = 599 }},
		{Credits, "network.buffer.input_bytes is 599, want at least largest_packet_bytes = 600", func(_ *Spec, b *Buffer) { b.InputBytes = 599 }},
		{Credits, "network.buffer.alpha is 1, want none", func(_ *Spec, b *Buffer) { b.Alpha = 1 }},
	} {
		s := buffered(Topology{Nodes: 8}, c.control)
		require.NoError(t, s.Validate())
		c.spoil(&s, s.Buffer)
		require.ErrorContains(t, s.Validate(), c.want)
		_, err := New(sim.New(1), s)
		require.Error(t, err)
	}
	fixed := buffered(Topology{Nodes: 8}, PFC)
	fixed.Buffer.Alpha, fixed.Buffer.Xoff = 0, 1000
	require.NoError(t, fixed.Validate(), "one threshold is enough")
	for _, control := range []FlowControl{Lossy, PFC, Credits} {
		s := buffered(Topology{Nodes: 8}, control)
		s.Buffer.ECN = &ECN{1, 2, 0.5}
		require.NotZero(t, boundstest.Refuses(t, "network", &s, s.Validate))
	}
	var f FlowControl
	require.NoError(t, f.UnmarshalText([]byte("pfc")))
	require.Equal(t, PFC, f)
	require.Error(t, f.UnmarshalText([]byte("stop")))
}

func TestNames(t *testing.T) {
	var a Arbitration
	require.NoError(t, a.UnmarshalText([]byte("round-robin")))
	require.Equal(t, RoundRobin, a)
	require.Error(t, a.UnmarshalText([]byte("lifo")))
	var s Shape
	require.NoError(t, s.UnmarshalText([]byte("mesh")))
	require.Equal(t, Mesh, s)
	require.Error(t, s.UnmarshalText([]byte("ring")))
}
