package fabric

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
)

// TestWays: the ways of a pair all differ, are equally long, and there are as
// many as paths to the level where the pair meets.
func TestWays(t *testing.T) {
	for _, c := range []struct {
		top      Topology
		src, dst int
		ways     int
	}{
		{Topology{Nodes: 8}, 0, 7, 1},
		{Topology{Nodes: 16}, 0, 3, 1},
		{Topology{Nodes: 16}, 0, 4, 4},
		{Topology{Nodes: 9}, 0, 8, 4},
		{Topology{Nodes: 128}, 0, 4, 4},
		{Topology{Nodes: 128}, 0, 127, 16},
		{Topology{Nodes: 100, Radix: 4}, 0, 99, 32},
		{Topology{Shape: Mesh, Nodes: 16}, 0, 15, 1},
	} {
		t.Run(fmt.Sprint(c.top, c.src, c.dst), func(t *testing.T) {
			n := newRig(t, base(c.top)).net
			require.Equal(t, c.ways, n.Ways(c.src, c.dst))
			seen := map[string]bool{}
			for route := range c.ways {
				path := n.layout.route(nil, c.src, c.dst, route)
				require.Len(t, path, len(n.Route(c.src, c.dst)))
				seen[fmt.Sprint(path)] = true
			}
			require.Len(t, seen, c.ways)
		})
	}
}

// TestOpposite: the other directions of a route's links are a route back, in
// trees and, for a straight way, in meshes.
func TestOpposite(t *testing.T) {
	back := func(n *Net, path []int32) []int32 {
		out := []int32{}
		for _, c := range path[1 : len(path)-1] {
			out = append([]int32{n.layout.opposite(c)}, out...)
		}
		return out
	}
	inner := func(path []int32) []int32 { return path[1 : len(path)-1] }
	for _, p := range [][2]int{{0, 12}, {0, 3}, {12, 0}, {3, 0}} {
		n := newRig(t, base(Topology{Shape: Mesh, Nodes: 16})).net
		require.Equal(t, inner(n.Route(p[1], p[0])), back(n, n.Route(p[0], p[1])))
	}
	n := newRig(t, base(Topology{Nodes: 128})).net
	for _, p := range [][2]int{{0, 4}, {5, 127}, {64, 19}} {
		there := back(n, n.Route(p[0], p[1]))
		found := false
		for route := range n.Ways(p[1], p[0]) {
			found = found || slices.Equal(there, inner(n.layout.route(nil, p[1], p[0], route)))
		}
		require.True(t, found, p)
	}
}

// TestOutage: while the link of a node is down, what it sends and what others send to it is lost and counted; then
// all comes again. Switches of either kind do so.
func TestOutage(t *testing.T) {
	for _, spec := range []Spec{base(Topology{Nodes: 8}), buffered(Topology{Nodes: 8}, PFC), buffered(Topology{Nodes: 8}, Credits)} {
		const down, up = 20_000_000, 50_000_000
		spec.Faults.Outages = []Stall{{Node: 1, At: down, For: up - down}}
		r := newRig(t, spec)
		for i, at := range []sim.Time{0, down, up - 10_000_000, up} {
			require.NoError(t, r.engine.Run(at))
			require.Equal(t, at >= down, len(r.net.Dead()) > 0)
			for src, dst := range []int{1, 0, 3, 2} {
				r.send(src, dst, 40, uint32(i), at)
			}
		}
		r.run(t)
		seqs := func(node int) (all []uint32) {
			for _, p := range r.ports[node].got {
				all = append(all, p.seq)
			}
			return all
		}
		require.Equal(t, []uint32{0, 3}, seqs(0))
		require.Equal(t, []uint32{0, 3}, seqs(1))
		require.Len(t, seqs(2), 4)
		require.Len(t, seqs(3), 4)
		s := r.net.Stats()
		require.EqualValues(t, []uint64{4, 4}, []uint64{s.Dropped, s.Severed})
	}
}

