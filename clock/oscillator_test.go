package clock_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/sigview/sigview/clock"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func oscillator(t testing.TB, s clock.Spec) *clock.Oscillator {
	t.Helper()
	o, err := clock.NewOscillator(s)
	require.NoError(t, err)
	return o
}

// edge returns ceil(n*10^12*den/num), the first whole picosecond at which n
// ticks have passed, by arbitrary-precision arithmetic.
func edge(n, num, den uint64) int64 {
	x := new(big.Int).SetUint64(n)
	x.Mul(x, new(big.Int).SetUint64(den)).Mul(x, big.NewInt(1e12))
	d := new(big.Int).SetUint64(num)
	x.Add(x, d).Sub(x, big.NewInt(1))
	return x.Div(x, d).Int64()
}

func TestTicksLieAtExactMultiples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := clock.Perfect()
		s.HzNum = rapid.OneOf(
			rapid.SampledFrom([]uint64{33_000_000, 33_333_333, 100_000_000, 132_000_000, 200_000_000, 1}),
			rapid.Uint64Range(1, 900_000_000_000),
		).Draw(t, "hz")
		s.HzDen = rapid.Uint64Range(1, 1000).Draw(t, "den")
		day := 86400 * s.HzNum / s.HzDen
		n := rapid.Uint64Range(1, day+1).Draw(t, "n")
		o, err := clock.NewOscillator(s)
		require.NoError(t, err)
		at := edge(n, s.HzNum, s.HzDen)
		require.Equal(t, n, o.Ticks(at), "at its edge")
		before := o.Ticks(at - 1)
		if s.HzNum/s.HzDen < 1_000_000_000_000/2 {
			require.Equal(t, n-1, before, "a picosecond early")
		}
	})
}

func TestPerfectClockKeepsExactlyThirtyThreeMegahertzForADay(t *testing.T) {
	o := oscillator(t, clock.Perfect())
	require.EqualValues(t, 0, o.Ticks(0))
	require.EqualValues(t, int64(33_000_000*86400), o.Ticks(86400e12))
	require.EqualValues(t, int64(33_000_000*86400-1), o.Ticks(86400e12-1))
	require.EqualValues(t, int64((33_000_000*86400)%(1<<32)), o.Counter(86400e12))
}

func drawnSpec(t *rapid.T) clock.Spec {
	seed, node := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 63).Draw(t, "node")
	s := clock.Reference(seed, node)
	if rapid.Bool().Draw(t, "harsh") {
		s = clock.Harsh(seed, node)
	}
	s.WidthBits = rapid.SampledFrom([]int{16, 24, 32, 48, 64}).Draw(t, "width")
	if rapid.Bool().Draw(t, "fast") {
		s = s.Accelerate(rapid.Float64Range(1, 1e4).Draw(t, "factor"))
	}
	return s
}

func TestTicksGrowAndDoNotDependOnTheOrderOfCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawnSpec(t)
		a, err := clock.NewOscillator(s)
		require.NoError(t, err)
		times := rapid.SliceOfN(rapid.OneOf(
			rapid.Int64Range(0, 1000e12),
			rapid.Int64Range(1<<40-1000, 1<<40+1000), // the edge of a segment
			rapid.Int64Range(1<<46-1000, 1<<46+1000), // of a block
		), 2, 20).Draw(t, "times")
		got := make(map[int64]uint64)
		for _, x := range times {
			got[x] = a.Ticks(x)
			require.Equal(t, got[x]&(^uint64(0)>>(64-s.WidthBits)), a.Counter(x))
		}
		for x, n := range got {
			fresh, err := clock.NewOscillator(s)
			require.NoError(t, err)
			require.Equal(t, n, fresh.Ticks(x), "true time %d ps", x)
			for y, m := range got {
				if x < y {
					require.LessOrEqual(t, n, m, "true times %d, %d ps", x, y)
				}
			}
		}
	})
}

// TestTicksFollowSlowTwin compares the reciprocal arithmetic at random times
// with a sum of whole segments in arbitrary precision.
func TestTicksFollowSlowTwin(t *testing.T) {
	s := clock.Spec{HzNum: 33_333_333, HzDen: 7, WidthBits: 64, OffsetPs: 12345, RatePPB: 40_000}
	o := oscillator(t, s)
	mult := int64(1<<56) + int64(math.Round(40e-6*(1<<56)))
	const seg = int64(1) << 40
	local := big.NewInt(s.OffsetPs)
	scaled := func(d int64) *big.Int {
		x := new(big.Int).Mul(big.NewInt(d), big.NewInt(mult))
		return x.Rsh(x, 56)
	}
	for k := int64(0); k < 200; k++ {
		for _, d := range []int64{0, 1, 29_999, seg / 3, seg - 1} {
			x := new(big.Int).Add(local, scaled(d))
			x.Mul(x, big.NewInt(33_333_333)).Div(x, big.NewInt(7e12))
			require.Equal(t, x.Uint64(), o.Ticks(k*seg+d), "segment %d + %d ps", k, d)
		}
		local.Add(local, scaled(seg))
	}
}

func TestReferenceSetStaysWithinItsBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates a day on 64 nodes")
	}
	const nodes = 64
	low, high := math.Inf(1), math.Inf(-1)
	const period, step, periods = 300e12, 1e12, 288
	var sum float64
	var least, most [periods]float64
	for node := range nodes {
		s := clock.Reference(7, node)
		low, high = min(low, s.RatePPB), max(high, s.RatePPB)
		require.EqualValues(t, 100, s.SinePPB)
		s.OffsetPs, s.RatePPB, s.SinePPB = 0, 0, 0
		s.HzNum, s.WidthBits = 500_000_000_000, 64 // 2 ps a tick
		o := oscillator(t, s)
		for k := range periods {
			// What the walk adds in a period to the frequency at its start.
			at := int64(k) * period
			x0, x1, x := float64(o.Ticks(at)), float64(o.Ticks(at+step)), float64(o.Ticks(at+period))
			us := ((x - x0) - (x1-x0)*(period/step)) * 2 * 1e-6
			least[k], most[k] = min(least[k], us), max(most[k], us)
			sum += us * us
		}
	}
	require.Less(t, high-low, 3000.0, "pairwise rate, ppb")
	require.Greater(t, high-low, 2500.0, "pairwise rate, ppb")
	var worst float64
	for k := range least {
		worst = max(worst, most[k]-least[k])
	}
	rms := math.Sqrt(sum / (nodes * periods))
	t.Logf("walk per 300 s: rms %.4f us of one, at most %.3f us between any two", rms, worst)
	require.InDelta(t, 0.04, rms, 0.003)
	require.Less(t, worst, 0.3)
}

func TestAccelerateKeepsTheWanderOfARound(t *testing.T) {
	s := clock.Reference(3, 5)
	s.RatePPB, s.OffsetPs, s.WidthBits, s.HzNum = 0, 0, 64, 100_000_000_000
	s.WalkPs = 0 // another random path
	fast := s.Accelerate(1024)
	slow, quick := oscillator(t, s), oscillator(t, fast)
	for k := int64(1); k < 100; k++ {
		x := int64(slow.Ticks(k*1024e12)) - int64(k*1024e12/10)
		y := int64(quick.Ticks(k*1e12)) - int64(k*1e12/10)
		require.InDelta(t, x, y, 1000, "after %d s, ticks of 10 ps", k)
	}
	require.EqualValues(t, 1<<30, fast.SegmentPs)
}

func TestOscillatorRefusesBadSpecs(t *testing.T) {
	for _, c := range []struct {
		want   string
		damage func(*clock.Spec)
	}{
		{"HzNum 0", func(s *clock.Spec) { s.HzNum = 0 }},
		{"HzDen 0", func(s *clock.Spec) { s.HzDen = 0 }},
		{"below 1 THz", func(s *clock.Spec) { s.HzNum = 2e12 }},
		{"WidthBits 8", func(s *clock.Spec) { s.WidthBits = 8 }},
		{"WidthBits 65", func(s *clock.Spec) { s.WidthBits = 65 }},
		{"OffsetPs -1", func(s *clock.Spec) { s.OffsetPs = -1 }},
		{"RatePPB NaN", func(s *clock.Spec) { s.RatePPB = math.NaN() }},
		{"RatePPB 1e+09", func(s *clock.Spec) { s.RatePPB = 1e9 }},
		{"SinePPB -1", func(s *clock.Spec) { s.SinePPB = -1 }},
		{"SinePeriodPs 0", func(s *clock.Spec) { s.SinePeriodPs = 0 }},
		{"SineTurns 2", func(s *clock.Spec) { s.SineTurns = 2 }},
		{"WalkPs -1", func(s *clock.Spec) { s.WalkPs = -1 }},
		{"WalkPeriodPs 0", func(s *clock.Spec) { s.WalkPeriodPs = 0 }},
		{"SegmentPs 3", func(s *clock.Spec) { s.SegmentPs = 3 }},
		{"frequency step", func(s *clock.Spec) { s.WalkPs = 1e12; s.WalkPeriodPs = 1 << 40 }},
	} {
		s := clock.Reference(1, 1)
		c.damage(&s)
		_, err := clock.NewOscillator(s)
		require.ErrorContains(t, err, c.want)
	}
}

func TestNegativeTrueTimePanics(t *testing.T) {
	o := oscillator(t, clock.Perfect())
	require.PanicsWithValue(t, "clock: oscillator at true time -1 ps, want 0 or more", func() { o.Ticks(-1) })
}
