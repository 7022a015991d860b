package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart/cell"
)

// nodeTable lists the nodes of a program, ordered by any column.
type nodeTable struct {
	column int  // from 1 on; 0: that in which a node stands out
	rising bool // the smallest first
}

func (t *nodeTable) words() []scene.Word {
	return []scene.Word{
		scene.NumberWord("column", "the number of a column, or any", &t.column, 1, 1<<30).Called("any", &t.column, 0),
		scene.ChoiceWord("order", &t.rising, "rising", [2]string{"rising", "falling"}),
	}
}

// nodesOf returns the table of nodes in the order of their numbers.
func nodesOf(s *scene.Scene, d *data.Data) analysis.View {
	return analysis.NodesView(d.Nodes, sharesOf(d, s.Sel.Tag), d.ByNode[s.Sel.Tag], d.StageName)
}

// By returns the column by which nodes are ordered, and whether the smallest come first.
func (t *nodeTable) By(v analysis.View) (column int, rising bool) {
	if t.column > 0 {
		return min(t.column, len(v.Columns)) - 1, t.rising
	}
	most := 0.0
	for i := range v.Columns[1:] {
		if far := outlying(figures(v, 1+i)); math.Abs(far) > most {
			most, column, rising = math.Abs(far), 1+i, far < 0
		}
	}
	return column, rising != t.rising
}

// figures returns the known figures of a column.
func figures(v analysis.View, column int) (out []float64) {
	for _, row := range v.Rows {
		if x, ok := figure(row[column]); ok {
			out = append(out, x)
		}
	}
	return out
}

func figure(c analysis.Cell) (value float64, ok bool) {
	switch x := c.Value.(type) {
	case int:
		return float64(x), true
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// outlying returns by how many usual distances the figure that is farthest from the median is away from it.
func outlying(values []float64) (most float64) {
	if len(values) == 0 {
		return 0
	}
	middle := median(values)
	usual := median(lists.Map(values, func(x float64) float64 { return math.Abs(x - middle) }))
	usual = max(usual, math.Abs(middle)/10, 0.01) // less is the same
	for _, x := range values {
		if far := (x - middle) / usual; math.Abs(far) > math.Abs(most) {
			most = far
		}
	}
	return most
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// listed reports whether a node is among the numbers that the filter names, if it has words.
func listed(s *data.Selection, node string) bool {
	words := strings.Fields(strings.TrimPrefix(s.Filter, "node "))
	return len(words) == 0 || slices.Contains(words, node)
}

// View returns the nodes that the filter names, in their order. Those without a figure come last.
func (t *nodeTable) View(s *scene.Scene) analysis.View {
	v := nodesOf(s, s.Data())
	column, rising := t.By(v)
	v.Rows = lists.Filter(v.Rows, func(r []analysis.Cell) bool { return listed(&s.Sel, r[0].Text) })
	slices.SortStableFunc(v.Rows, func(a, b []analysis.Cell) int {
		x, knownX := figure(a[column])
		y, knownY := figure(b[column])
		switch {
		case knownX != knownY:
			return map[bool]int{true: -1, false: 1}[knownX]
		case x == y:
			return 0
		case (x < y) == rising:
			return -1
		}
		return 1
	})
	return v
}

// Act chooses the column and the order. It returns false for other actions.
func (t *nodeTable) Act(s *scene.Scene, a action.Action) bool {
	dx, _ := a.Steps()
	v := nodesOf(s, s.Data())
	column, rising := t.By(v)
	switch {
	case a == action.TurnOrder:
		rising = !rising
	case a == action.GoLeft || a == action.GoRight:
		column = (column + dx + len(v.Columns)) % len(v.Columns)
	default:
		return false
	}
	t.column, t.rising = column+1, rising
	return true
}

// Ahead is the time of a node, and without a trace the pairs that it sends to.
func (t *nodeTable) Ahead(s *scene.Scene, row int) data.Place {
	rows := t.View(s).Rows
	if len(rows) == 0 {
		return data.Place{}
	}
	node := rows[min(row, len(rows)-1)][0].Text
	if s.Data().HasTrace() {
		return s.Narrowed("timeline", "row="+node, fmt.Sprintf("metric=%d", OfOneNode))
	}
	return s.Narrowed("matrix", "sender="+node, "receiver=0")
}

func (t *nodeTable) Draw(c *cell.Canvas, s *scene.Scene, at *list) {
	v := t.View(s)
	column, rising := t.By(nodesOf(s, s.Data()))
	order := "largest"
	if rising {
		order = "smallest"
	}
	c.Text(0, 0, fmt.Sprintf("Nodes by %s, %s first", v.Columns[column].Name, order)+c.Keys("; ← → choose the column, O the order"), cell.Strong, 0)
	if len(v.Rows) == 0 {
		c.Text(2, 2, "No node has these numbers.", cell.Warn, 0)
		return
	}
	node := at.At(len(v.Rows))
	lines := t.about(s, v, column, v.Rows[node])
	rows := c.H - 2 - len(lines)
	v.Columns[column].Name += map[bool]string{true: " ▲", false: " ▼"}[rising]
	g := nodeGrid(v, column, c.W)
	g.Head(c, 1)
	at.Draw(c, 2, rows, len(v.Rows), "", func(i, y int, chosen bool) {
		ink, attr := here(c, y, chosen)
		g.Row(c, y, i, ink, attr)
	})
	y := c.H - len(lines)
	for i, l := range lines {
		c.Text(2, y+i, l.Text, l.Ink, 0)
	}
}

// nodeGrid lays the table out: if the column by which it is ordered does not fit, columns before it are left out.
func nodeGrid(v analysis.View, column, width int) scene.Grid {
	names := lists.Map(v.Columns, func(k analysis.Column) string { return k.Name })
	for from := 1; ; from++ {
		g := scene.NewGrid(v.Pick(append([]string{names[0]}, names[from:]...)...), 2, width)
		if g.Columns() > column-from+1 || from >= column {
			return g
		}
	}
}

// about says how the node at the cursor differs from the others in a column.
func (t *nodeTable) about(s *scene.Scene, v analysis.View, column int, row []analysis.Cell) []scene.Line {
	name, known := v.Columns[column].Name, figures(nodesOf(s, s.Data()), column)
	text := fmt.Sprintf("node %s: %s %s", row[0].Text, name, row[column].Text)
	if column > 0 && len(known) > 0 {
		text += fmt.Sprintf("; the median of %s is %s", analysis.Plural(len(known), "node"), written(v, column, median(known)))
	}
	lines := []scene.Line{{Text: text, Ink: cell.Accent}}
	if o := s.Second(); o != nil {
		there := nodesOf(s, o)
		at := slices.IndexFunc(there.Rows, func(r []analysis.Cell) bool { return r[0].Text == row[0].Text })
		k := slices.IndexFunc(there.Columns, func(k analysis.Column) bool { return k.Name == name })
		text := "The other run has no such figure."
		if at >= 0 && k >= 0 {
			text = fmt.Sprintf("%c other run: node %s: %s %s", scene.SecondMark, row[0].Text, name, there.Rows[at][k].Text)
		}
		lines = append(lines, scene.Line{Text: text, Ink: cell.Second})
	}
	return append(lines, scene.Line{Text: v.Note, Ink: cell.Faint})
}

// written is how the table writes a figure that is in it.
func written(v analysis.View, column int, value float64) string {
	for _, r := range v.Rows {
		if x, ok := figure(r[column]); ok && x == value {
			return r[column].Text
		}
	}
	return fmt.Sprintf("%.4g", value)
}
