package analysis

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestEffectOfFewPackets compares Hedges' g with its exact form, by the gamma function.
func TestEffectOfFewPackets(t *testing.T) {
	some := func(n int64, variance float64) trace.Stat {
		return trace.Stat{Measured: trace.Measured{Count: n, VarianceNs2: trace.Some(variance)}}
	}
	for _, c := range []struct {
		na, nb int64
		va, vb float64
	}{{3, 9, 4, 1}, {2, 2, 5, 7}, {30, 4, 100, 900}, {500, 700, 3, 2}} {
		df := float64(c.na + c.nb - 2)
		pooled := (float64(c.na-1)*c.va + float64(c.nb-1)*c.vb) / df
		hi, _ := math.Lgamma(df / 2)
		lo, _ := math.Lgamma((df - 1) / 2)
		exact := 10 / math.Sqrt(pooled) * math.Exp(hi-lo) / math.Sqrt(df/2)
		require.InEpsilon(t, exact, hedges(trace.Some(10.), some(c.na, c.va), some(c.nb, c.vb)).Value, 0.02, c)
	}
	require.False(t, hedges(trace.Some(10.), some(1, 4), some(1, 4)).OK, "no degree of freedom")
	require.False(t, hedges(trace.Some(10.), some(3, 0), some(3, 0)).OK, "no variance")
}
