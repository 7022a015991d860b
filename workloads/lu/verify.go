package lu

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// tolerance bounds the residual of a verified result.
const tolerance = 1e-12

// Result returns both factors in one matrix by rows, from shared memory.
func (f *LU) Result(s *svm.System) ([]float64, error) {
	out := make([]float64, f.shape.order*f.shape.order)
	b := make([]float64, f.shape.block*f.shape.block)
	return out, f.each(func(i, j int) error {
		if err := s.Snapshot(f.matrix+f.shape.at(i, j), shared.Bytes(b)); err != nil {
			return err
		}
		f.copyBlock(b, out, i, j, true)
		return nil
	})
}

// Verify multiplies the factors and says how close the product is to the input.
// The error is not nil when the residual exceeds Tolerance.
func (f *LU) Verify(s *svm.System) (how string, wrong error) {
	residual, wrong := f.residual(s)
	return fmt.Sprintf("residual %s of the factors' product, at most %g allowed", bounds.Below(residual, tolerance/10), tolerance), wrong
}

// residual returns the largest difference of the factors' product from an element
// of the input, over the largest of those.
func (f *LU) residual(s *svm.System) (float64, error) {
	lu, err := f.Result(s)
	if err != nil {
		return math.Inf(1), err
	}
	n := f.shape.order
	upper := make([]float64, n*n)
	for i := range n {
		copy(upper[i*n+i:(i+1)*n], lu[i*n+i:(i+1)*n])
	}
	blas64.Trmm(blas.Left, blas.NoTrans, 1,
		blas64.Triangular{Uplo: blas.Lower, Diag: blas.Unit, N: n, Data: lu, Stride: n},
		blas64.General{Rows: n, Cols: n, Data: upper, Stride: n})
	worst, at, largest := 0.0, 0, 0.0
	for i, want := range f.input() {
		if e := math.Abs(upper[i] - want); e > worst || math.IsNaN(e) {
			worst, at = e, i
		}
		largest = max(largest, math.Abs(want))
	}
	residual := worst / largest
	if !(residual <= tolerance) {
		return residual, fmt.Errorf("lu: row %d column %d of the factors' product is off by %.3g: residual %.3g, want at most %g",
			at/n, at%n, worst, residual, tolerance)
	}
	return residual, nil
}
