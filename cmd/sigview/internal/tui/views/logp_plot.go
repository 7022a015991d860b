package views

import (
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
)

// LogpPlot is the plot of a series: its curves, the same curve of the other series,
// and the parameters extracted from a signature.
type LogpPlot struct {
	View            *LogpView
	S               *scene.Scene
	Series          *data.Series
	At              int // its place
	Kind            int
	Of              curves
	selected, point int
	Second          curves
	Places          []int // of the series laid over

	scene.Plot
}

// curveLooks are the looks of the curves of a series.
var curveLooks = []chart.Look{
	{Form: chart.Circle, Ink: cell.Source}, {Form: chart.Square, Ink: cell.LANai}, {Form: chart.Diamond, Ink: cell.Net}, {Form: chart.Ring, Ink: cell.Dest},
	{Form: chart.Plus, Ink: cell.Difference}, {Form: chart.Circle, Ink: cell.Source}, {Form: chart.Square, Ink: cell.LANai}, {Form: chart.Diamond, Ink: cell.Net},
}

// lookOf returns the look of a curve; from the sixth on marks are hollow.
func lookOf(i int) chart.Look {
	look := curveLooks[i%len(curveLooks)]
	look.Rune = look.Form.Rune(i%len(curveLooks) > 4)
	return look
}

func (p *LogpPlot) Draw(c *cell.Canvas) {
	strips := 0
	if p.Kind == PlotCost {
		strips = 1
		if c.H >= 24 {
			strips = len(p.Of)
		}
	}
	of := p.Of[p.selected]
	body := c.Sub(0, 0, c.W, c.H-1-strips)
	k := p.Chart()
	p.Plot = scene.Plot{Field: k.Draw(body, chart.Style{Intervals: true})}
	p.drawLetters(c)
	if p.Kind == PlotCost {
		p.labels()
	}
	p.Cursor(max(of.points[p.point].x, p.X.Lo))
	p.PointAt(func(x, _ float64) { p.View.X = int64(of.points[max(of.At(x), 0)].x) })
	if strips > 0 {
		p.drawStrips(c.Sub(0, body.H, c.W, strips))
	}
	p.drawNames(c.Sub(0, c.H-1, c.W, 1))
}

// Chart returns the curves, the other series behind them and the selected curve in
// front. A cost axis begins at 0 unless the costs differ too much.
func (p *LogpPlot) Chart() chart.Chart {
	title, unit, x := axesOf(p.Series, p.Kind)
	k := chart.Chart{Title: title, X: chart.Axis{Name: x, Scale: chart.Log2}, Y: chart.Axis{Name: unit, Scale: chart.Log10}}
	if p.Kind == plotDrawn {
		k.X.Marks, k.Y.Scale, k.Y.FromZero = p.Series.Drawn.X.Marks, p.Series.Drawn.Y.Scale, p.Series.Drawn.Y.FromZero
	}
	ex := chart.Extent{Scale: chart.Log2}
	for _, c := range slices.Concat(p.Of, p.Second) {
		for _, q := range c.points {
			ex.Add(q.x)
		}
	}
	k.X = ex.Tight(k.X)
	for i, o := range p.Second {
		s := o.Series(chart.Look{Ink: cell.Second, Rune: letter(p.Places[i])}, 1, k.X.Lo)
		s.Name = Name(p.S.Series()[p.Places[i]])
		k.Series = append(k.Series, s)
	}
	if p.Kind == PlotCost {
		k.Series = append(k.Series, p.levels(k.X)...)
	}
	for n := range p.Of {
		i := (p.selected + 1 + n) % len(p.Of)
		s := p.Of[i].Series(lookOf(i), 3, k.X.Lo)
		if p.S.Sel.Intervals {
			s.Draw |= chart.Intervals
		}
		if s.Name = p.Of[i].name; i == p.selected {
			s.Gap, s.Attr = 2, cell.Bold
		}
		k.Series = append(k.Series, s)
	}
	if _, y := k.Fit(); p.Kind == PlotCost && !p.View.LogScale && y.Hi < 66*y.Lo {
		k.Y.Scale, k.Y.FromZero = chart.Linear, true
	}
	return k
}

// signature returns the regimes of a Δ, if they were found.
func signature(x *data.Series, deltaUs float64) (logp.Curve, bool) {
	for _, c := range x.LogP.Curves {
		if c.DeltaUs == deltaUs {
			return c, true
		}
	}
	return logp.Curve{}, false
}

