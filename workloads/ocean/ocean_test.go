package ocean

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/rig"
)

var program = rig.Program[Spec, *Ocean]{
	New:   New,
	Of:    func(s *Spec) (*uint64, *svm.Homes) { return &s.Seed, &s.Homes },
	Holds: solved,
	Shapes: []Spec{
		{Points: 2, Nodes: 1, Seed: 3}, {Points: 2, Nodes: 2, Seed: 3}, {Points: 7, Nodes: 3, Seed: 3}, {Points: 16, Nodes: 16, Seed: 3},
		{Points: 31, Nodes: 8, Seed: 3}, {Points: 64, Nodes: 5, Seed: 3}, {Points: 50, Nodes: 2, Seed: 3},
	},
	Draw: func(r *rapid.T) Spec {
		s := Spec{
			Points: rapid.IntRange(2, 40).Draw(r, "points"),
			Sweeps: rapid.IntRange(1, 12).Draw(r, "sweeps"),
			Seed:   rapid.Uint64().Draw(r, "seed"),
		}
		s.Nodes = rapid.IntRange(1, min(s.Points, 10)).Draw(r, "nodes")
		return s
	},
	Refused: map[string]Spec{
		"ocean.size is 1, want 2 to 4096":        {Points: 1, Nodes: 1},
		"ocean.size is 5000":                     {Points: 5000, Nodes: 1},
		"ocean.nodes is 17, want 1 to size = 16": {Points: 16, Nodes: 17},
		"ocean.nodes is 0":                       {Points: 16, Nodes: 0},
		"ocean.sweeps is -1":                     {Points: 16, Nodes: 1, Sweeps: -1},
		"ocean.homes is \"home policy(9)\"":      {Points: 16, Nodes: 1, Homes: 9},
	},
	Default: Spec{Points: DefaultPoints, Nodes: 8, Seed: 1},
}

func solved(t require.TestingT, o *Ocean, w *rig.World) {
	got, err := o.solve(w.System)
	require.NoError(t, err)
	if o.spec.Sweeps > 0 {
		require.LessOrEqual(t, got.Sweeps, o.spec.Sweeps)
		return
	}
	require.Less(t, got.Error, 1e-4)
	require.Less(t, got.Sweeps, o.spec.sweeps())
}

func TestProgram(t *testing.T) { program.Test(t) }

// TestStructure counts what a relaxation of a fixed length does.
func TestStructure(t *testing.T) {
	const sweeps = 10
	_, w := program.Run(t, Spec{Points: DefaultPoints, Nodes: 8, Sweeps: sweeps, Seed: 1}, nil)
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
	o, w := program.Run(t, Spec{Points: DefaultPoints, Nodes: 8, Seed: 1}, nil)
	solved, err := o.solve(w.System)
	require.NoError(t, err)
	t.Logf("%+v", solved)
	w.Log(t)
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

// TestVerifyNotices damages results.
func TestVerifyNotices(t *testing.T) {
	noticed := 0
	for seed := range uint64(10) {
		o, w := program.Run(t, Spec{Points: 250, Nodes: 3, Sweeps: 4, Seed: seed}, func(_ *svm.Spec, n *ideal.Spec) { n.Damage = 5 })
		if _, err := o.solve(w.System); err != nil {
			require.ErrorContains(t, err, "ocean: row")
			noticed++
		}
	}
	require.Greater(t, noticed, 5, "damage that hits a row that is read")

	o, w := program.Run(t, Spec{Points: 40, Nodes: 3, Seed: 1}, nil)
	_, err := o.solve(w.System)
	require.NoError(t, err)
	o.known.factor[0][0]++
	_, err = o.solve(w.System)
	require.ErrorContains(t, err, "ocean: row 0 column 0")
}

// BenchmarkOcean is the default run on an ideal network, without verification.
func BenchmarkOcean(b *testing.B) { program.Bench(b) }
