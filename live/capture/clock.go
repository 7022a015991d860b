package capture

import (
	"cmp"
	"iter"
	"slices"
)

// clocks converts stamps of the second capture to the clock of the first.
type clocks struct {
	knots   []knot
	grainNs int64  // by which stamps can be too early
	packets uint64 // that were compared
	set     int    // knots at which packets contradict each other: a clock was set
}

// knot is the offset of the second capture's clock from the first's at an instant. Between knots the offset and
// its bound are interpolated linearly.
type knot struct {
	at, offset int64   // ns; at by the second capture's clock
	bound      int64   // ns: largest error of the offset
	steep      float64 // ns per ns: slope of the offset there
}

// windowNs is the time between knots: oscillators keep their rates for a few times as long.
const windowNs int64 = 5e9

// point is a bound of the offset that a packet sets at an instant, both in ns.
type point struct{ at, offset int64 }

// window is what the packets of windowNs say of the offset. A packet arrives after it is sent, so that each one
// from the first capture's end bounds the offset from above, and each one to it from below. Only the convex
// hull of each side is kept: a line that keeps to the right side of the hull does so for all points.
type window struct {
	number       int64   // at / windowNs of its packets
	from, to     int64   // ns: first and last of its packets, by the second capture's clock
	above, below []point // hulls, in the order of time
}

// compareClocks compares the clocks of two captures by packets that are in both, in the order of time.
func compareClocks(packets iter.Seq[crossing], grainNs int64) clocks {
	out := clocks{grainNs: grainNs}
	var windows []*window
	for c := range packets {
		at, ok := c.second()
		// Only a packet with both stamps tells something of the clocks.
		if !ok || c.fate != joined {
			continue
		}
		out.packets++
		n := at / windowNs
		// Packets come in the order of the second capture's clock, so that windows do too.
		if len(windows) == 0 || windows[len(windows)-1].number != n {
			windows = append(windows, &window{number: n, from: at})
		}
		w := windows[len(windows)-1]
		w.to = at
		if c.sender == 0 {
			// A stamp may be grainNs too early: the bound is as much wider.
			w.above = hull(w.above, point{at, at - c.sent + grainNs}, 1)
		} else {
			w.below = hull(w.below, point{at, at - c.arrived - grainNs}, -1)
		}
	}
	for i, w := range windows {
		// A knot between two windows without a gap rests on the packets of both. Where a gap is, windows end
		// alone.
		before, after := w, w
		if i > 0 && windows[i-1].number == w.number-1 {
			before = windows[i-1]
		}
		if i+1 < len(windows) && windows[i+1].number == w.number+1 {
			after = windows[i+1]
		}
		if before == w {
			out.add(w.from, w, after)
		}
		if after == w {
			out.add(w.to, before, w)
		} else {
			out.add(after.number*windowNs, w, after)
		}
	}
	return out
}

// hull adds a point to the lower hull of points in the order of time, or with side -1 to the upper one.
func hull(points []point, p point, side float64) []point {
	for n := len(points); n > 0; n-- {
		last := points[n-1]
		// Of two bounds at one instant only the tighter one counts.
		if last.at == p.at {
			if side*float64(last.offset-p.offset) <= 0 {
				return points
			}
		} else if n == 1 || side*(rise(points[n-2], last)-rise(points[n-2], p)) < 0 {
			// The hull is convex with p: slopes increase, or with side -1 decrease.
			break
		}
		points = points[:n-1]
	}
	return append(points, p)
}

// rise returns the slope of the line through two points, in ns per ns.
func rise(p, q point) float64 { return float64(q.offset-p.offset) / float64(q.at-p.at) }

// add adds the knot at an instant between two windows, or in one given twice. It adds none without packets in
// both directions. Packets that contradict every line show that a clock was set.
func (c *clocks) add(at int64, v, w *window) {
	above, below := v.above, v.below
	if v != w {
		above, below = slices.Concat(above, w.above), slices.Concat(below, w.below)
	}
	// Bounds of one side alone leave the offset open.
	if len(above) == 0 || len(below) == 0 || len(c.knots) > 0 && c.knots[len(c.knots)-1].at == at {
		return
	}
	// Offsets may be large, and their differences small: x is relative to one of them.
	l := lines{at, above[0].offset, above, below}
	lo, hi, steep, ok := l.between()
	if !ok {
		c.set++
	}
	// The middle of what is possible; 1 ns for the rounding to whole ns.
	c.knots = append(c.knots, knot{at, l.base + int64((lo+hi)/2), int64(abs(hi-lo)/2) + 1, steep})
}

