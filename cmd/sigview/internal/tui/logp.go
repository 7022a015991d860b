package tui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/chart/cell"
)

// drawLogP draws what was measured of a layer, others laid over it, and under
// it the exact values at the cursor.
func drawLogP(c *cell.Canvas, s *State, d *Data) {
	x, _ := s.seriesAt()
	if x == nil {
		drawUnmeasured(c, d)
		return
	}
	curves := x.curves(s.plot())
	foot := 5
	list := 0
	if c.H >= 28 {
		list = min(len(s.series())+2, 12, c.H-20)
	}
	plot := c.H - foot - list
	if len(curves) == 0 {
		c.Para(1, 1, fmt.Sprintf("Not measured of %s here: %s. m shows something else, ] another measurement. %s", x.name(), logpMetrics[s.plot()], howToGet(s.plot(), x)), cell.Warn)
	} else {
		drawCurves(c.Sub(0, 0, c.W, plot), s, x, curves)
		drawLogPReadout(c.Sub(0, plot, c.W, foot), s, x, curves)
	}
	if list > 0 {
		drawSeries(c.Sub(0, plot+foot, c.W, list), s)
	}
}

// drawUnmeasured says what to run.
func drawUnmeasured(c *cell.Canvas, d *Data) {
	platform := "ppro"
	if d != nil && d.Run.Manifest.Platform.Name != "" {
		platform = d.Run.Manifest.Platform.Name
	}
	y := c.Para(1, 1, "LogP: message cost against the number of messages, for each delay between them.", cell.Strong)
	y = c.Para(1, y+1, "No measurement of a layer is open; a run does not hold one. These make one:", cell.Plain)
	y = c.Para(4, y+1, "sigview logp --platform "+platform+" -o DIR", cell.Accent)
	y = c.Para(4, y, "sigview logp --platform "+platform+" --layer all --method sweep -o DIR", cell.Accent)
	y = c.Para(4, y, "sigview bandwidth --platform "+platform+" --layer all -o DIR", cell.Accent)
	c.Para(1, y+1, ":open DIR shows it here, or sigview view DIR. Several directories are overlaid.", cell.Plain)
}

// howToGet is the command that measures what a plot shows.
func howToGet(plot int, x *Series) string {
	place := " --platform " + x.place().Platform + " --layer " + x.place().Layer
	switch plot {
	case plotCost:
		return "sigview logp" + place + " --method signature -o DIR measures it."
	case plotSizes:
		return "sigview logp" + place + " --method sweep -o DIR measures them."
	case plotOneWay:
		return "sigview bandwidth" + place + " --test pingpong -o DIR measures it."
	}
	return "sigview bandwidth" + place + " -o DIR measures it."
}

// drawSeries lists everything that is open with its parameters.
func drawSeries(c *cell.Canvas, s *State) {
	list := s.series()
	_, at := s.seriesAt()
	c.Text(0, 0, "  what was measured", cell.Faint, 0)
	const first, width = 50, 9
	for i, h := range parameterNames {
		c.Right(first+(i+1)*width, 0, h, cell.Faint, 0)
	}
	rows := c.H - 1
	top := scroll(at, len(list), rows)
	for i := top; i < len(list) && i-top < rows; i++ {
		x, y := list[i], 1+i-top
		ink, attr := cell.Second, cell.Attr(0)
		if i == at {
			ink, attr = cell.Accent, cell.Bold
			c.Set(0, y, '▶', cell.Accent, cell.Bold)
		} else if !slices.Contains(s.against(), i) {
			ink = cell.Faint
		}
		c.Sub(0, 0, first, c.H).Text(2, y, fmt.Sprintf("%c %s, %s", letter(i), x.name(), x.detail()), ink, attr)
		for k, e := range x.parameters() {
			c.Right(first+(k+1)*width, y, bench.Figure(e), ink, attr)
		}
		if x.LogP == nil {
			c.Text(first+3, y, x.peak(), ink, attr)
		}
		c.Text(first+len(parameterNames)*width+2, y, x.Dir, cell.Faint, 0)
		c.Zone(0, y, c.W, 1, place{panel: "series", y0: i})
	}
}

// detail says how a series was measured.
func (x *Series) detail() string {
	if x.LogP == nil {
		return x.Bandwidth.Test
	}
	text := x.LogP.Method + ", " + x.LogP.Pattern
	if x.LogP.Peers > 1 {
		text += fmt.Sprintf(" of %d", x.LogP.Peers)
	}
	if m := x.LogP.Monitor; m != "" && m != "off" {
		text += ", monitor " + m
	}
	if n := x.LogP.Noise; n != "" && n != "none" {
		text += ", noise " + n
	}
	return text
}

var parameterNames = []string{"o_s", "o_r", "L", "g", "RTT", "idle"}

