package report

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// StageLook returns the look of a latency in every chart; real says that it is one of real hosts.
func StageLook(s trace.Stage, real bool) chart.Look {
	looks := [...]chart.Look{
		trace.Source:        {Form: chart.Circle, Ink: cell.Source, Letter: 'S'},
		trace.LANai:         {Form: chart.Square, Ink: cell.LANai, Letter: 'L'},
		trace.Net:           {Form: chart.Diamond, Ink: cell.Net, Letter: 'N'},
		trace.Dest:          {Form: chart.Ring, Ink: cell.Dest, Letter: 'D'},
		trace.NetMinusLANai: {Form: chart.Plus, Ink: cell.Difference, Letter: 'X'},
	}
	if real {
		looks[trace.LANai].Letter = 'I'
	}
	return looks[s]
}

func sizeAxis(name string) chart.Axis { return chart.Axis{Name: name, Scale: chart.Log2} }

// SignatureCharts returns two charts: packets by size, and mean latencies with their
// baselines by size. Points are size bins, at their upper ends.
func SignatureCharts(rows []analysis.Packets) []chart.Chart {
	count := chart.Chart{Name: "packets", Title: "Packets", X: sizeAxis("size, B"), Y: chart.Axis{Scale: chart.Log10}, Weight: 2}
	bars := chart.Series{Draw: chart.Bars}
	for _, p := range rows {
		n := float64(p.Count())
		bars.Points = append(bars.Points, chart.Point{
			X: float64(p.SizeHiBytes), Y: n, N: n, Hint: fmt.Sprintf("%d-%d B: %d packets", p.SizeLoBytes+1, p.SizeHiBytes, p.Count()),
		})
	}
	count.Series = []chart.Series{bars}
	means := chart.Chart{
		Name: "latencies", Title: "Mean latency", X: sizeAxis("size, B"), Y: TimeAxis("µs", chart.Log10), Weight: 3,
		Notes: []string{"broken line: baseline", "hollow or lower case: weak"},
	}
	real := analysis.OfReal(rows)
	for _, stage := range trace.Stages() {
		unloaded := chart.Series{Look: StageLook(stage, real), Draw: chart.Line, Gap: 3}
		measured := chart.Series{Name: analysis.StageName(stage, real), Look: StageLook(stage, real), Draw: chart.Marks | chart.Intervals}
		for _, p := range rows {
			s := p.Stat(stage)
			at := chart.Point{X: float64(p.SizeHiBytes), N: float64(s.Count)}
			base := at
			base.Y, base.Missing = s.BaselineNs.Value/1000, !s.BaselineNs.OK
			unloaded.Points = append(unloaded.Points, base)
			at.Y, at.Missing, at.Weak = s.MeanNs.Value/1000, !s.MeanNs.OK || !p.Meaningful(stage), s.Weak
			at.Lo, at.Hi, at.Hint = s.CILoNs.Value/1000, s.CIHiNs.Value/1000, stageHint(p, s)
			measured.Points = append(measured.Points, at)
		}
		means.Series = append(means.Series, unloaded, measured)
	}
	return []chart.Chart{count, means}
}

// TimeAxis returns an axis for times in a unit, µs or ms. Labels of 10,000 of it and more name
// a larger one.
func TimeAxis(unit string, scale chart.Scale) chart.Axis {
	length := map[string]float64{"µs": 1e3, "ms": 1e6}[unit]
	return chart.Axis{Name: unit, Scale: scale, Label: func(v float64) string {
		if math.Abs(v) < 1e4 {
			return chart.Short(v)
		}
		unit, of := analysis.UnitOf(v * length)
		return chart.Short(v*length/of) + unit
	}}
}

func stageHint(p analysis.Packets, s trace.Stat) string {
	return fmt.Sprintf("%s, %d-%d B: %s, baseline %s, deviation %s, interval of the mean %s to %s, %d packets",
		p.StageName(s.Stage), p.SizeLoBytes+1, p.SizeHiBytes, analysis.WithUnit(analysis.Us(s.MeanNs), "µs"), analysis.Us(s.BaselineNs),
		analysis.SignedUs(s.DeviationNs), analysis.Us(s.CILoNs), analysis.Us(s.CIHiNs), s.Count)
}