func abs(x float64) float64 { return max(x, -x) }

// lines are the lines offset = base + x + slope*(t-at) that keep below all points above and above all below.
type lines struct {
	at, base     int64 // ns: instant at which x is wanted, and the offset to which it is relative
	above, below []point
}

// steepest is a bound of the difference of two clocks' rates, in ns per ns.
const steepest = 1e-3

// between returns the least and the greatest x in ns of lines that no packet contradicts, and the slope that
// leaves most room between them. If there is no such line, it returns the bounds at that slope, which are then
// the wrong way round, and false.
func (l lines) between() (lo, hi, steep float64, ok bool) {
	// Concave in the slope: the least of linear functions less the greatest of others.
	room := func(slope float64) float64 { return l.most(slope) - l.least(slope) }
	steep = peak(room, -steepest, steepest)
	if room(steep) < 0 {
		return l.least(steep), l.most(steep), steep, false
	}
	// Slopes that leave room form an interval around the one that leaves most.
	from, to := edge(room, steep, -steepest), edge(room, steep, steepest)
	hi = l.most(peak(l.most, from, to))
	lo = l.least(peak(func(slope float64) float64 { return -l.least(slope) }, from, to))
	return lo, hi, steep, true
}

// most returns the greatest x in ns for which the line of a slope keeps below all points above.
func (l lines) most(slope float64) float64 {
	out := 0.0
	for i, p := range l.above {
		if v := l.reach(p, slope); i == 0 || v < out {
			out = v
		}
	}
	return out
}

// least returns the least x in ns for which the line of a slope keeps above all points below.
func (l lines) least(slope float64) float64 {
	out := 0.0
	for i, p := range l.below {
		if v := l.reach(p, slope); i == 0 || v > out {
			out = v
		}
	}
	return out
}

// reach returns the x in ns of the line of a slope through a point.
func (l lines) reach(p point, slope float64) float64 {
	return float64(p.offset-l.base) + float64(slope*float64(l.at-p.at))
}

// steps halve an interval of slopes until lines of a few windows differ by less than a thousandth of a ns.
const steps = 80

// peak returns where a concave function is greatest.
func peak(f func(float64) float64, from, to float64) float64 {
	for range steps {
		// A search by thirds: the greatest value is not in the third at the side of the lesser one.
		a, b := from+float64((to-from)/3), to-float64((to-from)/3)
		if f(a) < f(b) {
			from = a
		} else {
			to = b
		}
	}
	return (from + to) / 2
}

// edge returns how far one can go from an instant inside towards a limit while a concave function is
// not negative.
func edge(f func(float64) float64, inside, limit float64) float64 {
	if f(limit) >= 0 {
		return limit
	}
	for range steps {
		if middle := (inside + limit) / 2; f(middle) >= 0 {
			inside = middle
		} else {
			limit = middle
		}
	}
	return inside
}

// offset returns what the second capture's clock shows more than the first's when it shows a stamp,
// and the bound of the error of a time between the two.
func (c *clocks) offset(stamp int64) (offset, bound int64) {
	if len(c.knots) == 0 {
		// Without knots both captures have one clock.
		return 0, c.grainNs
	}
	i, found := slices.BinarySearchFunc(c.knots, stamp, func(k knot, at int64) int { return cmp.Compare(k.at, at) })
	// Before the first knot and after the last one, their offsets go on.
	if found || i == 0 || i == len(c.knots) {
		k := c.knots[min(i, len(c.knots)-1)]
		return k.offset, k.bound + c.grainNs
	}
	a, b := c.knots[i-1], c.knots[i]
	share := float64(stamp-a.at) / float64(b.at-a.at)
	along := func(a, b int64) int64 { return a + int64(float64(share*float64(b-a))) }
	// 1 ns for the rounding of both.
	return along(a.offset, b.offset), along(a.bound, b.bound) + 1 + c.grainNs
}
