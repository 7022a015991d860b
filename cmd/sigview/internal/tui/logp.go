package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/report/chart/cell"
)

// logpView shows what was measured of layers, of injections or by a sweep, others laid over
// it, and under the plot the exact values at the cursor. It needs no run.
type logpView struct {
	ofRuns
	series   list
	against  int // what is laid over: a series, againstAll or againstNone
	metric   choice
	curve    int
	x        int64 // of the cursor: a burst length or message size
	logScale bool  // of costs
}

// Values of logpView.against that are no series.
const (
	againstAll  = -1
	againstNone = -2
)

func (v *logpView) start() { v.against = againstAll }

func (v *logpView) subject(s *Scene) subject {
	if len(s.Measured) > 0 {
		return aMeasurement
	}
	return v.ofRuns.subject(s)
}

func (*logpView) keys() []action {
	return []action{nextMetric, toggleIntervals, zoomIn, zoomOut}
}

func (v *logpView) words() []word {
	count := func(s *Scene) int { return len(s.series()) }
	against := numberWord("against", "all, none, or the number of one", &v.against, 0, 1<<16).upTo(count).
		called("none", &v.against, againstNone).called("all", &v.against, againstAll)
	series := numberWord("series", "a number", &v.series.row, 0, 1<<30).upTo(count)
	curve := numberWord("curve", "a number", &v.curve, 0, 1<<30).upTo(func(s *Scene) int {
		if x, _ := v.at(s); x != nil {
			return len(x.curves(v.plot(x)))
		}
		return 0
	})
	return []word{v.metric.word(logpMetrics), series, against, curve,
		numberWord("point", "a burst length or bytes", &v.x, 0, 1<<40), choiceWord("scale", &v.logScale, "log", [2]string{"log", "linear"})}
}

// lookAt selects a series.
func (v *logpView) lookAt(series int) { v.series.row, v.curve = series, 0 }

// at returns the selected series and its index, nil and -1 when none is open.
func (v *logpView) at(s *Scene) (*Series, int) {
	all := s.series()
	if len(all) == 0 {
		return nil, -1
	}
	at := v.series.at(len(all))
	return all[at], at
}

// over returns the indices of the series laid over.
func (v *logpView) over(s *Scene) []int {
	_, at := v.at(s)
	var out []int
	for i := range s.series() {
		if i != at && (v.against == againstAll || v.against == i) {
			out = append(out, i)
		}
	}
	return out
}

// plot returns which plot of a series is shown.
func (v *logpView) plot(x *Series) int {
	if m := int(v.metric); x.Drawn == nil && m > plotOwn && m < len(logpMetrics) {
		return m
	}
	return x.plotOf()
}

// cursor returns the indices of the selected curve and of its point at the cursor.
func (v *logpView) cursor(of curves) (curve, point int) {
	curve = min(max(v.curve, 0), len(of)-1)
	return curve, max(of[curve].at(float64(v.x)), 0)
}

// update handles the keys of this view: series take the place of runs, and curves
// that of stages.
func (v *logpView) update(s *Scene, a action) bool {
	x, at := v.at(s)
	if x == nil {
		return false
	}
	n, of := len(s.series()), x.curves(v.plot(x))
	dx, dy := a.steps()
	switch a {
	case goLeft, goRight, goFirst, goLast:
		if len(of) > 0 {
			i, k := v.cursor(of)
			v.x = int64(of[i].points[min(max(k+dx, 0), len(of[i].points)-1)].x)
		}
	case nextStage, goUp, goDown:
		if m := len(of); m > 0 {
			if a == nextStage {
				dy = 1
			}
			i, _ := v.cursor(of)
			v.curve = (i + dy + m) % m
		}
	case pageDown, pageUp, halfDown, halfUp:
		v.lookAt(min(max(at+dy, 0), n-1))
	case nextRun:
		v.lookAt((at + 1) % n)
	case previousRun:
		v.lookAt((at + n - 1) % n)
	case nextOver:
		v.nextOver(s, at, n)
	case nextMetric:
		if x.Drawn != nil {
			s.Note = "This measurement has one picture. ] goes to the next."
			return true
		}
		v.curve = 0
		for before := v.plot(x); v.plot(x) == before; {
			v.metric.next(s, logpMetrics)
		}
	case toggleIntervals:
		s.Sel.Intervals = !s.Sel.Intervals
	case toggleBaseline:
		s.Note = "Parameters of layers have no baseline: they are what an unloaded layer costs. v lays others over, ] goes to the next."
	case zoomIn:
		v.logScale, s.Note = false, "linear scale where the values allow it"
	case zoomOut:
		v.logScale, s.Note = true, "logarithmic scale"
	default:
		return false
	}
	return true
}

