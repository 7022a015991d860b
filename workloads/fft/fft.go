package fft

import (
	"cmp"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// FFT is a transform: its place in shared memory, its input and its program.
type FFT struct {
	spec  Spec
	shape shape
	moved int64 // elements, by transposes

	shared.Memory
	global svm.Addr // counter of threads
	x      svm.Addr // the data
	trans  svm.Addr // the other matrix, which holds the result at the end
	umain  svm.Addr // roots of unity for rows
	umain2 svm.Addr // roots of unity for the whole, arranged as the data
}

// New lays out a transform in shared memory.
func New(spec Spec) (*FFT, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	f := &FFT{spec: spec, shape: spec.shape()}
	var err error
	matrix := spec.Nodes * f.shape.bandBytes()
	f.Memory, err = shared.Lay(spec.Nodes,
		shared.Area{At: &f.global, Bytes: svm.PageSize, Homes: svm.Blocks},
		shared.Area{At: &f.x, Bytes: matrix, Homes: spec.Homes},
		shared.Area{At: &f.trans, Bytes: matrix, Homes: spec.Homes},
		shared.Area{At: &f.umain, Bytes: f.shape.root * elementBytes, Homes: svm.Blocks},
		shared.Area{At: &f.umain2, Bytes: matrix, Homes: spec.Homes})
	return f, err
}

// Load puts the input and the roots of unity into shared memory, as the
// parent of the program's processes leaves them.
func (f *FFT) Load(s *svm.System) error {
	n, input := f.shape.root, f.input()
	return cmp.Or(
		s.Preload(f.umain, shared.Bytes(rowRoots(n))),
		shared.Fill(s, n, n, f.rowsOf(f.x), func(int, int) complex128 { return input.next() }),
		shared.Fill(s, n, n, f.rowsOf(f.umain2), func(r, c int) complex128 { return unit(r*c, f.spec.Points) }))
}

// Phases lists the phases of the program.
func Phases() []string {
	return []string{"start", "transpose 1", "rows 1", "transpose 2", "rows 2", "transpose 3"}
}

// Progress returns how many elements the transposes have moved, and of how many.
func (f *FFT) Progress() (done, total int64) { return f.moved, 3 * int64(f.spec.Points) }

// rowsOf returns where the rows of a matrix lie.
func (f *FFT) rowsOf(matrix svm.Addr) func(row int) svm.Addr {
	return func(row int) svm.Addr { return matrix + f.shape.at(row, 0) }
}

// source yields the input: real and imaginary parts from 0 to 1.
type source struct{ stream sim.Stream }

func (f *FFT) input() *source {
	return &source{sim.NewStream(f.spec.Seed, "workloads/fft/input")}
}

func (s *source) next() complex128 {
	re := s.stream.Float64()
	return complex(re, s.stream.Float64())
}
