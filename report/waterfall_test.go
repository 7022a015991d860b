package report

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/report/chart"
)

// TestWaterfallLeadsFromAToB: whatever the parts, the steps add up to the difference, the largest come first, and all are
// within the picture.
func TestWaterfallLeadsFromAToB(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Diff{Causes: &causal.Difference{}}
		for i := range rapid.IntRange(0, 30).Draw(t, "parts") {
			s := causal.Shift{Sort: causal.Sort{What: fmt.Sprint("part ", i%12)}}
			s.A, s.B = rapid.Int64Range(0, 1e12).Draw(t, "A"), rapid.Int64Range(0, 1e12).Draw(t, "B")
			d.Causes.Shifts = append(d.Causes.Shifts, s)
			d.Causes.A += s.A
			d.Causes.B += s.B
		}
		from, to, _ := d.steps()
		steps := Steps(d, mostSteps)
		sum := from
		for i, s := range steps {
			sum += s.Diff
			require.True(t, i == 0 || s.Name == rest || math.Abs(s.Diff) <= math.Abs(steps[i-1].Diff))
		}
		require.InDelta(t, to, sum, 0.01*math.Abs(to-from)+1)
		require.LessOrEqual(t, len(steps), mostSteps+1)
		c := Waterfall(d, mostSteps)
		for i, b := range c.Boxes {
			require.LessOrEqual(t, c.X.Lo, b.X0)
			require.LessOrEqual(t, b.X1, c.X.Hi)
			if i > 0 && i < len(c.Boxes)-2 { // a step begins where the one before ends
				require.True(t, near(b.X0, c.Boxes[i+1]) || near(b.X1, c.Boxes[i+1]))
			}
		}
	})
}

func near(x float64, b chart.Box) bool {
	return math.Abs(x-b.X0) < 1e-6 || math.Abs(x-b.X1) < 1e-6
}
