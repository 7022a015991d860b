package histo

import (
	"fmt"
	"slices"
)

// Range is a range of payload sizes, (LoBytes, HiBytes]. A range that starts
// at 0 also holds packets without payload. The zero Range means all sizes.
type Range struct{ LoBytes, HiBytes int }

func (r Range) String() string { return fmt.Sprintf("(%d,%d] B", r.LoBytes, r.HiBytes) }

// Class is a coarse range of payload sizes with a fixed name.
type Class struct {
	Name string
	Range
}

// Upper ends of all classes but the last, which is open.
var classEnds = [...]int{127, 1023, 4095}

var classNames = [...]string{"under_128", "128_to_1023", "1024_to_4095", "4096"}

// ClassOf returns the class of a payload size in bytes, an index of trace.Classes. Ends belong to the lower
// class.
func ClassOf(bytes int) int {
	i, _ := slices.BinarySearch(classEnds[:], bytes)
	return i
}

// classesUpTo returns the classes that a packet of at most maxBytes can fall
// into.
func classesUpTo(maxBytes int) []Class {
	var classes []Class
	lo := 0
	for i, name := range classNames {
		hi := maxBytes
		if i < len(classEnds) {
			hi = min(classEnds[i], maxBytes)
		}
		// No packet is as long as this class begins.
		if hi <= lo {
			break
		}
		classes = append(classes, Class{name, Range{lo, hi}})
		lo = hi
	}
	return classes
}

// rows divides the sizes 0 … last end into consecutive rows; row i holds
// (ends[i−1], ends[i]]. The ends of classes are always ends of rows. A size bin
// that straddles a class ((96,128] holds 127 and 128) is two rows. Bins and
// classes are then both exact sums of rows and share one array.
type rows []int

// grain is how fine the rows of an array are.
type grain uint8

// Row divisions from fine to coarse.
const (
	fine    grain = iota // every size bin
	dense                // size bins up to sixteen of them, then four rows per doubling
	graded               // size bins up to eight of them, then two rows per doubling
	classes              // the four classes
	whole                // one row
	absent               // no array at all
)

func (g grain) describe(s Spec) string {
	switch g {
	case fine:
		return fmt.Sprintf("%d B", s.SizeBytes)
	case dense:
		return fmt.Sprintf("%d B to %d B, then four per doubling", s.SizeBytes, 16*s.SizeBytes)
	case graded:
		return fmt.Sprintf("%d B to %d B, then two per doubling", s.SizeBytes, 8*s.SizeBytes)
	case classes:
		return "size classes"
	case whole:
		return "all sizes"
	}
	return "none"
}

// newRows returns the rows of a grain for packets up to maxBytes, with size bins of sizeBytes; nil if it is
// absent.
func newRows(g grain, sizeBytes, maxBytes int) rows {
	var ends []int
	switch g {
	case absent:
		return nil
	case fine:
		ends = gradedEnds(sizeBytes, maxBytes, maxBytes, 1)
	case dense:
		ends = gradedEnds(sizeBytes, maxBytes, 16, 4)
	case graded:
		ends = gradedEnds(sizeBytes, maxBytes, 8, 2)
	}
	// The ends of classes are ends of rows at every grain but whole.
	if g != whole {
		for _, e := range classEnds {
			if e < maxBytes {
				ends = append(ends, e)
			}
		}
	}
	ends = append(ends, maxBytes)
	slices.Sort(ends)
	return slices.Compact(ends)
}

// gradedEnds returns the ends below maxBytes of rows of one step up to uniform
// steps, and from there of perDoubling rows in every doubling of the size.
func gradedEnds(step, maxBytes, uniform, perDoubling int) []int {
	var ends []int
	next := uniform * step
	for e := step; e < maxBytes; e += step {
		ends = append(ends, e)
		if e == next {
			step, next = e/perDoubling, 2*e
		}
	}
	return ends
}

// of returns the sizes of row i.
func (r rows) of(i int) Range {
	if i == 0 {
		return Range{0, r[0]}
	}
	return Range{r[i-1], r[i]}
}

// list returns the sizes of all rows.
func (r rows) list() (all []Range) {
	for i := range r {
		all = append(all, r.of(i))
	}
	return all
}

// find returns the row of a payload size.
func (r rows) find(sizeBytes int) int {
	i, _ := slices.BinarySearch(r, sizeBytes)
	return min(i, len(r)-1)
}

// cover returns the smallest range of rows [lo, hi) that contains q, and
// whether it contains nothing else. Sizes beyond the last row belong to it.
func (r rows) cover(q Range) (lo, hi int, exact bool) {
	last := r[len(r)-1]
	q.HiBytes = min(q.HiBytes, last)
	lo, hi = r.find(q.LoBytes+1), r.find(q.HiBytes)+1
	return lo, hi, r.of(lo).LoBytes == q.LoBytes && r[hi-1] == q.HiBytes
}
