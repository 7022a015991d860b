package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/sweep"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/trace"
)

// Pictures are small charts of the same kind, in rows.
type Pictures struct {
	Title string
	Rows  [][]chart.Chart
}

// perRow is the most small charts beside each other, and wide the width of one by their number, in pixels.
const perRow = 3

var wide = [perRow + 1]float64{1: 620, 2: 380, 3: 250}

// SweepPictures returns, for each program on a platform, run times over nodes and over size, and
// the latencies of each layer.
func SweepPictures(s sweep.Sweep) []Pictures {
	var out []Pictures
	for _, cells := range s.Platforms() {
		where := fmt.Sprintf("%s on %s", cells[0].Workload, cells[0].Platform)
		for _, p := range []Pictures{
			runTimes(cells, where+": run time over nodes", overNodes),
			runTimes(cells, where+": run time over "+sizeName(cells), overSize),
			stagesOf(cells, where),
		} {
			if len(p.Rows) > 0 {
				out = append(out, p)
			}
		}
	}
	return out
}

// way is an axis of small charts, and what is the same in each.
type way struct {
	axis func([]sweep.Cell) chart.Axis
	x    func(sweep.Cell) float64
	same func(sweep.Cell) int64
	name func(sweep.Cell) string // of a chart
}

var overNodes = way{
	axis: func(cells []sweep.Cell) chart.Axis {
		return marked("nodes", cells, func(c sweep.Cell) float64 { return float64(c.Nodes) })
	},
	x:    func(c sweep.Cell) float64 { return float64(c.Nodes) },
	same: func(c sweep.Cell) int64 { return c.Size.N },
	name: func(c sweep.Cell) string {
		switch {
		case c.Size.N == 0:
			return "run time"
		case c.Size.Bytes:
			return c.Size.String()
		}
		return "size " + c.Size.String()
	},
}

var overSize = way{
	axis: func(cells []sweep.Cell) chart.Axis {
		name := sizeName(cells)
		if name == "message size" {
			name += ", B"
		}
		return marked(name, cells, func(c sweep.Cell) float64 { return float64(c.Size.N) })
	},
	x:    func(c sweep.Cell) float64 { return float64(c.Size.N) },
	same: func(c sweep.Cell) int64 { return c.Nodes },
	name: func(c sweep.Cell) string { return fmt.Sprintf("%d nodes", c.Nodes) },
}

// marked is an axis with a tick at each value that was run.
func marked(name string, cells []sweep.Cell, x func(sweep.Cell) float64) chart.Axis {
	a := chart.Axis{Name: name, Scale: chart.Log2}
	for _, v := range distinct(cells, x) {
		a.Marks = append(a.Marks, chart.Tick{Value: v, Text: strconv.FormatFloat(v, 'f', -1, 64)})
	}
	return a
}

// sizeName says what sizes are of.
func sizeName(cells []sweep.Cell) string {
	if slices.ContainsFunc(cells, func(c sweep.Cell) bool { return c.Size.Bytes }) {
		return "message size"
	}
	return "problem size"
}

