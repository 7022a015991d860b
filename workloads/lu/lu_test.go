package lu

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/rig"
)

var program = rig.Program[Spec, *LU]{
	New:   New,
	Of:    func(s *Spec) (*uint64, *svm.Homes) { return &s.Seed, &s.Homes },
	Holds: factorized,
	Shapes: []Spec{
		{Order: 16, Nodes: 1, Seed: 3}, {Order: 64, Nodes: 2, Seed: 3}, {Order: 96, Block: 12, Nodes: 6, Seed: 3}, {Order: 128, Nodes: 8, Seed: 3},
		{Order: 60, Block: 20, Nodes: 3, Seed: 3}, {Order: 128, Block: 8, Nodes: 16, Seed: 3}, {Order: 49, Block: 7, Nodes: 7, Seed: 3},
		{Order: 96, Block: 24, Nodes: 4, Seed: 3}, {Order: 128, Nodes: 64, Seed: 3},
	},
	Draw: func(r *rapid.T) Spec {
		block := rapid.IntRange(1, 12).Draw(r, "block")
		blocks := rapid.IntRange(1, 8).Draw(r, "blocks")
		return Spec{Order: block * blocks, Block: block, Seed: rapid.Uint64().Draw(r, "seed"), Nodes: rapid.IntRange(1, blocks).Draw(r, "nodes")}
	},
	Refused: map[string]Spec{
		"lu.size is 0, want 1 to 4096 rows": {Order: 0, Nodes: 1},
		"lu.size is 500, want a multiple":   {Order: 500, Nodes: 1},
		"lu.size is 8192":                   {Order: 8192, Nodes: 1},
		"lu.block is -1, want 0 to 128":     {Order: 64, Block: -1, Nodes: 1},
		"lu.nodes is 0, want 1 to 1024":     {Order: 64, Nodes: 0},
		"lu.nodes is 7, want a grid of at most 4 columns, the blocks of 16 in a row; it has 1 by 7": {Order: 64, Nodes: 7},
		"it has 8 by 8":                  {Order: 64, Nodes: 64},
		"lu.homes is \"home policy(9)\"": {Order: 64, Nodes: 1, Homes: 9},
	},
	Default: Spec{Order: DefaultOrder, Nodes: 8, Seed: 1},
}

// factorized holds the factors against gonum's: with a dominant diagonal it does not pivot either.
func factorized(t require.TestingT, f *LU, w *rig.World) {
	residual, err := f.residual(w.System)
	require.NoError(t, err)
	require.Less(t, residual, 1e-14)
	got, err := f.Result(w.System)
	require.NoError(t, err)
	n := f.shape.order
	var lu mat.LU
	lu.Factorize(mat.NewDense(n, n, f.input()))
	var l, u mat.TriDense
	lu.LTo(&l)
	lu.UTo(&u)
	for i := range n {
		for j := range n {
			want := u.At(i, j)
			if j < i {
				want = l.At(i, j)
			}
			require.InDelta(t, want, got[i*n+j], 1e-13*float64(n))
		}
	}
}

func TestProgram(t *testing.T) { program.Test(t) }

// TestStructure counts what the default factorization does on eight nodes.
func TestStructure(t *testing.T) {
	f, w := program.Run(t, Spec{Order: DefaultOrder, Nodes: 8, Seed: 1}, nil)
	residual, err := f.residual(w.System)
	require.NoError(t, err)
	require.Less(t, residual, 1e-14)
	for p := range 8 {
		st := w.System.Member(p).Stats()
		// Blocks are only written by their owners, which are home of them.
		require.Zero(t, st.Diffs, "node %d", p)
		require.Positive(t, st.Fetches)
		if p > 0 {
			require.EqualValues(t, 2+2*32, st.Messages[trace.BarrierArrive], "node %d", p)
		}
	}
	t.Logf("residual %.2g", residual)
	w.Log(t)
}

// TestCosts counts the inner steps of the kernels.
func TestCosts(t *testing.T) {
	for _, n := range []int{1, 2, 5, 16} {
		c := newCost(shape{block: n}, 1<<20)
		steps, divisions := 0, 0
		for k := range n {
			for i := k + 1; i < n; i++ {
				divisions++
				steps += n - k - 1
			}
		}
		require.EqualValues(t, 2*steps, c.factor().Flops)
		require.EqualValues(t, divisions*divideCycles, c.factor().Cycles)
		steps = 0
		for k := range n {
			steps += n * (n - k - 1)
		}
		require.EqualValues(t, 2*steps, c.right().Flops)
		require.EqualValues(t, 2*steps, c.left().Flops)
		require.EqualValues(t, 2*n*n*n, c.update().Flops)
	}
}

func TestEveryBlockHasItsPlace(t *testing.T) {
	for nodes := 1; nodes <= 12; nodes++ {
		spec := Spec{Order: 12 * 5, Block: 5, Nodes: nodes}
		h := spec.shape()
		require.Equal(t, nodes, h.rows*h.columns)
		used := map[svm.Addr]bool{}
		for i := range h.blocks {
			for j := range h.blocks {
				a := h.at(i, j)
				require.False(t, used[a])
				used[a] = true
				require.Equal(t, h.owner(i, j), int(a)/h.area)
				require.LessOrEqual(t, int(a)%h.area+h.blockBytes(), h.area)
			}
		}
	}
}

// TestVerifyNotices damages results.
func TestVerifyNotices(t *testing.T) {
	f, w := program.Run(t, Spec{Order: 128, Nodes: 4, Seed: 1}, func(_ *svm.Spec, n *ideal.Spec) { n.Damage = 5 })
	require.NotZero(t, w.Net.Broken)
	_, err := f.residual(w.System)
	require.ErrorContains(t, err, "residual")

	f, w = program.Run(t, Spec{Order: 128, Nodes: 4, Seed: 1}, nil)
	f.spec.Seed = 2
	_, err = f.residual(w.System)
	require.ErrorContains(t, err, "residual")
}

// BenchmarkLU is the default run on an ideal network, without verification.
func BenchmarkLU(b *testing.B) { program.Bench(b) }
