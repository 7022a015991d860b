package tui

import (
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// stageLook is how a latency is told from the others: by colour and by shape.
type stageLook struct {
	ink          cell.Ink
	letter       string
	strong, weak rune
}

var stageLooks = [trace.NumStages + 1]stageLook{
	trace.Source:        {cell.Source, "S", '●', '○'},
	trace.LANai:         {cell.LANai, "L", '■', '□'},
	trace.Net:           {cell.Net, "N", '◆', '◇'},
	trace.Dest:          {cell.Dest, "D", '◉', '◌'},
	trace.NetMinusLANai: {cell.Difference, "X", '✚', '✕'},
}

// legend writes the stages with their marks and returns the column after.
func legend(c *cell.Canvas, x, y int, selected trace.Stage) int {
	for _, st := range trace.Stages() {
		k := stageLooks[st]
		attr := cell.Attr(0)
		if st == selected {
			attr = cell.Bold | cell.Under
		}
		from := x
		c.Set(x, y, k.strong, k.ink, 0)
		x = c.Text(x+2, y, analysis.StageName(st), k.ink, attr) + 2
		c.Zone(from, y, x-from-1, 1, st)
	}
	return x
}

// levelMark is a deviation's sign and colour.
func levelMark(l analysis.Level) (rune, cell.Ink) {
	switch l {
	case analysis.Above:
		return '▲', cell.Up
	case analysis.Below:
		return '▼', cell.Down
	case analysis.Within:
		return '=', cell.Faint
	}
	return '?', cell.Faint
}

// strip marks where a latency stands against its baseline, size by size.
func strip(c *cell.Canvas, x0, y int, x axis, cols []column, st trace.Stage) {
	rank := map[analysis.Level]int{analysis.Unclear: 1, analysis.Within: 2, analysis.Below: 3, analysis.Above: 4}
	best := make([]int, x.n)
	for _, col := range cols {
		at, ok := x.at(float64(col.SizeHiBytes))
		s := col.stats[st]
		if !ok || s.Count == 0 || !s.DeviationNs.OK {
			continue
		}
		l := analysis.LevelOf(s)
		if rank[l] <= best[at] {
			continue
		}
		best[at] = rank[l]
		r, ink := levelMark(l)
		c.Set(x0+at, y, r, ink, 0)
	}
}
