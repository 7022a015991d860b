package cluster_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// TestClocksOfManyNodes: when programs start, and for 110 s after, all pairs of nodes
// agree within their bounds, although only the last two tables of the start-up went out.
func TestClocksOfManyNodes(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	for _, nodes := range testlong.Pick([]int{130}, []int{128, 256, 1024}) {
		for seed := range testlong.Pick(uint64(1), 2) {
			for _, set := range []cluster.Oscillators{cluster.Reference, cluster.Harsh} {
				c, err := cluster.Warmed(cluster.Spec{
					Profile: p, Nodes: nodes, Seed: seed + 1, Options: monitor.Options{Build: monitor.Full}, Tags: 1,
					Kinds: []trace.Kind{trace.Data}, Clock: cluster.Clock{Oscillators: set},
				})
				require.NoError(t, err)
				e := c.ClockErrors()
				for _, after := range []sim.Duration{0, 2, 4, 4, 20, 20, 20, 20, 20} {
					require.NoError(t, c.Engine.Run(c.Engine.Now().Add(after*sim.Second)))
					e.Sample()
				}
				n := len(e.Us)
				require.Equal(t, 9*nodes*(nodes-1), n)
				slices.Sort(e.Us)
				slices.Sort(e.BoundUs)
				t.Logf("%d nodes, %s, seed %d: error at most %.2f µs, 99 %% %.2f, median bound %.2f, %d of %d outside",
					nodes, set, seed+1, e.Us[n-1], e.Us[n*99/100], e.BoundUs[n/2], n-e.Covered, n)
				require.GreaterOrEqual(t, float64(e.Covered), 0.999*float64(n))
				require.Less(t, e.Us[n-1], 1.3)
			}
		}
	}
}