const (
	burstAxis   = "messages in a burst, M"
	messageAxis = "message size, B"
	costChart   = "cost"
)

// curve returns the i-th series of a chart of measured points joined by a line.
func curve(i int, name string, points []chart.Point) chart.Series {
	return chart.Series{Name: name, Look: chart.LookOf(i), Draw: chart.Marks | chart.Line | chart.Intervals, Points: points}
}

// chartOfCosts returns the chart of a LogP signature: message cost by M for each Δ, with
// the regimes of Δ = 0 as bands.
func chartOfCosts(x *bench.LogP) chart.Chart {
	c := costs(x.Points, x.Curves)
	c.Name, c.Title = costName(x.Place), "Cost per message of "+x.Place.String()
	return c
}

// storeChart returns the same chart for bulk transfers of one size.
func storeChart(x *bench.LogP, s *bench.Size) chart.Chart {
	c := costs(s.Points, s.Curves)
	c.Name = fmt.Sprintf("%s-%d", costName(x.Place), s.SizeBytes)
	c.Title = fmt.Sprintf("Cost per transfer of %d B of %s", s.SizeBytes, x.Place)
	return c
}

// costName returns a name for the chart of a place that is safe in a file name.
func costName(p bench.Place) string {
	return unsafe.ReplaceAllString(fmt.Sprintf("%s-%s-%s", costChart, p.Platform, p.Layer), "_")
}

var unsafe = regexp.MustCompile(`[^\pL\p{Nd}._-]`)

func costs(points []logp.Point, curves []logp.Curve) chart.Chart {
	c := chart.Chart{X: sizeAxis(burstAxis), Y: chart.Axis{Name: "µs", FromZero: true}}
	for i, k := range curves {
		c.Series = append(c.Series, curve(i, "Δ = "+strconv.FormatFloat(k.DeltaUs, 'g', 5, 64)+" µs", costPoints(points, k.DeltaUs)))
		if k.DeltaUs == 0 {
			c.Bands = regimeBands(k)
		}
	}
	return c
}

func regimeBands(k logp.Curve) []chart.Band {
	var out []chart.Band
	for _, b := range []struct {
		name string
		r    logp.Range
	}{{"send only", k.SendOnly}, {"transition", k.Transition}, {"steady", k.Steady}} {
		if b.r != (logp.Range{}) {
			out = append(out, chart.Band{Name: b.name, From: float64(b.r.From), To: float64(b.r.To)})
		}
	}
	return out
}

func costPoints(points []logp.Point, deltaUs float64) []chart.Point {
	var out []chart.Point
	for _, p := range points {
		if p.DeltaUs == deltaUs && p.Cost.N > 0 {
			out = append(out, chart.Point{X: float64(p.M), Y: p.Cost.Value, Lo: p.Cost.Lo, Hi: p.Cost.Hi})
		}
	}
	return out
}

// LogPCharts returns the charts of results: each signature, all signatures without delay
// together, the functions of each result of parameterized LogP, and each parameter by message
// size with a curve per result.
func LogPCharts(results []bench.LogP) []chart.Chart {
	var out []chart.Chart
	both := chart.Chart{Name: costChart, Title: "Cost per message without delay", X: sizeAxis(burstAxis), Y: chart.Axis{Name: "µs", FromZero: true}}
	names := bench.Short(bench.Places(results))
	for i := range results {
		if x := &results[i]; len(x.Curves) > 0 {
			out = append(out, chartOfCosts(x))
			both.Series = append(both.Series, curve(len(both.Series), names[i], costPoints(x.Points, 0)))
			for k := range x.Sizes {
				if s := &x.Sizes[k]; len(s.Curves) > 0 {
					out = append(out, storeChart(x, s))
				}
			}
		}
	}
	if len(both.Series) > 1 {
		out = append(out, both)
	}
	for i := range results {
		if x := &results[i]; x.Parameterized != nil {
			c := sizesChart(x)
			c.Name = unsafe.ReplaceAllString(fmt.Sprintf("plogp-%s-%s", x.Platform, x.Layer), "_")
			out = append(out, c)
		}
	}
	for _, q := range bySize {
		c := q.chart(strings.ToUpper(q.title[:1]) + q.title[1:])
		for i, x := range results {
			if points := q.points(x.Sizes); len(points) > 0 {
				c.Series = append(c.Series, curve(len(c.Series), names[i], points))
			}
		}
		if !c.Empty() {
			out = append(out, c)
		}
	}
	return out
}

