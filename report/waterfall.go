package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
)

// difference shows of what the difference of two run times is made, and where that is seen.
func difference(d *causal.Difference, link causal.Link) (out []block) {
	for _, v := range []analysis.View{d.View(), d.PlacesView(link)} {
		if len(v.Rows) > 0 {
			out = append(out, heading(2, v.Title), view(v))
		}
	}
	return out
}

// causesDoc is of what the difference of the run times is made.
type causesDoc struct {
	Text  string        `json:"text"`
	Parts analysis.View `json:"parts"`
}

// Step is by how much one part makes the run time of B longer than that of A, in ns.
type Step struct {
	Name       string
	Diff       float64
	SeeA, SeeB string // as causal.Shift
}

// rest is what all parts that are not told come to.
const rest = "all else"

// mostSteps is how many parts a waterfall of a report tells apart.
const mostSteps = 8

// largest returns the steps from one time to another that matter, so many at the most, the largest first. The last one is what all others come to.
func largest(from, to float64, out []Step, most int) []Step {
	slices.SortStableFunc(out, func(a, b Step) int { return cmp.Compare(math.Abs(b.Diff), math.Abs(a.Diff)) })
	least := math.Abs(to-from) / 100
	n := slices.IndexFunc(out, func(s Step) bool { return math.Abs(s.Diff) < least })
	if n < 0 {
		n = len(out)
	}
	out = out[:min(n, most)]
	left := to - from
	for _, s := range out {
		left -= s.Diff
	}
	if math.Abs(left) >= least && left != 0 {
		out = append(out, Step{Name: rest, Diff: left})
	}
	return out
}

// waterfall draws the way from A's run time to B's, in ns, each part in a line. It is empty if there are none.
func waterfall(from, to float64, steps []Step) chart.Chart {
	if len(steps) == 0 {
		return chart.Chart{}
	}
	lines := len(steps) + 2
	c := chart.Chart{Name: "waterfall", Title: "From the run time of A to that of B", X: TimeAxis("run time, ms", chart.Linear), Y: chart.Axis{Hi: float64(lines), Marks: []chart.Tick{}}, Tall: float64(24 * lines), Room: 30, Lanes: lines}
	box := func(name string, a, b float64, look chart.Look, text string) {
		lane := float64(lines - 1 - len(c.Boxes))
		c.Boxes = append(c.Boxes, chart.Box{X0: min(a, b) / 1e6, X1: max(a, b) / 1e6, Y0: lane + 0.15, Y1: lane + 0.85, Look: look, Text: name + " " + text, Hint: name + " " + text})
	}
	least, most := min(from, to), max(from, to)
	box("A", 0, from, chart.Look{Ink: cell.Plain, Letter: 'A'}, analysis.Time(from))
	at := from
	for _, s := range steps {
		look := chart.Look{Ink: cell.Up, Letter: '+'}
		if s.Diff < 0 {
			look = chart.Look{Ink: cell.Down, Letter: '-'}
		}
		name, _, _ := strings.Cut(s.Name, " from ") // the list says when
		box(strings.ReplaceAll(name, "_", " "), at, at+s.Diff, look, analysis.SignedTime(s.Diff))
		at += s.Diff
		least, most = min(least, at), max(most, at)
	}
	box("B", 0, to, chart.Look{Ink: cell.Plain, Letter: 'B'}, analysis.Time(to))
	// The axis need not begin at 0 where the difference is small, so that the parts are seen.
	span := max(most-least, 1)
	c.X.Lo = max(least-float64(span/4), 0) / 1e6
	c.X.Hi = most/1e6 + float64(1.2*(most/1e6-c.X.Lo)) // room for texts
	for i := range c.Boxes {
		c.Boxes[i].X0 = max(c.Boxes[i].X0, c.X.Lo)
	}
	if c.X.Lo > 0 {
		c.Notes = []string{"the axis does not begin at 0"}
	}
	return c
}
