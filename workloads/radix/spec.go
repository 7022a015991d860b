package radix

import (
	"cmp"
	"math/bits"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// Defaults: the size of the published measurements, and the original program's
// own radix and largest key, which the measurements do not state.
const (
	DefaultKeys   = 2 << 20
	DefaultRadix  = 1024
	DefaultMaxKey = 524288
)

const keyBytes = svm.WordSize

// Spec describes a sort.
type Spec struct {
	Keys   int       `json:"size" range:"1..268435456 keys"`
	Radix  int       `json:"radix" range:"pow2 0|2..65536"`   // values of a digit; 0: DefaultRadix
	MaxKey int       `json:"max_key" range:"0|2..2147483648"` // keys are below it; 0: DefaultMaxKey
	Nodes  int       `json:"nodes" range:"1..1024"`           // each has at least one key
	Seed   uint64    `json:"seed"`
	Homes  svm.Homes `json:"homes"` // of the keys; blocks make each node home of those that it reads
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("radix", s); err != nil {
		return err
	}
	if s.Nodes > s.Keys {
		return bounds.Wrong("radix.nodes", s.Nodes, "1 to %d, at least one key for each", s.Keys)
	}
	return nil
}

// shape is derived from a Spec.
type shape struct {
	keys, nodes int
	radix       int
	maxKey      int
	digit       int // bits
	passes      int
	levels      int // of the prefix tree, leaves included
	block       int // bytes of one node's entries of the tree: whole pages
}

func (s *Spec) shape() shape {
	h := shape{keys: s.Keys, nodes: s.Nodes, radix: cmp.Or(s.Radix, DefaultRadix), maxKey: cmp.Or(s.MaxKey, DefaultMaxKey)}
	h.digit = bits.Len(uint(h.radix)) - 1
	h.passes = (bits.Len(uint(h.maxKey-1)) + h.digit - 1) / h.digit
	h.levels = bits.Len(uint(s.Nodes-1)) + 1
	h.block = shared.Pages(h.levels * h.entryBytes())
	return h
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
