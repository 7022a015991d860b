package views

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart/cell"
)

// drawBlocked draws who waited for whom: those that wait on the left, those for whom on the
// right, and the longest waits under them.
func drawBlocked(c *cell.Canvas, d *data.Data) {
	e := d.Explained
	switch {
	case e == nil && d.HasTrace():
		c.Para(1, 1, "Who waited for whom is being read from the trace.", cell.Accent)
		return
	case e == nil || len(e.Graph.Edges) == 0:
		y := c.Para(1, 1, "The trace does not tell who waited for whom.", cell.Strong)
		if e != nil && e.Note != "" {
			y = c.Para(1, y, e.Note+".", cell.Plain)
		}
		if d.Run.Manifest.Real() {
			return // whose hosts have recorded what they could
		}
		c.Para(1, y+1, "A run with --trace=waits tells it exactly: sigview run "+d.Run.Manifest.Workload+" --trace=waits", cell.Accent)
		return
	}
	g := e.Graph
	c.Text(0, 0, "who waited", cell.Strong, 0)
	c.Right(c.W, 0, "for whom", cell.Strong, 0)
	x := (c.W - 40) / 2
	c.Text(max(x, 12), 0, fmt.Sprintf("%s in all, %.1f %% for somebody known", analysis.Time(float64(g.WaitedPs)/1e3), 100*float64(g.WithHolderPs)/float64(max(g.WaitedPs, 1))), cell.Faint, 0)
	rows := min(max(len(g.Waiter), len(g.Holder)), max((c.H-4)*2/5, 3))
	drawEdges(c.Sub(0, 1, c.W, rows*2), g, rows)
	table := c.Sub(0, rows*2+1, c.W, c.H-rows*2-1)
	t := scene.NewGrid(g.View().Pick("waits", "for", "ms", "share", "mostly at"), 0, c.W)
	t.Head(table, 0)
	for i := range g.Edges {
		if i+1 >= table.H {
			table.Right(table.W, table.H-1, fmt.Sprintf(" … %d more", len(g.Edges)-i+1), cell.Faint, 0)
			return
		}
		t.Row(table, 1+i, i, cell.Plain, 0)
	}
}

// drawEdges draws the largest sorts of actors on both sides with lines between them; longer
// waits have denser lines, and those of less than a hundredth of all waiting have none.
func drawEdges(c *cell.Canvas, g spans.Graph, rows int) {
	side := min(40, c.W*3/8)
	names := func(list []spans.Sum, left bool) map[string]int {
		at := map[string]int{}
		for i, s := range list[:min(len(list), rows)] {
			at[s.Name] = i
			text := fmt.Sprintf("%-*.*s %8s", side-10, side-10, s.Name, analysis.Time(float64(s.Ps)/1e3))
			if left {
				c.Text(0, 2*i, text, cell.Source, 0)
				continue
			}
			c.Text(c.W-side+1, 2*i, fmt.Sprintf("%8s %-*.*s", analysis.Time(float64(s.Ps)/1e3), side-10, side-10, s.Name), cell.Dest, 0)
		}
		return at
	}
	from, to := names(g.Waiter, true), names(g.Holder, false)
	field := c.Sub(side, 0, c.W-2*side, c.H)
	dots := cell.NewDots(field)
	w, h := dots.Size()
	per := h / max(field.H, 1)
	middle := func(row int) int { return h - 1 - (2*row*per + per/2) }
	for i := len(g.Edges) - 1; i >= 0; i-- {
		e := g.Edges[i]
		a, left := from[e.Waiter]
		b, right := to[e.Holder]
		if !left || !right {
			continue
		}
		share := float64(e.Ps) / float64(max(g.WaitedPs, 1))
		gap, ink := 4, cell.Faint
		switch {
		case share < 0.01:
			continue
		case share >= 0.1:
			gap, ink = 1, cell.Accent
		case share >= 0.02:
			gap, ink = 2, cell.Plain
		}
		dots.Line(0, middle(a), w-1, middle(b), gap, ink, 0)
		if share >= 0.1 && per > 1 {
			dots.Line(0, middle(a)+1, w-1, middle(b)+1, gap, ink, cell.Bold)
		}
	}
	dots.Paint(field)
}
