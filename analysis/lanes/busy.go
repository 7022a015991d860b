package lanes

import (
	"cmp"
	"slices"
	"sort"
)

// Busy is the time in ns that intervals cover, each instant counted once.
//
// Invariant after Done: spans are in the order of time, and do not touch each other.
type Busy struct {
	spans []span
	sums  []int64 // covered before each span
}

// span is the interval [from, to) in ns.
type span struct{ from, to int64 }

// Add adds an interval in ns, in any order. One that begins within the last one extends it, which saves memory:
// the pieces of an actor follow each other.
func (b *Busy) Add(from, to int64) {
	if n := len(b.spans) - 1; n >= 0 && from >= b.spans[n].from && from <= b.spans[n].to {
		b.spans[n].to = max(b.spans[n].to, to)
		return
	}
	if to > from {
		b.spans = append(b.spans, span{from, to})
	}
}

// Done ends the adding of intervals: call it before Covered.
func (b *Busy) Done() {
	slices.SortFunc(b.spans, func(x, y span) int { return cmp.Compare(x.from, y.from) })
	out := b.spans[:0]
	for _, s := range b.spans {
		if n := len(out) - 1; n >= 0 && s.from <= out[n].to {
			out[n].to = max(out[n].to, s.to)
		} else {
			out = append(out, s)
		}
	}
	b.spans, b.sums = slices.Clip(out), make([]int64, len(out)+1)
	for i, s := range b.spans {
		b.sums[i+1] = b.sums[i] + s.to - s.from
	}
}

// Covered returns how much of a period the intervals cover, all in ns.
func (b *Busy) Covered(from, to int64) int64 { return max(b.until(to)-b.until(from), 0) }

// until returns how much is covered before an instant.
func (b *Busy) until(t int64) int64 {
	// The last span that begins before t.
	i := sort.Search(len(b.spans), func(i int) bool { return b.spans[i].from >= t })
	if i == 0 {
		return 0
	}
	// All spans before that one, and what of it is before t.
	return b.sums[i-1] + min(t, b.spans[i-1].to) - b.spans[i-1].from
}
