package watch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBudgetIsKept: of few messages all are followed, and of many as many as the budget allows, in random times.
func TestBudgetIsKept(t *testing.T) {
	const tick = 10 * time.Millisecond
	for rate, want := range map[float64]float64{500: 500, 999: 999, 5000: 1000, 1e6: 1000} {
		now := time.Unix(0, 0)
		b := newBudget(1000, now)
		seen, took := 0.0, 10*time.Minute
		for elapsed := time.Duration(0); elapsed < took; elapsed += tick {
			now = now.Add(tick)
			if b.phase == following {
				seen += rate * tick.Seconds()
			}
			b.choose(now, uint64(seen))
		}
		require.InEpsilon(t, want, seen/took.Seconds(), 0.5, "%v messages a second", rate)
		require.LessOrEqual(t, seen/took.Seconds(), 1.01*max(want, 1000)+rate*0.3/took.Seconds())
		require.Equal(t, rate > 1000, b.warnings(took, now) != nil)
	}
	all := newBudget(0, time.Unix(0, 0))
	require.Equal(t, following, all.choose(time.Unix(1000, 0), 1e9))
}
