package fabric

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoutes walks all routes of many sizes. New has checked that they are
// free of deadlock; here their shape is checked.
func TestRoutes(t *testing.T) {
	cases := []Topology{
		{Nodes: 2}, {Nodes: 8}, {Nodes: 9}, {Nodes: 20}, {Nodes: 32}, {Nodes: 33}, {Nodes: 64}, {Nodes: 128}, {Nodes: 129},
		{Nodes: 100, Radix: 4}, {Nodes: 70, Radix: 16}, {Nodes: 8, Trees: 2}, {Nodes: 16, Trees: 2}, {Nodes: 40, Trees: 3},
		{Shape: Mesh, Nodes: 7}, {Shape: Mesh, Nodes: 64}, {Shape: Mesh, Nodes: 24, Width: 3},
		{Shape: Mesh, Nodes: 128, Dimensions: 3, SwitchNodes: 2}, {Shape: Mesh, Nodes: 23, Dimensions: 3, SwitchNodes: 2}, {Shape: Mesh, Nodes: 2, Dimensions: 3, SwitchNodes: 2},
		{Shape: Mesh, Nodes: 36, SwitchNodes: 3}, {Shape: Mesh, Nodes: 30, Dimensions: 3, Width: 5},
	}
	for _, top := range cases {
		t.Run(fmt.Sprintf("%v %d", top.Shape, top.Nodes), func(t *testing.T) {
			require.NoError(t, top.validate())
			l := top.layout()
			require.NoError(t, checkRoutes(l, top.Nodes, l.channels(), 64))
			for src := range top.Nodes {
				for dst := range top.Nodes {
					path := l.route(nil, src, dst, 0)
					seen := map[int32]bool{}
					for _, c := range path {
						require.False(t, seen[c], "%d>%d passes %s twice", src, dst, l.name(int(c)))
						seen[c] = true
					}
					back := l.route(nil, dst, src, 0)
					require.Equal(t, len(path), len(back))
				}
			}
		})
	}
}

// TestDistances: the switches between nodes, counted by hand.
func TestDistances(t *testing.T) {
	for _, c := range []struct {
		top                    Topology
		to, switches, farthest int
	}{
		{Topology{Nodes: 8, Radix: 8}, 7, 1, 1},
		{Topology{Nodes: 16, Radix: 8}, 3, 1, 4},
		{Topology{Nodes: 16, Radix: 8}, 4, 3, 4},
		{Topology{Shape: Mesh, Nodes: 16}, 1, 2, 15},
		{Topology{Shape: Mesh, Nodes: 16}, 15, 7, 15},
		{Topology{Shape: Mesh, Nodes: 24, Width: 3}, 23, 10, 23},
		{Topology{Shape: Mesh, Nodes: 128, Dimensions: 3, SwitchNodes: 2}, 1, 1, 126},
		{Topology{Shape: Mesh, Nodes: 128, Dimensions: 3, SwitchNodes: 2}, 127, 10, 126},
		{Topology{Shape: Mesh, Nodes: 24, Dimensions: 3, SwitchNodes: 2}, 23, 5, 22},
		{Topology{Shape: Cable, Nodes: 2}, 1, 0, 1},
	} {
		require.Equal(t, c.switches, c.top.Switches(0, c.to), "%+v", c.top)
		require.Equal(t, c.switches, c.top.Switches(c.to, 0), "%+v", c.top)
		require.Equal(t, c.farthest, c.top.Farthest(), "%+v", c.top)
	}
}

// TestMeshNeighbours: a channel and its opposite join the same two switches, which a route
// passes one after the other.
func TestMeshNeighbours(t *testing.T) {
	top := Topology{Shape: Mesh, Nodes: 48, Dimensions: 3, SwitchNodes: 2}
	m := newMesh(&top)
	require.Equal(t, []int{3, 4, 2}, m.size)
	for dst := range top.Nodes {
		path := m.route(nil, 0, dst, 0)
		at := 0
		for _, c := range path[1 : len(path)-1] {
			from, _ := m.from(int(c))
			require.Equal(t, at, from)
			at, _ = m.from(int(m.opposite(c)))
			require.Equal(t, c, m.opposite(m.opposite(c)))
		}
		require.Equal(t, dst/2, at, "the last switch is that of node %d", dst)
	}
	require.Equal(t, "switch0,0,0.up", m.name(int(m.link(0, 4))))
	require.Equal(t, "switch2,3,1.down", m.name(int(m.link(23, 5))))
}

