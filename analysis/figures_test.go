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

	require.Equal(t, "-", tenthUs(trace.Opt[int64]{}))
	require.Equal(t, "12.3", tenthUs(trace.Some[int64](12345)))

	require.Equal(t, "9999.99", Us(trace.Some(9_999_990.0)))
	require.Equal(t, "700.000 ms", Us(trace.Some(700e6)))
	require.Equal(t, "-12.346 ms", Us(trace.Some(-12_345_678.0)))
	require.Equal(t, "+2.500 s", SignedUs(trace.Some(2.5e9)))
	require.Equal(t, "9999.000", millis(9999e6))
	require.Equal(t, "12.000 s", millis(12e9))
	for text, want := range map[string]string{"-": "-", "1.50": "1.50 µs", "12.346 ms": "12.346 ms"} {
		require.Equal(t, want, WithUnit(text, "µs"))
	}
	for ns, want := range map[float64]string{
		0: "0 ns", 7: "7 ns", 999: "999 ns", 999.95: "1.000 µs", 1234: "1.234 µs", 9999.6: "10.00 µs", -35_123: "-35.12 µs", 278_300: "278.3 µs",
		999_949: "999.9 µs", 999_950: "1.000 ms", 68_696_400: "68.70 ms", 700e6: "700.0 ms", 3.25e9: "3.250 s", 12345e9: "12345 s",
	} {
		require.Equal(t, want, Time(ns))
	}
	require.Equal(t, "+68.70 ms", SignedTime(68_696_400))
	require.Equal(t, "203.211420 ms", Instant(203_211_420))
	require.Equal(t, "1.500 to 3.500 s", Period(1_500_000_000, 3_500_000_000))
	require.Equal(t, "51.97568 to 52.01440 ms", Period(51_975_681, 52_014_404))
	require.Equal(t, "0 to 1 ns", Period(0, 1))

	p := trace.Percentile{Ns: trace.Some[int64](2000)}
	require.Equal(t, "2.0", PercentileUs(p))
	p.UpperBound = true
	require.Equal(t, "<2.0", PercentileUs(p))
	p.UpperBound, p.LowerBound = false, true
	require.Equal(t, ">2.0", PercentileUs(p))
	p.Ns.OK = false
	require.Equal(t, "-", PercentileUs(p))
	for ns, want := range map[int64][3]string{ // a value, and bounds that hold with the digits that are written
		64: {"0.06", ">0.06", "<0.07"}, 991: {"0.99", ">0.99", "<1.0"}, 1024: {"1.0", ">1.0", "<1.1"}, 1060: {"1.1", ">1.0", "<1.1"},
		102_350: {"102.3", ">102.3", "<102.4"}, 12_345_678: {"12.346 ms", ">12.345 ms", "<12.346 ms"}, 2_000_000_001: {"2.000 s", ">2.000 s", "<2.001 s"},
	} {
		v := trace.Some(ns)
		require.Equal(t, want, [3]string{PercentileUs(trace.Percentile{Ns: v}), PercentileUs(trace.Percentile{Ns: v, LowerBound: true}), PercentileUs(trace.Percentile{Ns: v, UpperBound: true})})
	}

	for n, want := range map[int64]string{0: "0", -12: "-12", 999: "999", 1000: "1,000", -123456: "-123,456", 1234567: "1,234,567"} {
		require.Equal(t, want, Digits(n))
	}
}
