package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuantitiesInUnits(t *testing.T) {
	for unit, want := range map[string]Duration{"ns": 2500, "us": 2500 * Nanosecond, "ms": 2500 * Microsecond} {
		var d Duration
		require.True(t, d.SetIn(unit, 2.5))
		require.Equal(t, want, d)
		x, ok := d.In(unit)
		require.True(t, ok)
		require.Equal(t, 2.5, x)
	}
	for unit, want := range map[string]float64{"ps": 3e12, "s": 3} {
		x, ok := (3 * Second).In(unit)
		require.True(t, ok)
		require.Equal(t, want, x)
	}
	var short Duration
	require.True(t, short.SetIn("ps", 7) && short == 7)
	var r Rate
	require.True(t, r.SetIn("mbps", 1.5))
	x, ok := r.In("mbps")
	require.True(t, ok && x == 1.5 && r == 1_500_000)
	var f Freq
	require.True(t, f.SetIn("mhz", 66.5))
	x, ok = f.In("mhz")
	require.True(t, ok && x == 66.5 && f == Hz(66_500_000))

	var d Duration
	require.False(t, d.SetIn("mbps", 1))
	require.False(t, r.SetIn("us", 1))
	require.False(t, f.SetIn("us", 1))
	_, ok = d.In("bytes")
	require.False(t, ok)
}
