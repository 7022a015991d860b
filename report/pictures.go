package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// heatCharts returns, for each stage, packets by size and latency, with the baseline.
func heatCharts(bins []trace.HistogramRow, rows []analysis.Packets, tag trace.Tag) (all []chart.Chart) {
	for _, stage := range trace.RecordedStages() {
		c := chart.Chart{
			Name: "heat-" + stage.String(), Title: analysis.StageName(stage, analysis.OfReal(rows)) + ": packets by size and latency",
			X: sizeAxis("size, B"), Y: TimeAxis("µs", chart.Log10), Tall: 240,
		}
		for _, b := range binsOf(bins, tag, stage) {
			hi := float64(b.LatencyHiNs.Value) / 1000
			if !b.LatencyHiNs.OK {
				hi = 1.2 * float64(b.LatencyLoNs) / 1000
			}
			lo := max(float64(b.LatencyLoNs)/1000, hi/4) // the first bin begins at 0
			c.Cells = append(c.Cells, chart.Cell{
				X0: float64(b.SizeLoBytes + 1), X1: float64(b.SizeHiBytes), Y0: lo, Y1: hi, N: float64(b.Count),
				Hint: fmt.Sprintf("%d-%d B, %s: %s packets", b.SizeLoBytes+1, b.SizeHiBytes, latencyRange(b), analysis.Digits(b.Count)),
			})
		}
		idle := chart.Series{Name: "baseline", Draw: chart.Marks, Look: chart.Look{Form: chart.Plus, Ink: cell.Plain}}
		for _, p := range rows {
			if s := p.Stat(stage); s.BaselineNs.OK {
				idle.Points = append(idle.Points, chart.Point{X: float64(p.SizeHiBytes), Y: s.BaselineNs.Value / 1000})
			}
		}
		c.Series, c.Notes = []chart.Series{idle}, []string{"dark: many packets"}
		if len(c.Cells) > 0 {
			all = append(all, c)
		}
	}
	return all
}

func latencyRange(b trace.HistogramRow) string {
	if !b.LatencyHiNs.OK {
		return "from " + analysis.Time(float64(b.LatencyLoNs))
	}
	return analysis.Time(float64(b.LatencyLoNs)) + " to " + analysis.Time(float64(b.LatencyHiNs.Value))
}

// binsOf returns the bins of a stage over all kinds, by size.
func binsOf(bins []trace.HistogramRow, tag trace.Tag, stage trace.Stage) (out []trace.HistogramRow) {
	for _, b := range bins {
		if b.Tag == tag && b.Stage == stage && b.Kind == trace.AllKinds && !b.First.OK && b.Count > 0 {
			out = append(out, b)
		}
	}
	return out
}

// tailChart returns the latency of each stage by percentile, over all sizes. Every further
// nine of the percentile takes as much room.
func tailChart(bins []trace.HistogramRow, tag trace.Tag, real bool) chart.Chart {
	c := chart.Chart{Name: "percentiles", Title: "Latency by percentile, all sizes", Y: TimeAxis("µs", chart.Log10), X: chart.Axis{Name: "percentile"}}
	most := 0.0
	for _, stage := range trace.RecordedStages() {
		s := chart.Series{Name: analysis.StageName(stage, real), Look: StageLook(stage, real), Draw: chart.Line | chart.Marks}
		s.Points = tail(binsOf(bins, tag, stage))
		for _, p := range s.Points {
			most = max(most, p.X)
		}
		if len(s.Points) > 0 {
			c.Series = append(c.Series, s)
		}
	}
	for i, text := range []string{"0", "90", "99", "99.9", "99.99", "99.999"} {
		if float64(i) <= most {
			c.X.Marks = append(c.X.Marks, chart.Tick{Value: float64(i), Text: text})
		}
	}
	c.X.Marks = slices.Insert(c.X.Marks, min(1, len(c.X.Marks)), chart.Tick{Value: portable.Log10(2), Text: "50"})
	c.X.Hi = max(most, 1)
	return c
}

