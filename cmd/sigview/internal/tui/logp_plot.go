package tui

import (
	"math"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// drawCurves draws the curves of a series with their marks, the same curve of
// those laid over, and of a signature what was extracted from it.
func drawCurves(c *cell.Canvas, s *State, x *Series, curves []logpCurve) {
	plot := s.plot()
	selected, point := s.logpCursor(curves)
	over, at := s.overlaid(curves[selected])
	strips := 0
	if plot == plotCost {
		strips = 1
		if c.H >= 24 {
			strips = len(curves)
		}
	}
	ax, ay, ticks := s.logpAxes(plot, curves, over, x)
	body := c.Sub(0, 0, c.W, c.H-1-strips)
	p := newPanelLabelled(body, logpMetrics[plot], ax, ay, ticks, sizeLabel)
	drawLetters(c, s, at)
	dots := cell.NewDots(p.field)
	for _, o := range over {
		o.line(dots, p, 1, cell.Second)
	}
	if plot == plotCost {
		extracted(dots, p, x, curves[selected].deltaUs)
	}
	for n := range curves {
		i, gap := (selected+1+n)%len(curves), 3 // the selected one on top
		if i == selected {
			gap = 2
		}
		_, ink := curveLook(i)
		curves[i].line(dots, p, gap, ink)
		if s.Sel.Intervals {
			curves[i].whiskers(dots, p, ink)
		}
	}
	dots.Paint(p.field)
	for i, o := range over {
		for _, q := range o.points {
			p.dot(q, letter(at[i]), cell.Second, 0)
		}
	}
	for i := range curves {
		curves[i].marks(p, i, false)
	}
	curves[selected].marks(p, selected, true)
	if plot == plotCost {
		labels(p, x, curves[selected].deltaUs)
	}
	p.cursor(curves[selected].points[point].x)
	c.Zone(axisWidth, 1, p.field.W, p.field.H, place{panel: "plot", w: p.field.W, h: p.field.H, x: p.x})
	if strips > 0 {
		drawStrips(c.Sub(0, body.H, c.W, strips), p.x, x, curves, selected, strips)
	}
	drawCurveNames(c, c.H-1, curves, selected, plot)
}

// overlaid are the same curve of the series laid over, and their places.
func (s *State) overlaid(curve logpCurve) (over []logpCurve, at []int) {
	for _, i := range s.against() {
		if like, ok := curve.alike(s.series()[i].curves(s.plot()), s.plot()); ok {
			over, at = append(over, like), append(at, i)
		}
	}
	return over, at
}

// logpAxes span what is drawn. Costs start at none unless they differ too much
// for that.
func (s *State) logpAxes(plot int, curves, over []logpCurve, x *Series) (ax, ay axis, ticks []float64) {
	ex, ey := extent{log: true}, extent{log: true}
	for _, list := range [][]logpCurve{curves, over} {
		for _, c := range list {
			for _, p := range c.points {
				ex.add(trace.Some(p.x))
				if p.reason == "" {
					ey.add(trace.Some(p.value))
				}
			}
		}
	}
	if plot == plotCost {
		if g := x.LogP.Parameters.G; g.OK() {
			ey.add(trace.Some(g.Value))
		}
	}
	if !ex.some {
		ex.lo, ex.hi = 1, 2
	}
	ax = axis{lo: ex.lo, hi: max(ex.hi, 2*ex.lo), log: true}
	if ay = ey.axis(0); plot == plotCost && !s.Sel.LogScale && ey.hi < 50*ey.lo {
		ay = axis{lo: 0, hi: ey.hi * 1.08}
	}
	// Beyond 2^62 bytes there are no messages.
	for v := int64(1); v > 0 && float64(v) <= ax.hi && v < 1<<62; v *= 2 {
		if float64(v) >= ax.lo {
			ticks = append(ticks, float64(v))
		}
	}
	return ax, ay, ticks
}

// dot sets a point's mark; sizes of none stand at the left end.
func (p panel) dot(q logpPoint, r rune, ink cell.Ink, attr cell.Attr) {
	if _, ok := p.y.at(q.value); q.reason == "" && ok {
		p.field.Set(p.columnOf(q.x), p.rowOf(q.value), r, ink, attr)
	}
}

// columnOf and rowOf are the cells that a line of dots goes through.
func (p panel) columnOf(x float64) int { return p.x.fine(2*p.field.W).clamp(max(x, p.x.lo)) / 2 }

func (p panel) rowOf(y float64) int { return p.field.H - 1 - p.y.fine(4*p.field.H).clamp(y)/4 }

// line joins the points that have values.
func (c logpCurve) line(dots *cell.Dots, p panel, gap int, ink cell.Ink) {
	w, h := dots.Size()
	lastX, lastY, drawn := 0, 0, false
	for _, q := range c.points {
		if q.reason != "" || p.y.log && q.value <= 0 {
			drawn = false
			continue
		}
		x, y := p.x.fine(w).clamp(max(q.x, p.x.lo)), p.y.fine(h).clamp(q.value)
		if drawn {
			dots.Line(lastX, lastY, x, y, gap, ink, 0)
		}
		lastX, lastY, drawn = x, y, true
	}
}

func (c logpCurve) whiskers(dots *cell.Dots, p panel, ink cell.Ink) {
	w, h := dots.Size()
	for _, q := range c.points {
		if q.reason == "" && q.hi > 0 {
			x, y := p.x.fine(w).clamp(max(q.x, p.x.lo)), p.y.fine(h)
			dots.Line(x, y.clamp(q.lo), x, y.clamp(q.hi), 1, ink, 0)
		}
	}
}

// marks draws a curve's marks.
func (c logpCurve) marks(p panel, i int, selected bool) {
	r, ink := curveLook(i)
	attr := cell.Attr(0)
	if selected {
		attr = cell.Bold
	}
	for _, q := range c.points {
		p.dot(q, r, ink, attr)
	}
}

// extracted draws o_s, g and the asymptote of the selected Δ as lines across.
func extracted(dots *cell.Dots, p panel, x *Series, deltaUs float64) {
	level := func(e logp.Estimate, from float64, gap int, ink cell.Ink) {
		w, h := dots.Size()
		if y, ok := p.y.fine(h).at(e.Value); e.OK() && ok {
			dots.Line(p.x.fine(w).clamp(from), y, w-1, y, gap, ink, 0)
		}
	}
	level(x.LogP.Parameters.Os, p.x.lo, 4, cell.Faint)
	level(x.LogP.Parameters.G, p.x.lo, 4, cell.Faint)
	for _, c := range x.LogP.Curves {
		if c.DeltaUs == deltaUs && deltaUs > 0 && c.Steady.From > 0 {
			level(c.AsymptoteUs, float64(c.Steady.From), 3, cell.Plain)
		}
	}
	// What g leaves of the processor's time is idle.
	busy := x.LogP.Parameters
	if x.LogP.Idle.OK() && busy.Os.OK() && busy.Or.OK() && busy.G.OK() && x.LogP.Idle.Value > 0 {
		w, h := dots.Size()
		at := w - 5
		dots.Line(at, p.y.fine(h).clamp(busy.Os.Value+busy.Or.Value), at, p.y.fine(h).clamp(busy.G.Value), 1, cell.Accent, 0)
	}
}

// labels names the extracted parameters on their lines, or next to them where
// marks stand.
func labels(p panel, x *Series, deltaUs float64) {
	row := p.rowOf
	right := func(text string, us float64, ink cell.Ink) {
		for _, dy := range []int{0, -1, 1} {
			for _, left := range []int{4, 12, 20, 28} {
				if label(p.field, p.field.W-cell.Width(text)-left, row(us)+dy, text, ink) {
					return
				}
			}
		}
	}
	q := x.LogP.Parameters
	if q.Os.OK() {
		right("o_s "+bench.Digits(q.Os.Value), q.Os.Value, cell.Accent)
	}
	if q.G.OK() {
		right("g "+bench.Digits(q.G.Value), q.G.Value, cell.Accent)
	}
	if e := x.LogP.Idle; e.OK() && q.G.OK() && q.Os.OK() {
		middle := (q.G.Value + q.Os.Value + q.Or.Value) / 2
		if p.y.log {
			middle = math.Sqrt(q.G.Value * (q.Os.Value + q.Or.Value))
		}
		right("idle "+bench.Digits(e.Value), middle, cell.Accent)
	}
	for _, c := range x.LogP.Curves {
		if c.DeltaUs != deltaUs {
			continue
		}
		if deltaUs > 0 && c.AsymptoteUs.OK() {
			right("asymptote "+bench.Digits(c.AsymptoteUs.Value), c.AsymptoteUs.Value, cell.Plain)
		}
		if c.Knee.To > 0 && q.Os.OK() {
			at := p.columnOf(math.Sqrt(float64(c.Knee.From) * float64(c.Knee.To)))
			y := row(q.Os.Value+deltaUs) - 1
			p.field.Set(at, y, '▼', cell.Accent, cell.Bold)
			label(p.field, at-5, y, "knee", cell.Accent)
		}
	}
}

// label writes a text, unless that would hide a mark.
func label(f *cell.Canvas, x, y int, text string, ink cell.Ink) bool {
	if x < 0 || y < 0 || y >= f.H {
		return false
	}
	for i := range cell.Width(text) {
		if r := f.At(x+i, y).R; r != ' ' && !isDots(r) {
			return false
		}
	}
	f.Text(x, y, text, ink, 0)
	return true
}

// isDots is whether a character is a part of a line.
func isDots(r rune) bool {
	return r >= 0x2800 && r < 0x2900 || strings.ContainsRune("'.:▘▝▀▖▌▞▛▗▚▐▜▄▙▟█", r)
}

// cursor marks a place on the horizontal axis.
func (p panel) cursor(x float64) {
	at := p.columnOf(x)
	for row := range p.field.H {
		if p.field.At(at, row).R == ' ' {
			p.field.Set(at, row, '┊', cell.Accent, 0)
		}
	}
	p.field.Set(at, p.field.H, '▲', cell.Accent, cell.Bold)
}

// drawStrips marks the regimes of each Δ, or of the selected one only.
func drawStrips(c *cell.Canvas, ax axis, x *Series, curves []logpCurve, selected, n int) {
	ax.n = c.W - axisWidth
	y := 0
	for i, k := range curves {
		if n == 1 && i != selected {
			continue
		}
		mark, ink := curveLook(i)
		c.Set(axisWidth-2, y, mark, ink, 0)
		for _, r := range x.LogP.Curves {
			if r.DeltaUs != k.deltaUs {
				continue
			}
			span := func(of logp.Range, shade rune) {
				if of.To < 1 || of.From > of.To {
					return
				}
				for at := ax.clamp(float64(of.From)); at <= ax.clamp(float64(of.To)); at++ {
					c.Set(axisWidth+at, y, shade, ink, 0)
				}
			}
			span(r.Steady, '█')
			span(r.Transition, '▒')
			span(r.SendOnly, '░')
			if r.Knee.To > 0 {
				c.Set(axisWidth+ax.clamp(math.Sqrt(float64(r.Knee.From)*float64(r.Knee.To))), y, '▼', cell.Accent, cell.Bold)
			}
		}
		y++
	}
}

// drawCurveNames is the legend of the curves and of the strips.
func drawCurveNames(c *cell.Canvas, y int, curves []logpCurve, selected, plot int) {
	x := 1
	for i, k := range curves {
		mark, ink := curveLook(i)
		attr := cell.Attr(0)
		if i == selected {
			attr = cell.Bold | cell.Under
		}
		from := x
		c.Set(x, y, mark, ink, 0)
		x = c.Text(x+2, y, k.name, ink, attr) + 2
		c.Zone(from, y, x-from-1, 1, place{panel: "curve", y0: i})
	}
	for _, text := range []string{"░ send-only ▒ transition █ steady ▼ knee", "░send-only ▒between █steady ▼knee"} {
		if plot == plotCost && x+cell.Width(text) < c.W {
			c.Right(c.W, y, text, cell.Faint, 0)
			return
		}
	}
}

// drawLetters names what is laid over, at the right of the heading.
func drawLetters(c *cell.Canvas, s *State, at []int) {
	text := ""
	for _, i := range at {
		text += "  " + string(letter(i)) + " " + s.series()[i].name()
	}
	if room := c.W - cell.Width(logpMetrics[s.plot()]) - 2; text != "" {
		text = "over it:" + text
		r := []rune(text)
		if len(r) > room {
			r = append(r[:max(room-1, 0)], '…')
		}
		c.Right(c.W, 0, string(r), cell.Second, 0)
	}
}
