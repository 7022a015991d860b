package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

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
	}
	for want, spoil := range cases {
		s := good
		spoil(&s)
		require.ErrorContains(t, s.Validate(), want)
		_, err := New(sim.New(1), s)
		require.Error(t, err)
	}
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