// tail returns the upper ends of the bins of a stage over the share of packets up to them,
// as the number of nines.
func tail(bins []trace.HistogramRow) (points []chart.Point) {
	byEnd := map[int64]int64{}
	var all int64
	for _, b := range bins {
		if b.LatencyHiNs.OK {
			byEnd[b.LatencyHiNs.Value] += b.Count
		}
		all += b.Count
	}
	var ends []int64
	for end := range byEnd {
		ends = append(ends, end)
	}
	slices.Sort(ends)
	below := int64(0)
	for _, end := range ends {
		below += byEnd[end]
		if below == all {
			break // the last one has no place on this axis
		}
		share := float64(below) / float64(all)
		points = append(points, chart.Point{
			X: -portable.Log10(1 - share), Y: float64(end) / 1000,
			Hint: fmt.Sprintf("%.5g %% of the packets take less than %s", 100*share, analysis.Time(float64(end))),
		})
	}
	return points
}

// maxMatrix is the largest number of nodes whose pairs are drawn.
const maxMatrix = 64

// matrixCharts returns the mean of each stage by sender and receiver.
func matrixCharts(pairs []analysis.Packets, nodes int, tag trace.Tag) (all []chart.Chart) {
	if nodes < 3 || nodes > maxMatrix {
		return nil
	}
	axis := func(name string) chart.Axis {
		a := chart.Axis{Name: name, Lo: -0.5, Hi: float64(nodes) - 0.5}
		for i := range nodes {
			a.Marks = append(a.Marks, chart.Tick{Value: float64(i), Text: fmt.Sprint(i)})
		}
		return a
	}
	for _, stage := range trace.RecordedStages() {
		c := chart.Chart{Name: pairsChart + stage.String(), Title: analysis.StageName(stage, analysis.OfReal(pairs)) + " by sender and receiver", X: axis("receiver"), Y: axis("sender"), Tall: 300, Room: 50}
		shown := slices.DeleteFunc(analysis.Whole(pairs, tag), func(p analysis.Packets) bool {
			s := p.Stat(stage)
			return p.Class != trace.AllSizes || !s.MeanNs.OK || s.Count == 0
		})
		least, most := math.Inf(1), math.Inf(-1)
		for _, p := range shown {
			v := p.Stat(stage).MeanNs.Value
			least, most = min(least, v), max(most, v)
		}
		for _, p := range shown {
			s := p.Stat(stage)
			x, y := float64(p.Receiver), float64(p.Sender)
			c.Cells = append(c.Cells, chart.Cell{
				X0: x - 0.5, X1: x + 0.5, Y0: y - 0.5, Y1: y + 0.5, N: portable.Exp(5 * (s.MeanNs.Value - least) / max(most-least, 1)), // so that shades are even
				Hint: fmt.Sprintf("node %d to node %d: %s, %s packets", p.Sender, p.Receiver, analysis.WithUnit(analysis.Us(s.MeanNs), "µs"), analysis.Digits(s.Count)),
			})
		}
		if len(c.Cells) > 0 {
			c.Notes = []string{"bright: " + analysis.Time(least), "dark: " + analysis.Time(most)}
			all = append(all, c)
		}
	}
	return all
}

