package water

import (
	"fmt"
	"math"
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

func run(t testing.TB, spec Spec, change func(*svm.Spec, *ideal.Spec)) (*Water, *rig.World) {
	t.Helper()
	w, err := New(spec)
	require.NoError(t, err)
	return w, rig.Run(t, spec.Seed, w, change)
}

func TestMovesManyShapes(t *testing.T) {
	for i, c := range []struct{ molecules, steps, nodes int }{
		{2, 3, 1}, {2, 3, 2}, {27, 2, 4}, {64, 2, 8}, {50, 1, 3}, {125, 2, 16}, {64, 1, 64},
	} {
		if testing.Short() && c.nodes > 8 {
			continue
		}
		t.Run(fmt.Sprintf("%d on %d", c.molecules, c.nodes), func(t *testing.T) {
			homes, change := rig.Modes(i, 30*sim.Microsecond)
			w, world := run(t, Spec{Molecules: c.molecules, Steps: c.steps, Nodes: c.nodes, Seed: 3, Homes: homes}, change)
			worst, err := w.deviation(world.System)
			require.NoError(t, err)
			require.Less(t, worst, 1e-11)
		})
	}
}

// TestAnyWater draws specifications and ways to run them.
func TestAnyWater(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		spec := Spec{
			Molecules: rapid.IntRange(2, 20).Draw(r, "molecules"),
			Steps:     rapid.IntRange(1, 2).Draw(r, "steps"),
			Seed:      rapid.Uint64().Draw(r, "seed"),
		}
		spec.Nodes = rapid.IntRange(1, min(spec.Molecules, 6)).Draw(r, "nodes")
		homes, change := rig.Modes(rapid.IntRange(0, 23).Draw(r, "mode"), 20*sim.Microsecond)
		spec.Homes = homes
		w, world := run(t, spec, change)
		_, err := w.deviation(world.System)
		require.NoError(r, err)
	})
}

// TestStructure counts locks and barriers of the default size.
func TestStructure(t *testing.T) {
	if testing.Short() {
		t.Skip("the default size")
	}
	const steps = 1
	w, world := run(t, Spec{Molecules: DefaultMolecules, Steps: steps, Nodes: 8, Seed: 1}, nil)
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
	elapsed, _ := world.System.Elapsed()
	t.Logf("simulated %v, off by %.2g, frames %+v, events %d, locks asked for %d of %d",
		elapsed, worst, world.System.Pool(), world.Engine.Events(), asked, all)
	shares := world.System.Member(0).Thread().Shares()
	for c, d := range shares.Time {
		t.Logf("%-14v %v", host.Category(c), d)
	}
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

func TestBadSpecs(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Molecules: 1, Nodes: 1}, "water.size is 1, want 2 to 16384"},
		{Spec{Molecules: 1 << 20, Nodes: 1}, "water.size is 1048576"},
		{Spec{Molecules: 8, Nodes: 9}, "water.nodes is 9, want 1 to size = 8"},
		{Spec{Molecules: 8, Nodes: 0}, "water.nodes is 0"},
		{Spec{Molecules: 8, Nodes: 1, Steps: 257}, "water.steps is 257, want 0 to 256"},
		{Spec{Molecules: 8, Nodes: 1, Homes: 9}, "water.homes is \"home policy(9)\""},
	} {
		_, err := New(c.spec)
		require.ErrorContains(t, err, c.want)
	}
}

// TestVerifyNotices damages results.
func TestVerifyNotices(t *testing.T) {
	w, world := run(t, Spec{Molecules: 64, Nodes: 4, Seed: 1}, func(_ *svm.Spec, n *ideal.Spec) { n.Damage = 3 })
	require.NotZero(t, world.Net.Broken)
	_, err := w.deviation(world.System)
	require.ErrorContains(t, err, "water: ")

	w, world = run(t, Spec{Molecules: 64, Nodes: 4, Seed: 1}, nil)
	_, err = w.deviation(world.System)
	require.NoError(t, err)
	w.spec.Seed = 2
	_, err = w.deviation(world.System)
	require.ErrorContains(t, err, "water: ")
}

// BenchmarkWater is the default run on an ideal network, without verification.
func BenchmarkWater(b *testing.B) {
	for b.Loop() {
		run(b, Spec{Molecules: DefaultMolecules, Nodes: 8, Seed: 1}, nil)
	}
}