// nextOver lays all other series over, then each one in turn, then none.
func (v *logpView) nextOver(s *Scene, at, n int) {
	switch next := v.against + 1; {
	case n < 2:
		s.Note = "Nothing else is open to lay over: open another measurement with :open DIR."
	case v.against == againstNone:
		v.against = againstAll
	default:
		if next == at {
			next++
		}
		if next >= n {
			next = againstNone
		}
		v.against = next
	}
}

func (v *logpView) header(c *cell.Canvas, x int, s *Scene) {
	of, _ := v.at(s)
	if of == nil {
		v.ofRuns.header(c, x, s)
		return
	}
	end := c.Text(x, 0, of.name(), cell.Strong, 0)
	if dir := "  " + of.Dir; end+cell.Width(dir) < c.W {
		c.Right(c.W, 0, dir, cell.Faint, 0)
	}
}

func (v *logpView) about(s *Scene) string {
	of, at := v.at(s)
	if of == nil {
		return ""
	}
	text := fmt.Sprintf("%c, %d of %d · %s", letter(at), at+1, len(s.series()), of.detail())
	for _, m := range s.Measured {
		if m.Dir == of.Dir && m.Seed > 0 {
			text += fmt.Sprintf(" · seed %d", m.Seed)
		}
	}
	return text + " · ] next, v over, s curve, m plot"
}

func (v *logpView) draw(c *cell.Canvas, s *Scene) {
	x, at := v.at(s)
	if x == nil {
		drawUnmeasured(c, s.data())
		return
	}
	plot := v.plot(x)
	of := x.curves(plot)
	foot, below := 5, 0
	if c.H >= 28 {
		below = min(len(s.series())+2, 12, c.H-20)
	}
	h := c.H - foot - below
	if len(of) == 0 {
		title, _, _ := x.axesOf(plot)
		c.Para(1, 1, fmt.Sprintf("This measurement of %s has no %s. m shows another plot, ] another measurement. %s", x.name(), title, x.howToGet(plot)), cell.Warn)
	} else {
		p := logpPlot{view: v, s: s, x: x, kind: plot, of: of, at: at}
		p.selected, p.point = v.cursor(of)
		p.over, p.places = v.overlaid(s, x, of[p.selected], plot)
		p.draw(c.Sub(0, 0, c.W, h))
		p.drawReadout(c.Sub(0, h, c.W, foot))
	}
	if below > 0 {
		v.drawSeries(c.Sub(0, h+foot, c.W, below), s)
	}
}

// overlaid returns the same curve of each series laid over, and their indices.
func (v *logpView) overlaid(s *Scene, x *Series, of curve, plot int) (over curves, at []int) {
	for _, i := range v.over(s) {
		o := s.series()[i]
		if like, ok := of.alike(o.curves(plot), plot); ok && o.alike(x, plot) {
			over, at = append(over, like), append(at, i)
		}
	}
	return over, at
}

// drawUnmeasured says which commands make a measurement.
func drawUnmeasured(c *cell.Canvas, d *Data) {
	platform := "ppro"
	if d != nil && d.Run.Manifest.Platform.Name != "" {
		platform = d.Run.Manifest.Platform.Name
	}
	y := c.Para(1, 1, "LogP: message cost against the number of messages, for each delay between them.", cell.Strong)
	y = c.Para(1, y+1, "No measurement of a layer is open, and runs do not contain one. These commands make one:", cell.Plain)
	y = c.Para(4, y+1, "sigview logp --platform "+platform+" -o DIR", cell.Accent)
	y = c.Para(4, y, "sigview logp --platform "+platform+" --layer all --method sweep -o DIR", cell.Accent)
	y = c.Para(4, y, "sigview bandwidth --platform "+platform+" --layer all -o DIR", cell.Accent)
	y = c.Para(4, y, "sigview tpil --platform "+platform+" -o DIR", cell.Accent)
	y = c.Para(4, y, "sigview sweep FILE.toml -o DIR", cell.Accent)
	c.Para(1, y+1, ":open DIR shows it here, or sigview view DIR. Several directories are overlaid.", cell.Plain)
}

