package svmcheck

import (
	"flag"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/reliability"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/svm"
)

var (
	schedules = flag.Int("schedules", 0, "run so many `schedules` on all cores, from the seed on")
	results   = flag.String("results", "", "the `file` for their results, such as testdata/reliability/svm.toml")
)

// TestManySchedules runs schedules of both shapes side by side, as many as a flag says.
func TestManySchedules(t *testing.T) {
	if *schedules == 0 {
		t.Skip("only with -schedules, as in make histories")
	}
	var wrong, stores, moves atomic.Int64
	begin := time.Now()
	require.NoError(t, parallel.Each(t.Context(), *schedules, func(i int) error {
		s := []Shape{shape, migrating}[i/4%2] // four schedules per program
		o, moved, err := one(s, *seed+uint64(i), svm.Sound)
		if err != nil {
			wrong.Add(1)
			t.Error(err)
			return nil
		}
		stores.Add(int64(o.Stores))
		moves.Add(int64(moved))
		return nil
	}))
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
