package logp

import (
	"cmp"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/internal/portable"
)

const (
	// rise is how much more than the first messages a message may cost in the
	// send-only regime: the accuracy that Culler et al. ask of a point.
	rise = 0.05
	// settled is how far the last three points of a curve may lie from the law of the
	// steady state, as a share of its asymptote minus Δ. foretold is how far the next
	// shorter burst may lie from their prediction; it is larger if the points scatter
	// about the law. A burst beyond it, and beyond the noise, is still in transition.
	settled  = 0.02
	foretold = 0.002
	// steadyPoints is the least number of bursts of a steady state: two always lie on a
	// line.
	steadyPoints = 3
)

// sendOnly returns the number of points in the send-only regime: the leading ones, sorted by M, of which none
// costs more than rise above the first few.
func sendOnly(pts []Point) int {
	n := 1
	for n < len(pts) {
		ref, _ := firstFew(pts[:n])
		c := pts[n].Cost.reading()
		if c.v > float64(ref.v*(1+rise))+portable.Hypot(c.half, ref.half) {
			break
		}
		n++
	}
	return n
}

// firstFew returns the mean cost over the first half of the send-only regime, M up to half of the last. Points
// that differ from the median by 1 % and three standard errors are left out: a first message that finds empty
// buffers, or the first replies, whose cost a single point cannot show.
func firstFew(pts []Point) (reading, Residual) {
	last := pts[len(pts)-1].M
	var rs []reading
	for i, p := range pts {
		if i == 0 || p.M <= last/2 {
			rs = append(rs, p.Cost.reading())
		}
	}
	byValue := slices.SortedFunc(slices.Values(rs), func(a, b reading) int { return cmp.Compare(a.v, b.v) })
	middle := byValue[(len(rs)-1)/2]
	rs = slices.DeleteFunc(rs, func(r reading) bool {
		return math.Abs(r.v-middle.v) > float64(0.01*middle.v)+float64(3/student.Z975*r.half)
	})
	return constant(rs, nil, "o_s")
}

// steadyState finds the steady state: the longest tail of the points, sorted by M, in which every message takes
// the same time after a head start, cost = g − c/M, which is a line in 1/M.
//
// It returns the index at which the tail begins, and the line. It does not begin within the first before points
// if enough points remain. ok is false if the last three points are in no such tail.
func steadyState(pts []Point, before int) (from int, law line, ok bool) {
	from = len(pts) - steadyPoints
	if from < 0 {
		return 0, law, false
	}
	tail := func(i int) line {
		var x, sizes []float64
		var rs []reading
		for _, p := range pts[i:] {
			x, rs, sizes = append(x, 1/float64(p.M)), append(rs, p.Cost.reading()), append(sizes, p.Cost.Value)
		}
		return fit(x, rs, sizes, "cost = g - c/M")
	}
	law = tail(from)
	deltaUs := pts[0].DeltaUs
	if !(law.a.v > 0) {
		return 0, law, false
	}
	for i, off := range law.off {
		if math.Abs(off) > float64(settled*math.Abs(law.a.v-deltaUs))+pts[from+i].Cost.reading().half {
			return 0, law, false
		}
	}
	for ; from > 0 && from > before; from-- {
		p := pts[from-1]
		off := p.Cost.reading().minus(law.at(1 / float64(p.M)))
		each := math.Abs(law.a.v - deltaUs)
		if math.Abs(off.v) > math.Min(settled*each, float64(foretold*each)+float64(4*law.residual.MaxUs))+off.half {
			break
		}
		law = tail(from - 1)
	}
	return from, law, true
}
