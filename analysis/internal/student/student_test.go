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
