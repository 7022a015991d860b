package capture

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// clocks converts stamps of the second capture to the clock of the first.
type clocks struct {
	knots   []knot
	grainNs int64  // by which stamps can be too early
	packets uint64 // that were compared
	set     int    // times at which packets contradict each other: a clock was set
}

// knot is the offset of the second capture's clock from the first's at an instant.
type knot struct {
	at, offset int64   // ns; at by the second capture's clock
	bound      int64   // ns: largest error of the offset
	steep      float64 // ns per ns: slope of the offset there
}

// What holds for two clocks that nobody sets.
const (
	steepest = 1e-3  // ns per ns: the most that their rates differ by
	wander   = 1e-17 // per ns: the most that this changes by, 0.01 ppm in a second
)

// windowNs is the time between knots.
const windowNs int64 = 5e9

// point is a bound of the offset that a packet sets at an instant, both in ns.
type point struct{ at, offset int64 }

// epoch is a time in which no clock is set. A packet arrives after it is sent, so that each one from the first
// capture's end bounds the offset from above, and each one to it from below. Only the hull of each side is kept:
// an offset that wanders no faster than it may and keeps to the right side of the hull does so for all points.
type epoch struct {
	from, to     int64   // ns: first and last of its packets, by the second capture's clock
	above, below []point // hulls, in the order of time
	at           []int64 // ns: instants of knots, up to the one at the end
}

// compareClocks compares the clocks of two captures by packets that are in both, in the order of time.
func compareClocks(packets iter.Seq[crossing], grainNs int64) clocks {
	out := clocks{grainNs: grainNs}
	var now *epoch
	for w := range out.windows(packets) {
		switch {
		case now == nil:
			now = w
		case now.agrees(w):
			now.join(w)
		default:
			out.set++
			out.add(now)
			now = w
		}
	}
	if now != nil {
		out.add(now)
	}
	return out
}

// windows returns an epoch for every windowNs with packets. It counts the packets.
func (c *clocks) windows(packets iter.Seq[crossing]) iter.Seq[*epoch] {
	return func(yield func(*epoch) bool) {
		var w *epoch
		for x := range packets {
			at, ok := x.second()
			// Only a packet with both stamps tells something of the clocks.
			if !ok || x.fate != joined {
				continue
			}
			c.packets++
			// Packets come in the order of the second capture's clock, so that windows do too.
			if w == nil || w.from/windowNs != at/windowNs {
				if w != nil && !yield(w) {
					return
				}
				w = &epoch{from: at, at: []int64{at}}
			}
			w.to = at
			if x.sender == 0 {
				// A stamp may be grainNs too early: the bound is as much wider.
				w.above = hull(w.above, point{at, at - x.sent + c.grainNs}, 1)
			} else {
				w.below = hull(w.below, point{at, at - x.arrived - c.grainNs}, -1)
			}
		}
		if w != nil {
			yield(w)
		}
	}
}

// agrees reports whether one offset can wander between the points of an epoch and of the window after it. Of the
// epoch the last ones tell: with time the others allow for much.
func (e *epoch) agrees(w *epoch) bool {
	const last = 64
	tail := epoch{above: slices.Clone(e.above[max(len(e.above)-last, 0):]), below: slices.Clone(e.below[max(len(e.below)-last, 0):])}
	tail.join(w)
	if len(tail.above) == 0 || len(tail.below) == 0 {
		return true
	}
	return tail.lines(w.from).between().ok
}

// join adds the window after an epoch.
func (e *epoch) join(w *epoch) {
	for _, p := range w.above {
		e.above = hull(e.above, p, 1)
	}
	for _, p := range w.below {
		e.below = hull(e.below, p, -1)
	}
	if w.from-e.to > windowNs {
		e.at = append(e.at, e.to)
	}
	e.at, e.to = append(e.at, w.from), w.to
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
		} else if n == 1 || side*(rise(points[n-2], last, p.at, side)-rise(points[n-2], p, p.at, side)) < 0 {
			// The hull is convex with p: slopes increase, or with side -1 decrease.
			break
		}
		points = points[:n-1]
	}
	return append(points, p)
}

// rise returns the slope from one point to another in ns per ns, with what each allows for by an instant.
func rise(p, q point, at int64, side float64) float64 {
	return float64(q.offset-p.offset)/float64(q.at-p.at) + float64(side*wander/2*(float64(q.at-at)+float64(p.at-at)))
}

// mostNs is the largest bound of an offset, 104 days.
const mostNs = 1 << 53

