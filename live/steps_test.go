package live

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSteps: a clock that is set is noticed, one whose rate is changed is not.
func TestSteps(t *testing.T) {
	s := watchSteps()
	require.Zero(t, s.stop())
	for _, c := range []struct{ passed, shown, unsure, step time.Duration }{
		{time.Second, time.Second, 0, 0},
		{time.Second, time.Second + 500*time.Microsecond, 0, 0}, // the most that a rate may be changed
		{time.Second, time.Second + 600*time.Microsecond, 0, 600 * time.Microsecond},
		{50 * time.Millisecond, 20 * time.Millisecond, 0, -30 * time.Millisecond},
		{50 * time.Millisecond, 50*time.Millisecond + 30*time.Microsecond, 0, 0},
		{50 * time.Millisecond, time.Hour, 0, time.Hour - 50*time.Millisecond},
		{50 * time.Millisecond, 51 * time.Millisecond, time.Millisecond, 0}, // the thread was stopped between the clocks
		{50 * time.Millisecond, 51 * time.Millisecond, 100 * time.Microsecond, time.Millisecond},
	} {
		s := steps{last: reading{system: 1e18, steady: 5}}
		s.look(reading{1e18 + c.shown, 5 + c.passed, c.unsure})
		require.Equal(t, c.step, s.sum, "%+v", c)
	}
	set := steps{quit: make(chan struct{}), sum: -time.Millisecond}
	counts := []Counts{{}, {SteppedNs: set.stop().Nanoseconds()}}
	require.EqualError(t, stepped(counts), "the system clock of node 1 was set by -1ms during the run: times across that are wrong")
	require.NoError(t, stepped(counts[:1]))
}
