package radix

import (
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/svm"
)

// What is taken when nothing is said: the size of the published measurements,
// and the original program's own radix and largest key, which they do not
// state.
const (
	DefaultKeys   = 2 << 20
	DefaultRadix  = 1024
	DefaultMaxKey = 524288
)

const (
	keyBytes  = svm.WordSize
	maxKeys   = 1 << 28
	maxRadix  = 1 << 16
	maxMaxKey = 1 << 31
	maxNodes  = 1024
)

// Spec describes a sort.
type Spec struct {
	Keys   int
	Radix  int // values of a digit, a power of two; 0: DefaultRadix
	MaxKey int // keys are below it; 0: DefaultMaxKey
	Nodes  int // at most Keys
	Seed   uint64
	Homes  svm.Homes // of the keys; blocks make each node home of those that it reads
}

// Validate checks every field.
func (s *Spec) Validate() error {
	if s.Keys < 1 || s.Keys > maxKeys {
		return fmt.Errorf("radix: size = %d keys, want 1 to %d", s.Keys, maxKeys)
	}
	if r := s.Radix; r != 0 && (r < 2 || r > maxRadix || r&(r-1) != 0) {
		return fmt.Errorf("radix: radix = %d, want a power of two from 2 to %d", r, maxRadix)
	}
	if m := s.MaxKey; m != 0 && (m < 2 || m > maxMaxKey) {
		return fmt.Errorf("radix: max key = %d, want 2 to %d", m, maxMaxKey)
	}
	if most := min(s.Keys, maxNodes); s.Nodes < 1 || s.Nodes > most {
		return fmt.Errorf("radix: nodes = %d, want 1 to %d, at least one key for each", s.Nodes, most)
	}
	if s.Homes != svm.Blocks && s.Homes != svm.RoundRobin && s.Homes != svm.FirstTouch {
		return fmt.Errorf("radix: homes = %v, want blocks, round-robin or first-touch", s.Homes)
	}
	return nil
}

// shape is what follows from a Spec.
type shape struct {
	keys, nodes int
	radix       int
	digit       int // bits
	passes      int
	levels      int // of the prefix tree, leaves included
	block       int // bytes of one node's entries of the tree: whole pages
}

func (s *Spec) shape() shape {
	radix, maxKey := s.Radix, s.MaxKey
	if radix == 0 {
		radix = DefaultRadix
	}
	if maxKey == 0 {
		maxKey = DefaultMaxKey
	}
	h := shape{keys: s.Keys, nodes: s.Nodes, radix: radix, digit: bits.Len(uint(radix)) - 1}
	h.passes = (bits.Len(uint(maxKey-1)) + h.digit - 1) / h.digit
	h.levels = bits.Len(uint(s.Nodes-1)) + 1
	const page = svm.PageSize
	h.block = (h.levels*h.entryBytes() + page - 1) / page * page
	return h
}

// share returns the first of a node's keys and the first that is not.
func (h *shape) share(node int) (first, end int) {
	return h.keys * node / h.nodes, h.keys * (node + 1) / h.nodes
}

// entryBytes is the size of an entry of the tree: for each digit the number of
// keys with it, and before that the number of those up to it.
func (h *shape) entryBytes() int { return 2 * h.radix * keyBytes }

// entry finds the entry of a level that covers nodes i<<level and on, and the
// node that writes it: the last one it covers. An entry without a right child
// is its left child.
func (h *shape) entry(level, i int) (writer int, offset svm.Addr) {
	for level > 0 && (2*i+1)<<(level-1) >= h.nodes {
		level, i = level-1, 2*i
	}
	writer = min((i+1)<<level, h.nodes) - 1
	return writer, svm.Addr(writer*h.block + level*h.entryBytes())
}