// runTimeChart returns the run time of each node as a bar of its parts.
func runTimeChart(rows []trace.Shares) chart.Chart {
	c := chart.Chart{Name: "run-time", Title: "Run time per node", X: chart.Axis{Name: "s", FromZero: true}, Y: chart.Axis{Hi: float64(len(rows)), Marks: []chart.Tick{}}, Room: 60}
	c.Tall = float64(max(22*len(rows), 60))
	if len(rows) > maxMatrix {
		c.Tall = float64(4 * len(rows))
	}
	parts := analysis.RunTimeParts(rows)
	for i, name := range parts.Names {
		c.Series = append(c.Series, chart.Series{Name: name, Look: chart.LookOf(i)})
	}
	for k, row := range rows {
		lane := float64(len(rows) - 1 - k)
		c.Y.Marks = append([]chart.Tick{{Value: lane + 0.5, Text: fmt.Sprintf("node %d", row.Node)}}, c.Y.Marks...)
		at := 0.0
		for i, ns := range parts.Ns[k] {
			s := float64(ns) / 1e9
			if ns > 0 {
				c.Boxes = append(c.Boxes, chart.Box{
					X0: at, X1: at + s, Y0: lane + 0.1, Y1: lane + 0.9, Look: chart.LookOf(i),
					Hint: fmt.Sprintf("node %d, %s: %.4f s, %.1f %%", row.Node, parts.Names[i], s, 100*float64(ns)/float64(max(row.RunTimeNs, 1))),
				})
			}
			at += s
		}
	}
	return c
}

// operationsChart returns the mean of each operation as a bar of its steps.
func operationsChart(all []analysis.Operation, name func(analysis.Operation) string) chart.Chart {
	c := chart.Chart{Name: "operations", Title: "Mean of each operation, by step", X: TimeAxis("µs", chart.Linear), Y: chart.Axis{Hi: float64(len(all)), Marks: []chart.Tick{}}, Tall: float64(26 * len(all)), Room: 130}
	longest := 0.0
	for _, o := range all {
		longest = max(longest, o.Duration.MeanNs()/1000)
	}
	c.X.Hi = 1.8 * longest // room for the texts
	steps, look := coloured(all)
	for i, step := range steps {
		c.Series = append(c.Series, chart.Series{Name: step, Look: chart.LookOf(i)})
	}
	for k, o := range all {
		lane := float64(len(all) - 1 - k)
		c.Y.Marks = append([]chart.Tick{{Value: lane + 0.5, Text: name(o)}}, c.Y.Marks...)
		at := 0.0
		n := float64(max(o.Duration.Count(), 1))
		for _, step := range o.Stages {
			us := float64(step.SumNs) / n / 1000
			c.Boxes = append(c.Boxes, chart.Box{
				X0: at, X1: at + us, Y0: lane + 0.15, Y1: lane + 0.85, Look: look(step.Stage),
				Hint: fmt.Sprintf("%s, %s: %s on average, %.1f %%", name(o), step.Stage, analysis.Time(1000*us), 100*step.Share),
			})
			at += us
		}
		if len(o.Stages) == 0 {
			c.Boxes = append(c.Boxes, chart.Box{X1: o.Duration.MeanNs() / 1000, Y0: lane + 0.15, Y1: lane + 0.85, Look: chart.LookOf(0)})
			at = o.Duration.MeanNs() / 1000
		}
		c.Boxes = append(c.Boxes, chart.Box{
			X0: at, X1: at, Y0: lane + 0.15, Y1: lane + 0.85,
			Text: fmt.Sprintf("%s, p99 %s, %s times", analysis.Time(o.Duration.MeanNs()), analysis.Time(float64(o.Duration.Percentile(99))), analysis.Digits(o.Duration.Count())),
		})
	}
	return c
}

// coloured names the steps that have a colour of their own, first the one that has the
// largest share of any operation, and returns the looks of steps. All others look alike.
func coloured(all []analysis.Operation) (names []string, look func(step string) chart.Look) {
	const own = 6
	share := map[string]float64{}
	for _, o := range all {
		for _, step := range o.Stages {
			share[step.Stage] = max(share[step.Stage], step.Share)
		}
	}
	names = slices.SortedFunc(maps.Keys(share), func(a, b string) int {
		return cmp.Or(cmp.Compare(share[b], share[a]), cmp.Compare(a, b))
	})
	if len(names) > own+1 {
		names = append(names[:own:own], "other steps")
	}
	return names, func(step string) chart.Look {
		if i := slices.Index(names, step); i >= 0 {
			return chart.LookOf(i)
		}
		return chart.LookOf(own)
	}
}
