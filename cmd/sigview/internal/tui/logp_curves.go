package tui

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/chart/cell"
)

// What the LogP view shows; plotOwn is what the measurement is mainly of.
const (
	plotOwn = iota
	plotCost
	plotSizes
	plotOneWay
	plotBandwidth
)

var logpMetrics = []string{
	"what was measured", "message cost against M, µs", "parameters against message size, µs", "one-way time (half a round trip) against message size, µs",
	"bandwidth against message size, MB/s",
}

// logpCurve is a line of a plot of one series: the cost for one Δ, or one
// parameter.
type logpCurve struct {
	name    string
	deltaUs float64
	points  []logpPoint
}

// logpPoint is a value at a burst length or message size. One that has a
// reason has no value.
type logpPoint struct {
	x             float64
	value, lo, hi float64
	samples       int
	reason        string
}

func pointOf(x int, e logp.Estimate) logpPoint {
	return logpPoint{x: float64(x), value: e.Value, lo: e.Lo, hi: e.Hi, reason: e.Reason}
}

// plotOf is what a series is mainly of.
func (x *Series) plotOf() int {
	switch {
	case x.LogP == nil:
		return plotBandwidth
	case len(x.LogP.Points) > 0:
		return plotCost
	}
	return plotSizes
}

// plot is what is shown.
func (s *State) plot() int {
	x, _ := s.seriesAt()
	if m := s.Sel.Metric; m > plotOwn && m < len(logpMetrics) {
		return m
	}
	if x == nil {
		return plotCost
	}
	return x.plotOf()
}

// curves are the lines of a plot. Those without a point are left out.
func (x *Series) curves(plot int) []logpCurve {
	var out []logpCurve
	switch {
	case x.LogP == nil:
		out = x.bandwidthCurves(plot)
	case plot == plotCost:
		out = costCurves(x.LogP.Points)
	default:
		out = x.sizeCurves(plot)
	}
	return slices.DeleteFunc(out, func(c logpCurve) bool { return len(c.points) == 0 })
}

func costCurves(points []logp.Point) []logpCurve {
	var out []logpCurve
	for _, p := range points {
		i := slices.IndexFunc(out, func(c logpCurve) bool { return c.deltaUs == p.DeltaUs })
		if i < 0 {
			i = len(out)
			out = append(out, logpCurve{name: fmt.Sprintf("Δ %g", p.DeltaUs), deltaUs: p.DeltaUs})
		}
		k := pointOf(p.M, p.Cost.Estimate("cost"))
		k.samples = p.Cost.N
		out[i].points = append(out[i].points, k)
	}
	slices.SortFunc(out, func(a, b logpCurve) int { return int(math.Copysign(1, a.deltaUs-b.deltaUs)) })
	for _, c := range out {
		slices.SortFunc(c.points, func(a, b logpPoint) int { return int(a.x - b.x) })
	}
	return out
}

// sizeCurves are the figures that a LogP measurement has by message size.
func (x *Series) sizeCurves(plot int) []logpCurve {
	var out []logpCurve
	put := func(name string, size int, e logp.Estimate) {
		i := slices.IndexFunc(out, func(c logpCurve) bool { return c.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, logpCurve{name: name})
		}
		out[i].points = append(out[i].points, pointOf(size, e))
	}
	for _, s := range x.LogP.Sizes {
		switch {
		case plot == plotSizes:
			if p := s.Params; p != nil {
				put("o_s", s.SizeBytes, p.Os)
				put("o_r", s.SizeBytes, p.Or)
				put("L", s.SizeBytes, p.L)
				put("g", s.SizeBytes, p.G)
			}
			if s.Idle != nil {
				put("idle", s.SizeBytes, *s.Idle)
			}
			if s.Bulk != nil {
				put("o", s.SizeBytes, s.O)
				put("T", s.SizeBytes, s.T)
			}
		case plot == plotOneWay && s.Params != nil:
			e := s.RTT
			e.Value, e.Lo, e.Hi = e.Value/2, e.Lo/2, e.Hi/2
			put("RTT/2", s.SizeBytes, e)
		case plot == plotBandwidth && s.Bulk != nil:
			put("bulk", s.SizeBytes, s.Bandwidth)
		}
	}
	return out
}

func (x *Series) bandwidthCurves(plot int) []logpCurve {
	c := logpCurve{name: x.Bandwidth.Test}
	for _, p := range x.Bandwidth.Points {
		v := p.MBps
		if plot == plotOneWay {
			if p.OneWayUs == nil {
				continue
			}
			v = *p.OneWayUs
		} else if plot != plotBandwidth {
			continue
		}
		c.points = append(c.points, logpPoint{x: float64(p.SizeBytes), value: v, lo: v, hi: v})
	}
	if plot == plotOneWay {
		c.name = "RTT/2"
	}
	return []logpCurve{c}
}

// alike is the curve of another series that stands for the same: the one of
// the same name or the nearest Δ.
func (c logpCurve) alike(list []logpCurve, plot int) (logpCurve, bool) {
	best := -1
	for i, o := range list {
		switch {
		case plot == plotSizes && o.name != c.name:
		case best < 0 || math.Abs(o.deltaUs-c.deltaUs) < math.Abs(list[best].deltaUs-c.deltaUs):
			best = i
		}
	}
	if best < 0 {
		return logpCurve{}, false
	}
	return list[best], true
}

// at is the index of the point next to a place on the axis, by the logarithm.
func (c logpCurve) at(x float64) int {
	best := -1
	far := func(p logpPoint) float64 { return math.Abs(math.Log(max(p.x, 0.5) / max(x, 0.5))) }
	for i, p := range c.points {
		if best < 0 || far(p) < far(c.points[best]) {
			best = i
		}
	}
	return best
}

// exact is the point at a place.
func (c logpCurve) exact(x float64) (logpPoint, bool) {
	for _, p := range c.points {
		if p.x == x {
			return p, p.reason == ""
		}
	}
	return logpPoint{}, false
}

// curveLook is how a curve is told from the others of its series.
func curveLook(i int) (rune, cell.Ink) {
	looks := []struct {
		mark rune
		ink  cell.Ink
	}{{'●', cell.Source}, {'■', cell.LANai}, {'◆', cell.Net}, {'◉', cell.Dest}, {'✚', cell.Difference}, {'○', cell.Source}, {'□', cell.LANai}, {'◇', cell.Net}}
	return looks[i%len(looks)].mark, looks[i%len(looks)].ink
}

// sizeLabel writes a message size or burst length.
func sizeLabel(v float64) string {
	switch n := int64(v); {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dM", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%dK", n>>10)
	}
	return short(v)
}
