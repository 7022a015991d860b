package monitor_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// TestManyNodes: with more nodes than a table's packet has entries, every
// round still reaches everybody, and node 0 has no more clock packets under
// way than it may.
func TestManyNodes(t *testing.T) {
	const nodes = 160
	for _, estimator := range clock.Estimators() {
		p, err := platform.Load("shrimp")
		require.NoError(t, err)
		p.Clock.WarmRounds = 4
		c, err := cluster.New(cluster.Spec{
			Profile: p, Nodes: nodes, Seed: 1, Options: monitor.Options{Build: monitor.Clock}, Tags: 1, Kinds: []trace.Kind{trace.Data},
			Clock: cluster.Clock{Estimator: cluster.Estimator(estimator), Round: 400 * ms},
		})
		require.NoError(t, err)
		open, most := 0, 0 // queries under way
		c.Net.DropWhen(func(p *fabric.Packet) bool {
			switch p.Header.Meta.Kind {
			case trace.ClockQuery:
				open++
				most = max(most, open)
			case trace.ClockReply:
				open--
			}
			return false
		})
		k := c.Nodes[0].Monitor.Clock()
		tables := uint64(0) // when a round had ended
		k.OnRound(func(uint32) { tables = k.Stats().Sent[trace.ClockTable] })
		require.NoError(t, c.Warm())
		require.NoError(t, c.Engine.Run(c.Engine.Now().Add(sim.Duration(100*ms))))
		rounds := uint64(k.Rounds())
		require.GreaterOrEqual(t, rounds, uint64(4))
		require.Zero(t, k.Stats().Partial, estimator)
		require.Zero(t, k.Stats().Malformed)
		require.LessOrEqual(t, most, 64)
		per := clock.Protocol{Estimator: estimator}.Words().Entries(p.NI.BufferBytes - 12)
		parts := uint64((nodes - 1 + per - 1) / per)
		if estimator == clock.Filtered {
			require.Greater(t, parts, uint64(1), "the table is split")
			rounds -= 2 // of the four before programs start only the last two have tables
		}
		require.Equal(t, (nodes-1)*parts*rounds, tables)
		for i, n := range c.Nodes {
			for from := range nodes {
				require.True(t, n.Monitor.Clock().Converter().Ready(from), "%s: node %d knows node %d", estimator, i, from)
			}
		}
	}
}

// TestMemoryOfManyNodes: the interface's memory holds what 1,024 nodes need;
// what the coordinator cannot keep lies in host memory.
func TestMemoryOfManyNodes(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	for _, nodes := range []int{2, 8, 64, 256, 1024} {
		c, err := cluster.New(cluster.Spec{
			Profile: p, Nodes: nodes, Seed: 1, Options: monitor.Options{Build: monitor.Full}, Tags: 1, Kinds: []trace.Kind{trace.Data, trace.PageReply},
		})
		require.NoError(t, err, "%d nodes", nodes)
		table := c.Nodes[0].NIC.SRAM().String()
		record := clock.Protocol{Estimator: clock.Filtered}.CoordinatorBytes()
		want := record * (nodes - 1)
		if nodes >= 256 {
			want = record
		}
		require.Regexp(t, reserved("clock records", want), table)
		require.Regexp(t, reserved("clock table", nodes*clock.Protocol{Estimator: clock.Filtered}.ConverterBytes()), table)
	}
}

// TestEverythingAtOnce: with four programs and a trace, the histograms of
// 1,024 nodes make room, and say what they had to coarsen.
func TestEverythingAtOnce(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	var kinds []trace.Kind
	for k := range trace.NumKinds {
		if k.CarriesRequest() {
			kinds = append(kinds, k)
		}
	}
	spec := cluster.Spec{
		Profile: p, Nodes: 1024, Seed: 1, Options: monitor.Options{Build: monitor.Full, Trace: monitor.TraceAll}, Tags: 4, Kinds: kinds,
	}
	c, err := cluster.New(spec)
	require.NoError(t, err)
	require.NotEmpty(t, c.Layout.Notes())
	require.Less(t, c.Layout.Bytes(), p.Monitor.HistogramBytes)

	for _, kb := range []int{880, 886} { // too little for the rest, too little for any histograms
		p.NI.SRAMBytes = kb << 10
		_, err = cluster.New(spec)
		require.ErrorContains(t, err, "send buffers", "the error shows who holds how much")
	}
}

// reserved matches a line of an interface's allocation table.
func reserved(owner string, bytes int) string {
	return fmt.Sprintf(`(?m)^ *%s +%d B$`, owner, bytes)
}

// TestLostQueriesOfManyNodes: a round of many nodes ends without replies that do not come, and the
// next one begins.
func TestLostQueriesOfManyNodes(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	p.Clock.WarmRounds = 3
	c, err := cluster.New(cluster.Spec{
		Profile: p, Nodes: 70, Seed: 1, Options: monitor.Options{Build: monitor.Clock}, Tags: 1, Kinds: []trace.Kind{trace.Data},
		Clock: cluster.Clock{Round: 400 * ms},
	})
	require.NoError(t, err)
	c.Net.DropWhen(func(p *fabric.Packet) bool { return p.Header.Meta.Kind == trace.ClockQuery })
	require.NoError(t, c.Engine.Run(c.Engine.Now().Add(sim.Duration(5000*ms))))
	k := c.Nodes[0].Monitor.Clock()
	require.Greater(t, k.Rounds(), 3)
	require.GreaterOrEqual(t, k.Stats().Partial, uint64(k.Rounds()), "every round")
}
