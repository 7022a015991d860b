package selftest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/experiment"
)

// TestPlantsAreFound plants in one small program. Means of so few packets scatter, so that
// the delays are ten times those of the real test.
func TestPlantsAreFound(t *testing.T) {
	whole, sorts := programs, plants
	t.Cleanup(func() { programs, plants = whole, sorts })
	programs, plants = whole[4:], nil
	programs[0].messages = 16
	t.Cleanup(func() { programs[0].messages = 128 })
	for _, x := range sorts[:5] {
		x.share *= 10
		plants = append(plants, x)
	}
	spec := Default()
	spec.Seeds.N, spec.Runs, spec.Pairs = 8, 4, 6
	r, err := Run(context.Background(), spec, nil)
	require.NoError(t, err)
	require.Len(t, r.Rates, 6)
	for _, x := range r.Rates {
		require.Equal(t, 6, x.Pairs)
		if x.Plant.share > 0 {
			require.Equal(t, 6, x.Found, "%+v", x)
			require.InDelta(t, 1, x.Effect, 0.5, "%+v", x)
		} else {
			require.Zero(t, x.Alarms, "%+v", x)
		}
	}
	require.NotEmpty(t, r.Coverage)
	require.Empty(t, r.Failures())
	for _, v := range r.Views() {
		require.NotEmpty(t, v.Rows)
	}
}

// TestSelfTest is what sigview selftest does. So few seeds draw rates that scatter, so that
// nine of ten plants of a sort are enough here; docs/comparing.md has those of 200 seeds.
func TestSelfTest(t *testing.T) {
	testlong.Only(t, "three minutes of processor time")
	r, err := Run(context.Background(), Default(), nil)
	require.NoError(t, err)
	for _, x := range r.Pooled() {
		if x.Plant.Quantity == "" {
			require.LessOrEqual(t, x.Alarms, x.Pairs/100, "%+v", x)
		} else {
			require.GreaterOrEqual(t, x.Found, 9*x.Pairs/10, "%+v", x)
		}
	}
}

// TestBandOfCounts: of 40 intervals that hold, 34 to 40 contain the mean in 99 of 100 cases.
func TestBandOfCounts(t *testing.T) {
	for contain, want := range map[int]bool{33: false, 34: true, 38: true, 40: true} {
		require.Equal(t, want, Coverage{Intervals: 40, Contain: contain}.within(), "%d", contain)
	}
	require.False(t, Coverage{Intervals: 200, Contain: 200}.within(), "too wide")
}

func TestSpecIsChecked(t *testing.T) {
	for want, change := range map[string]func(*Spec){
		"runs": func(s *Spec) { s.Runs = 1 }, "seeds": func(s *Spec) { s.Seeds.N = 9 }, "pairs": func(s *Spec) { s.Pairs = 0 },
		"platform": func(s *Spec) { s.Platform = "shrmp" }, "quantity": func(s *Spec) { s.Gate = "nte>5%" },
	} {
		s := Default()
		change(&s)
		require.ErrorContains(t, s.Validate(experiment.Known()), want)
	}
}