// drawSeries lists all open series with their parameters.
func (v *logpView) drawSeries(c *cell.Canvas, s *Scene) {
	all := s.series()
	c.Text(0, 0, "  what was measured, µs", cell.Faint, 0)
	const first = 56
	var results []bench.LogP
	at := make([]int, len(all)) // in the table
	for i, x := range all {
		if at[i] = len(results); x.LogP != nil {
			results = append(results, *x.LogP)
		}
	}
	var g grid
	end := first
	if len(results) > 0 {
		g = newGrid(bench.LogPView(results).Pick("o_s", "o_r", "L", "g", "RTT", "idle"), first, c.W)
		g.head(c, 0)
		end = g.end()
	}
	over := v.over(s)
	v.series.draw(c, 1, c.H-1, len(all), func(i, y int, selected bool) {
		x := all[i]
		c.Zone(0, y, c.W, 1, pointed(func(_, _ int) { v.lookAt(i) }))
		ink, attr := here(c, y, selected)
		switch {
		case selected:
		case slices.Contains(over, i):
			ink = cell.Second
		default:
			ink = cell.Faint
		}
		c.Sub(0, 0, first-2, c.H).Text(2, y, fmt.Sprintf("%c %s, %s", letter(i), x.name(), x.detail()), ink, attr)
		dir := end
		if x.LogP != nil {
			g.row(c, y, at[i], ink, attr)
		} else {
			dir = max(c.Text(first+1, y, x.peak(), ink, attr), end)
		}
		c.Text(dir+2, y, x.Dir, cell.Faint, 0)
	})
}

// drawReadout writes the parameters, the value at the cursor, the regimes of the
// selected curve, the values of the other series there, and the warnings.
func (p *logpPlot) drawReadout(c *cell.Canvas) {
	x, of := p.x, p.of[p.selected]
	text := fmt.Sprintf("%c %s: %s", letter(p.at), x.name(), x.peak())
	if x.LogP != nil {
		text = fmt.Sprintf("%c %s:", letter(p.at), x.name())
		for _, f := range x.parameters() {
			text += fmt.Sprintf("  %s %s", f.Name, bench.Figure(f.Estimate))
		}
		if r := x.LogP.GapRatio; r != nil {
			text += "  gap ratio " + bench.Figure(*r)
		}
		text += " µs"
	}
	c.Text(0, 0, text, cell.Strong, 0)
	q, ink := of.points[p.point], lookOf(p.selected).Ink
	where := of.name + ", " + sizeLabel(q.x) + " B"
	if p.kind == plotCost {
		where = fmt.Sprintf("%s µs, M %g", of.name, q.x)
	}
	_, unit, by := x.axesOf(p.kind)
	if p.kind == plotDrawn {
		name, unit, _ := strings.Cut(by, ", ")
		where = strings.TrimSpace(of.name + ", " + name + " " + sizeLabel(q.x) + " " + unit)
	}
	value := bench.Digits(q.Value) + " " + unit
	if !q.OK() {
		value = q.Reason
	} else if q.Hi > q.Lo {
		value += fmt.Sprintf(" (%s to %s)", bench.Digits(q.Lo), bench.Digits(q.Hi))
	}
	if q.samples > 0 {
		value += fmt.Sprintf(", %s samples", analysis.Digits(int64(q.samples)))
	}
	end := c.Text(0, 1, where+": ", cell.Accent, cell.Bold)
	c.Text(end, 1, value, ink, cell.Bold)
	y := 2
	if p.kind == plotCost {
		c.Text(0, y, x.regimes(of.deltaUs), cell.Plain, 0)
		y++
	} else if x.LogP != nil && x.LogP.Bulk != nil {
		c.Text(0, y, bulkText(x.LogP.Bulk.T), cell.Plain, 0)
		y++
	}
	end = 0
	for n, o := range p.places {
		if end > 0 {
			end += 2
		}
		end = c.Text(end, y, p.differs(o, p.over[n]), cell.Second, 0)
	}
	if end > 0 {
		y++
	}
	drawDoubts(c, y, x.doubts())
}

