// Package vectors holds vectors of numbers, one for each node and step, and their sums. The numbers are
// whole, and sums wrap around, so that they are the same in any order.
//
// An element is the product of a factor of its node and step and of one of its place, which repeats after a
// prime number of places. So a sum over nodes or steps is a product as well, that of the sum of
// their factors, which is found without the vectors. Parts that go to the wrong place, are added
// twice or not at all show.
//
// Files, in reading order:
//   - vectors.go: all of it
package vectors

import (
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/sigview/sigview/sim"
)

// ElementBytes is the size of a number.
const ElementBytes = 4

// Vectors are those of some nodes in some steps.
type Vectors struct {
	factors [][]uint32 // by step and node
	totals  []Sum      // of all nodes, by step
	places  [8191]uint32
}

// New draws the factors.
func New(random sim.Stream, nodes, steps int) *Vectors {
	v := &Vectors{}
	for i := range v.places {
		v.places[i] = uint32(random.Uint64())
	}
	for range steps {
		factors, total := make([]uint32, nodes), Sum(0)
		for i := range factors {
			factors[i] = uint32(random.Uint64())
			total += Sum(factors[i])
		}
		v.factors, v.totals = append(v.factors, factors), append(v.totals, total)
	}
	return v
}

// Sum is the sum of the factors of some vectors.
type Sum uint32

// Total returns that of all nodes in a step.
func (v *Vectors) Total(step int) Sum { return v.totals[step] }

// Fill writes a node's elements from first on.
func (v *Vectors) Fill(b []byte, step, node, first int) {
	clear(b)
	v.Add(b, step, node, first)
}

// Add adds a node's elements from first on to those in b.
func (v *Vectors) Add(b []byte, step, node, first int) {
	factor := v.factors[step][node]
	for part, places := range v.runs(b, first) {
		for i, place := range places {
			x := part[ElementBytes*i:][:ElementBytes]
			binary.LittleEndian.PutUint32(x, binary.LittleEndian.Uint32(x)+factor*place)
		}
	}
}

// runs yields the parts of elements from first on with the factors of their places.
func (v *Vectors) runs(b []byte, first int) iter.Seq2[[]byte, []uint32] {
	return func(yield func([]byte, []uint32) bool) {
		for at := first % len(v.places); len(b) > 0; at = 0 {
			n := min(len(b)/ElementBytes, len(v.places)-at)
			if !yield(b[:ElementBytes*n], v.places[at:at+n]) {
				return
			}
			b = b[ElementBytes*n:]
		}
	}
}

// Plus adds the elements of a to those of b, which is not longer.
func Plus(b, a []byte) {
	for ; len(b) > 0; a, b = a[ElementBytes:], b[ElementBytes:] {
		binary.LittleEndian.PutUint32(b, binary.LittleEndian.Uint32(b)+binary.LittleEndian.Uint32(a))
	}
}

// Differs says which of the elements from first on is not that of a sum, or returns nil.
func (v *Vectors) Differs(b []byte, sum Sum, first int) error {
	for part, places := range v.runs(b, first) {
		for i, place := range places {
			if got, want := binary.LittleEndian.Uint32(part[ElementBytes*i:][:ElementBytes]), uint32(sum)*place; got != want {
				return fmt.Errorf("element %d is %#x, want %#x", first+i, got, want)
			}
		}
		first += len(places)
	}
	return nil
}
