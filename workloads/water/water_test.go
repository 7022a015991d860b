package water

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/rig"
)

var program = rig.Program[Spec, *Water]{
	New: New,
	Of:  func(s *Spec) (*uint64, *svm.Homes) { return &s.Seed, &s.Homes },
	Holds: func(t require.TestingT, w *Water, world *rig.World) {
		worst, err := w.deviation(world.System)
		require.NoError(t, err)
		require.Less(t, worst, 1e-11)
	},
	Shapes: []Spec{
		{Molecules: 2, Steps: 3, Nodes: 1, Seed: 3}, {Molecules: 2, Steps: 3, Nodes: 2, Seed: 3}, {Molecules: 27, Steps: 2, Nodes: 4, Seed: 3},
		{Molecules: 64, Steps: 2, Nodes: 8, Seed: 3}, {Molecules: 50, Steps: 1, Nodes: 3, Seed: 3},
		{Molecules: 125, Steps: 2, Nodes: 16, Seed: 3}, {Molecules: 64, Steps: 1, Nodes: 64, Seed: 3},
	},
	Draw: func(r *rapid.T) Spec {
		s := Spec{
			Molecules: rapid.IntRange(2, 20).Draw(r, "molecules"),
			Steps:     rapid.IntRange(1, 2).Draw(r, "steps"),
			Seed:      rapid.Uint64().Draw(r, "seed"),
		}
		s.Nodes = rapid.IntRange(1, min(s.Molecules, 6)).Draw(r, "nodes")
		return s
	},
	Refused: map[string]Spec{
		"water.size is 1, want 2 to 16384":     {Molecules: 1, Nodes: 1},
		"water.size is 1048576":                {Molecules: 1 << 20, Nodes: 1},
		"water.nodes is 9, want 1 to size = 8": {Molecules: 8, Nodes: 9},
		"water.nodes is 0":                     {Molecules: 8, Nodes: 0},
		"water.steps is 257, want 0 to 256":    {Molecules: 8, Nodes: 1, Steps: 257},
		"water.homes is \"home policy(9)\"":    {Molecules: 8, Nodes: 1, Homes: 9},
	},
	Default: Spec{Molecules: DefaultMolecules, Nodes: 8, Seed: 1},
}

func TestProgram(t *testing.T) {
	p := program
	if testing.Short() {
		p.Shapes = p.Shapes[:5] // on 8 nodes at most
	}
	p.Test(t)
}

// TestStructure counts locks and barriers of the default size.
func TestStructure(t *testing.T) {
	if testing.Short() {
		t.Skip("the default size")
	}
	const steps = 1
	w, world := program.Run(t, Spec{Molecules: DefaultMolecules, Steps: steps, Nodes: 8, Seed: 1}, nil)
	worst, err := w.deviation(world.System)
	require.NoError(t, err)
	var asked uint64
	for p := range 8 {
		m := world.System.Member(p).Stats().Messages
		asked += m[trace.LockRequest]
		if p > 0 {
			require.EqualValues(t, 1+2+steps*4, m[trace.BarrierArrive], "node %d", p)
		}
	}
	// Each node locks its own molecules and half of all others, twice; a lock
	// that is here already, or managed here, needs no request.
	all := uint64(8 * (64 + 256) * (steps + 1))
	require.Greater(t, asked, all/2)
	require.Less(t, asked, all+8*steps)
	t.Logf("off by %.2g, locks asked for %d of %d", worst, asked, all)
	world.Log(t)
}

// TestForcesAreSlopesOfTheEnergy moves single coordinates and looks at how the
// energy changes, for both ways to compute forces.
func TestForcesAreSlopesOfTheEnergy(t *testing.T) {
	w, err := New(Spec{Molecules: 2, Nodes: 1, Seed: 5})
	require.NoError(t, err)
	x, _ := w.input()
	energy := func() (e float64, f []float64) {
		f = make([]float64, 2*vector)
		e, near := between(x[:vector], x[vector:], f[:vector], f[vector:], w.box)
		if !near {
			t.Skip("the molecules are too far apart")
		}
		e += within(x[:vector], f[:vector]) + within(x[vector:], f[vector:])
		return e, f
	}
	_, f := energy()
	other, e2 := w.fieldOf(x)
	e1, _ := energy()
	require.InEpsilon(t, e1, e2, 1e-12)
	const d = 1e-5
	for i := range x {
		at := x[i]
		x[i] = at + d
		up, _ := energy()
		x[i] = at - d
		down, _ := energy()
		x[i] = at
		require.InDelta(t, (down-up)/(2*d), f[i], 1e-5*(1+math.Abs(f[i])), "coordinate %d", i)
		require.InDelta(t, f[i], other[i], 1e-9*(1+math.Abs(f[i])))
	}
}

// TestEnergyIsConserved holds the sum of the energies over some steps.
func TestEnergyIsConserved(t *testing.T) {
	w, err := New(Spec{Molecules: 2, Steps: 60, Nodes: 2, Seed: 5})
	require.NoError(t, err)
	w.box = 1000 // so that nothing is cut off
	world := rig.Run(t, 1, w, nil)
	s, err := w.Result(world.System)
	require.NoError(t, err)
	first := s.Energies[0] + s.Energies[1]
	for i := 0; i < len(s.Energies); i += 2 {
		require.InDelta(t, first, s.Energies[i]+s.Energies[i+1], 0.3, "step %d", i/2)
	}
}

// TestEveryPairOnce walks the pairs of all small sizes.
func TestEveryPairOnce(t *testing.T) {
	for n := 2; n < 30; n++ {
		spec := Spec{Molecules: n, Nodes: 1}
		h := spec.shape()
		met := map[[2]int]int{}
		for m := range n {
			for k := 1; k <= h.partners(m); k++ {
				o := (m + k) % n
				met[[2]int{min(m, o), max(m, o)}]++
			}
		}
		require.Len(t, met, n*(n-1)/2)
		for pair, times := range met {
			require.Equal(t, 1, times, "%d molecules, pair %v", n, pair)
		}
		for nodes := 1; nodes <= n; nodes++ {
			spec.Nodes = nodes
			h := spec.shape()
			for m := range n {
				node := int(h.at(m)) / h.area
				first, end := h.share(node)
				require.True(t, first <= m && m < end)
				require.LessOrEqual(t, min(m-first+h.partners(m)+1, n), h.reach(node))
			}
		}
	}
}

// TestVerifyNotices damages results.
func TestVerifyNotices(t *testing.T) {
	w, world := program.Run(t, Spec{Molecules: 64, Nodes: 4, Seed: 1}, func(_ *svm.Spec, n *ideal.Spec) { n.Damage = 3 })
	require.NotZero(t, world.Net.Broken)
	_, err := w.deviation(world.System)
	require.ErrorContains(t, err, "water: ")

	w, world = program.Run(t, Spec{Molecules: 64, Nodes: 4, Seed: 1}, nil)
	_, err = w.deviation(world.System)
	require.NoError(t, err)
	w.spec.Seed = 2
	_, err = w.deviation(world.System)
	require.ErrorContains(t, err, "water: ")
}

// BenchmarkWater is the default run on an ideal network, without verification.
func BenchmarkWater(b *testing.B) { program.Bench(b) }
