package ocean

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// accuracy describes a verified result.
type accuracy struct {
	Sweeps int
	Error  float64 // largest difference from the known solution
}

// Result returns the grid by rows, border included, from shared memory.
func (o *Ocean) Result(s *svm.System) ([]float64, error) {
	return shared.Gather[float64](s, o.shape.width, o.shape.width, o.rowsOf(o.psi))
}

// Verify relaxes the same grid sequentially and compares every number of the
// result bit for bit. When the relaxation was to converge, Verify also checks
// that it did, and that the result is as close to the known solution as its
// residual implies.
func (o *Ocean) Verify(s *svm.System) (how string, wrong error) {
	solved, wrong := o.solve(s)
	return fmt.Sprintf("bit for bit as on one node, converged in %d sweeps, within %.2g of the known solution",
		solved.Sweeps, solved.Error), wrong
}

func (o *Ocean) solve(s *svm.System) (accuracy, error) {
	got, err := o.Result(s)
	if err != nil {
		return accuracy{}, err
	}
	want, sweeps, residual := o.sequential()
	n := o.shape.width
	solved := accuracy{Sweeps: sweeps}
	for i, v := range want {
		if math.Float64bits(got[i]) != math.Float64bits(v) {
			return solved, fmt.Errorf("ocean: row %d column %d is %v, want %v after %d sweeps", i/n, i%n, got[i], v, sweeps)
		}
		solved.Error = max(solved.Error, math.Abs(v-o.known.at(i/n, i%n)))
	}
	if o.spec.Sweeps > 0 {
		return solved, nil
	}
	if !(residual <= tolerance) {
		return solved, fmt.Errorf("ocean: residual %.3g after %d sweeps, want at most %g", residual, sweeps, tolerance)
	}
	// The inverse of the operator has a norm of about (n+1)²/2.
	if limit := tolerance * float64(n*n); !(solved.Error <= limit) {
		return solved, fmt.Errorf("ocean: %.3g away from the known solution, want at most %.3g", solved.Error, limit)
	}
	return solved, nil
}

// sequential relaxes the whole grid.
func (o *Ocean) sequential() (grid []float64, sweeps int, residual float64) {
	n := o.shape.width
	grid = make([]float64, n*n)
	right := make([]float64, n*n)
	for i := range grid {
		grid[i], right[i] = o.start(i/n, i%n), o.forcing(i/n, i%n)
	}
	for sweeps < o.spec.sweeps() {
		residual = 0
		for colour := range 2 {
			for i := n + 1; i < n*(n-1)-1; i++ {
				if o.border(i/n, i%n) || (i/n+i%n+colour)%2 != 0 {
					continue
				}
				e := float64(0.25*(grid[i-n]+grid[i+n]+grid[i-1]+grid[i+1]-right[i])) - grid[i]
				grid[i] += float64(o.omega * e)
				residual = math.Max(residual, math.Abs(e))
			}
		}
		sweeps++
		if residual <= tolerance {
			break
		}
	}
	return grid, sweeps, residual
}
