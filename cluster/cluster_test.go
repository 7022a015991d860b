package cluster_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// TestRefusals: what cannot be built is an error that says what was wanted.
func TestRefusals(t *testing.T) {
	for _, x := range []struct {
		change func(*cluster.Spec)
		want   string
	}{
		{func(s *cluster.Spec) { s.Nodes = 0 }, "network.Nodes is 0, want 2 to"},
		{func(s *cluster.Spec) { s.Nodes = 1 }, "network.Nodes is 1, want 2 to"},
		{func(s *cluster.Spec) { s.Nodes = -3 }, "network.Nodes is -3"},
		{func(s *cluster.Spec) { s.Oscillators = "perfect" }, `oscillators is "perfect", want reference or harsh`},
		{func(s *cluster.Spec) { s.Estimator = "guess" }, "guess"},
		{func(s *cluster.Spec) { s.Tags = 0 }, "Tags"},
		{func(s *cluster.Spec) { s.Kinds = []trace.Kind{trace.Ack} }, "Kinds"},
		{func(s *cluster.Spec) { s.Round = sim.Microsecond }, "clock.round_ps is 1µs, want at least 13.8µs"},
		{func(s *cluster.Spec) { s.Cards.NetDMA = true }, "Cards.NetDMA is uncontended but Ports is not, want both"},
		{func(s *cluster.Spec) { s.Faults.ErrorPerByte = 2 }, "bit_error"},
		{func(s *cluster.Spec) { s.Faults.Stalls = []fabric.Stall{{Node: 9, For: 1}} }, "node is 9, want 0 to 3"},
		{func(s *cluster.Spec) { s.Profile.NI.RequestSlots = 0 }, "ni.request_slots is 0"},
		{func(s *cluster.Spec) { s.Profile.VMMC.Window = 0 }, "vmmc.window is 0"},
		{func(s *cluster.Spec) { s.Profile.Monitor.DeferredSlots = -1 }, "monitor.deferred_slots is -1"},
	} {
		_, err := cluster.New(spec(t, x.change))
		require.ErrorContains(t, err, x.want)
	}
}

// TestWarm: programs start with a clock, as early as the profile says; without
// one no time passes.
func TestWarm(t *testing.T) {
	s := spec(t, nil)
	c, err := cluster.New(s)
	require.NoError(t, err)
	require.NoError(t, c.Warm())
	require.GreaterOrEqual(t, c.Nodes[0].Monitor.Clock().Rounds(), s.Profile.Clock.WarmRounds)
	for _, n := range c.Nodes {
		for from := range c.Nodes {
			require.True(t, n.Monitor.Clock().Converter().Ready(from))
		}
	}
	for _, build := range []monitor.Build{monitor.Off, monitor.Send} {
		c, err := cluster.New(spec(t, func(s *cluster.Spec) { s.Build = build }))
		require.NoError(t, err)
		require.NoError(t, c.Warm())
		require.Zero(t, c.Engine.Now())
	}
}

// TestReadingOut: looking on changes nothing, and what is read at the end is
// everything, once.
func TestReadingOut(t *testing.T) {
	run := func(look bool) (uint64, *histo.Snapshot, uint64) {
		c, err := cluster.New(spec(t, nil))
		require.NoError(t, err)
		require.NoError(t, c.Warm())
		c.Record()
		load, err := c.Load(60 * sim.Microsecond)
		require.NoError(t, err)
		load.Start()
		defer c.Engine.Close()
		for range 20 {
			require.NoError(t, c.Engine.Run(c.Engine.Now().Add(sim.Millisecond)))
			if look {
				s, err := c.Peek()
				require.NoError(t, err)
				m, err := s.Moments(histo.Query{Stage: trace.Source})
				require.NoError(t, err)
				require.NotZero(t, m.Count)
			}
		}
		load.Stop()
		require.NoError(t, c.Engine.Run(c.Engine.Now().Add(5*sim.Millisecond)))
		digest := c.Engine.Digest()
		var packets uint64
		for _, n := range c.Nodes {
			packets += n.VMMC.Stats().Packets
		}
		s, err := c.Histograms()
		require.NoError(t, err)
		return digest, s, packets
	}
	digest, s, packets := run(true)
	again, other, _ := run(false)
	require.Equal(t, digest, again)
	for stage := range trace.NumStages {
		m, err := s.Moments(histo.Query{Stage: stage})
		require.NoError(t, err)
		require.Equal(t, packets, m.Count, "%v", stage)
		n, err := other.Moments(histo.Query{Stage: stage})
		require.NoError(t, err)
		require.Equal(t, m, n)
	}

	c, err := cluster.New(spec(t, func(s *cluster.Spec) { s.Build = monitor.Off }))
	require.NoError(t, err)
	s, err = c.Histograms()
	require.NoError(t, err)
	require.Nil(t, s)
	require.Empty(t, c.Snapshots())
}
