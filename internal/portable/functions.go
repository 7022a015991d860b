package portable

import "math"

// Log returns the natural logarithm of x, to a few units of the last digit.
func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x) // exact: ±Inf or NaN
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	// The series of 2 atanh(s): |s| is below 0.172, and the next term below 1e-19.
	s := (m - 1) / (m + 1)
	square := float64(s * s)
	sum := 0.0
	for i := 23; i > 1; i -= 2 {
		sum = float64(square * (sum + 1/float64(i)))
	}
	return float64(float64(e)*math.Ln2) + float64(2*s*(1+sum))
}

// Log1p returns the logarithm of 1 + x, also of a small x.
func Log1p(x float64) float64 {
	// Kahan: the error of u is the same above and below the line.
	u := 1 + x
	if u == 1 || math.IsInf(u, 1) {
		return x
	}
	return float64(Log(u) * (x / (u - 1)))
}

// Log2 returns the binary logarithm of x, which is exact for powers of two.
func Log2(x float64) float64 {
	m, e := math.Frexp(x)
	if m == 0.5 {
		return float64(e - 1)
	}
	return float64(Log(m)*(1/math.Ln2)) + float64(e)
}

// Log10 returns the decimal logarithm of x.
func Log10(x float64) float64 { return float64(Log2(x) * (math.Ln2 / math.Ln10)) }

// Exp returns the power of e.
func Exp(x float64) float64 {
	// Ln2 in two parts, of which the first has few digits: its multiples are exact.
	const (
		hi = 6.93147180369123816490e-01
		lo = 1.90821492927058770002e-10
	)
	if !(math.Abs(x) < 800) {
		return math.Exp(x) // exact: 0, Inf or NaN
	}
	k := math.Round(x / math.Ln2)
	r := float64(x) - float64(k*hi) - float64(k*lo) // x may be a caller's product
	sum := 1.0
	for i := 16.0; i > 0; i-- {
		sum = 1 + float64(r*sum)/i
	}
	return math.Ldexp(sum, int(k))
}

// Pow returns a power of a positive x. Powers of two are exact.
func Pow(x, y float64) float64 {
	l := float64(y * Log2(x))
	whole := math.Round(l)
	return math.Ldexp(Exp((l-whole)*math.Ln2), int(whole))
}

// Hypot returns the length of a vector.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	long, short := max(x, y), min(x, y)
	if long == 0 || math.IsInf(long, 1) || math.IsNaN(long) {
		return long
	}
	short /= long
	return float64(long * math.Sqrt(1+float64(short*short)))
}

// SinCos returns the sine and the cosine of k nths of a full turn; n is positive.
func SinCos(k, n int) (sin, cos float64) {
	k %= n
	quarters := int(math.Round(float64(4*k) / float64(n)))
	x := float64(math.Pi / 2 * (float64(4*k-quarters*n) / float64(n))) // at most an eighth of a turn
	square := float64(x * x)
	sin, cos = 1, 1 // Taylor's series, of the sine without its factor x
	for i := 20.0; i >= 2; i -= 2 {
		sin = 1 - float64(square*sin)/(i*(i+1))
		cos = 1 - float64(square*cos)/(i*(i-1))
	}
	sin = float64(sin * x)
	switch quarters & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}