// TestBreak: packets across a dead link are lost and counted from its death
// on, those by other links come; a new route brings all.
func TestBreak(t *testing.T) {
	spec := base(Topology{Nodes: 16})
	spec.Faults.Breaks = []Break{{From: 0, To: 4, At: 2_000_000}}
	r := newRig(t, spec)
	send := func(src, dst int, seq uint32) {
		r.send(src, dst, 100, seq, r.engine.Now())
		r.run(t)
	}
	send(0, 4, 1)
	require.Less(t, r.engine.Now(), sim.Time(2_000_000))
	require.Len(t, r.ports[4].got, 1, "it lives yet")
	require.NoError(t, r.engine.Run(2_000_000))
	send(0, 4, 2) // the link itself
	send(1, 8, 3) // the same link: the same up port
	send(4, 0, 4) // the other direction
	send(0, 5, 5) // another up port
	send(4, 8, 6) // another leaf
	require.Len(t, r.ports[4].got, 1)
	require.Empty(t, r.ports[0].got)
	require.Len(t, r.ports[5].got, 1)
	require.Len(t, r.ports[8].got, 1)
	s := r.net.Stats()
	require.EqualValues(t, []uint64{6, 3, 3, 3}, []uint64{s.Injected, s.Delivered, s.Dropped, s.Severed})

	before := r.net.Route(1, 8)
	probes, found := r.net.Reroute(0, 4)
	require.True(t, found)
	require.Equal(t, 2, probes, "the first one is not answered")
	require.Equal(t, before, r.net.Route(1, 8), "only the pair has asked")
	probes, found = r.net.Reroute(0, 4)
	require.True(t, found)
	require.Equal(t, 1, probes)
	send(0, 4, 7)
	send(4, 0, 8)
	send(1, 8, 9)
	require.Len(t, r.ports[4].got, 2)
	require.Len(t, r.ports[0].got, 1)
	require.Len(t, r.ports[8].got, 1)

	// Up port 0 of a leaf leads to three others with two nodes to each
	// such port of the destination's digit; and from twelve nodes to one.
	replaced, apart := r.net.Remap()
	require.Equal(t, 4*3-1+12-1, replaced)
	require.Zero(t, apart)
	send(1, 8, 10)
	require.Len(t, r.ports[8].got, 2)
	replaced, _ = r.net.Remap()
	require.Zero(t, replaced)
	require.Zero(t, r.net.InUse())
}

// TestNoPathLeft: when all links between two leaves are dead, their pairs
// are told so and keep their routes.
func TestNoPathLeft(t *testing.T) {
	r := newRig(t, base(Topology{Nodes: 9}))
	for dst := range 4 {
		require.NoError(t, r.net.Break(Break{From: 0, To: 4 + dst}))
	}
	before := r.net.Route(0, 8)
	probes, found := r.net.Reroute(0, 8)
	require.False(t, found)
	require.Equal(t, 4, probes)
	require.Equal(t, before, r.net.Route(0, 8))
	replaced, apart := r.net.Remap()
	require.Zero(t, replaced)
	require.Equal(t, 2*4*5, apart)
	probes, found = r.net.Reroute(5, 8)
	require.True(t, found)
	require.Equal(t, 1, probes)
}

func TestBreakRefused(t *testing.T) {
	for _, c := range []struct {
		top  Topology
		b    Break
		want string
	}{
		{Topology{Nodes: 16}, Break{From: 0, To: 3}, "no link between switches lies between nodes 0 and 3"},
		{Topology{Shape: Cable, Nodes: 2}, Break{From: 0, To: 1}, "no link between switches"},
		{Topology{Nodes: 16}, Break{From: 0, To: 16}, "nodes 0 and 16"},
		{Topology{Nodes: 16}, Break{From: -1, To: 9}, "nodes -1 and 9"},
		{Topology{Nodes: 16}, Break{From: 9, To: 9}, "nodes 9 and 9"},
		{Topology{Nodes: 16}, Break{From: 0, To: 9, At: -1}, "not negative"},
	} {
		spec := base(c.top)
		spec.Faults.Breaks = []Break{{From: 0, To: 0}}
		_, err := New(sim.New(1), spec)
		require.ErrorContains(t, err, "fabric.Faults.Breaks[0]: ")
		require.ErrorContains(t, newRig(t, base(c.top)).net.Break(c.b), c.want)
	}
	require.NoError(t, newRig(t, base(Topology{Shape: Mesh, Nodes: 16})).net.Break(Break{From: 0, To: 5}))
}

// TestAnyBreaks: whatever links die, after a mapping every packet comes whose
// pair is not apart, and none of the others.
func TestAnyBreaks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		nodes := rapid.SampledFrom([]int{9, 16, 40}).Draw(rt, "nodes")
		r := newRig(t, base(Topology{Nodes: nodes}))
		node := rapid.IntRange(0, nodes-1)
		for range rapid.IntRange(0, 12).Draw(rt, "breaks") {
			from, to := node.Draw(rt, "from"), node.Draw(rt, "to")
			if len(r.net.Route(from, to)) > 2 {
				require.NoError(rt, r.net.Break(Break{From: from, To: to}))
			}
		}
		_, apart := r.net.Remap()
		sent := 0
		for src := range nodes {
			for dst := range nodes {
				if src != dst {
					r.send(src, dst, 40, 0, r.engine.Now())
					sent++
					r.run(t)
				}
			}
		}
		s := r.net.Stats()
		require.EqualValues(rt, apart, s.Severed)
		require.EqualValues(rt, sent-apart, s.Delivered)
	})
}
