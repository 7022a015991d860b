package svmcheck

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/reliability"
	"github.com/sigview/sigview/svm"
)

var (
	schedules = flag.Uint64("schedules", 0, "run so many `schedules` on all cores, from the seed on")
	results   = flag.String("results", "", "the `file` for their results, such as testdata/reliability/svm.toml")
)

// TestManySchedules runs schedules of both shapes side by side, as many as a flag says.
func TestManySchedules(t *testing.T) {
	if *schedules == 0 {
		t.Skip("only with -schedules, as in make histories")
	}
	var next, wrong, stores, moves atomic.Int64
	begin := time.Now()
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := uint64(next.Add(1)) - 1; i < *schedules; i = uint64(next.Add(1)) - 1 {
				s := []Shape{shape, migrating}[i/4%2] // four schedules per program
				o, moved, err := one(s, *seed+i, svm.Sound)
				if err != nil {
					wrong.Add(1)
					t.Error(err)
					continue
				}
				stores.Add(int64(o.Stores))
				moves.Add(int64(moved))
			}
		})
	}
	workers.Wait()
	seconds := time.Since(begin).Seconds()
	t.Logf("%d schedules in %.0f s, %.0f a second", *schedules, seconds, float64(*schedules)/seconds)
	if *results == "" {
		return
	}
	p := reliability.Here("Schedules of shared memory", "make histories")
	p.Says = "Random programs without data races run on the protocol of shared memory, in random orders of their operations and messages. " +
		"A sequential memory with its own vector clocks judges every read. A finding is a wrong read, a program that waits for ever, or a panic."
	p.Figures = []reliability.Figure{
		{Name: "schedules", Value: float64(*schedules), AtLeast: reliability.Bound(1e6)},
		{Name: "findings", Value: float64(wrong.Load()), AtMost: reliability.Bound(0)},
		{Name: "stores", Value: float64(stores.Load())},
		{Name: "homes moved", Value: float64(moves.Load())},
		{Name: "time", Value: seconds, Unit: "s"},
	}
	require.NoError(t, p.Write(*results))
}