// levels are o_s, g and the asymptote of the selected Δ as horizontal lines, and the idle
// time from o_s + o_r to g as a vertical one.
func (p *LogpPlot) levels(x chart.Axis) []chart.Series {
	var out []chart.Series
	level := func(e logp.Estimate, from float64, gap int, ink cell.Ink) {
		if e.OK() {
			out = append(out, chart.Series{Draw: chart.Line, Gap: gap, Look: chart.Look{Ink: ink}, Points: []chart.Point{{X: from, Y: e.Value}, {X: x.Hi, Y: e.Value}}})
		}
	}
	q := p.Series.LogP.Parameters
	level(q.Os, x.Lo, 4, cell.Faint)
	level(q.G, x.Lo, 4, cell.Faint)
	delta := p.Of[p.selected].deltaUs
	if c, ok := signature(p.Series, delta); ok && delta > 0 && c.Steady.From > 0 {
		level(c.AsymptoteUs, float64(c.Steady.From), 3, cell.Plain)
	}
	if idle := p.Series.LogP.Idle; q.Os.OK() && q.Or.OK() && q.G.OK() && idle.OK() && idle.Value > 0 {
		out = append(out, chart.Series{Draw: chart.Intervals, Look: chart.Look{Ink: cell.Accent}, Points: []chart.Point{{X: x.Value(0.98), Y: q.G.Value, Lo: q.Os.Value + q.Or.Value, Hi: q.G.Value}}})
	}
	return out
}

// labels names the extracted parameters on their lines, or beside them where marks
// are in the way.
func (p *LogpPlot) labels() {
	right := func(text string, us float64, ink cell.Ink) {
		for _, dy := range []int{0, -1, 1} {
			for _, left := range []int{4, 12, 20, 28} {
				if label(p.Canvas, p.W-cell.Width(text)-left, p.Row(us)+dy, text, ink) {
					return
				}
			}
		}
	}
	q := p.Series.LogP.Parameters
	if q.Os.OK() {
		right("o_s "+bench.Digits(q.Os.Value), q.Os.Value, cell.Accent)
	}
	if q.G.OK() {
		right("g "+bench.Digits(q.G.Value), q.G.Value, cell.Accent)
	}
	if e := p.Series.LogP.Idle; e.OK() && q.G.OK() && q.Os.OK() {
		busy := q.Os.Value + q.Or.Value
		middle := (q.G.Value + busy) / 2
		if p.Y.Scale != chart.Linear {
			middle = math.Sqrt(q.G.Value * busy)
		}
		right("idle "+bench.Digits(e.Value), middle, cell.Accent)
	}
	delta := p.Of[p.selected].deltaUs
	c, ok := signature(p.Series, delta)
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
// for one row only. The bands of a chart could show those of one Δ only.
func (p *LogpPlot) drawStrips(c *cell.Canvas) {
	field := c.Sub(chart.AxisWidth, 0, c.W-chart.AxisWidth, c.H)
	place := func(m float64) int { return p.X.Clamp(m, field.W) }
	y := 0
	for i, k := range p.Of {
		if c.H == 1 && i != p.selected {
			continue
		}
		ink := lookOf(i).Ink
		c.Set(chart.AxisWidth-2, y, lookOf(i).Rune, ink, 0)
		if r, ok := signature(p.Series, k.deltaUs); ok {
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
func (p *LogpPlot) drawNames(c *cell.Canvas) {
	x := 1
	for i, k := range p.Of {
		x = scene.Legend(c, x, 0, lookOf(i).Rune, k.name, lookOf(i).Ink, i == p.selected, func() { p.View.Curve = i })
	}
	for _, text := range []string{"░ send-only ▒ transition █ steady ▼ knee", "░send-only ▒between █steady ▼knee"} {
		if p.Kind == PlotCost && x+cell.Width(text) < c.W {
			c.Right(c.W, 0, text, cell.Faint, 0)
			return
		}
	}
}

// drawLetters names the other series on the right of the heading.
func (p *LogpPlot) drawLetters(c *cell.Canvas) {
	text := ""
	for _, i := range p.Places {
		text += "  " + string(letter(i)) + " " + Name(p.S.Series()[i])
	}
	title, unit, by := axesOf(p.Series, p.Kind)
	if room := c.W - cell.Width(title+", "+unit+", by "+by) - 2; text != "" {
		text = "over it:" + text
		r := []rune(text)
		if len(r) > room {
			r = append(r[:max(room-1, 0)], '…')
		}
		c.Right(c.W, 0, string(r), cell.Second, 0)
	}
}
