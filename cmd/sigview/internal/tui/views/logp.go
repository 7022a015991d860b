package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart/cell"
)

// LogpView shows what was measured of layers, of injections or by a sweep, others laid over
// it, and under the plot the exact values at the cursor. It needs no run.
type LogpView struct {
	ofRuns
	Series   list
	against  int // what is laid over: a series, againstAll or againstNone
	Metric   Choice
	Curve    int
	X        int64 // of the cursor: a burst length or message size
	LogScale bool  // of costs
}

// Values of logpView.against that are no series.
const (
	againstAll  = -1
	againstNone = -2
)

func (v *LogpView) start() { v.against = againstAll }

func (v *LogpView) Subject(s *scene.Scene) Subject {
	if len(s.Measured) > 0 {
		return AMeasurement
	}
	return v.ofRuns.Subject(s)
}

func (*LogpView) Keys() []action.Action {
	return []action.Action{action.NextMetric, action.ToggleIntervals, action.ZoomIn, action.ZoomOut}
}

func (v *LogpView) Words() []scene.Word {
	count := func(s *scene.Scene) int { return len(s.Series()) }
	against := scene.NumberWord("against", "all, none, or the number of one", &v.against, 0, 1<<16).UpTo(count).
		Called("none", &v.against, againstNone).Called("all", &v.against, againstAll)
	series := scene.NumberWord("series", "a number", &v.Series.Row, 0, 1<<30).UpTo(count)
	curve := scene.NumberWord("curve", "a number", &v.Curve, 0, 1<<30).UpTo(func(s *scene.Scene) int {
		if x, _ := v.At(s); x != nil {
			return len(CurvesOf(x, v.Plot(x)))
		}
		return 0
	})
	return []scene.Word{v.Metric.word(LogpMetrics), series, against, curve,
		scene.NumberWord("point", "a burst length or bytes", &v.X, 0, 1<<40), scene.ChoiceWord("scale", &v.LogScale, "log", [2]string{"log", "linear"})}
}

// LookAt selects a series.
func (v *LogpView) LookAt(series int) { v.Series.Row, v.Curve = series, 0 }

// At returns the selected series and its index, nil and -1 when none is open.
func (v *LogpView) At(s *scene.Scene) (*data.Series, int) {
	all := s.Series()
	if len(all) == 0 {
		return nil, -1
	}
	at := v.Series.At(len(all))
	return all[at], at
}

// Second returns the indices of the series laid over.
func (v *LogpView) Second(s *scene.Scene) []int {
	_, at := v.At(s)
	var out []int
	for i := range s.Series() {
		if i != at && (v.against == againstAll || v.against == i) {
			out = append(out, i)
		}
	}
	return out
}

// Plot returns which plot of a series is shown.
func (v *LogpView) Plot(x *data.Series) int {
	if m := int(v.Metric); x.Drawn == nil && m > plotOwn && m < len(LogpMetrics) {
		return m
	}
	return plotOf(x)
}

// Cursor returns the indices of the selected curve and of its point at the cursor.
func (v *LogpView) Cursor(of curves) (curve, point int) {
	curve = min(max(v.Curve, 0), len(of)-1)
	return curve, max(of[curve].At(float64(v.X)), 0)
}

// Act handles the keys of this view: series take the place of runs, and curves
// that of stages.
func (v *LogpView) Act(s *scene.Scene, a action.Action) bool {
	x, at := v.At(s)
	if x == nil {
		return false
	}
	n, of := len(s.Series()), CurvesOf(x, v.Plot(x))
	dx, dy := a.Steps()
	switch a {
	case action.GoLeft, action.GoRight, action.GoFirst, action.GoLast:
		if len(of) > 0 {
			i, k := v.Cursor(of)
			v.X = int64(of[i].points[min(max(k+dx, 0), len(of[i].points)-1)].x)
		}
	case action.NextStage, action.GoUp, action.GoDown:
		if m := len(of); m > 0 {
			if a == action.NextStage {
				dy = 1
			}
			i, _ := v.Cursor(of)
			v.Curve = (i + dy + m) % m
		}
	case action.PageDown, action.PageUp, action.HalfDown, action.HalfUp:
		v.LookAt(min(max(at+dy, 0), n-1))
	case action.NextRun:
		v.LookAt((at + 1) % n)
	case action.PreviousRun:
		v.LookAt((at + n - 1) % n)
	case action.NextOver:
		v.NextOver(s, at, n)
	case action.NextMetric:
		if x.Drawn != nil {
			s.Note = "This measurement has one picture. ] goes to the next."
			return true
		}
		v.Curve = 0
		for before := v.Plot(x); v.Plot(x) == before; {
			v.Metric.next(s, LogpMetrics)
		}
	case action.ToggleIntervals:
		s.Sel.Intervals = !s.Sel.Intervals
	case action.ToggleBaseline:
		s.Note = "Parameters of layers have no baseline: they are what an unloaded layer costs. v lays others over, ] goes to the next."
	case action.ZoomIn:
		v.LogScale, s.Note = false, "linear scale where the values allow it"
	case action.ZoomOut:
		v.LogScale, s.Note = true, "logarithmic scale"
	default:
		return false
	}
	return true
}