// sizesChart returns all parameters of messages against size. L of parameterized LogP is
// the same for all sizes and not drawn.
func sizesChart(x *bench.LogP) chart.Chart {
	c := bySize[0].chart("LogP parameters of " + x.Place.String())
	c.Name = "parameters"
	for i, q := range bySize {
		if points := q.points(x.Sizes); !q.bulk && len(points) > 0 && (x.Parameterized == nil || q.name != "latency") {
			c.Series = append(c.Series, curve(i, q.title, points))
		}
	}
	return c
}

// sized is a figure of messages or bulk transfers that is drawn over size.
type sized struct {
	name, title, unit string
	bulk              bool
	of                func(bench.Size) logp.Estimate
}

var bySize = []sized{
	{"os", "send overhead o_s", "µs", false, func(s bench.Size) logp.Estimate { return s.Os }},
	{"or", "receive overhead o_r", "µs", false, func(s bench.Size) logp.Estimate { return s.Or }},
	{"latency", "latency L", "µs", false, func(s bench.Size) logp.Estimate { return s.L }},
	{"gap", "gap g", "µs", false, func(s bench.Size) logp.Estimate { return s.G }},
	{"saturation", "gap g by saturation", "µs", false, func(s bench.Size) logp.Estimate {
		if s.Saturation == nil {
			return logp.Estimate{Reason: "not measured"}
		}
		return *s.Saturation
	}},
	{"bulk-overhead", "send overhead of bulk transfers", "µs", true, func(s bench.Size) logp.Estimate { return s.O }},
	{"bulk-bandwidth", "bandwidth of bulk transfers", "MB/s", true, func(s bench.Size) logp.Estimate { return s.Bandwidth }},
}

func (q sized) chart(title string) chart.Chart {
	c := chart.Chart{Name: q.name, Title: title, X: sizeAxis(messageAxis), Y: chart.Axis{Name: q.unit, FromZero: true}}
	if q.unit == "µs" {
		c.Y.Scale = chart.Log10
	}
	return c
}

func (q sized) points(sizes []bench.Size) []chart.Point {
	var out []chart.Point
	for _, s := range sizes {
		if q.bulk && s.Bulk == nil || !q.bulk && s.Params == nil {
			continue
		}
		if e := q.of(s); e.OK() {
			out = append(out, chart.Point{X: float64(s.SizeBytes), Y: e.Value, Lo: e.Lo, Hi: e.Hi})
		}
	}
	return out
}

// BandwidthCharts returns the charts of bandwidth, and of one-way time where it was
// measured, by message size.
func BandwidthCharts(results []bench.Bandwidth) []chart.Chart {
	names := bench.Short(bench.Places(results))
	rate := chart.Chart{Name: "bandwidth", Title: "Bandwidth, " + results[0].Test, X: sizeAxis(messageAxis), Y: chart.Axis{Name: "MB/s", FromZero: true}}
	oneWay := chart.Chart{Name: "one-way", Title: "One-way time, half of the round trip", X: sizeAxis(messageAxis), Y: TimeAxis("µs", chart.Log10)}
	for i, x := range results {
		var a, b []chart.Point
		for _, p := range x.Points {
			a = append(a, chart.Point{X: float64(p.SizeBytes), Y: p.MBps})
			if p.OneWayUs != nil {
				b = append(b, chart.Point{X: float64(p.SizeBytes), Y: *p.OneWayUs})
			}
		}
		rate.Series, oneWay.Series = append(rate.Series, curve(i, names[i], a)), append(oneWay.Series, curve(i, names[i], b))
	}
	if oneWay.Empty() {
		return []chart.Chart{rate}
	}
	return []chart.Chart{rate, oneWay}
}