// drawDoubts writes warnings, as many as fit.
func drawDoubts(c *cell.Canvas, y int, doubts []string) {
	for i, w := range doubts {
		if left := len(doubts) - i; y == c.H-1 && left > 1 {
			c.Text(0, y, fmt.Sprintf("! %d warnings, w shows them: %s", left, w), cell.Warn, 0)
			return
		}
		c.Text(0, y, "! "+w, cell.Warn, 0)
		y++
	}
}

// differs describes the value of another series at the cursor.
func (p *logpPlot) differs(other int, like curve) string {
	of := p.of[p.selected]
	here := of.points[p.point]
	text := fmt.Sprintf("%c %s", letter(other), p.s.series()[other].name())
	q, ok := like.exact(here.x)
	if !ok {
		return text + " none here"
	}
	if like.deltaUs != of.deltaUs {
		text += ", " + like.name
	}
	text += " " + bench.Digits(q.Value)
	if here.OK() {
		text += fmt.Sprintf(" (%+.4g)", here.Value-q.Value)
	}
	return text
}

func (v *logpView) table(s *Scene) analysis.View {
	x, at := v.at(s)
	if x == nil {
		return analysis.View{}
	}
	t := analysis.Raw("directory", "platform", "layer", "method", "curve", "m_or_size_bytes", "value", "lo", "hi", "unit", "samples", "not_identifiable")
	plot := v.plot(x)
	_, unit, by := x.axesOf(plot)
	all := s.series()
	for _, i := range append([]int{at}, v.over(s)...) {
		if !all[i].alike(x, plot) {
			continue
		}
		for _, c := range all[i].curves(plot) {
			if plot == plotDrawn {
				c.name += ", by " + by
			}
			for _, p := range c.points {
				row := []any{all[i].Dir, all[i].place().Platform, all[i].place().Layer, all[i].how(), c.name, int64(p.x), p.Value, p.Lo, p.Hi, unit, p.samples, p.Reason}
				if !p.OK() {
					row[6], row[7], row[8] = nil, nil, nil
				}
				if p.samples == 0 {
					row[10] = nil
				}
				t.Add(row...)
			}
		}
	}
	return t
}

// findings returns all warnings, and the agreement with other instruments.
func (v *logpView) findings(s *Scene) []section {
	x, _ := v.at(s)
	if x == nil {
		return v.ofRuns.findings(s)
	}
	doubts := x.doubts()
	if len(doubts) == 0 {
		doubts = []string{"There are no warnings."}
	}
	out := []section{{"Why figures of " + x.name() + " are doubtful", doubts}}
	if x.Drawn != nil {
		return append([]section{{"Results", x.Drawn.Said}}, out...)
	}
	if x.LogP == nil {
		return out
	}
	var beside, residuals []string
	for _, a := range x.LogP.Consistency {
		beside = append(beside, fmt.Sprintf("%s: %s µs, %s µs by %s (%+.1f%%)", a.Of, bench.Digits(a.LogPUs), bench.Digits(a.OtherUs), a.From, a.OffPct))
	}
	for _, r := range x.LogP.Residuals {
		residuals = append(residuals, fmt.Sprintf("%s: %.3g µs rms, at most %.3g, of %d points", r.Of, r.RMSUs, r.MaxUs, r.Points))
	}
	return append(out, section{"Beside another instrument in the same run", beside}, section{"Distance of the measurements from the fitted laws", residuals})
}

func (v *logpView) dirs(s *Scene) []string {
	if len(s.Measured) == 0 {
		return v.ofRuns.dirs(s)
	}
	return made(s.Measured, func(m *Measured) string { return m.Dir })
}
