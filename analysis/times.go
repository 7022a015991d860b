package analysis

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// Times holds durations: their sum, and how many fall into bins. A bin holds durations that
// are equal, or that differ by less than a thousandth if they are longer than 2 µs. Its
// memory therefore does not grow with the number of durations.
type Times struct {
	SumNs int64

	count int64
	bins  []timeBin     // from the shortest, once settle has been called
	at    map[int64]int // by the lower end of a bin, where it is in bins; nil once settled
}

// timeBin is a number of durations, and the longest of them.
type timeBin struct{ ns, count int64 }

// All yields the longest duration of each bin, and how many are in the bin.
func (t Times) All() iter.Seq2[int64, int64] {
	return func(yield func(ns, count int64) bool) {
		for _, b := range t.bins {
			if !yield(b.ns, b.count) {
				return
			}
		}
	}
}

// Count returns how many durations there are.
func (t Times) Count() int64 { return t.count }

// MeanNs returns the mean.
func (t Times) MeanNs() float64 { return float64(t.SumNs) / float64(t.count) }

// Percentile returns a duration that at least p per cent of all do not exceed: the shortest
// such duration, or one of its bin.
func (t Times) Percentile(p int) int64 {
	below, want := int64(0), max(1, (t.count*int64(p)+99)/100)
	for _, b := range t.bins {
		if below += b.count; below >= want {
			return b.ns
		}
	}
	return t.bins[len(t.bins)-1].ns
}

func (t *Times) add(ns int64) {
	if t.at == nil {
		t.at = map[int64]int{}
	}
	end := lowerEnd(ns)
	i, ok := t.at[end]
	if !ok {
		i = len(t.bins)
		t.at[end] = i
		t.bins = append(t.bins, timeBin{ns: ns})
	}
	t.bins[i].ns = max(t.bins[i].ns, ns)
	t.bins[i].count++
	t.SumNs += ns
	t.count++
}

func (t *Times) settle() {
	t.at = nil
	slices.SortFunc(t.bins, func(a, b timeBin) int { return cmp.Compare(a.ns, b.ns) })
}

// lowerEnd returns a duration with its 11 highest bits, as HdrHistogram has bins for three
// digits.
func lowerEnd(ns int64) int64 {
	if ns < 0 {
		return -lowerEnd(-ns)
	}
	k := max(bits.Len64(uint64(ns))-11, 0)
	return ns >> k << k
}
