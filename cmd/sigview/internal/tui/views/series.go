package views

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/report/chart"
)

func place(x *data.Series) bench.Place {
	switch {
	case x.LogP != nil:
		return x.LogP.Place
	case x.Drawn != nil:
		return x.Drawn.Place
	}
	return x.Bandwidth.Place
}

func Name(x *data.Series) string {
	if x.Drawn != nil {
		return x.Drawn.Name
	}
	name := place(x).String()
	if x.SizeBytes > 0 {
		name += ", " + data.SizeLabel(float64(x.SizeBytes)) + "B"
	}
	return name
}

// how returns the method or the test.
func how(x *data.Series) string {
	switch {
	case x.LogP != nil:
		return x.LogP.Method
	case x.Drawn != nil:
		return x.Drawn.How
	}
	return x.Bandwidth.Test
}

// doubts returns the warnings and why parameters are not identifiable.
func doubts(x *data.Series) []string {
	switch {
	case x.Drawn != nil:
		return x.Drawn.Doubts
	case x.LogP == nil:
		return x.Bandwidth.Warnings
	}
	out := append([]string(nil), x.LogP.Warnings...)
	for _, s := range x.LogP.Sizes {
		for _, w := range s.Warnings {
			if w = fmt.Sprintf("%d B: %s", s.SizeBytes, w); !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	for _, e := range parameters(x) {
		if !e.OK() {
			out = append(out, e.Name+": "+e.Reason)
		}
	}
	return out
}

// detail describes how a series was measured.
func detail(x *data.Series) string {
	switch {
	case x.Drawn != nil:
		return x.Drawn.Detail
	case x.LogP == nil:
		return x.Bandwidth.Test
	}
	text := x.LogP.Method + ", " + x.LogP.Pattern
	if x.LogP.Operation != "" {
		text = x.LogP.Operation + ", " + text
	}
	switch {
	case x.LogP.Pair != nil:
		text += " of " + x.LogP.Pair.String()
	case x.LogP.Peers > 1:
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

// parameters returns o_s, o_r, L, g, the round trip and the idle time; nil for
// what has none.
func parameters(x *data.Series) []bench.Parameter {
	if x.LogP == nil {
		return nil
	}
	return append(bench.Parameters(&x.LogP.Parameters), bench.Parameter{Name: "idle", Estimate: x.LogP.Idle})
}

// peak describes the largest bandwidth, or the result of a measurement that has none.
func peak(x *data.Series) string {
	if x.Drawn != nil {
		return strings.Join(x.Drawn.Said[:min(len(x.Drawn.Said), 1)], "")
	}
	var best point
	for _, c := range CurvesOf(x, plotBandwidth) {
		for _, p := range c.points {
			if p.Value > best.Value {
				best = p
			}
		}
	}
	if best.Value <= 0 {
		return "no bandwidth"
	}
	return fmt.Sprintf("at most %s MB/s, at %s B", bench.Digits(best.Value), data.SizeLabel(best.x))
}

// regimes describes the regimes of the cost for one Δ.
func regimes(x *data.Series, deltaUs float64) string {
	c, ok := signature(x, deltaUs)
	if !ok {
		return "no regimes found"
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

func bulkText(l *logp.Line) string {
	if l == nil {
		return "no line fits the bulk transfers"
	}
	return fmt.Sprintf("bulk transfers: T = %.4g µs (%.4g to %.4g) + n / %s MB/s", l.T0Us, l.T0LoUs, l.T0HiUs, bench.Figure(l.Rinf))
}

// Plots of the LogP view. plotOwn is the main plot of a measurement.
const (
	plotOwn = iota
	PlotCost
	PlotSizes
	PlotOneWay
	plotBandwidth
	plotDrawn // the chart of the measurement's report
)

var LogpMetrics = []string{
	"what was measured", "message cost, µs, by M", "parameters, µs, by message size, B", "one-way time (half a round trip), µs, by message size, B",
	"bandwidth, MB/s, by message size, B",
}

// axesOf returns what a plot of a series shows, its unit, and what it is by.
func axesOf(x *data.Series, plot int) (title, unit, by string) {
	if plot == plotDrawn {
		return x.Drawn.Chart.Title, x.Drawn.Y.Name, x.Drawn.X.Name
	}
	part := strings.SplitN(LogpMetrics[plot], ", ", 3)
	return part[0], part[1], strings.TrimPrefix(part[2], "by ")
}

// howToGet names the command that measures what a plot shows.
func howToGet(x *data.Series, plot int) string {
	tool := [...]string{PlotCost: "logp --method signature", PlotSizes: "logp --method sweep", PlotOneWay: "bandwidth --test pingpong", plotBandwidth: "bandwidth"}[plot]
	return fmt.Sprintf("sigview %s --platform %s --layer %s -o DIR measures it.", tool, place(x).Platform, place(x).Layer)
}

// curve is one line in the plot of a series: the cost for one Δ, or one parameter.
type curve struct {
	name    string
	deltaUs float64
	points  []point
}

// point is an estimate at a burst length or message size.
type point struct {
	x float64
	logp.Estimate
	samples int
}

// Series returns a curve as a line with marks. A message size of 0 lies at least.
func (c curve) Series(look chart.Look, gap int, least float64) chart.Series {
	return chart.Series{Look: look, Draw: chart.Line | chart.Marks, Gap: gap, Top: true, Points: lists.Map(c.points, func(p point) chart.Point {
		return chart.Point{X: max(p.x, least), Y: p.Value, Lo: p.Lo, Hi: p.Hi, Missing: !p.OK()}
	})}
}

// curves are the lines of a plot.
type curves []curve

// Add adds a point to the curve of this name and Δ, which it makes if needed.
func (list *curves) Add(name string, deltaUs float64, p point) {
	i := slices.IndexFunc(*list, func(c curve) bool { return c.name == name && c.deltaUs == deltaUs })
	if i < 0 {
		i = len(*list)
		*list = append(*list, curve{name: name, deltaUs: deltaUs})
	}
	(*list)[i].points = append((*list)[i].points, p)
}

// plotOf returns the main plot of a series.
func plotOf(x *data.Series) int {
	switch {
	case x.Drawn != nil:
		return plotDrawn
	case x.LogP == nil:
		return plotBandwidth
	case len(x.LogP.Points) > 0:
		return PlotCost
	}
	return PlotSizes
}

// CurvesOf returns the lines of a plot.
func CurvesOf(x *data.Series, plot int) curves {
	switch {
	case (x.Drawn != nil) != (plot == plotDrawn):
		return nil
	case plot == plotDrawn:
		return asCurves(x.Drawn)
	case x.LogP == nil:
		return bandwidthCurves(x, plot)
	case plot == PlotCost:
		return costCurves(x.LogP.Points)
	}
	return sizeCurves(x, plot)
}

func costCurves(points []logp.Point) curves {
	var out curves
	for _, p := range points {
		out.Add(fmt.Sprintf("Δ %g", p.DeltaUs), p.DeltaUs, point{float64(p.M), p.Cost.Estimate("cost"), p.Cost.N})
	}
	slices.SortFunc(out, func(a, b curve) int { return cmp.Compare(a.deltaUs, b.deltaUs) })
	for _, c := range out {
		slices.SortFunc(c.points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	}
	return out
}

// sizeCurves returns the figures of a LogP measurement by message size.
func sizeCurves(x *data.Series, plot int) curves {
	var out curves
	for _, s := range x.LogP.Sizes {
		put := func(name string, e logp.Estimate) { out.Add(name, 0, point{x: float64(s.SizeBytes), Estimate: e}) }
		switch {
		case plot == PlotSizes:
			if p := s.Params; p != nil {
				for _, f := range bench.Parameters(p)[:4] {
					put(f.Name, f.Estimate)
				}
			}
			if s.Saturation != nil {
				put("g by saturation", *s.Saturation)
			}
			if s.Idle != nil {
				put("idle", *s.Idle)
			}
			if s.Bulk != nil {
				put("o", s.O)
				put("T", s.T)
			}
		case plot == PlotOneWay && s.Params != nil:
			e := s.RTT
			e.Value, e.Lo, e.Hi = e.Value/2, e.Lo/2, e.Hi/2
			put("RTT/2", e)
		case plot == plotBandwidth && s.Bulk != nil:
			put("bulk", s.Bandwidth)
		}
	}
	return out
}

func bandwidthCurves(x *data.Series, plot int) curves {
	var out curves
	for _, p := range x.Bandwidth.Points {
		put := func(name string, v float64) {
			out.Add(name, 0, point{x: float64(p.SizeBytes), Estimate: logp.Estimate{Value: v, Lo: v, Hi: v}})
		}
		switch {
		case plot == plotBandwidth:
			put(x.Bandwidth.Test, p.MBps)
		case plot == PlotOneWay && p.OneWayUs != nil:
			put("RTT/2", *p.OneWayUs)
		}
	}
	return out
}

// alike returns the matching curve of another series: by name, or by the nearest Δ.
func (c curve) alike(list []curve, plot int) (curve, bool) {
	if plot == PlotSizes || plot == plotDrawn {
		list = lists.Filter(list, func(o curve) bool { return o.name == c.name })
	}
	i := lists.Nearest(list, func(o *curve) float64 { return math.Abs(o.deltaUs - c.deltaUs) })
	if i < 0 {
		return curve{}, false
	}
	return list[i], true
}

// alike reports whether both series have a plot with the same axes.
func alike(x *data.Series, o *data.Series, plot int) bool {
	if plot != plotDrawn {
		return true
	}
	return x.Drawn != nil && x.Drawn.Y.Name == o.Drawn.Y.Name && x.Drawn.X.Name == o.Drawn.X.Name
}

// At returns the index of the nearest point on a logarithmic axis.
func (c curve) At(x float64) int {
	return lists.Nearest(c.points, func(p *point) float64 { return math.Abs(portable.Log(max(p.x, 0.5) / max(x, 0.5))) })
}

// exact returns the point at exactly this place.
func (c curve) exact(x float64) (point, bool) {
	for _, p := range c.points {
		if p.x == x {
			return p, p.OK()
		}
	}
	return point{}, false
}

// letter returns the letter of a series in pictures.
func letter(at int) rune {
	if at > 25 {
		return '*'
	}
	return 'a' + rune(at)
}

// curves are the series of the chart.
func asCurves(d *data.Drawn) curves {
	var out curves
	for _, s := range d.Series {
		for _, p := range s.Points {
			e := logp.Estimate{Value: p.Y, Lo: p.Lo, Hi: p.Hi}
			if p.Missing {
				e.Reason = "not measured"
			}
			out.Add(s.Name, 0, point{p.X, e, int(p.N)})
		}
	}
	return out
}
