package lu

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/rig"
)

func run(t testing.TB, spec Spec, change func(*svm.Spec, *ideal.Spec)) (*LU, *rig.World) {
	t.Helper()
	f, err := New(spec)
	require.NoError(t, err)
	return f, rig.Run(t, spec.Seed, f, change)
}

func TestFactorsOfManyShapes(t *testing.T) {
	for i, c := range []struct{ order, block, nodes int }{
		{16, 0, 1}, {64, 0, 2}, {96, 12, 6}, {128, 0, 8}, {60, 20, 3}, {128, 8, 16}, {49, 7, 7}, {96, 24, 4}, {128, 0, 64},
	} {
		t.Run(fmt.Sprintf("%d on %d", c.order, c.nodes), func(t *testing.T) {
			homes, change := rig.Modes(i, 30*sim.Microsecond)
			f, w := run(t, Spec{Order: c.order, Block: c.block, Nodes: c.nodes, Seed: 3, Homes: homes}, change)
			residual, err := f.residual(w.System)
			require.NoError(t, err)
			require.Less(t, residual, 1e-14)
		})
	}
}

// TestAnyFactorization draws specifications and ways to run them, and holds
// the factors against gonum's: with a dominant diagonal it does not pivot
// either.
func TestAnyFactorization(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		block := rapid.IntRange(1, 12).Draw(r, "block")
		blocks := rapid.IntRange(1, 8).Draw(r, "blocks")
		spec := Spec{Order: block * blocks, Block: block, Seed: rapid.Uint64().Draw(r, "seed")}
		spec.Nodes = rapid.IntRange(1, blocks).Draw(r, "nodes")
		homes, change := rig.Modes(rapid.IntRange(0, 23).Draw(r, "mode"), 20*sim.Microsecond)
		spec.Homes = homes
		f, w := run(t, spec, change)
		residual, err := f.residual(w.System)
		require.NoError(r, err)
		require.Less(r, residual, 1e-14)
		got, err := f.Result(w.System)
		require.NoError(r, err)
		var lu mat.LU
		lu.Factorize(mat.NewDense(spec.Order, spec.Order, f.input()))
		var l, u mat.TriDense
		lu.LTo(&l)
		lu.UTo(&u)
		for i := range spec.Order {
			for j := range spec.Order {
				want := u.At(i, j)
				if j < i {
					want = l.At(i, j)
				}
				require.InDelta(r, want, got[i*spec.Order+j], 1e-13*float64(spec.Order))
			}
		}
	})
}

// TestStructure counts what the default factorization does on eight nodes.
func TestStructure(t *testing.T) {
	f, w := run(t, Spec{Order: DefaultOrder, Nodes: 8, Seed: 1}, nil)
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
	elapsed, _ := w.System.Elapsed()
	t.Logf("simulated %v, residual %.2g, frames %+v, events %d", elapsed, residual, w.System.Pool(), w.Engine.Events())
	shares := w.System.Member(0).Thread().Shares()
	for c, d := range shares.Time {
		t.Logf("%-14v %v", host.Category(c), d)
	}
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

func TestBadSpecs(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Order: 0, Nodes: 1}, "lu.size is 0, want 1 to 4096 rows"},
		{Spec{Order: 500, Nodes: 1}, "lu.size is 500, want a multiple"},
		{Spec{Order: 8192, Nodes: 1}, "lu.size is 8192"},
		{Spec{Order: 64, Block: -1, Nodes: 1}, "lu.block is -1, want 0 to 128"},
		{Spec{Order: 64, Nodes: 0}, "lu.nodes is 0, want 1 to 1024"},
		{Spec{Order: 64, Nodes: 7}, "lu.nodes is 7, want a grid of at most 4 columns, the blocks of 16 in a row; it has 1 by 7"},
		{Spec{Order: 64, Nodes: 64}, "it has 8 by 8"},
		{Spec{Order: 64, Nodes: 1, Homes: 9}, "lu.homes is \"home policy(9)\""},
	} {
		_, err := New(c.spec)
		require.ErrorContains(t, err, c.want)
	}
}

// TestVerifyNotices damages results.
func TestVerifyNotices(t *testing.T) {
	f, w := run(t, Spec{Order: 128, Nodes: 4, Seed: 1}, func(_ *svm.Spec, n *ideal.Spec) { n.Damage = 5 })
	require.NotZero(t, w.Net.Broken)
	_, err := f.residual(w.System)
	require.ErrorContains(t, err, "residual")

	f, w = run(t, Spec{Order: 128, Nodes: 4, Seed: 1}, nil)
	f.spec.Seed = 2
	_, err = f.residual(w.System)
	require.ErrorContains(t, err, "residual")
}

// BenchmarkLU is the default run on an ideal network, without verification.
func BenchmarkLU(b *testing.B) {
	for b.Loop() {
		run(b, Spec{Order: DefaultOrder, Nodes: 8, Seed: 1}, nil)
	}
}
