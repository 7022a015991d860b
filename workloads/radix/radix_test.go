package radix

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/rig"
)

var program = rig.Program[Spec, *Sort]{
	New:   New,
	Of:    func(s *Spec) (*uint64, *svm.Homes) { return &s.Seed, &s.Homes },
	Holds: func(t require.TestingT, s *Sort, w *rig.World) { require.NoError(t, s.check(w.System)) },
	Shapes: []Spec{
		{Keys: 1, Nodes: 1, Seed: 3},
		{Keys: 2, Radix: 2, MaxKey: 2, Nodes: 2, Seed: 3},
		{Keys: 100, Radix: 16, MaxKey: 1000, Nodes: 3, Seed: 3},
		{Keys: 1000, Nodes: 8, Seed: 3},
		{Keys: 5000, Radix: 256, MaxKey: min(1<<31, math.MaxInt), Nodes: 5, Seed: 3},
		{Keys: 4096, Radix: 2, MaxKey: 16, Nodes: 7, Seed: 3},
		{Keys: 20000, Radix: 1024, MaxKey: 1024, Nodes: 6, Seed: 3},
		{Keys: 40000, Nodes: 16, Seed: 3},
		{Keys: 65536, Radix: 64, MaxKey: 1 << 20, Nodes: 64, Seed: 3},
		{Keys: 30000, Radix: 1 << 16, MaxKey: 1 << 30, Nodes: 2, Seed: 3},
	},
	Draw: func(r *rapid.T) Spec {
		s := Spec{
			Keys:   rapid.IntRange(1, 6000).Draw(r, "keys"),
			Radix:  1 << rapid.IntRange(1, 11).Draw(r, "digit"),
			MaxKey: rapid.IntRange(2, 1<<20).Draw(r, "maxKey"),
			Seed:   rapid.Uint64().Draw(r, "seed"),
		}
		s.Nodes = rapid.IntRange(1, min(s.Keys, 12)).Draw(r, "nodes")
		return s
	},
	Refused: map[string]Spec{
		"radix.size is 0, want 1 to 268435456":                       {Keys: 0, Nodes: 1},
		"radix.size is 536870912":                                    {Keys: 1 << 29, Nodes: 1},
		"radix.nodes is 11, want 1 to 10, at least one key for each": {Keys: 10, Nodes: 11},
		"want 1 to 1024":                                             {Keys: 10000, Nodes: 1025},
		"radix.nodes is 0":                                           {Keys: 10, Nodes: 0},
		"radix.radix is 1000, want 0 or a power of two":              {Keys: 10, Nodes: 1, Radix: 1000},
		"radix.radix is 1,":                                          {Keys: 10, Nodes: 1, Radix: 1},
		"radix.radix is 131072":                                      {Keys: 10, Nodes: 1, Radix: 1 << 17},
		"radix.max_key is 1, want 0 or 2":                            {Keys: 10, Nodes: 1, MaxKey: 1},
		"radix.homes is \"home policy(9)\"":                          {Keys: 10, Nodes: 1, Homes: 9},
	},
	Default: Spec{Keys: DefaultKeys, Nodes: 8, Seed: 1},
}

func TestProgram(t *testing.T) { program.Test(t) }

// TestPublishedShape holds the default sort on eight nodes against what
// follows from its figures.
func TestPublishedShape(t *testing.T) {
	if testing.Short() {
		t.Skip("the published size")
	}
	spec := Spec{Keys: DefaultKeys, Nodes: 8, Seed: 1}
	h := spec.shape()
	require.Equal(t, 1024, h.radix)
	require.Equal(t, 2, h.passes)
	require.Equal(t, 4, h.levels)

	s, w := program.Run(t, spec, nil)
	require.NoError(t, s.check(w.System))
	arrayPages := DefaultKeys * keyBytes / svm.PageSize
	for p := range 8 {
		st := w.System.Member(p).Stats()
		// Two permutations; in each a node writes to a large part of all pages and is home of an eighth.
		require.Greater(t, st.Diffs, uint64(2*arrayPages/3), "node %d", p)
		require.Less(t, st.Diffs, uint64(2*arrayPages), "node %d", p)
		require.GreaterOrEqual(t, st.Fetches, st.Diffs, "node %d", p)
		// Every key that leaves its node is in a difference once.
		require.Greater(t, st.DiffBytes, uint64(2*DefaultKeys/8*keyBytes*3/4), "node %d", p)
	}
	w.Log(t)
	t.Logf("node 0: %+v", w.System.Member(0).Stats())
}

// TestStructure counts barriers by their messages.
func TestStructure(t *testing.T) {
	for nodes, perPass := range map[int]uint64{2: 4, 4: 5, 6: 6, 8: 6} {
		_, w := program.Run(t, Spec{Keys: 4000, Nodes: nodes, Seed: 1}, nil)
		m := w.System.Member(1).Stats().Messages
		// One at the start; in each pass one below each level of the tree, two
		// around the ranks, one at the end.
		require.EqualValues(t, 1+2*perPass, m[trace.BarrierArrive], "%d nodes", nodes)
		require.Zero(t, m[trace.LockRequest])
	}
}

// TestEntries walks the trees of all numbers of nodes: the entries that a node
// adds to its own, and its own, cover the nodes up to it once each.
func TestEntries(t *testing.T) {
	for nodes := 1; nodes <= 70; nodes++ {
		spec := Spec{Keys: 1 << 20, Nodes: nodes}
		h := spec.shape()
		at := map[svm.Addr]string{}
		for level := range h.levels {
			for i := 0; i<<level < nodes; i++ {
				writer, a := h.entry(level, i)
				require.LessOrEqual(t, writer<<0, nodes-1)
				require.Equal(t, min((i+1)<<level, nodes)-1, writer)
				require.Equal(t, writer, int(a)/h.block, "lies with its writer")
				require.Zero(t, a%svm.Addr(h.entryBytes())%svm.WordSize)
				whole := fmt.Sprint(i<<level, writer)
				if other, ok := at[a]; ok {
					require.Equal(t, other, whole)
				}
				at[a] = whole
			}
		}
		for node := range nodes {
			covered := 0
			for level := range h.levels {
				if i := node >> level; i%2 == 1 {
					covered += 1 << level
				}
			}
			require.Equal(t, node, covered)
		}
	}
}

// TestVerifyNotices damages results in two ways.
func TestVerifyNotices(t *testing.T) {
	for seed := range uint64(30) {
		s, w := program.Run(t, Spec{Keys: 20000, Nodes: 4, Seed: seed}, func(_ *svm.Spec, n *ideal.Spec) { n.Damage = 3 })
		require.NotZero(t, w.Net.Broken)
		require.ErrorContains(t, s.check(w.System), "radix: ")
	}
	s, w := program.Run(t, Spec{Keys: 20000, Nodes: 4, Seed: 1}, nil)
	require.NoError(t, s.check(w.System))
	s.spec.Seed = 2
	require.ErrorContains(t, s.check(w.System), "in order, but not those of the input")
}

// BenchmarkSort is the default run on an ideal network, without verification.
func BenchmarkSort(b *testing.B) { program.Bench(b) }
