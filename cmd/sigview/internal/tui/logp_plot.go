package tui

import (
	"math"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/chart"
	"github.com/sigview/sigview/chart/cell"
)

// logpPlot is the plot of a series: its curves, the same curve of the other series,
// and the parameters extracted from a signature.
type logpPlot struct {
	view            *logpView
	s               *Scene
	x               *Series
	at              int // its place
	kind            int
	of              curves
	selected, point int
	over            curves
	places          []int // of the series laid over

	plot
}

// curveLooks are the looks of the curves of a series.
var curveLooks = []chart.Look{
	{Form: chart.Circle, Ink: cell.Source}, {Form: chart.Square, Ink: cell.LANai}, {Form: chart.Diamond, Ink: cell.Net}, {Form: chart.Ring, Ink: cell.Dest},
	{Form: chart.Plus, Ink: cell.Difference}, {Form: chart.Circle, Ink: cell.Source}, {Form: chart.Square, Ink: cell.LANai}, {Form: chart.Diamond, Ink: cell.Net},
}

func lookOf(i int) chart.Look { return curveLooks[i%len(curveLooks)] }

// markOf returns the mark of a curve; from the sixth on marks are hollow.
func markOf(i int) rune { return lookOf(i).Form.Rune(i%len(curveLooks) > 4) }

func (p *logpPlot) draw(c *cell.Canvas) {
	strips := 0
	if p.kind == plotCost {
		strips = 1
		if c.H >= 24 {
			strips = len(p.of)
		}
	}
	of := p.of[p.selected]
	body := c.Sub(0, 0, c.W, c.H-1-strips)
	ax, ay := p.axes()
	p.plot = frame(body, logpMetrics[p.kind], ax, ay)
	p.drawLetters(c)
	for _, o := range p.over {
		p.Line(o.line(), 1, cell.Second)
	}
	if p.kind == plotCost {
		p.levels()
	}
	for n := range p.of {
		i, gap := (p.selected+1+n)%len(p.of), 3 // the selected one on top
		if i == p.selected {
			gap = 2
		}
		p.Line(p.of[i].line(), gap, lookOf(i).Ink)
		for _, q := range p.of[i].line() {
			if p.s.Sel.Intervals && !q.Missing && q.Hi > 0 {
				p.Interval(q, lookOf(i).Ink)
			}
		}
	}
	p.Paint()
	for i, o := range p.over {
		p.marks(o, letter(p.places[i]), cell.Second, 0)
	}
	for i, k := range p.of {
		p.marks(k, markOf(i), lookOf(i).Ink, 0)
	}
	p.marks(of, markOf(p.selected), lookOf(p.selected).Ink, cell.Bold)
	if p.kind == plotCost {
		p.labels()
	}
	p.cursor(max(of.points[p.point].x, p.X.Lo))
	p.pointAt(func(x, _ float64) { p.view.x = int64(of.points[max(of.at(x), 0)].x) })
	if strips > 0 {
		p.drawStrips(c.Sub(0, body.H, c.W, strips))
	}
	p.drawNames(c.Sub(0, c.H-1, c.W, 1))
}

// axes returns axes over everything that is drawn. A cost axis begins at 0 unless
// the costs differ too much.
func (p *logpPlot) axes() (ax, ay chart.Axis) {
	ex, ey := chart.Extent{Scale: chart.Log10}, chart.Extent{Scale: chart.Log10}
	for _, list := range []curves{p.of, p.over} {
		for _, c := range list {
			for _, q := range c.points {
				ex.Add(q.x)
				if q.OK() {
					ey.Add(q.Value)
				}
			}
		}
	}
	if p.kind == plotCost {
		if g := p.x.LogP.Parameters.G; g.OK() {
			ey.Add(g.Value)
		}
	}
	if !ex.Some {
		ex.Lo, ex.Hi = 1, 2
	}
	ax = chart.Axis{Scale: chart.Log10, Lo: ex.Lo, Hi: max(ex.Hi, 2*ex.Lo), Marks: []chart.Tick{}}
	if ay = ey.Axis(chart.Axis{Scale: chart.Log10}); p.kind == plotCost && !p.view.logScale && ey.Hi < 50*ey.Lo {
		ay = chart.Axis{Hi: ey.Hi * 1.08}
	}
	for v := 1.0; v <= ax.Hi && v < 1<<62; v *= 2 { // beyond 2^62 bytes there are no messages
		if v >= ax.Lo {
			ax.Marks = append(ax.Marks, chart.Tick{Value: v, Text: sizeLabel(v)})
		}
	}
	return ax, ay
}

// marks draws the marks of a curve. A size of 0 lies at the left end.
func (p *logpPlot) marks(c curve, r rune, ink cell.Ink, attr cell.Attr) {
	for _, q := range c.line() {
		if !q.Missing {
			p.Put(max(q.X, p.X.Lo), q.Y, r, ink, attr)
		}
	}
}

// signature returns the regimes of a Δ, if they were found.
func (x *Series) signature(deltaUs float64) (logp.Curve, bool) {
	for _, c := range x.LogP.Curves {
		if c.DeltaUs == deltaUs {
			return c, true
		}
	}
	return logp.Curve{}, false
}

// busy returns the processor's time for a message, o_s + o_r, if it is known.
func (x *Series) busy() (float64, bool) {
	q := x.LogP.Parameters
	return q.Os.Value + q.Or.Value, q.Os.OK() && q.Or.OK()
}

