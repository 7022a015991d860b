package lu

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// LU is a factorization: its place in shared memory, its input and its
// program.
type LU struct {
	spec  Spec
	shape shape
	shared.Memory
	matrix  svm.Addr
	changed int64 // blocks
}

// Phases lists the phases of each step of the program.
func Phases() []string { return []string{"diagonal", "perimeter", "interior"} }

// Progress returns how often blocks have been changed, and of how often.
func (f *LU) Progress() (done, total int64) {
	n := int64(f.shape.blocks)
	return f.changed, n * (n + 1) * (2*n + 1) / 6
}

// New lays out a factorization in shared memory.
func New(spec Spec) (*LU, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	f := &LU{spec: spec, shape: spec.shape()}
	var err error
	f.Memory, err = shared.Lay(spec.Nodes, shared.Area{At: &f.matrix, Bytes: spec.Nodes * f.shape.area, Homes: spec.Homes})
	return f, err
}

// Load puts the matrix into shared memory, as the parent of the program's
// processes leaves it.
func (f *LU) Load(s *svm.System) error {
	a := f.input()
	b := make([]float64, f.shape.block*f.shape.block)
	return f.each(func(i, j int) error {
		f.copyBlock(b, a, i, j, false)
		return s.Preload(f.matrix+f.shape.at(i, j), shared.Bytes(b))
	})
}

// input returns the matrix by rows: numbers from −1 to 1, with the order added
// on the diagonal, which makes it dominant.
func (f *LU) input() []float64 {
	stream := sim.NewStream(f.spec.Seed, "workloads/lu/input")
	n := f.shape.order
	a := make([]float64, n*n)
	for i := range a {
		a[i] = 2*float64(stream.Float64()) - 1
	}
	for i := range n {
		a[i*n+i] += float64(n)
	}
	return a
}

// each calls do for every block.
func (f *LU) each(do func(i, j int) error) error {
	for i := range f.shape.blocks {
		for j := range f.shape.blocks {
			if err := do(i, j); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyBlock copies a block out of a matrix by rows, or back into it.
func (f *LU) copyBlock(block, matrix []float64, i, j int, back bool) {
	b, n := f.shape.block, f.shape.order
	for r := range b {
		in, row := block[r*b:(r+1)*b], matrix[(i*b+r)*n+j*b:][:b]
		if back {
			copy(row, in)
		} else {
			copy(in, row)
		}
	}
}
