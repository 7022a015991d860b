package sim

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCyclesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Freq{Num: rapid.Uint64Range(1_000_000, 1_000_000_000).Draw(t, "num"), Den: rapid.Uint64Range(1, 7).Draw(t, "den")}
		n := rapid.Uint64Range(0, 1<<40).Draw(t, "n")
		want := new(big.Int).SetUint64(n)
		want.Mul(want, big.NewInt(int64(Second)))
		want.Mul(want, new(big.Int).SetUint64(f.Den))
		want.Div(want, new(big.Int).SetUint64(f.Num))
		if !want.IsInt64() {
			t.Skip("beyond the range of time")
		}
		require.Equal(t, want.Int64(), int64(f.Cycles(n)))
	})
}

func TestThirtyThreeMegahertzDoesNotDrift(t *testing.T) {
	f := Hz(33e6)
	assert.Equal(t, Duration(30303), f.Cycles(1))
	assert.Equal(t, Second, f.Cycles(33_000_000))
	assert.Equal(t, uint64(33_000_000), f.Ticks(Time(Second)))
	assert.Equal(t, uint64(32_999_999), f.Ticks(Time(Second)-1))
}

func TestRateTime(t *testing.T) {
	assert.Equal(t, 31_030_304*Picosecond, MBps(132).Time(4096))
	assert.Equal(t, Duration(0), MBps(132).Time(0))
	assert.Equal(t, 10*Nanosecond, MBps(100).Time(1))
}

func TestDurationsPrintReadably(t *testing.T) {
	assert.Equal(t, "13µs", (13 * Microsecond).String())
	assert.Equal(t, "-1.5ms", (-1500 * Microsecond).String())
	assert.Equal(t, "0.25ns", Duration(250).String())
	assert.Equal(t, "86400s", (86400 * Second).String())
	assert.Equal(t, 1250*Nanosecond, Microseconds(1.25))
}

// TestDurationsHaveAnEnd: a sum of durations is exact, or a RangeError.
func TestDurationsHaveAnEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, e := Duration(rapid.Int64().Draw(t, "d")), Duration(rapid.Int64().Draw(t, "e"))
		exact := new(big.Int).Add(big.NewInt(int64(d)), big.NewInt(int64(e)))
		var err error
		func() {
			defer CatchRange(&err)
			require.Equal(t, exact.Int64(), int64(d.Plus(e)))
		}()
		require.Equal(t, exact.IsInt64(), err == nil)
	})
}