// parameters are o_s, o_r, L, g, the round trip and the idle time; none of
// bandwidths.
func (x *Series) parameters() []logp.Estimate {
	if x.LogP == nil {
		return nil
	}
	p := x.LogP.Parameters
	return []logp.Estimate{p.Os, p.Or, p.L, p.G, p.RTT, x.LogP.Idle}
}

// peak is the largest bandwidth in words.
func (x *Series) peak() string {
	var best logpPoint
	for _, c := range x.curves(plotBandwidth) {
		for _, p := range c.points {
			if p.value > best.value {
				best = p
			}
		}
	}
	if best.value <= 0 {
		return "no bandwidth"
	}
	return fmt.Sprintf("at most %s MB/s, at %s B", bench.Digits(best.value), sizeLabel(best.x))
}

// drawLogPReadout writes the parameters, the value at the cursor, the regimes
// of the selected curve, and what the series laid over has there.
func drawLogPReadout(c *cell.Canvas, s *State, x *Series, curves []logpCurve) {
	_, at := s.seriesAt()
	plot := s.plot()
	text := fmt.Sprintf("%c %s", letter(at), x.name())
	if x.LogP != nil {
		text += ":"
		for i, name := range parameterNames {
			text += fmt.Sprintf("  %s %s", name, bench.Figure(x.parameters()[i]))
		}
		if r := x.LogP.GapRatio; r != nil {
			text += "  gap ratio " + bench.Figure(*r)
		}
		text += " µs"
	} else {
		text += ": " + x.peak()
	}
	c.Text(0, 0, text, cell.Strong, 0)
	i, k := s.logpCursor(curves)
	curve := curves[i]
	_, ink := curveLook(i)
	p := curve.points[k]
	unit, axis := " µs", " B"
	if plot == plotBandwidth {
		unit = " MB/s"
	}
	where := curve.name + ", " + sizeLabel(p.x) + axis
	if plot == plotCost {
		where = fmt.Sprintf("%s µs, M %g", curve.name, p.x)
	}
	value := bench.Digits(p.value) + unit
	if p.reason != "" {
		value = p.reason
	} else if p.hi > p.lo {
		value += fmt.Sprintf(" (%s to %s)", bench.Digits(p.lo), bench.Digits(p.hi))
	}
	if p.samples > 0 {
		value += fmt.Sprintf(", %s samples", analysis.Digits(int64(p.samples)))
	}
	end := c.Text(0, 1, where+": ", cell.Accent, cell.Bold)
	c.Text(end, 1, value, ink, cell.Bold)
	y := 2
	if plot == plotCost {
		c.Text(0, y, x.regimes(curve.deltaUs), cell.Plain, 0)
		y++
	} else if x.LogP != nil && x.LogP.Bulk != nil {
		c.Text(0, y, bulkText(x.LogP.Bulk.T), cell.Plain, 0)
		y++
	}
	end = 0
	over, places := s.overlaid(curve)
	for n, o := range places {
		if end > 0 {
			end += 2
		}
		end = c.Text(end, y, s.differs(o, over[n], curve, p), cell.Second, 0)
	}
	if end > 0 {
		y++
	}
	x.drawDoubts(c, y)
}

// drawDoubts writes what is not identifiable or else doubtful.
func (x *Series) drawDoubts(c *cell.Canvas, y int) {
	doubts := x.doubts()
	for i, w := range doubts {
		if left := len(doubts) - i; y == c.H-1 && left > 1 {
			c.Text(0, y, fmt.Sprintf("! %d warnings, w shows them: %s", left, w), cell.Warn, 0)
			return
		}
		c.Text(0, y, "! "+w, cell.Warn, 0)
		y++
	}
}

// differs is what another series has in the same place.
func (s *State) differs(o int, like, curve logpCurve, p logpPoint) string {
	text := fmt.Sprintf("%c %s", letter(o), s.series()[o].name())
	q, ok := like.exact(p.x)
	if !ok {
		return text + " none here"
	}
	if like.deltaUs != curve.deltaUs {
		text += ", " + like.name
	}
	text += " " + bench.Digits(q.value)
	if p.reason == "" {
		text += fmt.Sprintf(" (%+.4g)", p.value-q.value)
	}
	return text
}

// regimes are what was found in the cost for one Δ, in words.
func (x *Series) regimes(deltaUs float64) string {
	for _, c := range x.LogP.Curves {
		if c.DeltaUs != deltaUs {
			continue
		}
		var out []string
		if c.SendOnly.To > 0 {
			out = append(out, fmt.Sprintf("send-only to M %d", c.SendOnly.To))
		}
		if c.Knee.To > 0 {
			out = append(out, fmt.Sprintf("knee %d to %d", c.Knee.From, c.Knee.To))
		}
		if c.Steady.To > 0 {
			out = append(out, fmt.Sprintf("steady from %d", c.Steady.From))
		}
		if a := c.AsymptoteUs; a.OK() {
			out = append(out, fmt.Sprintf("asymptote %s (%s to %s) µs", bench.Digits(a.Value), bench.Digits(a.Lo), bench.Digits(a.Hi)))
		} else {
			out = append(out, "no asymptote: "+a.Reason)
		}
		return strings.Join(out, ", ")
	}
	return "no regimes found"
}

