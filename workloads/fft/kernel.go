package fft

import "math/bits"

// transform replaces row by its discrete Fourier transform (sign −, not
// scaled), len(row) a power of two. Roots are those that rowRoots returns.
// Operations: see butterflies.
func transform(row, roots []complex128) {
	n := len(row)
	shift := 64 - (bits.Len(uint(n)) - 1)
	for i := range n {
		if j := int(bits.Reverse64(uint64(i)) >> shift); j > i {
			row[i], row[j] = row[j], row[i]
		}
	}
	for half := 1; half < n; half *= 2 {
		w := roots[half-1 : 2*half-1]
		for first := 0; first < n; first += 2 * half {
			a := row[first : first+half]
			b := row[first+half : first+2*half]
			b, w := b[:len(a)], w[:len(a)]
			for j, x := range a {
				t := mul(w[j], b[j])
				b[j] = complex(real(x)-real(t), imag(x)-imag(t))
				a[j] = complex(real(x)+real(t), imag(x)+imag(t))
			}
		}
	}
}

// mul multiplies without fusing, so that all machines agree.
func mul(a, b complex128) complex128 {
	return complex(
		float64(real(a)*real(b))-float64(imag(a)*imag(b)),
		float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// rowRoots returns the n−1 roots of unity that a row of n elements needs,
// those of each level together: exp(−2πi·j/(2·half)) at half−1+j.
func rowRoots(n int) []complex128 {
	roots := make([]complex128, n-1)
	for half := 1; half < n; half *= 2 {
		for j := range half {
			roots[half-1+j] = unit(j, 2*half)
		}
	}
	return roots
}

// unit returns exp(−2πi·k/n) for n a power of two, to about one unit in the
// last place. The angle is reduced exactly, to at most an eighth of a turn.
func unit(k, n int) complex128 {
	k &= n - 1
	octant, rest := 8*k/n, 8*k%n
	up := octant%2 == 1
	if up {
		rest = n - rest
	}
	s, c := sincos(float64(float64(rest) / float64(n) * quarterPi))
	if up {
		s, c = c, s
	}
	switch octant / 2 {
	case 1:
		s, c = c, -s
	case 2:
		s, c = -s, -c
	case 3:
		s, c = -c, s
	}
	return complex(c, -s)
}

const quarterPi = 3.14159265358979323846264338327950288 / 4

// sincos returns sine and cosine of x from 0 to π/4 by their Taylor series.
func sincos(x float64) (s, c float64) {
	z := x * x
	for i := len(sinTerms) - 1; i >= 0; i-- {
		s = float64(s*z) + sinTerms[i]
		c = float64(c*z) + cosTerms[i]
	}
	return x + float64(float64(x*z)*s), 1 + float64(z*c)
}

// sinTerms and cosTerms are the coefficients after the first: of x³, x⁵, … and
// of x², x⁴, ….
var (
	sinTerms = [...]float64{-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000}
	cosTerms = [...]float64{-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000}
)
