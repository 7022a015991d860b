package scene

import (
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// Grid is a table on a canvas: the columns of a view that people see, as many as there is
// room for.
type Grid struct {
	columns []analysis.Column
	rows    [][]analysis.Cell
	from    []int // columns of the canvas where those of the table begin
	to      []int
}

// NewGrid lays out a view from column x on, up to column end. Columns of numbers are wide
// enough to stay in place when the cursor moves.
func NewGrid(v analysis.View, x, end int) Grid {
	g := Grid{}
	g.columns, g.rows = v.Shown(true)
	for i, c := range g.columns {
		width := cell.Width(c.Name)
		for _, r := range g.rows {
			width = max(width, cell.Width(r[i].Text))
		}
		if i == 0 {
			width = min(width, 24)
		} else if x++; !c.Left {
			width = max(width, 7)
		}
		if i > 0 && x+width > end {
			g.columns = g.columns[:i]
			break
		}
		g.from, g.to = append(g.from, x), append(g.to, x+width)
		x += width
	}
	return g
}

// End returns the column of the canvas after the table.
func (g Grid) End() int { return g.to[len(g.to)-1] }

// Columns returns how many columns of the view there is room for.
func (g Grid) Columns() int { return len(g.columns) }

// Head writes the headings.
func (g Grid) Head(c *cell.Canvas, y int) {
	for i, k := range g.columns {
		g.put(c, i, y, k.Name, g.ink(i, cell.Faint), 0)
	}
}

// Row writes a row of the view. Marks of deviations and figures of another run keep their
// colours.
func (g Grid) Row(c *cell.Canvas, y, row int, ink cell.Ink, attr cell.Attr) {
	for i := range g.columns {
		of, at, look := g.rows[row][i], g.ink(i, ink), attr
		if of.Level != "" {
			_, at = LevelMark(of.Level)
			look |= cell.Bold
		}
		g.put(c, i, y, of.Text, at, look)
	}
}

func (g Grid) ink(i int, own cell.Ink) cell.Ink {
	if strings.HasPrefix(g.columns[i].Name, analysis.OtherMark) {
		return cell.Second
	}
	return own
}

func (g Grid) put(c *cell.Canvas, i, y int, text string, ink cell.Ink, attr cell.Attr) {
	c = c.Sub(g.from[i], y, g.to[i]-g.from[i], 1)
	if g.columns[i].Left {
		c.Text(0, 0, text, ink, attr)
		return
	}
	c.Right(c.W, 0, text, ink, attr)
}

// RowText writes a row of a view with the headings of what people see.
func RowText(v analysis.View, row int) string {
	columns, rows := v.Shown(true)
	var out []string
	for i, c := range columns {
		if row < len(rows) && rows[row][i].Text != "" {
			out = append(out, strings.TrimSpace(c.Name+" "+rows[row][i].Text))
		}
	}
	return strings.Join(out, "; ")
}

// StageRows draws latencies, one in a line, and returns the column after them.
func (s *Scene) StageRows(c *cell.Canvas, y int, v analysis.View) int {
	g := NewGrid(v, 0, c.W)
	g.Head(c, y)
	for i := range g.rows {
		st := trace.Stages()[i]
		g.Row(c, y+1+i, i, StageLooks[st].Ink, BoldIf(st == s.Sel.Stage))
	}
	return g.End()
}

// OfEach returns the rows of the active run and of the one laid over it, each with its
// directory.
func (s *Scene) OfEach(view func(*data.Data) analysis.View) analysis.View {
	var out analysis.View
	for _, d := range s.Shown() {
		v := view(d).Under("run", d.Dir)
		out.Columns, out.Rows = v.Columns, append(out.Rows, v.Rows...)
	}
	return out
}
