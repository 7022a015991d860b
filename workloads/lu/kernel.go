package lu

// Blocks are n by n, by rows. Every product is rounded before it is
// subtracted, so that all machines agree.

// factor replaces a by its factors: L below the diagonal, whose own ones are
// not stored, and U.
func factor(a []float64, n int) {
	for k := range n {
		for i := k + 1; i < n; i++ {
			a[i*n+k] /= a[k*n+k]
			subtract(a[i*n+k+1:(i+1)*n], a[k*n+k+1:(k+1)*n], a[i*n+k])
		}
	}
}

// right solves X·U = a for a block below the diagonal block d.
func right(a, d []float64, n int) {
	for k := range n {
		for i := range n {
			a[i*n+k] /= d[k*n+k]
			subtract(a[i*n+k+1:(i+1)*n], d[k*n+k+1:(k+1)*n], a[i*n+k])
		}
	}
}

// left solves L·X = a for a block beside the diagonal block d.
func left(a, d []float64, n int) {
	for k := range n {
		for i := k + 1; i < n; i++ {
			subtract(a[i*n:(i+1)*n], a[k*n:(k+1)*n], d[i*n+k])
		}
	}
}

// update subtracts l·u from a.
func update(a, l, u []float64, n int) {
	for i := range n {
		for k := range n {
			subtract(a[i*n:(i+1)*n], u[k*n:(k+1)*n], l[i*n+k])
		}
	}
}

// subtract takes f times b off a.
func subtract(a, b []float64, f float64) {
	b = b[:len(a)]
	for j := range a {
		a[j] -= float64(f * b[j])
	}
}
