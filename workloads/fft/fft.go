package fft

import (
	"unsafe"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
)

// FFT is a transform: its place in shared memory, its input and its program.
type FFT struct {
	spec  Spec
	shape shape

	layout *svm.Layout
	global svm.Addr // counter of threads
	x      svm.Addr // the data
	trans  svm.Addr // the other matrix, which holds the result at the end
	umain  svm.Addr // roots of unity for rows
	umain2 svm.Addr // roots of unity for the whole, arranged as the data
	phases []Phase
}

// Phase is a named part of the program, for reports.
type Phase struct {
	Name  string
	Begin sim.Time // node 0 begins it
	End   sim.Time
}

// New lays out a transform in shared memory.
func New(spec Spec) (*FFT, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	f := &FFT{spec: spec, shape: spec.shape()}
	var err error
	if f.layout, err = svm.NewLayout(spec.Nodes); err != nil {
		return nil, err
	}
	matrix := spec.Nodes * f.shape.bandBytes()
	for _, a := range []struct {
		at    *svm.Addr
		bytes int
		homes svm.Homes
	}{
		{&f.global, svm.PageSize, svm.Blocks},
		{&f.x, matrix, spec.Homes},
		{&f.trans, matrix, spec.Homes},
		{&f.umain, f.shape.root * elementBytes, svm.Blocks},
		{&f.umain2, matrix, spec.Homes},
	} {
		if *a.at, err = f.layout.Alloc(a.bytes, a.homes); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Layout returns the shared address space.
func (f *FFT) Layout() *svm.Layout { return f.layout }

// Phases returns the parts of the program in the order of node 0.
func (f *FFT) Phases() []Phase { return f.phases }

// Load puts the input and the roots of unity into shared memory, as the
// parent of the program's processes leaves them.
func (f *FFT) Load(s *svm.System) error {
	if err := s.Preload(f.umain, asBytes(rowRoots(f.shape.root))); err != nil {
		return err
	}
	row := make([]complex128, f.shape.root)
	input := f.input()
	for r := range f.shape.root {
		for c := range row {
			row[c] = input.next()
		}
		if err := s.Preload(f.x+f.shape.at(r, 0), asBytes(row)); err != nil {
			return err
		}
		for c := range row {
			row[c] = unit(r*c, f.spec.Points)
		}
		if err := s.Preload(f.umain2+f.shape.at(r, 0), asBytes(row)); err != nil {
			return err
		}
	}
	return nil
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

func asBytes(v []complex128) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*elementBytes)
}
