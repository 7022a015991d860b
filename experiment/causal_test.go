package experiment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
)

// explained runs a program and explains its time.
func explained(t *testing.T, s RunSpec) (*executed, *causal.Explanation) {
	t.Helper()
	s.Trace = TraceWaits
	r, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	return r, explain(t, r)
}

// explain explains the time of a run.
func explain(t *testing.T, r *executed) *causal.Explanation {
	t.Helper()
	a, err := account.Resolve(r.cluster.Waits())
	require.NoError(t, err)
	return causal.ExplainPart(graph.New(a), 0, int64(r.took()))
}

// TestEventsHaveAPlaceAndALength: a stall is the one event of its run, a full ring that of an incast, and a run without
// faults has none.
func TestEventsHaveAPlaceAndALength(t *testing.T) {
	const ms = 1_000_000
	at := func(workload string, nodes int, stalls ...Stall) []causal.Event {
		s := DefaultRun(workload)
		s.Nodes, s.Faults.Stalls = nodes, stalls
		_, e := explained(t, s)
		return e.Events
	}
	events := at("hotspot", 8, Stall{Node: 0, At: sim.Time(2 * sim.Millisecond), For: 4 * sim.Millisecond})
	require.Len(t, events, 1)
	require.Equal(t, 0, events[0].Node)
	require.Equal(t, "takes no packets", events[0].What)
	require.InDelta(t, 2*ms, events[0].FromNs, 0.3*ms)
	require.InDelta(t, 6*ms, events[0].ToNs, 0.3*ms)

	events = at("incast", 9)
	require.Len(t, events, 1)
	require.Equal(t, "has a full receive ring", events[0].What)
	require.Greater(t, events[0].Packets, 100)

	require.Empty(t, at("hotspot", 8))
}