// distinct returns the values of cells, each once and in order.
func distinct[T cmp.Ordered](cells []sweep.Cell, of func(sweep.Cell) T) []T {
	var out []T
	for _, c := range cells {
		out = append(out, of(c))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// series names the curve of a cell among run times.
func series(c sweep.Cell) string {
	if c.Uncontended == "" {
		return c.Layer
	}
	return c.Layer + ", " + c.Uncontended + " free"
}

// runTimes returns small charts of run time, with a curve for each layer. All have the same
// axes. There are none if the axis has one value.
func runTimes(cells []sweep.Cell, title string, w way) Pictures {
	p := Pictures{Title: title}
	if len(distinct(cells, w.x)) < 2 {
		return p
	}
	names := distinct(cells, series)
	var charts []chart.Chart
	for _, same := range distinct(cells, w.same) {
		c := chart.Chart{Name: fileName(title, same), X: w.axis(cells), Y: TimeAxis("ms", chart.Log10)}
		for i, name := range names {
			var points []chart.Point
			for _, cell := range cells {
				if series(cell) == name && w.same(cell) == same && len(cell.Runs) > 0 {
					c.Title = w.name(cell)
					points = append(points, timePoint(w.x(cell), cell))
				}
			}
			sortPoints(points)
			c.Series = append(c.Series, curve(i, name, points))
		}
		charts = append(charts, c)
	}
	p.Rows = rowsOf(charts)
	return p
}

func timePoint(x float64, c sweep.Cell) chart.Point {
	const ms = 1e6
	p := chart.Point{X: x, Y: c.RunTime.Value / ms, N: float64(len(c.Runs))}
	p.Hint = fmt.Sprintf("%s, %d nodes, size %v: %s, %d runs", series(c), c.Nodes, c.Size, analysis.Time(1e6*p.Y), len(c.Runs))
	if c.RunTime.Lo.OK {
		p.Lo, p.Hi = c.RunTime.Lo.Value/ms, c.RunTime.Hi.Value/ms
	}
	return p
}

func sortPoints(points []chart.Point) {
	slices.SortFunc(points, func(a, b chart.Point) int { return cmp.Compare(a.X, b.X) })
}

// stagesOf returns a small chart for each layer with nothing free: the mean latencies of its
// packets over size on the most nodes or, if there is one size, over nodes.
func stagesOf(all []sweep.Cell, where string) Pictures {
	w := overSize
	most := slices.Max(distinct(all, w.same))
	p := Pictures{Title: fmt.Sprintf("%s: mean latencies over %s, %d nodes", where, sizeName(all), most)}
	cells := slices.DeleteFunc(slices.Clone(all), func(c sweep.Cell) bool { return c.Uncontended != "" || c.Nodes != most })
	if len(distinct(cells, w.x)) < 2 {
		w = overNodes
		p.Title = where + ": mean latencies over nodes"
		cells = slices.DeleteFunc(slices.Clone(all), func(c sweep.Cell) bool { return c.Uncontended != "" })
		if len(distinct(cells, w.x)) < 2 || len(distinct(cells, w.same)) > 1 {
			return Pictures{}
		}
	}
	var charts []chart.Chart
	for _, layer := range distinct(cells, func(c sweep.Cell) string { return c.Layer }) {
		c := chart.Chart{Name: fileName(p.Title, layer), Title: layer, X: w.axis(cells), Y: TimeAxis("µs", chart.Log10)}
		for _, stage := range trace.RecordedStages() {
			line := chart.Series{Name: analysis.StageName(stage, analysis.Modelled), Look: StageLook(stage, analysis.Modelled), Draw: chart.Marks | chart.Line | chart.Intervals}
			for _, cell := range cells {
				e, ok := cell.Stage(stage)
				if cell.Layer != layer || !ok {
					continue
				}
				at := chart.Point{X: w.x(cell), Y: e.Value / 1000, N: float64(e.N)}
				if e.Lo.OK {
					at.Lo, at.Hi = e.Lo.Value/1000, e.Hi.Value/1000
				}
				line.Points = append(line.Points, at)
			}
			sortPoints(line.Points)
			c.Series = append(c.Series, line)
		}
		if !c.Empty() {
			charts = append(charts, c)
		}
	}
	p.Rows = rowsOf(charts)
	return p
}

// rowsOf gives charts the same axes and divides them into rows of about the same length. Only
// the first of a row has a key.
func rowsOf(charts []chart.Chart) [][]chart.Chart {
	if len(charts) == 0 {
		return nil
	}
	rows := (len(charts) + perRow - 1) / perRow
	n := (len(charts) + rows - 1) / rows
	x, y := chart.Extent{Scale: charts[0].X.Scale}, chart.Extent{Scale: charts[0].Y.Scale}
	for i := range charts {
		for _, s := range charts[i].Series {
			for _, p := range s.Points {
				x.Add(p.X)
				y.Add(p.Y)
			}
		}
	}
	for i := range charts {
		charts[i].X, charts[i].Y = x.Tight(charts[i].X), y.Axis(charts[i].Y)
		charts[i].Wide = wide[n]
		charts[i].Keyless = i%n > 0
	}
	return slices.Collect(slices.Chunk(charts, n))
}

// fileName returns a name for a chart that is safe in a file name.
func fileName(title string, of any) string {
	return unsafe.ReplaceAllString(strings.ToLower(fmt.Sprintf("%s-%v", title, of)), "_")
}
