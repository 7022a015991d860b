package fft

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// tolerance bounds the relative error of a verified result.
const tolerance = 1e-9

// Verify compares the result in shared memory with an independent transform of
// the same input and describes how closely they agree. The error is not nil
// when the relative error exceeds Tolerance.
func (f *FFT) Verify(s *svm.System) (how string, wrong error) {
	relative, wrong := f.deviation(s)
	return fmt.Sprintf("relative error %s against an independent FFT, at most %g allowed", bounds.Below(relative, tolerance/1000), tolerance), wrong
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
	want := f.expected()
	n := f.shape.root
	worst, at, square := 0.0, 0, 0.0
	var bad complex128 // the element with the worst error
	row, rowAt := make([]complex128, n), f.rowsOf(f.trans)
	for i := range want { // row by row, because a second copy of many points is large
		if i%n == 0 {
			if err := s.Snapshot(rowAt(i/n), shared.Bytes(row)); err != nil {
				return math.Inf(1), err
			}
		}
		v := want[i%n*n+i/n]
		if e := cmplx.Abs(row[i%n] - v); e > worst || math.IsNaN(e) {
			worst, at, bad = e, i, row[i%n]
		}
		square += float64(real(v)*real(v)) + float64(imag(v)*imag(v))
	}
	relative := worst / math.Sqrt(square/float64(len(want)))
	if !(relative <= tolerance) {
		return relative, fmt.Errorf("fft: element %d is %v, want %v: relative error %.3g, want at most %g",
			at, bad, want[at%n*n+at/n], relative, tolerance)
	}
	return relative, nil
}

// expected returns the transform of the input by gonum's transforms of columns and
// rows, with elements k, k+n, k+2n, … of the result in row k. One of the whole would take
// three times as much memory besides.
func (f *FFT) expected() []complex128 {
	n := f.shape.root
	m := make([]complex128, f.spec.Points)
	input := f.input()
	for i := range m {
		m[i] = input.next()
	}
	line, row := make([]complex128, n), fourier.NewCmplxFFT(n)
	for c := range n {
		for r := range n {
			line[r] = m[r*n+c]
		}
		row.Coefficients(line, line)
		for r, v := range line {
			sin, cos := portable.SinCos(-r*c, len(m))
			m[r*n+c] = complex(float64(real(v)*cos)-float64(imag(v)*sin), float64(real(v)*sin)+float64(imag(v)*cos))
		}
	}
	for r := range n {
		row.Coefficients(m[r*n:(r+1)*n], m[r*n:(r+1)*n])
	}
	return m
}
