package svmcheck

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/svm"
)

var seed = flag.Uint64("seed", 0, "run only this seed")

var shape = Shape{Nodes: 6, Pages: 4, Locks: 4, Phases: 4, Ops: 8, WordsPerPage: svm.PageSize / svm.WordSize}

// migrating is the shape of programs whose homes move.
var migrating = Shape{Nodes: 5, Pages: 6, Locks: 2, Phases: 10, Ops: 4, WordsPerPage: svm.PageSize / svm.WordSize, Owned: true}

// one runs the program and the schedule that belong to a seed.
func one(s Shape, seed uint64, plant svm.Fault) (o *Oracle, moved int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
		if err != nil {
			err = fmt.Errorf("%w\n  repeat: go test ./check/svmcheck -seed %d", err, seed)
		}
	}()
	rng := rand.New(rand.NewPCG(seed/4, 1)) // four schedules per program
	p := Random(rng, s)
	return Run(p, Schedule{Seed: seed, Homes: svm.Homes(seed % 3), Moves: s.Owned, Check: seed%5 == 0, Plant: plant})
}

func TestProgramsReadWhatTheyShould(t *testing.T) {
	n, _ := many(t, shape, 3500, 800)
	t.Logf("%d schedules", n)
}

// TestHomesMove: wherever homes move to, programs read what they should.
func TestHomesMove(t *testing.T) {
	n, moved := many(t, migrating, 2500, 400)
	t.Logf("%d schedules, %d moves", n, moved)
	require.Greater(t, moved, n)
}

// many runs a number of schedules, or the one that was asked for.
func many(t *testing.T, s Shape, n, short int) (runs, moved int) {
	if *seed != 0 {
		_, moved, err := one(s, *seed, svm.Sound)
		require.NoError(t, err)
		return 0, moved + 1
	}
	if testing.Short() {
		n = short
	}
	stores := 0
	for i := range uint64(n) {
		o, k, err := one(s, i+1, svm.Sound)
		require.NoError(t, err)
		stores, moved = stores+o.Stores, moved+k
	}
	require.Greater(t, stores, 10*n)
	return n, moved
}

// TestDefectsAreNoticed plants each defect and counts the schedules until the
// oracle complains.
func TestDefectsAreNoticed(t *testing.T) {
	for _, c := range []struct {
		name  string
		plant svm.Fault
		shape Shape
	}{
		{"a grant leaves out a notice", svm.DropNotice, shape},
		{"the home answers too early", svm.EagerHome, shape},
		{"the home reads too early", svm.EagerLocal, shape},
		{"an acquire keeps the interval open", svm.LateDiff, shape},
		{"a diff carries the whole page", svm.WholePageDiff, shape},
		{"a barrier invalidates nothing", svm.KeepPages, shape},
		{"a release sends empty diffs", svm.NoFlush, shape},
		{"a home moves to a stale copy", svm.MoveStale, migrating},
		{"a former home keeps a stale copy", svm.StayValid, migrating},
	} {
		t.Run(c.name, func(t *testing.T) {
			const tries = 2000
			for s := range uint64(tries) {
				if _, _, err := one(c.shape, s+1, c.plant); err != nil {
					require.NotContains(t, err.Error(), "the program is wrong")
					t.Logf("schedule %d: %v", s+1, err)
					return
				}
			}
			t.Fatalf("not noticed in %d schedules", tries)
		})
	}
}

// TestOracleKnowsRaces shows that a wrong program is called wrong, so that a
// wrong read is never explained by one.
func TestOracleKnowsRaces(t *testing.T) {
	o := NewOracle(2, 4)
	_, err := o.Store(0, 1, false)
	require.NoError(t, err)
	require.ErrorContains(t, o.Load(1, 1, 0), "the program is wrong")

	o = NewOracle(2, 4)
	require.NoError(t, o.Load(1, 1, 0))
	_, err = o.Store(0, 1, false)
	require.ErrorContains(t, err, "the program is wrong")

	o = NewOracle(2, 4)
	v, err := o.Store(0, 1, false)
	require.NoError(t, err)
	o.Unlocking(0, 3)
	o.Locked(1, 3)
	require.NoError(t, o.Load(1, 1, v))
	require.ErrorContains(t, o.Load(1, 1, v+1), "want 0x9e3779b1")

	o.Arriving(0, 0)
	require.ErrorContains(t, o.Passed(0, 0), "1 of 2 nodes")
}
