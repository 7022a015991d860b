package analysis

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func TestFigures(t *testing.T) {
	var unknown trace.Opt[float64]
	require.Equal(t, "-", Us(unknown))
	require.Equal(t, "12.35", Us(trace.Some(12345.6)))
	require.Equal(t, "-0.50", Us(trace.Some(-500.0)))

	require.Equal(t, "-", SignedUs(unknown))
	require.Equal(t, "+12.35", SignedUs(trace.Some(12345.6)))
	require.Equal(t, "-12.35", SignedUs(trace.Some(-12345.6)))
	require.Equal(t, "+0.00", SignedUs(trace.Some(0.0)))
	require.Equal(t, "-0.00", SignedUs(trace.Some(-1.0)))
	require.Equal(t, "+Inf", SignedUs(trace.Some(math.Inf(1))))
	require.Equal(t, "+NaN", SignedUs(trace.Some(math.NaN())))

	require.Equal(t, "-", TenthUs(trace.Opt[int64]{}))
	require.Equal(t, "12.3", TenthUs(trace.Some[int64](12345)))

	p := trace.Percentile{Ns: trace.Some[int64](2000)}
	require.Equal(t, "2.0", PercentileUs(p))
	p.UpperBound = true
	require.Equal(t, "<2.0", PercentileUs(p))
	p.UpperBound, p.LowerBound = false, true
	require.Equal(t, ">2.0", PercentileUs(p))
	p.Ns.OK = false
	require.Equal(t, "-", PercentileUs(p))

	for n, want := range map[int64]string{0: "0", -12: "-12", 999: "999", 1000: "1,000", -123456: "-123,456", 1234567: "1,234,567"} {
		require.Equal(t, want, Digits(n))
	}
}
