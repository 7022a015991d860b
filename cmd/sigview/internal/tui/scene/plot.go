package scene

import (
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// Plot is the field of a chart with additions of the views.
type Plot struct{ *chart.Field }

// Level draws a broken line across the empty cells of a row, in each step-th of them.
func (p Plot) Level(at trace.Opt[float64], step int, ink cell.Ink) {
	if _, ok := p.Y.Part(at.Value); !at.OK || !ok {
		return
	}
	row := p.Row(at.Value)
	for x := 0; x < p.W; x += step {
		if p.At(x, row).R == ' ' {
			p.Set(x, row, '┄', ink, 0)
		}
	}
}

// Cursor draws a line through the empty cells of a column.
func (p Plot) Cursor(x float64) {
	if _, ok := p.X.Part(x); !ok {
		return
	}
	for row := range p.H {
		if p.At(p.Column(x), row).R == ' ' {
			p.Set(p.Column(x), row, '┊', cell.Accent, 0)
		}
	}
}

// PointAt says what a click on the field does, by the values at the place.
func (p Plot) PointAt(do func(x, y float64)) {
	part := func(i, n int) float64 { return float64(i) / float64(max(n-1, 1)) }
	p.Zone(0, 0, p.W, p.H, action.Pointed(func(dx, dy int) { do(p.X.Value(part(dx, p.W)), p.Y.Value(1-part(dy, p.H))) }))
}

// Bar draws a horizontal bar, its length in eighths of a cell.
func Bar(c *cell.Canvas, x, y, eighths int, ink cell.Ink) {
	for ; eighths > 0 && x < c.W; x++ {
		c.Set(x, y, c.Glyphs.LeftBar(min(eighths, 8)), ink, 0)
		eighths -= 8
	}
}

func InUs(v trace.Opt[float64]) trace.Opt[float64] {
	v.Value /= 1000
	return v
}

// TwoPanes is the width from which a view stands beside the place that enter leads to.
const TwoPanes = 140

// SecondMark marks a value of the run laid over.
const SecondMark = '+'
