package fft

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// Tolerance bounds the relative error of a verified result.
const Tolerance = 1e-9

// Verify compares the result in shared memory with an independent transform of
// the same input and describes how closely they agree. The error is not nil
// when the relative error exceeds Tolerance.
func (f *FFT) Verify(s *svm.System) (how string, wrong error) {
	relative, wrong := f.deviation(s)
	return fmt.Sprintf("relative error %.2g against an independent FFT, at most %g allowed", relative, Tolerance), wrong
}

// deviation returns the relative error: the largest absolute error of an
// element, over the root mean square of the elements.
func (f *FFT) deviation(s *svm.System) (float64, error) {
	var threads [svm.WordSize]byte
	if err := s.Snapshot(f.global, threads[:]); err != nil {
		return math.Inf(1), err
	}
	if n := binary.NativeEndian.Uint32(threads[:]); int(n) != f.spec.Nodes {
		return math.Inf(1), fmt.Errorf("fft: %d threads counted themselves, want %d", n, f.spec.Nodes)
	}
	want := make([]complex128, f.spec.Points)
	input := f.input()
	for i := range want {
		want[i] = input.next()
	}
	fourier.NewCmplxFFT(len(want)).Coefficients(want, want)
	worst, at, square := 0.0, 0, 0.0
	var bad complex128 // the element with the worst error
	row, rowAt := make([]complex128, f.shape.root), f.rowsOf(f.trans)
	for i, v := range want { // row by row, because a second copy of many points is large
		k := i % len(row)
		if k == 0 {
			if err := s.Snapshot(rowAt(i/len(row)), shared.Bytes(row)); err != nil {
				return math.Inf(1), err
			}
		}
		if e := cmplx.Abs(row[k] - v); e > worst || math.IsNaN(e) {
			worst, at, bad = e, i, row[k]
		}
		square += float64(real(v)*real(v)) + float64(imag(v)*imag(v))
	}
	relative := worst / math.Sqrt(square/float64(len(want)))
	if !(relative <= Tolerance) {
		return relative, fmt.Errorf("fft: element %d is %v, want %v: relative error %.3g, want at most %g",
			at, bad, want[at], relative, Tolerance)
	}
	return relative, nil
}