// levels draws o_s, g and the asymptote of the selected Δ as horizontal lines.
func (p *logpPlot) levels() {
	level := func(e logp.Estimate, from float64, gap int, ink cell.Ink) {
		if _, ok := p.Y.Part(e.Value); e.OK() && ok {
			p.Line([]chart.Point{{X: from, Y: e.Value}, {X: p.X.Hi, Y: e.Value}}, gap, ink)
		}
	}
	q := p.x.LogP.Parameters
	level(q.Os, p.X.Lo, 4, cell.Faint)
	level(q.G, p.X.Lo, 4, cell.Faint)
	delta := p.of[p.selected].deltaUs
	if c, ok := p.x.signature(delta); ok && delta > 0 && c.Steady.From > 0 {
		level(c.AsymptoteUs, float64(c.Steady.From), 3, cell.Plain)
	}
	// A vertical line shows the idle time, from o_s + o_r to g.
	if busy, ok := p.x.busy(); ok && p.x.LogP.Idle.OK() && q.G.OK() && p.x.LogP.Idle.Value > 0 {
		p.Interval(chart.Point{X: p.X.Value(1 - 2/float64(p.W)), Lo: busy, Hi: q.G.Value}, cell.Accent)
	}
}

// labels names the extracted parameters on their lines, or beside them where marks
// are in the way.
func (p *logpPlot) labels() {
	right := func(text string, us float64, ink cell.Ink) {
		for _, dy := range []int{0, -1, 1} {
			for _, left := range []int{4, 12, 20, 28} {
				if label(p.Canvas, p.W-cell.Width(text)-left, p.Row(us)+dy, text, ink) {
					return
				}
			}
		}
	}
	q := p.x.LogP.Parameters
	if q.Os.OK() {
		right("o_s "+bench.Digits(q.Os.Value), q.Os.Value, cell.Accent)
	}
	if q.G.OK() {
		right("g "+bench.Digits(q.G.Value), q.G.Value, cell.Accent)
	}
	if e := p.x.LogP.Idle; e.OK() && q.G.OK() && q.Os.OK() {
		busy := q.Os.Value + q.Or.Value
		middle := (q.G.Value + busy) / 2
		if p.Y.Scale != chart.Linear {
			middle = math.Sqrt(q.G.Value * busy)
		}
		right("idle "+bench.Digits(e.Value), middle, cell.Accent)
	}
	delta := p.of[p.selected].deltaUs
	c, ok := p.x.signature(delta)
	if !ok {
		return
	}
	if delta > 0 && c.AsymptoteUs.OK() {
		right("asymptote "+bench.Digits(c.AsymptoteUs.Value), c.AsymptoteUs.Value, cell.Plain)
	}
	if c.Knee.To > 0 && q.Os.OK() {
		at, y := p.Column(middleOf(c.Knee)), p.Row(q.Os.Value+delta)-1
		p.Set(at, y, '▼', cell.Accent, cell.Bold)
		label(p.Canvas, at-5, y, "knee", cell.Accent)
	}
}

// middleOf returns the middle of a range on a logarithmic axis.
func middleOf(r logp.Range) float64 { return math.Sqrt(float64(r.From) * float64(r.To)) }

// label writes a text unless it would hide a mark, and reports whether it did.
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

// isDots reports whether a character is part of a line.
func isDots(r rune) bool {
	return r >= 0x2800 && r < 0x2900 || strings.ContainsRune("'.:▘▝▀▖▌▞▛▗▚▐▜▄▙▟█", r)
}

// drawStrips marks the regimes of each Δ, or of the selected one when there is room
// for one row only.
func (p *logpPlot) drawStrips(c *cell.Canvas) {
	field := c.Sub(chart.AxisWidth, 0, c.W-chart.AxisWidth, c.H)
	place := func(m float64) int { return p.X.Clamp(m, field.W) }
	y := 0
	for i, k := range p.of {
		if c.H == 1 && i != p.selected {
			continue
		}
		ink := lookOf(i).Ink
		c.Set(chart.AxisWidth-2, y, markOf(i), ink, 0)
		if r, ok := p.x.signature(k.deltaUs); ok {
			span := func(of logp.Range, shade rune) {
				for at := place(float64(of.From)); of.To >= 1 && of.From <= of.To && at <= place(float64(of.To)); at++ {
					field.Set(at, y, shade, ink, 0)
				}
			}
			span(r.Steady, '█')
			span(r.Transition, '▒')
			span(r.SendOnly, '░')
			if r.Knee.To > 0 {
				field.Set(place(middleOf(r.Knee)), y, '▼', cell.Accent, cell.Bold)
			}
		}
		y++
	}
}

// drawNames draws the legend of the curves and of the strips. A click on a curve's
// name selects it.
func (p *logpPlot) drawNames(c *cell.Canvas) {
	x := 1
	for i, k := range p.of {
		x = legend(c, x, 0, markOf(i), k.name, lookOf(i).Ink, i == p.selected, func() { p.view.curve = i })
	}
	for _, text := range []string{"░ send-only ▒ transition █ steady ▼ knee", "░send-only ▒between █steady ▼knee"} {
		if p.kind == plotCost && x+cell.Width(text) < c.W {
			c.Right(c.W, 0, text, cell.Faint, 0)
			return
		}
	}
}

// drawLetters names the other series on the right of the heading.
func (p *logpPlot) drawLetters(c *cell.Canvas) {
	text := ""
	for _, i := range p.places {
		text += "  " + string(letter(i)) + " " + p.s.series()[i].name()
	}
	if room := c.W - cell.Width(logpMetrics[p.kind]) - 2; text != "" {
		text = "over it:" + text
		r := []rune(text)
		if len(r) > room {
			r = append(r[:max(room-1, 0)], '…')
		}
		c.Right(c.W, 0, string(r), cell.Second, 0)
	}
}
