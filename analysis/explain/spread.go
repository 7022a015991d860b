package explain

import (
	"math"
	"sort"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// sampleWindows is the number of windows that a long trace has.
const sampleWindows = 32

// spread returns windows of the time between two instants, in ns, with about so many packets each, and how many packets
// there are in that time. Few windows are as far from each other as they are from the ends, in packets and not in time;
// if there are fewer packets than sampleWindows need, the windows are all of the time.
func spread(index []trace.BatchRow, from, to int64, each float64) (out []rundir.Section, packets int64) {
	c := newCount(index)
	first, last := c.sent(from), c.sent(to)
	all := last - first
	if all < 1 {
		return nil, 0
	}
	n := min(sampleWindows, math.Ceil(all/each))
	each = min(each, all/n)
	before, half := from, float64(each/2)
	for k := range int(n) {
		middle := first + (float64(k)+0.5)*all/n
		w := rundir.Section{FromNs: max(c.at(middle-half), before), ToNs: max(c.at(middle+half), before)}
		if each == all/n { // without time in between, nor before and after all packets
			w.FromNs = before
			if k == int(n)-1 {
				w.ToNs = to
			}
		}
		out, before = append(out, w), w.ToNs
	}
	return out, int64(all)
}

// count is how many packets have been sent by an instant, as far as the index of a table tells: as many in each part of the
// time of a batch. Both lists ascend.
type count struct {
	times []float64 // ns
	sums  []float64
}

func newCount(index []trace.BatchRow) (c count) {
	sum, at := 0.0, math.Inf(-1)
	for i, b := range index {
		at = max(at, float64(b.FromNs))
		c.times, c.sums = append(c.times, at), append(c.sums, sum)
		if sum += float64(b.Rows); i == len(index)-1 {
			c.times, c.sums = append(c.times, max(at, float64(b.ToNs))), append(c.sums, sum)
		}
	}
	return c
}

// sent returns how many packets have been sent by an instant in ns.
func (c count) sent(ns int64) float64 { return between(c.times, c.sums, float64(ns)) }

// at returns the instant in ns by which so many packets have been sent.
func (c count) at(sent float64) int64 { return int64(between(c.sums, c.times, sent)) }

// between returns the value at x of the line through points whose xs ascend, that of the nearest end beyond them, and 0 without points.
func between(xs, ys []float64, x float64) float64 {
	i := sort.SearchFloat64s(xs, x)
	switch {
	case len(xs) == 0:
		return 0
	case i == 0:
		return ys[0]
	case i == len(xs):
		return ys[i-1]
	}
	return ys[i-1] + float64((ys[i]-ys[i-1])*((x-xs[i-1])/(xs[i]-xs[i-1])))
}