// NextOver lays all other series over, then each one in turn, then none.
func (v *LogpView) NextOver(s *scene.Scene, at, n int) {
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

func (v *LogpView) Header(c *cell.Canvas, x int, s *scene.Scene) {
	of, _ := v.At(s)
	if of == nil {
		v.ofRuns.Header(c, x, s)
		return
	}
	end := c.Text(x, 0, Name(of), cell.Strong, 0)
	if dir := "  " + of.Dir; end+cell.Width(dir) < c.W {
		c.Right(c.W, 0, dir, cell.Faint, 0)
	}
}

func (v *LogpView) About(s *scene.Scene) string {
	of, at := v.At(s)
	if of == nil {
		return ""
	}
	text := fmt.Sprintf("%c, %d of %d · %s", letter(at), at+1, len(s.Series()), detail(of))
	for _, m := range s.Measured {
		if m.Dir == of.Dir && m.Seed > 0 {
			text += fmt.Sprintf(" · seed %d", m.Seed)
		}
	}
	return text + " · ] next, v over, s curve, m plot"
}

func (v *LogpView) Draw(c *cell.Canvas, s *scene.Scene) {
	x, at := v.At(s)
	if x == nil {
		drawUnmeasured(c, s.Data())
		return
	}
	plot := v.Plot(x)
	of := CurvesOf(x, plot)
	foot, below := 5, 0
	if c.H >= 28 {
		below = min(len(s.Series())+2, 12, c.H-20)
	}
	h := c.H - foot - below
	if len(of) == 0 {
		title, _, _ := axesOf(x, plot)
		c.Para(1, 1, fmt.Sprintf("This measurement of %s has no %s. m shows another plot, ] another measurement. %s", Name(x), title, howToGet(x, plot)), cell.Warn)
	} else {
		p := LogpPlot{View: v, S: s, Series: x, Kind: plot, Of: of, At: at}
		p.selected, p.point = v.Cursor(of)
		p.Second, p.Places = v.Overlaid(s, x, of[p.selected], plot)
		p.Draw(c.Sub(0, 0, c.W, h))
		p.drawReadout(c.Sub(0, h, c.W, foot))
	}
	if below > 0 {
		v.drawSeries(c.Sub(0, h+foot, c.W, below), s)
	}
}

// Overlaid returns the same curve of each series laid over, and their indices.
func (v *LogpView) Overlaid(s *scene.Scene, x *data.Series, of curve, plot int) (over curves, at []int) {
	for _, i := range v.Second(s) {
		o := s.Series()[i]
		if like, ok := of.alike(CurvesOf(o, plot), plot); ok && alike(o, x, plot) {
			over, at = append(over, like), append(at, i)
		}
	}
	return over, at
}

// drawUnmeasured says which commands make a measurement.
func drawUnmeasured(c *cell.Canvas, d *data.Data) {
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
func (v *LogpView) drawSeries(c *cell.Canvas, s *scene.Scene) {
	all := s.Series()
	c.Text(0, 0, "  what was measured, µs", cell.Faint, 0)
	const first = 56
	var results []bench.LogP
	at := make([]int, len(all)) // in the table
	for i, x := range all {
		if at[i] = len(results); x.LogP != nil {
			results = append(results, *x.LogP)
		}
	}
	var g scene.Grid
	end := first
	if len(results) > 0 {
		g = scene.NewGrid(bench.LogPView(results).Pick("o_s", "o_r", "L", "g", "RTT", "idle"), first, c.W)
		g.Head(c, 0)
		end = g.End()
	}
	over := v.Second(s)
	v.Series.Draw(c, 1, c.H-1, len(all), "", func(i, y int, selected bool) {
		x := all[i]
		c.Zone(0, y, c.W, 1, action.Pointed(func(_, _ int) { v.LookAt(i) }))
		ink, attr := here(c, y, selected)
		switch {
		case selected:
		case slices.Contains(over, i):
			ink = cell.Second
		default:
			ink = cell.Faint
		}
		c.Sub(0, 0, first-2, c.H).Text(2, y, fmt.Sprintf("%c %s, %s", letter(i), Name(x), detail(x)), ink, attr)
		dir := end
		if x.LogP != nil {
			g.Row(c, y, at[i], ink, attr)
		} else {
			dir = max(c.Text(first+1, y, peak(x), ink, attr), end)
		}
		c.Text(dir+2, y, x.Dir, cell.Faint, 0)
	})
}

// drawReadout writes the parameters, the value at the cursor, the regimes of the
// selected curve, the values of the other series there, and the warnings.
func (p *LogpPlot) drawReadout(c *cell.Canvas) {
	x, of := p.Series, p.Of[p.selected]
	text := fmt.Sprintf("%c %s: %s", letter(p.At), Name(x), peak(x))
	if x.LogP != nil {
		text = fmt.Sprintf("%c %s:", letter(p.At), Name(x))
		for _, f := range parameters(x) {
			text += fmt.Sprintf("  %s %s", f.Name, bench.Figure(f.Estimate))
		}
		if r := x.LogP.GapRatio; r != nil {
			text += "  gap ratio " + bench.Figure(*r)
		}
		text += " µs"
	}
	c.Text(0, 0, text, cell.Strong, 0)
	q, ink := of.points[p.point], lookOf(p.selected).Ink
	where := of.name + ", " + data.SizeLabel(q.x) + " B"
	if p.Kind == PlotCost {
		where = fmt.Sprintf("%s µs, M %g", of.name, q.x)
	}
	_, unit, by := axesOf(x, p.Kind)
	if p.Kind == plotDrawn {
		name, unit, _ := strings.Cut(by, ", ")
		where = strings.TrimSpace(of.name + ", " + name + " " + data.SizeLabel(q.x) + " " + unit)
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
	if p.Kind == PlotCost {
		c.Text(0, y, regimes(x, of.deltaUs), cell.Plain, 0)
		y++
	} else if x.LogP != nil && x.LogP.Bulk != nil {
		c.Text(0, y, bulkText(x.LogP.Bulk.T), cell.Plain, 0)
		y++
	}
	end = 0
	for n, o := range p.Places {
		if end > 0 {
			end += 2
		}
		end = c.Text(end, y, p.differs(o, p.Second[n]), cell.Second, 0)
	}
	if end > 0 {
		y++
	}
	drawDoubts(c, y, doubts(x))
}

// drawDoubts writes warnings, as many as fit.
func drawDoubts(c *cell.Canvas, y int, doubts []string) {
	for i, w := range doubts {
		if left := len(doubts) - i; y == c.H-1 && left > 1 {
			c.Text(0, y, fmt.Sprintf("! %d warnings%s: %s", left, c.Keys(", w shows them"), w), cell.Warn, 0)
			return
		}
		c.Text(0, y, "! "+w, cell.Warn, 0)
		y++
	}
}

// differs describes the value of another series at the cursor.
func (p *LogpPlot) differs(other int, like curve) string {
	of := p.Of[p.selected]
	here := of.points[p.point]
	text := fmt.Sprintf("%c %s", letter(other), Name(p.S.Series()[other]))
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

func (v *LogpView) Table(s *scene.Scene) analysis.View {
	x, at := v.At(s)
	if x == nil {
		return analysis.View{}
	}
	t := analysis.Raw("directory", "platform", "layer", "method", "curve", "m_or_size_bytes", "value", "lo", "hi", "unit", "samples", "not_identifiable")
	plot := v.Plot(x)
	_, unit, by := axesOf(x, plot)
	all := s.Series()
	for _, i := range append([]int{at}, v.Second(s)...) {
		if !alike(all[i], x, plot) {
			continue
		}
		for _, c := range CurvesOf(all[i], plot) {
			if plot == plotDrawn {
				c.name += ", by " + by
			}
			for _, p := range c.points {
				row := []any{all[i].Dir, place(all[i]).Platform, place(all[i]).Layer, how(all[i]), c.name, int64(p.x), p.Value, p.Lo, p.Hi, unit, p.samples, p.Reason}
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

// Findings returns all warnings, and the agreement with other instruments.
func (v *LogpView) Findings(s *scene.Scene) []scene.Section {
	x, _ := v.At(s)
	if x == nil {
		return v.ofRuns.Findings(s)
	}
	doubts := doubts(x)
	if len(doubts) == 0 {
		doubts = []string{"There are no warnings."}
	}
	out := []scene.Section{{Head: "Why figures of " + Name(x) + " are doubtful", Items: doubts}}
	if x.Drawn != nil {
		return append([]scene.Section{{Head: "Results", Items: x.Drawn.Said}}, out...)
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
	return append(out, scene.Section{Head: "Beside another instrument in the same run", Items: beside}, scene.Section{Head: "Distance of the measurements from the fitted laws", Items: residuals})
}

func (v *LogpView) Dirs(s *scene.Scene) []string {
	if len(s.Measured) == 0 {
		return v.ofRuns.Dirs(s)
	}
	return lists.Map(s.Measured, func(m *data.Measured) string { return m.Dir })
}
