package watch

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

const (
	// mostSlow is how many messages are rows at most because no other took longer.
	mostSlow = 1000
	// above is how many samples drawn at random have to take longer than a message that is kept because it is slow.
	above = 10
)

// slowest keeps the messages that took longest from call to read, beside those that are drawn at random. What it keeps tells the
// kernel from which time on it wants more.
type slowest struct {
	kept  shorter
	drawn []int64 // ns: the longest of those drawn at random, the longest first
}

// took returns a message's time from call to read, in ns.
func (s *sample) took() int64 { return int64(s.At[4] - s.At[0]) }

// shorter is a heap of samples with the shortest on top.
type shorter []sample

func (s shorter) Len() int           { return len(s) }
func (s shorter) Less(i, j int) bool { return s[i].took() < s[j].took() }
func (s shorter) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *shorter) Push(x any)        { *s = append(*s, x.(sample)) }
func (s *shorter) Pop() any {
	last := len(*s) - 1
	x := (*s)[last]
	*s = (*s)[:last]
	return x
}

// meets takes the time of a sample that was drawn at random.
func (s *slowest) meets(took int64) {
	at, _ := slices.BinarySearchFunc(s.drawn, took, func(x, y int64) int { return cmp.Compare(y, x) })
	if at < above {
		s.drawn = slices.Insert(s.drawn, at, took)
		s.drawn = s.drawn[:min(len(s.drawn), above)]
	}
}

// keep takes a message that was not drawn, and forgets the shortest if there are too many.
func (s *slowest) keep(m *sample) {
	heap.Push(&s.kept, *m)
	if len(s.kept) > mostSlow {
		heap.Pop(&s.kept)
	}
}

// from returns the time in ns from which on messages are kept.
func (s *slowest) from() uint64 {
	switch {
	case len(s.kept) == mostSlow:
		return uint64(s.kept[0].took())
	case len(s.drawn) == above:
		return uint64(s.drawn[above-1])
	}
	return math.MaxUint64
}
