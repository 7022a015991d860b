package portable_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"

	"github.com/sigview/sigview/internal/portable"
)

// near reports whether two numbers are equal to a few units of the last digit of the larger
// of want and least.
func near(t *testing.T, want, got, least float64, of ...any) {
	if want == got || math.IsNaN(want) && math.IsNaN(got) {
		return
	}
	assert.InDelta(t, want, got, 2e-15*math.Max(math.Abs(want), least), of...)
}

func TestFunctionsFollowPackageMath(t *testing.T) {
	xs := []float64{0, 1, math.Inf(1), math.NaN(), 1e-300, math.MaxFloat64, 1 - 1e-16, 1 + 3e-16}
	draw := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		xs = append(xs, math.Exp(10*draw.NormFloat64()), 1+draw.NormFloat64()/1000)
	}
	for _, x := range xs {
		near(t, math.Log(x), portable.Log(x), 0, "Log(%g)", x)
		near(t, math.Log2(x), portable.Log2(x), 1, "Log2(%g)", x)
		near(t, math.Log10(x), portable.Log10(x), 1, "Log10(%g)", x)
		for _, v := range []float64{x, x / 1000, -x / 1e9, -x} {
			near(t, math.Log1p(v), portable.Log1p(v), 0, "Log1p(%g)", v)
			near(t, math.Exp(v), portable.Exp(v), 5e-324/2e-15, "Exp(%g)", v)
			near(t, math.Hypot(v, 3), portable.Hypot(v, 3), 0, "Hypot(%g, 3)", v)
		}
	}
	assert.True(t, math.IsNaN(portable.Log(-1)))
	for p := -300; p <= 300; p++ {
		assert.Equal(t, float64(p), portable.Log2(math.Ldexp(1, p)))
	}
	for _, y := range []float64{-14, -0.7, 0, 0.3, 1, 2, 20} {
		for _, x := range []float64{0.01, 0.999, 1, 1.5, 40, 1e6} {
			assert.InEpsilon(t, math.Pow(x, y), portable.Pow(x, y), 1e-13, "Pow(%g, %g)", x, y)
		}
	}
}

func TestSinCos(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		n := 1 + draw.IntN(1<<20)
		k := draw.IntN(4*n) - 2*n
		sin, cos := math.Sincos(2 * math.Pi * float64(k%n) / float64(n))
		s, c := portable.SinCos(k, n)
		within := 2e-15 // the angle of math.Sincos is rounded
		if max(k, -k) <= n/8 {
			within = 3e-16
		}
		assert.InDelta(t, sin, s, within, "%d of %d", k, n)
		assert.InDelta(t, cos, c, within, "%d of %d", k, n)
	}
	for k, want := range [][2]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {0, 1}} {
		s, c := portable.SinCos(k, 4)
		assert.Equal(t, want, [2]float64{s + 0, c + 0})
	}
	s, _ := portable.SinCos(1, 12)
	assert.InDelta(t, 0.5, s, 1e-16)
}

func TestMomentsFollowGonum(t *testing.T) {
	x := []float64{1e9 + 1, 1e9 + 2, 1e9 + 4, 1e9 + 8}
	for _, weights := range [][]float64{nil, {1, 2, 3, 4}} {
		wantMean, wantVariance := stat.MeanVariance(x, weights)
		mean, variance := portable.MeanVariance(x, weights)
		assert.InEpsilon(t, wantMean, mean, 1e-15)
		assert.InEpsilon(t, wantVariance, variance, 1e-13)
		assert.Equal(t, mean, portable.Mean(x, weights))
	}
}

func TestOrder(t *testing.T) {
	assert.Equal(t, 3., portable.Median([]float64{3}))
	assert.Equal(t, 2.5, portable.Median([]float64{1, 2, 3, 40}))
	assert.Equal(t, int64(7), portable.Median([]int64{1, 7, 8}))
	all := make([]float64, 300)
	for i := range all {
		all[i] = float64(i + 1)
	}
	for percent, want := range map[int]float64{0: 1, 1: 3, 50: 150, 99: 297, 100: 300} {
		assert.Equal(t, want, portable.Percentile(all, percent))
	}
	assert.Equal(t, 3., portable.Percentile([]float64{1, 2, 3}, 67), "two of three are fewer")
	assert.Equal(t, 2., portable.Percentile([]float64{1, 2, 3}, 66))
}

// The digits are those of amd64. They are the same on 386, and on arm64, where a function with
// a product that is not rounded by itself gives others.
func TestDigits(t *testing.T) {
	var got [6]float64
	for i := range 1000 {
		x := 0.37 + float64(float64(i)*0.7)
		got[0] += portable.Log(x)
		got[1] += portable.Log1p(1 / x)
		got[2] += portable.Exp(x / 100)
		got[3] += portable.Pow(x, -0.9)
		got[4] += portable.Hypot(x, 3)
		_, v := portable.MeanVariance([]float64{x, 1 / x, 3.3}, []float64{1, 2.1, 3.3})
		got[5] += v
	}
	assert.Equal(t, [6]float64{5551.678380724642, 10.40502029692897, 156550.00994461993, 16.084374588136914, 350062.60761038493, 2.5305516858796164e+07}, got)
}
