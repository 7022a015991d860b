package rig

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
)

// Program is a program of shared memory with what Test tests of it.
type Program[S any, A App] struct {
	New     func(S) (A, error)
	Of      func(*S) (seed *uint64, homes *svm.Homes)
	Holds   func(t require.TestingT, app A, w *World) // fails unless the result is right
	Shapes  []S
	Draw    func(*rapid.T) S
	Refused map[string]S // by what the error says
	Default S
}

// Run runs the program to its end. Change, which may be nil, may change how.
func (p *Program[S, A]) Run(t testing.TB, spec S, change func(*svm.Spec, *ideal.Spec)) (A, *World) {
	t.Helper()
	app, err := p.New(spec)
	require.NoError(t, err)
	seed, _ := p.Of(&spec)
	return app, Run(t, *seed, app, change)
}

// Test runs the program in its shapes and in drawn ones, in all ways to run it, and has it refuse
// specifications.
func (p *Program[S, A]) Test(t *testing.T) {
	for i, spec := range p.Shapes {
		t.Run(fmt.Sprintf("%+v", spec), func(t *testing.T) { p.runs(t, t, spec, i, 30*us) })
	}
	t.Run("any", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) { p.runs(t, r, p.Draw(r), rapid.IntRange(0, 23).Draw(r, "mode"), 20*us) })
	})
	t.Run("refused", func(t *testing.T) {
		for want, spec := range p.Refused {
			_, err := p.New(spec)
			require.ErrorContains(t, err, want)
		}
	})
}

func (p *Program[S, A]) runs(t testing.TB, r require.TestingT, spec S, mode int, jitter sim.Duration) {
	placed, change := modes(mode, jitter)
	_, homes := p.Of(&spec)
	*homes = placed
	app, w := p.Run(t, spec, change)
	p.Holds(r, app, w)
}

// Bench runs the program in its default size, without verification.
func (p *Program[S, A]) Bench(b *testing.B) {
	for b.Loop() {
		p.Run(b, p.Default, nil)
	}
}

// Log logs what a run has taken, and node 0's shares of its time.
func (w *World) Log(t testing.TB) {
	elapsed, _ := w.System.Elapsed()
	t.Logf("simulated %v, frames %+v, events %d", elapsed, w.System.Pool(), w.Engine.Events())
	s := w.System.Member(0).Thread().Shares()
	for c, d := range s.Time {
		t.Logf("%-14v %v", host.Category(c), d)
	}
}
