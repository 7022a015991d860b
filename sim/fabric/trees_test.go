package fabric

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
)

// TestTwoTrees: packets whose routes share a channel of one tree do not meet when their
// numbers take them into different trees.
func TestTwoTrees(t *testing.T) {
	const bytes = 10_000
	for trees, late := range map[int]sim.Duration{1: bytes * byteTime, 2: 0} {
		r := newRig(t, base(Topology{Nodes: 16, Trees: trees}))
		r.send(0, 4, bytes, 1, 0)
		r.send(1, 8, bytes, 2, 0)
		r.run(t)
		first, second := r.ports[4].got[0].t5, r.ports[8].got[0].t5
		require.InDelta(t, float64(late), float64(second.Sub(first)), float64(hopTime), "%d trees", trees)
	}
}

// TestTreesShareEvenly: half of the routes from a leaf switch to others take each of two
// trees, every channel has one name, and all trees offer the same other ways.
func TestTreesShareEvenly(t *testing.T) {
	top := Topology{Nodes: 16, Trees: 2}
	l := top.layout().(trees)
	count := [2]int{}
	for src := range 4 {
		for dst := 4; dst < 16; dst++ {
			path := l.route(nil, src, dst, 0)
			count[(int(path[1])-2*top.Nodes)/l.inner()]++
			require.Equal(t, 2*l.tree.ways(src, dst), l.ways(src, dst))
			seen := map[string]bool{}
			for route := range l.ways(src, dst) {
				path := l.route(nil, src, dst, route)
				seen[fmt.Sprint(path)] = true
				for i := 1; i < len(path)-1; i++ {
					require.Equal(t, l.inner()*((src+dst+route)%2), (int(path[i])-2*top.Nodes)/l.inner()*l.inner())
				}
			}
			require.Len(t, seen, l.ways(src, dst))
		}
	}
	require.Equal(t, [2]int{24, 24}, count)
	names := map[string]bool{}
	for c := range l.channels() {
		names[l.name(c)] = true
	}
	require.Len(t, names, l.channels())
}
