package student

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestQuantileFollowsItsOracle(t *testing.T) {
	for df := 1.0; df < 20000; df = math.Ceil(df * 1.1) {
		assert.InDelta(t, distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(0.975), T975(df), 2e-6, "df %g", df)
	}
	assert.InDelta(t, Z975, T975(1<<40), 1e-9)
	assert.True(t, math.IsInf(T975(0), 1))
}

func TestDistributionFollowsItsOracle(t *testing.T) {
	for df := 1.0; df < 200; df *= 1.13 { // above, the oracle has fewer digits
		oracle := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
		for _, p := range []float64{0.6, 0.95, 0.975, 0.9875, 0.9999} {
			assert.InDelta(t, oracle.Quantile(p), Quantile(p, df), 1e-11*(1+oracle.Quantile(p)), "df %g, p %g", df, p)
		}
		for v := 0.01; v < 1e12; v *= 3 {
			want := oracle.Survival(v)
			assert.InDelta(t, want, Survival(v, df), 1e-10*want+1e-300, "df %g, t %g", df, v)
			assert.InDelta(t, 1-want, Survival(-v, df), 1e-10, "df %g, t %g", df, -v)
		}
	}
	assert.Equal(t, 0.5-1e-9/math.Pi, Survival(1e-9, 1))
	assert.Zero(t, Quantile(0.5, 3))
	assert.InDelta(t, math.Erfc(2/math.Sqrt2)/2, Survival(2, 1e7), 1e-7, "the normal distribution")
	assert.Zero(t, Survival(math.Inf(1), 3))
}