// add adds the knots of an epoch, none without packets in both directions. Packets that contradict every line
// show that a clock was set.
func (c *clocks) add(e *epoch) {
	if len(e.above) == 0 || len(e.below) == 0 {
		return
	}
	first, least := len(c.knots), math.Inf(1)
	var all []room
	for _, at := range slices.Compact(append(e.at, e.to)) {
		r := e.lines(at).between()
		if !r.ok {
			c.set++
		}
		all, least = append(all, r), min(least, abs(r.hi-r.lo))
		c.knots = append(c.knots, knot{at: at, steep: r.steep})
	}
	for i, r := range all {
		x, bound := r.choose(least)
		k := &c.knots[first+i]
		// 1 ns for the rounding to whole ns.
		k.offset, k.bound = e.above[0].offset+int64(x), int64(min(bound, mostNs))+1
	}
}

func abs(x float64) float64 { return max(x, -x) }

// room is what packets leave of the offset at an instant.
type room struct {
	lo, hi         float64 // ns: the least and the greatest, the wrong way round if packets contradict each other
	loAway, hiAway float64 // ns: from the instant to the packets that tell
	steep          float64 // ns per ns: slope of the offset
	ok             bool
}

// choose returns an offset in ns, and the bound of its error. It is the middle of what is possible if packets of
// both directions are near. Where those of one are, it is as far from theirs as if the others were there too: half
// of the least time there and back.
func (r room) choose(least float64) (x, bound float64) {
	lo, hi := float64(r.loAway*r.loAway), float64(r.hiAway*r.hiAway)
	lean := (lo - hi) / (lo + hi + 2*float64(windowNs)*float64(windowNs))
	x = float64((r.lo+r.hi)/2) + float64(lean*(abs(r.hi-r.lo)-least)/2)
	return x, max(abs(r.hi-x), abs(x-r.lo))
}

// lines are the offsets that keep below all points above and above all below, as their tangents at an instant:
// offset = base + x + slope*(t-at), from which they wander by wander/2*(t-at)² at most.
type lines struct {
	at, base     int64 // ns: instant at which x is wanted, and the offset to which it is relative
	above, below []point
}

// lines returns the offsets of an epoch at an instant. Offsets may be large, and their differences small: x is
// relative to one of them.
func (e *epoch) lines(at int64) lines { return lines{at, e.above[0].offset, e.above, e.below} }

// between returns the room for x, at the slopes that leave any: the slope is the one that leaves most.
func (l lines) between() (r room) {
	most := func(slope float64) float64 { x, _ := l.touch(l.above, slope, 1); return x }
	least := func(slope float64) float64 { x, _ := l.touch(l.below, slope, -1); return -x }
	// Concave in the slope: the least of linear functions less the greatest of others.
	both := func(slope float64) float64 { return most(slope) + least(slope) }
	r.steep = peak(both, -steepest, steepest)
	from, to := r.steep, r.steep
	// Slopes that leave room form an interval around the one that leaves most.
	if r.ok = both(r.steep) >= 0; r.ok {
		from, to = edge(both, r.steep, -steepest), edge(both, r.steep, steepest)
	}
	r.hi, r.hiAway = l.touch(l.above, peak(most, from, to), 1)
	r.lo, r.loAway = l.touch(l.below, peak(least, from, to), -1)
	return r
}

// touch returns the x in ns of the outermost line of a slope that keeps to the right side of a hull, and how far in
// ns the point is that it touches.
func (l lines) touch(hull []point, slope, side float64) (x, away float64) {
	// Lines touch the hull where its slope passes theirs.
	i, n := 0, len(hull)-1
	for i < n {
		if m := (i + n) / 2; side*(rise(hull[m], hull[m+1], l.at, side)-slope) >= 0 {
			n = m
		} else {
			i = m + 1
		}
	}
	p := hull[i]
	away = float64(l.at - p.at)
	return float64(p.offset-l.base) + float64(slope*away) + float64(side*wander/2*away*away), away
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
	// Before the first knot and after the last one, their slopes go on.
	if found || i == 0 || i == len(c.knots) {
		k := c.knots[min(i, len(c.knots)-1)]
		away := float64(stamp - k.at)
		return k.offset + int64(k.steep*away), k.bound + int64(min(steepest*max(away, -away), mostNs)) + c.grainNs
	}
	a, b := c.knots[i-1], c.knots[i]
	share := float64(stamp-a.at) / float64(b.at-a.at)
	along := func(a, b int64) int64 { return a + int64(float64(share*float64(b-a))) }
	// Between two knots the offset wanders from the straight line by this at most.
	off := wander / 2 * float64(stamp-a.at) * float64(b.at-stamp)
	// 1 ns for the rounding of all.
	return along(a.offset, b.offset), along(a.bound, b.bound) + int64(min(off, mostNs)) + 1 + c.grainNs
}
