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
		"fabric.LinkRate = 0: want 1":                                          func(s *Spec) { s.LinkRate = 0 },
		"fabric.WireDelay = 0ns: want more than 0":                             func(s *Spec) { s.WireDelay = 0 },
		"fabric.SwitchDelay = -0.001ns: want 0":                                func(s *Spec) { s.SwitchDelay = -1 },
		"fabric.SwitchDelay = 1s: want 0 to 1ms":                               func(s *Spec) { s.SwitchDelay = sim.Second },
		"fabric.Arbitration = arbitration(9)":                                  func(s *Spec) { s.Arbitration = 9 },
		"fabric.BlockLimit = 0ns":                                              func(s *Spec) { s.BlockLimit = 0 },
		"fabric.SlackBytes = 0: want 1":                                        func(s *Spec) { s.SlackBytes = 0 },
		"fabric.GoBytes = 23: want at least the 24 bytes of a round":           func(s *Spec) { s.GoBytes = 23 },
		"fabric.StopBytes = 32: want more than GoBytes = 32":                   func(s *Spec) { s.StopBytes = 32 },
		"fabric.SlackBytes = 87: want at least StopBytes + 24 bytes":           func(s *Spec) { s.SlackBytes = 87 },
		"fabric.Topology.Nodes = 1: want 2 to":                                 func(s *Spec) { s.Topology.Nodes = 1 },
		"fabric.Topology.Nodes = 3: want 2 for a cable":                        func(s *Spec) { s.Topology = Topology{Shape: Cable, Nodes: 3} },
		"fabric.Topology.Radix = 7: want":                                      func(s *Spec) { s.Topology.Radix = 7 },
		"fabric.Topology.Width = 3: want 0 or a divisor of Nodes = 8":          func(s *Spec) { s.Topology = Topology{Shape: Mesh, Nodes: 8, Width: 3} },
		"fabric.Topology.Shape = shape(8)":                                     func(s *Spec) { s.Topology.Shape = 8 },
		"fabric.Faults.ErrorPerByte = 1: want":                                 func(s *Spec) { s.Faults.ErrorPerByte = 1 },
		"fabric.Faults.BurstBytes = -1: want":                                  func(s *Spec) { s.Faults.BurstBytes = -1 },
		"fabric.Faults.Drops[0].Nth = 0: want":                                 func(s *Spec) { s.Faults.Drops = []Drop{{}} },
		"fabric.Faults.Stalls[0].Node = 8: want 0 to 7":                        func(s *Spec) { s.Faults.Stalls = []Stall{{Node: 8, For: 1}} },
		"fabric.Faults.Stalls[0] = 0ns for 0ns: want a time that is not negat": func(s *Spec) { s.Faults.Stalls = []Stall{{}} },
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
	for _, a := range []Arbitration{FIFO, RoundRobin} {
		got, err := ParseArbitration(a.String())
		require.NoError(t, err)
		require.Equal(t, a, got)
	}
	for _, s := range []Shape{Tree, Cable, Mesh} {
		got, err := ParseShape(s.String())
		require.NoError(t, err)
		require.Equal(t, s, got)
	}
	_, err := ParseArbitration("lifo")
	require.Error(t, err)
	_, err = ParseShape("ring")
	require.Error(t, err)
}
