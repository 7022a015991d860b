package ocean

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/rig"
)

func run(t testing.TB, spec Spec, change func(*svm.Spec, *ideal.Spec)) (*Ocean, *rig.World) {
	t.Helper()
	o, err := New(spec)
	require.NoError(t, err)
	return o, rig.Run(t, spec.Seed, o, change)
}

func TestSolvesManyShapes(t *testing.T) {
	for i, c := range []struct{ points, nodes int }{
		{2, 1}, {2, 2}, {7, 3}, {16, 16}, {31, 8}, {64, 5}, {50, 2},
	} {
		t.Run(fmt.Sprintf("%d on %d", c.points, c.nodes), func(t *testing.T) {
			homes, change := rig.Modes(i, 30*sim.Microsecond)
			o, w := run(t, Spec{Points: c.points, Nodes: c.nodes, Seed: 3, Homes: homes}, change)
			solved, err := o.solve(w.System)
			require.NoError(t, err)
			require.Less(t, solved.Error, 1e-4)
			require.Less(t, solved.Sweeps, o.spec.sweeps())
		})
	}
}

// TestAnyGrid draws specifications and ways to run them.
func TestAnyGrid(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		spec := Spec{
			Points: rapid.IntRange(2, 40).Draw(r, "points"),
			Sweeps: rapid.IntRange(1, 12).Draw(r, "sweeps"),
			Seed:   rapid.Uint64().Draw(r, "seed"),
		}
		spec.Nodes = rapid.IntRange(1, min(spec.Points, 10)).Draw(r, "nodes")
		homes, change := rig.Modes(rapid.IntRange(0, 23).Draw(r, "mode"), 20*sim.Microsecond)
		spec.Homes = homes
		o, w := run(t, spec, change)
		solved, err := o.solve(w.System)
		require.NoError(r, err)
		require.LessOrEqual(r, solved.Sweeps, spec.Sweeps)
	})
}

// TestStructure counts what a relaxation of a fixed length does.
func TestStructure(t *testing.T) {
	const sweeps = 10
	_, w := run(t, Spec{Points: DefaultPoints, Nodes: 8, Sweeps: sweeps, Seed: 1}, nil)
	for p := range 8 {
		st := w.System.Member(p).Stats()
		if p > 0 {
			require.EqualValues(t, 3+2*sweeps, st.Messages[trace.BarrierArrive], "node %d", p)
		}
		// Bands are only written by their homes; the residuals' page is at node 0.
		require.LessOrEqual(t, st.Diffs, uint64(sweeps), "node %d", p)
		// In each half sweep the last row of one neighbour and the first one of
		// the other, of one or two pages each; the residuals' page twice a sweep.
		require.LessOrEqual(t, st.Fetches, uint64(2*sweeps*4+2*sweeps+8), "node %d", p)
		require.GreaterOrEqual(t, st.Fetches, uint64(2*sweeps), "node %d", p)
	}
}

// TestDefault is the default size to its end.
func TestDefault(t *testing.T) {
	if testing.Short() {
		t.Skip("the default size, to its end")
	}
	o, w := run(t, Spec{Points: DefaultPoints, Nodes: 8, Seed: 1}, nil)
	solved, err := o.solve(w.System)
	require.NoError(t, err)
	elapsed, _ := w.System.Elapsed()
	t.Logf("simulated %v, %+v, frames %+v, events %d", elapsed, solved, w.System.Pool(), w.Engine.Events())
	shares := w.System.Member(0).Thread().Shares()
	for c, d := range shares.Time {
		t.Logf("%-14v %v", host.Category(c), d)
	}
}

func TestEveryRowHasItsPlace(t *testing.T) {
	for points := 2; points < 40; points++ {
		for nodes := 1; nodes <= points; nodes++ {
			spec := Spec{Points: points, Nodes: nodes}
			h := spec.shape()
			used := map[svm.Addr]bool{}
			for r := range points + 2 {
				first, end := h.band(h.node(r))
				if r > 0 && r <= points {
					require.True(t, first <= r && r < end, "row %d of %d on %d nodes", r, points, nodes)
				}
				a := h.at(r)
				require.False(t, used[a])
				used[a] = true
				require.Equal(t, h.node(r), int(a)/h.area)
				require.LessOrEqual(t, int(a)%h.area+h.rowBytes(), h.area)
			}
		}
	}
}

func TestBadSpecs(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Points: 1, Nodes: 1}, "ocean.size is 1, want 2 to 4096"},
		{Spec{Points: 5000, Nodes: 1}, "ocean.size is 5000"},
		{Spec{Points: 16, Nodes: 17}, "ocean.nodes is 17, want 1 to size = 16"},
		{Spec{Points: 16, Nodes: 0}, "ocean.nodes is 0"},
		{Spec{Points: 16, Nodes: 1, Sweeps: -1}, "ocean.sweeps is -1"},
		{Spec{Points: 16, Nodes: 1, Homes: 9}, "ocean.homes is \"home policy(9)\""},
	} {
		_, err := New(c.spec)
		require.ErrorContains(t, err, c.want)
	}
}

// TestVerifyNotices damages results.
func TestVerifyNotices(t *testing.T) {
	noticed := 0
	for seed := range uint64(10) {
		o, w := run(t, Spec{Points: 250, Nodes: 3, Sweeps: 4, Seed: seed}, func(_ *svm.Spec, n *ideal.Spec) { n.Damage = 5 })
		if _, err := o.solve(w.System); err != nil {
			require.ErrorContains(t, err, "ocean: row")
			noticed++
		}
	}
	require.Greater(t, noticed, 5, "damage that hits a row that is read")

	o, w := run(t, Spec{Points: 40, Nodes: 3, Seed: 1}, nil)
	_, err := o.solve(w.System)
	require.NoError(t, err)
	o.known.factor[0][0]++
	_, err = o.solve(w.System)
	require.ErrorContains(t, err, "ocean: row 0 column 0")
}

// BenchmarkOcean is the default run on an ideal network, without verification.
func BenchmarkOcean(b *testing.B) {
	for b.Loop() {
		run(b, Spec{Points: DefaultPoints, Nodes: 8, Seed: 1}, nil)
	}
}
