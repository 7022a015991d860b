package waits

import (
	"slices"
	"sort"
)

// Together is the time that many spend waiting, each from an instant to another.
type Together struct {
	begins, ends []int64 // ps
	begun, ended []int64 // their sums, up to each
}

// Add adds the wait of one.
func (x *Together) Add(begin, end int64) {
	x.begins, x.ends, x.begun = append(x.begins, begin), append(x.ends, end), nil
}

// Span returns the first and the last instant at which one waits.
func (x *Together) Span() (from, to int64) { return slices.Min(x.begins), slices.Max(x.ends) }

// Between returns how long all of them together wait between two instants.
func (x *Together) Between(from, to int64) int64 {
	if x.begun == nil {
		x.begun, x.ended = sums(x.begins), sums(x.ends)
	}
	return passed(x.begins, x.begun, to) - passed(x.ends, x.ended, to) - passed(x.begins, x.begun, from) + passed(x.ends, x.ended, from)
}

// sums sorts times and sums them up.
func sums(times []int64) []int64 {
	slices.Sort(times)
	out, sum := make([]int64, len(times)+1), int64(0)
	for i, t := range times {
		sum += t
		out[i+1] = sum
	}
	return out
}

// passed returns the sum of how long before an instant each of some times was. It may overflow, but
// differences of such sums do not.
func passed(times, sums []int64, t int64) int64 {
	n := sort.Search(len(times), func(i int) bool { return times[i] >= t })
	return int64(n)*t - sums[n]
}
