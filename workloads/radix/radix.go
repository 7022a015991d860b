package radix

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// Sort is a sort: its place in shared memory, its input and its program.
type Sort struct {
	spec  Spec
	shape shape

	shared.Memory
	keys   [2]svm.Addr // the input, and after each pass its result in turns
	tree   svm.Addr
	damage error // that a node has met
	moved  int64 // keys that have been moved, and as many again when their pages are sent
}

// New lays out a sort in shared memory.
func New(spec Spec) (*Sort, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	s := &Sort{spec: spec, shape: spec.shape()}
	var err error
	s.Memory, err = shared.Lay(spec.Nodes,
		shared.Area{At: &s.keys[0], Bytes: spec.Keys * keyBytes, Homes: spec.Homes},
		shared.Area{At: &s.keys[1], Bytes: spec.Keys * keyBytes, Homes: spec.Homes},
		// A node is home of the entries that it writes.
		shared.Area{At: &s.tree, Bytes: spec.Nodes * s.shape.block, Homes: svm.Blocks})
	return s, err
}

// Load puts the input into shared memory, as it is when the program's
// processes have made their keys.
func (s *Sort) Load(m *svm.System) error {
	return m.Preload(s.keys[0], shared.Bytes(s.input()))
}

// input returns the keys: each the mean of four numbers, as the original has
// them, so that the high digits in the middle are the most frequent.
func (s *Sort) input() []uint32 {
	stream := sim.NewStream(s.spec.Seed, "workloads/radix/keys")
	keys := make([]uint32, s.spec.Keys)
	for i := range keys {
		sum := stream.Float64()
		for range 3 {
			sum += float64(stream.Float64())
		}
		keys[i] = uint32(float64(sum/4) * float64(s.shape.maxKey))
	}
	return keys
}

// The phases of a pass.
const (
	histogram   = "histogram"
	prefix      = "prefix"
	permutation = "permutation"
	flush       = "flush"
)

// phase names a phase of a pass.
func phase(name string, pass int) string { return fmt.Sprintf("%s %d", name, pass+1) }

// Phases lists the phases of the program.
func Phases() (all []string) {
	for pass := range (&Spec{Nodes: 1}).shape().passes {
		for _, name := range []string{histogram, prefix, permutation, flush} {
			all = append(all, phase(name, pass))
		}
	}
	return all
}

// Progress returns how many keys have been moved and how many sent, in all passes, and of
// how many.
func (s *Sort) Progress() (done, total int64) {
	return s.moved, int64(2 * s.shape.passes * s.spec.Keys)
}

// sorted returns where the result lies.
func (s *Sort) sorted() svm.Addr { return s.keys[s.shape.passes%2] }
