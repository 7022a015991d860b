package radix

import (
	"unsafe"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
)

// Sort is a sort: its place in shared memory, its input and its program.
type Sort struct {
	spec   Spec
	shape  shape
	maxKey int

	layout *svm.Layout
	keys   [2]svm.Addr // the input, and after each pass its result in turns
	tree   svm.Addr
	damage error // that a node has met
}

// New lays out a sort in shared memory.
func New(spec Spec) (*Sort, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	s := &Sort{spec: spec, shape: spec.shape(), maxKey: spec.MaxKey}
	if s.maxKey == 0 {
		s.maxKey = DefaultMaxKey
	}
	var err error
	if s.layout, err = svm.NewLayout(spec.Nodes); err != nil {
		return nil, err
	}
	for i := range s.keys {
		if s.keys[i], err = s.layout.Alloc(spec.Keys*keyBytes, spec.Homes); err != nil {
			return nil, err
		}
	}
	// A node is home of the entries that it writes.
	s.tree, err = s.layout.Alloc(spec.Nodes*s.shape.block, svm.Blocks)
	return s, err
}

// Layout returns the shared address space.
func (s *Sort) Layout() *svm.Layout { return s.layout }

// Load puts the input into shared memory, as it is when the program's
// processes have made their keys.
func (s *Sort) Load(m *svm.System) error {
	in := s.input()
	return m.Preload(s.keys[0], unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(in))), len(in)*keyBytes))
}

// input returns the keys: each the mean of four numbers, as the original has
// them, so that the high digits in the middle are the most frequent.
func (s *Sort) input() []uint32 {
	stream := sim.NewStream(s.spec.Seed, "workloads/radix/keys")
	keys := make([]uint32, s.spec.Keys)
	for i := range keys {
		sum := stream.Float64()
		for range 3 {
			sum += stream.Float64()
		}
		keys[i] = uint32(float64(sum/4) * float64(s.maxKey))
	}
	return keys
}

// sorted returns where the result lies.
func (s *Sort) sorted() svm.Addr { return s.keys[s.shape.passes%2] }
