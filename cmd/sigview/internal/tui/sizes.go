package tui

import (
	"github.com/sigview/sigview/chart"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// sizePanel draws the frame of a plot over the part of the size axis that is
// shown.
func (s *Selection) sizePanel(c *cell.Canvas, head string, y chart.Axis) panel {
	x := chart.Axis{Scale: chart.Log2, Lo: float64(s.FromBytes), Hi: float64(s.ToBytes)}
	return newPanel(c, head, x, y)
}

// sizeCursor marks the cursor's size where nothing else is drawn. Pointing at
// the plot takes the cursor to the nearest size that has packets.
func (s *Scene) sizeCursor(p panel) {
	p.cursor(p.column(float64(s.Sel.SizeBytes)))
	p.field.Zone(0, 0, p.field.W, p.field.H, pointed(func(dx, _ int) { s.pointSize(p, dx) }))
}

func (s *Scene) pointSize(p panel, dx int) {
	cols, _ := s.Sel.columns(s.data())
	cols = s.Sel.shown(cols)
	i := nearest(cols, func(c *column) float64 { return far(int64(p.x.Clamp(float64(c.SizeHiBytes), p.field.W)), int64(dx)) })
	if i >= 0 {
		s.Sel.SizeBytes = cols[i].SizeHiBytes
	}
}

// overColumns are the same packets of the run laid over.
func (s *Scene) overColumns() []column {
	o := s.over()
	if o == nil {
		return nil
	}
	cols, _ := s.Sel.columns(o)
	return s.Sel.shown(cols)
}

// sizeCurve joins the values of columns, in ns, by a line of dots.
func sizeCurve(dots *cell.Dots, p panel, cols []column, gap int, ink cell.Ink, value func(*column) trace.Opt[float64]) {
	line := p.pen(dots, gap, ink)
	for i := range cols {
		v := inUs(value(&cols[i]))
		_, v.OK = p.y.Part(v.Value)
		line.to(float64(cols[i].SizeHiBytes), v)
	}
}

// overRecord is what the run laid over has in the same place, for a file:
// packets, mean, and the difference from it.
func (s *Scene) overRecord(st trace.Stat, find func(o *Data) (column, bool)) []any {
	o := s.over()
	if o == nil {
		return []any{"", "", ""}
	}
	col, ok := find(o)
	if !ok {
		return []any{0, "", ""}
	}
	other := col.stats[st.Stage]
	return []any{other.Count, other.MeanNs, less(st.MeanNs, other.MeanNs)}
}
