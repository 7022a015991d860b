package experiment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
)

// explained runs a program and explains its time.
func explained(t *testing.T, s RunSpec) (*executed, *causal.Explanation) {
	t.Helper()
	s.Trace = TraceWaits
	r, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	a, err := causal.Resolve(r.cluster.Waits())
	require.NoError(t, err)
	return r, causal.Explain(causal.NewGraph(a), 0)
}

// TestCriticalPathIsTheRunTime: the path ends when the last process does, to the
// picosecond, and the log explains all but a thousandth of it.
func TestCriticalPathIsTheRunTime(t *testing.T) {
	programs := []string{"fft", "radix", "gauss", "ocean", "hotspot", "dfs"}
	if testing.Short() {
		programs = []string{"fft", "gauss"}
	}
	for _, name := range programs {
		t.Run(name, func(t *testing.T) {
			s := DefaultRun(name)
			s.Nodes, s.Size = 4, smallSizes[name]
			r, e := explained(t, s)
			after := e.Length() - int64(r.ended.Sub(r.began))
			if s.runsAny(memoryWorkloads) {
				require.Zero(t, after)
			}
			require.GreaterOrEqual(t, after, int64(0))
			require.Less(t, after, int64(sim.Microsecond), "processes of other programs end a moment after their results")
			var path, unknown int64
			for _, u := range e.Path {
				path += u.Length()
				if u.Unknown {
					unknown += u.Length()
				}
			}
			require.Equal(t, e.Length(), path)
			require.Less(t, float64(unknown), 0.001*float64(path))
		})
	}
}