func bulkText(l *logp.Line) string {
	if l == nil {
		return "no line through the bulk transfers"
	}
	return fmt.Sprintf("bulk transfers: T = %.4g µs (%.4g to %.4g) + n / %s MB/s", l.T0Us, l.T0LoUs, l.T0HiUs, bench.Figure(l.Rinf))
}

// logpCursor is the selected curve and the point at the cursor.
func (s *State) logpCursor(curves []logpCurve) (curve, point int) {
	curve = min(max(s.Sel.Curve, 0), len(curves)-1)
	return curve, max(curves[curve].at(float64(s.Sel.X)), 0)
}

// actLogP does what a key means here: series take the place of runs, curves
// that of stages.
func actLogP(s *State, a action) bool {
	x, at := s.seriesAt()
	if x == nil {
		return false
	}
	n := len(s.series())
	curves := x.curves(s.plot())
	switch a {
	case goLeft, goRight:
		if len(curves) > 0 {
			i, k := s.logpCursor(curves)
			k = min(max(k+map[action]int{goLeft: -1, goRight: 1}[a], 0), len(curves[i].points)-1)
			s.Sel.X = int64(curves[i].points[k].x)
		}
	case goUp, goDown, nextStage:
		if m := len(curves); m > 0 {
			by := 1
			if a == goUp {
				by = m - 1
			}
			i, _ := s.logpCursor(curves)
			s.Sel.Curve = (i + by) % m
		}
	case nextRun, previousRun:
		s.Sel.Series = (at + map[action]int{nextRun: 1, previousRun: n - 1}[a]) % n
		s.Sel.Curve = 0
	case nextOver:
		s.nextAgainst(at, n)
	case nextMetric:
		s.Sel.Metric, s.Sel.Curve = (s.Sel.Metric+1)%len(logpMetrics), 0
		s.Note = "showing " + logpMetrics[s.Sel.Metric]
	case toggleIntervals:
		s.Sel.Intervals = !s.Sel.Intervals
	case toggleBaseline:
		s.Note = "Parameters of layers have no baseline: they are what an unloaded layer costs. v lays others over, ] goes to the next."
	case zoomIn, zoomOut:
		s.Sel.LogScale = a == zoomOut
		s.Note = map[bool]string{true: "logarithmic scale", false: "linear scale where the values allow it"}[s.Sel.LogScale]
	default:
		return false
	}
	return true
}

// nextAgainst lays over all others, then one after the other, then none.
func (s *State) nextAgainst(at, n int) {
	if n < 2 {
		s.Note = "Nothing else is open to lay over: open another measurement with :open DIR."
		return
	}
	switch a := s.Sel.Against; {
	case a == againstNone:
		s.Sel.Against = againstAll
	default:
		next := a + 1
		if next == at+1 {
			next++
		}
		if next > n {
			next = againstNone
		}
		s.Sel.Against = next
	}
}

func pointLogP(s *State, _ *Data, z place) {
	x, _ := s.seriesAt()
	if x == nil {
		return
	}
	switch z.panel {
	case "series":
		s.Sel.Series, s.Sel.Curve = z.y0, 0
	case "curve":
		s.Sel.Curve = z.y0
	case "plot":
		curves := x.curves(s.plot())
		if len(curves) == 0 {
			return
		}
		f := float64(z.dx) / math.Max(float64(z.w-1), 1)
		i, _ := s.logpCursor(curves)
		k := curves[i].at(z.x.lo * math.Pow(z.x.hi/z.x.lo, f))
		s.Sel.X = int64(curves[i].points[max(k, 0)].x)
	}
}

func logpTable(s *State, _ *Data) table {
	x, at := s.seriesAt()
	if x == nil {
		return table{}
	}
	plot := s.plot()
	t := table{head: []string{"directory", "platform", "layer", "method", "curve", "m_or_size_bytes", "value", "lo", "hi", "unit", "samples", "not_identifiable"}}
	unit := "us"
	if plot == plotBandwidth {
		unit = "MB/s"
	}
	list := s.series()
	for _, i := range append([]int{at}, s.against()...) {
		for _, c := range list[i].curves(plot) {
			for _, p := range c.points {
				row := []string{list[i].Dir, list[i].place().Platform, list[i].place().Layer, list[i].how(), c.name, strconv.FormatFloat(p.x, 'f', -1, 64), "", "", "", unit, "", p.reason}
				if p.reason == "" {
					for k, v := range []float64{p.value, p.lo, p.hi} {
						row[6+k] = strconv.FormatFloat(v, 'g', -1, 64)
					}
				}
				if p.samples > 0 {
					row[10] = strconv.Itoa(p.samples)
				}
				t.rows = append(t.rows, row)
			}
		}
	}
	return t
}
