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

// one runs the program and the schedule that belong to a seed.
func one(seed uint64, plant svm.Fault) (o *Oracle, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
		if err != nil {
			err = fmt.Errorf("%w\n  repeat: go test ./svm/svmcheck -run TestPrograms -seed %d", err, seed)
		}
	}()
	rng := rand.New(rand.NewPCG(seed/4, 1)) // four schedules per program
	p := Random(rng, shape)
	return Run(p, Schedule{Seed: seed, Homes: svm.Homes(seed % 3), Check: seed%5 == 0, Plant: plant})
}

func TestProgramsReadWhatTheyShould(t *testing.T) {
	if *seed != 0 {
		_, err := one(*seed, svm.Sound)
		require.NoError(t, err)
		return
	}
	n, loads, stores := 3500, 0, 0
	if testing.Short() {
		n = 800
	}
	for s := range uint64(n) {
		o, err := one(s+1, svm.Sound)
		require.NoError(t, err)
		loads, stores = loads+o.Loads, stores+o.Stores
	}
	t.Logf("%d schedules, %d loads, %d stores", n, loads, stores)
	require.Greater(t, stores, 10*n)
}

// TestDefectsAreNoticed plants each defect and counts the schedules until the
// oracle complains.
func TestDefectsAreNoticed(t *testing.T) {
	for _, c := range []struct {
		name  string
		plant svm.Fault
	}{
		{"a grant leaves out a notice", svm.DropNotice},
		{"the home answers too early", svm.EagerHome},
		{"the home reads too early", svm.EagerLocal},
		{"an acquire keeps the interval open", svm.LateDiff},
		{"a diff carries the whole page", svm.WholePageDiff},
		{"a barrier invalidates nothing", svm.KeepPages},
		{"a release sends empty diffs", svm.NoFlush},
	} {
		t.Run(c.name, func(t *testing.T) {
			const tries = 2000
			for s := range uint64(tries) {
				if _, err := one(s+1, c.plant); err != nil {
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