// TestTreePorts: no switch of a tree needs more ports than it has, and every
// channel of a route leaves the switch that the one before it enters.
func TestTreePorts(t *testing.T) {
	for _, nodes := range []int{8, 12, 32, 60, 128} {
		tr := newTree(nodes, 8)
		type port struct{ out, in map[int32]bool }
		switches := map[string]*port{}
		at := func(key string) *port {
			if switches[key] == nil {
				switches[key] = &port{map[int32]bool{}, map[int32]bool{}}
			}
			return switches[key]
		}
		for src := range nodes {
			for dst := range nodes {
				path := tr.route(nil, src, dst, 0)
				here := fmt.Sprintf("0/%d", src/4)
				if tr.levels == 1 {
					here = "0/0"
				}
				for i := 1; i < len(path); i++ {
					p := at(here)
					p.in[path[i-1]] = true
					p.out[path[i]] = true
					if i < len(path)-1 {
						here = treeFarEnd(tr, path[i], here)
					}
				}
				if tr.levels > 1 {
					require.Equal(t, fmt.Sprintf("0/%d", dst/4), here)
				}
			}
		}
		for key, p := range switches {
			require.LessOrEqual(t, len(p.in), 8, key)
			require.LessOrEqual(t, len(p.out), 8, key)
		}
	}
}

// treeFarEnd finds where an inter-switch channel ends from its number alone.
func treeFarEnd(tr *tree, c int32, from string) string {
	link := (int(c) - 2*tr.nodes) / 2
	w, l := link/tr.k%tr.width, link/tr.k/tr.width
	digit := w / tr.power[l]
	if l < tr.levels-2 { // the highest digit is not reduced: it is less than 2k
		digit %= tr.k
	}
	upper := w + (link%tr.k-digit)*tr.power[l]
	lowEnd, highEnd := fmt.Sprintf("%d/%d", l, w), fmt.Sprintf("%d/%d", l+1, upper)
	if (int(c)-2*tr.nodes)%2 == 0 {
		if from != lowEnd {
			panic("up channel of " + lowEnd + " taken from " + from)
		}
		return highEnd
	}
	if from != highEnd {
		panic("down channel of " + highEnd + " taken from " + from)
	}
	return lowEnd
}

// circle routes all packets the same way round, which can deadlock.
type circle struct{ n int }

func (r circle) channels() int           { return 3 * r.n }
func (r circle) name(c int) string       { return fmt.Sprint("ring", c) }
func (r circle) ways(int, int) int       { return 1 }
func (r circle) opposite(c int32) int32  { return c }
func (r circle) ends(int32) (_, _ int32) { return 0, 0 }
func (r circle) ports() int              { return 4 }
func (r circle) route(path []int32, src, dst, _ int) []int32 {
	path = append(path, int32(src))
	for at := src; at != dst; at = (at + 1) % r.n {
		path = append(path, int32(2*r.n+at))
	}
	return append(path, int32(r.n+dst))
}

type lost struct{ circle }

func (l lost) route(path []int32, src, dst, _ int) []int32 {
	return append(path, int32(src), int32(l.n+(dst+1)%l.n))
}

func TestDeadlockIsFound(t *testing.T) {
	err := checkRoutes(circle{5}, 5, 15, 1)
	require.ErrorContains(t, err, "routes can deadlock: 10 channels")
	require.ErrorContains(t, checkRoutes(lost{circle{5}}, 5, 15, 1), "ends at")
}

func TestChannelNames(t *testing.T) {
	n := newRig(t, base(Topology{Nodes: 64})).net
	var names []string
	for _, c := range n.Route(0, 63) {
		names = append(names, n.layout.name(int(c)))
	}
	require.Equal(t, []string{
		"node0>switch", "level0.switch0.up3", "level1.switch3.up3",
		"level1.switch15.down3", "level0.switch15.down3", "switch>node63",
	}, names)
}
