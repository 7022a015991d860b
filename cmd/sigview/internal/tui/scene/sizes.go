package scene

import (
	"math"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// SizeAxis returns the visible part of the size axis.
func SizeAxis(s *data.Selection) chart.Axis {
	return chart.Axis{Name: "size, B", Scale: chart.Log2, Lo: float64(s.FromBytes), Hi: float64(s.ToBytes)}
}

// SizeCursor marks the cursor's size. A click moves the cursor to the nearest size
// that has packets.
func (s *Scene) SizeCursor(p Plot) {
	at := s.Sel.SizeBytes
	if cols, _ := s.Sel.Columns(s.Data()); len(cols) > 0 {
		at = cols[s.Sel.Cursor(cols)].SizeHiBytes
	}
	p.Cursor(float64(at))
	p.PointAt(func(x, _ float64) { s.PointSize(x) })
}

func (s *Scene) PointSize(size float64) {
	cols, _ := s.Sel.Columns(s.Data())
	cols = s.Sel.Shown(cols)
	i := lists.Nearest(cols, func(c *analysis.Packets) float64 { return math.Abs(portable.Log(float64(c.SizeHiBytes) / size)) })
	if i >= 0 {
		s.Sel.SizeBytes = cols[i].SizeHiBytes
	}
}

// OverColumns returns the selected packets of the other run.
func (s *Scene) OverColumns() []analysis.Packets {
	o := s.Second()
	if o == nil {
		return nil
	}
	cols, _ := s.Sel.Columns(o)
	return s.Sel.Shown(cols)
}

// SizePoints returns one point in µs for the value in ns of each column.
func SizePoints(cols []analysis.Packets, value func(*analysis.Packets) trace.Opt[float64]) []chart.Point {
	var out []chart.Point
	for i := range cols {
		v := InUs(value(&cols[i]))
		out = append(out, chart.Point{X: float64(cols[i].SizeHiBytes), Y: v.Value, Missing: !v.OK})
	}
	return out
}

// OverSeries returns a latency of the other run by size: as a line that ends where sizes have
// no packets, and as marks where a size has no neighbours.
func OverSeries(cols []analysis.Packets, value func(*analysis.Packets) trace.Opt[float64]) []chart.Series {
	line := chart.Series{Draw: chart.Line, Look: chart.Look{Ink: cell.Second}}
	alone := chart.Series{Draw: chart.Marks, Look: chart.Look{Rune: SecondMark, Ink: cell.Second}}
	points := SizePoints(cols, value)
	next := func(i int) bool { // the size before is its neighbour
		return i > 0 && i < len(cols) && cols[i].SizeLoBytes <= cols[i-1].SizeHiBytes && !points[i].Missing && !points[i-1].Missing
	}
	for i, p := range points {
		if !next(i) {
			line.Points = append(line.Points, chart.Point{Missing: true})
		}
		line.Points = append(line.Points, p)
		if !next(i) && !next(i+1) {
			alone.Points = append(alone.Points, p)
		}
	}
	return []chart.Series{line, alone}
}

// Latencies shows latencies of packets by stage, each in a line. other finds the same
// packets of the run laid over it, if there is one.
func (s *Scene) Latencies(cols []analysis.Packets, stages []trace.Stage, other func(*data.Data, analysis.Packets) (analysis.Packets, bool), beside ...string) analysis.View {
	of := func(p analysis.Packets) analysis.Packets {
		p.Stats = lists.Map(stages, p.Stat)
		return p
	}
	own := analysis.LatenciesView(lists.Map(cols, of))
	o := s.Second()
	if o == nil {
		return own
	}
	var there []analysis.Packets
	at := map[int]int{}
	for i, p := range cols {
		if q, ok := other(o, p); ok {
			at[i] = len(there)
			there = append(there, of(q))
		}
	}
	return own.Beside(analysis.LatenciesView(there), func(row int) int {
		if i, ok := at[row/len(stages)]; ok {
			return i*len(stages) + row%len(stages)
		}
		return -1
	}, beside...)
}

// BySize returns latencies by size beside those of the other run.
func (s *Scene) BySize(cols []analysis.Packets, stages []trace.Stage, beside ...string) analysis.View {
	over := s.OverColumns()
	return s.Latencies(cols, stages, func(_ *data.Data, p analysis.Packets) (analysis.Packets, bool) { return data.Alike(p, over) }, beside...)
}
