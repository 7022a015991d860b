package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// OverviewView shows a run at a glance: its story, the mean way of its packets, the run time
// of its nodes, its phases, and its findings, the worst first; or its nodes one by one.
type OverviewView struct {
	ofRuns
	List  list // of findings or nodes; of the split its lines
	Shows Choice
	Nodes nodeTable
	split bool // shows the split of a tested cause instead
}

// What the overview shows.
const (
	atAGlance = iota
	nodeByNode
)

var overviewShows = []string{"the run at a glance", "nodes one by one"}

func (v *OverviewView) Words() []scene.Word {
	return append([]scene.Word{v.List.word(), v.Shows.word(overviewShows), scene.ChoiceWord("split", &v.split, "on", scene.OnOff)}, v.Nodes.words()...)
}

func (v *OverviewView) Keys() []action.Action {
	if v.Shows.Of(overviewShows) == nodeByNode {
		return []action.Action{action.Enter, action.NextMetric, action.TurnOrder}
	}
	return []action.Action{action.Enter, action.NextMetric}
}

func (*OverviewView) Obeys(*scene.Scene) scene.Settings { return scene.OfTag | scene.OfFilter }

// Crumb names the step of a trail at which nodes are shown.
func (v *OverviewView) Crumb() string {
	if v.Shows.Of(overviewShows) == nodeByNode {
		return "nodes"
	}
	return ""
}

// Act moves through the findings or the nodes. Enter leads to where the one at the cursor is to be
// seen; to the signature if there is none.
func (v *OverviewView) Act(s *scene.Scene, a action.Action) bool {
	if a == action.NextMetric {
		v.List.Row, v.split = 0, false
		return v.Shows.next(s, overviewShows)
	}
	if x := s.Data().Tested; v.split && x != nil {
		return v.List.Act(a, len(split(x, 60, cell.ASCII)))
	}
	nodes := v.Shows.Of(overviewShows) == nodeByNode
	switch {
	case a == action.Enter:
		place := v.Ahead(s)
		if place.View != "" {
			s.Lead(place)
		} else if !nodes {
			s.Note = "The longest waits are spread over the run, so that no single time shows this."
		}
		return true
	case nodes:
		return v.Nodes.Act(s, a) || v.List.Act(a, len(v.Nodes.View(s).Rows))
	}
	return v.List.Act(a, len(Found(s)))
}

// Found returns the findings that have the words of the filter.
func Found(s *scene.Scene) []data.Finding {
	return lists.Filter(s.Data().Findings, func(f data.Finding) bool { return s.Sel.Lists(f.Grade.String() + " " + f.Brief + " " + f.Text()) })
}

// Ahead is where the finding or the node at the cursor is to be seen; the signature if there is none.
func (v *OverviewView) Ahead(s *scene.Scene) data.Place {
	if v.Shows.Of(overviewShows) == nodeByNode {
		return v.Nodes.Ahead(s, v.List.Row)
	}
	found := Found(s)
	if len(found) == 0 {
		return data.Place{View: "signature"}
	}
	return found[v.List.At(len(found))].Place
}

// Heights of the parts of the overview.
const (
	wayHeight     = 7 // of the way of one class
	leastFindings = 5 // lines for findings
)

func (v *OverviewView) Draw(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	if v.split {
		v.drawSplit(c, d)
		return
	}
	if v.Shows.Of(overviewShows) == nodeByNode {
		v.Nodes.Draw(c, s, &v.List)
		return
	}
	y := c.Sub(0, 0, c.W, 4).Para(1, 0, d.Diagnosis.Story(d.Run.Manifest.Program)+".", cell.Strong)
	if o := s.Second(); o != nil {
		text := fmt.Sprintf("%c other run, %s against %s: %s.", scene.SecondMark, runTime(o), runTime(d), o.Diagnosis.Story(o.Run.Manifest.Program))
		y += c.Sub(0, y, c.W, 3).Para(1, 0, text, cell.Second)
	}
	phases := d.PhaseLines()
	room := c.H - y - len(phases) - leastFindings
	if left := c.W; room >= wayHeight {
		spare := room - len(d.Findings) // of a screen that has all findings
		ways := max(min(room/wayHeight, c.H/16), min(spare/wayHeight, len(report.WayCharts(d.Signature, s.Sel.Tag))), 1)
		if right := c.W * 2 / 5; c.W >= 76 {
			left -= right
			DrawNodeTimes(c.Sub(left, y, right, ways*wayHeight), d, s.Sel.Tag)
		}
		drawWays(c.Sub(0, y, left-1, ways*wayHeight), d, s.Sel.Tag)
		y += ways * wayHeight
	}
	d.DrawPhases(c.Sub(0, y, c.W, len(phases)), phases)
	y += len(phases)
	v.drawFindings(c.Sub(0, y, c.W, c.H-y), s)
}

func (v *OverviewView) Findings(s *scene.Scene) []scene.Section {
	return append(v.ofRuns.Findings(s), scene.Section{Head: "Of the trace", Items: data.Causes(s.Data().Explained)})
}

func runTime(d *data.Data) string { return analysis.Time(float64(d.Run.Manifest.RunTimeNs())) }

// drawSplit shows by which resource the times of a run are, as runs have tested.
func (v *OverviewView) drawSplit(c *cell.Canvas, d *data.Data) {
	if d.Tested == nil {
		c.Para(1, 0, "The cause has not been tested: W runs the program with each resource free.", cell.Plain)
		return
	}
	scene.Reading{Lines: split(d.Tested, c.W-2, c.Glyphs), Columns: 1}.Draw(c, viewport.Model{YOffset: v.List.Row})
}

// drawWays draws the ways of the classes whose deviations cost most.
func drawWays(c *cell.Canvas, d *data.Data, tag trace.Tag) {
	costs := map[string]float64{}
	for _, f := range d.Diagnosis.Findings {
		if f.Tag == tag && f.Level == analysis.Above && !f.Weak {
			costs["way-"+f.Class] += f.Cost()
		}
	}
	ways := report.WayCharts(d.Signature, tag)
	slices.SortStableFunc(ways, func(a, b chart.Chart) int { return cmp.Compare(costs[b.Name], costs[a.Name]) })
	const text = 26 // columns for the text of the last stage
	for i, w := range ways[:min(len(ways), c.H/wayHeight)] {
		end := 0.0
		for _, b := range w.Boxes {
			end = max(end, b.X1)
		}
		room := float64(c.W - chart.AxisWidth)
		w.X.Name, w.X.Hi = "µs", end*room/max(room-text, 8)
		if c.W > 72 {
			w.X.Name += " since T1; " + strings.Join(w.Notes, "; ")
		}
		w.Draw(c.Sub(0, i*wayHeight, c.W, wayHeight), chart.Style{Letters: true})
	}
	if len(ways) == 0 {
		c.Para(1, 0, "No way of packets can be shown. "+noSignature(d), cell.Faint)
	}
}

// drawFindings lists the findings, and below them says all of the one at the cursor.
func (v *OverviewView) drawFindings(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	found := Found(s)
	head := "Findings, worst first"
	if c.W > 100 {
		head += ": share of the run time or, where only seen, what all packets wait together"
	}
	if d.Explained == nil && d.HasTrace() {
		head += "; the trace is not read yet"
	}
	c.Text(0, 0, head, cell.Strong, 0)
	if e := d.Explained; e != nil && e.Note != "" && d.WaitRows() > 0 {
		c.Text(0, 1, "Causes are not shown: "+e.Note+".", cell.Warn, 0)
		c = c.Sub(0, 1, c.W, c.H-1)
	}
	if len(found) == 0 {
		text := d.Diagnosis.Summary[0]
		if len(d.Findings) > 0 {
			text = "No finding has these words."
		}
		c.Sub(0, 1, c.W, c.H-1).Para(2, 0, text, cell.Faint)
		return
	}
	at := found[v.List.At(len(found))]
	detail := cell.Wrap(at.Text(), c.W-3)
	rows := max(c.H-1-len(detail), min(len(found), (c.H-1)/2), 1)
	rows = min(rows, len(found))
	v.List.Draw(c, 1, rows, len(found), s.Sel.Filter, func(i, y int, at bool) {
		ink, attr := here(c, y, at)
		x := c.Text(2, y, fmt.Sprintf("%-10v %10s  ", found[i].Grade, found[i].Worth()), ink, attr)
		c.Text(x, y, found[i].Brief, ink, attr)
	})
	c.Sub(0, 1+rows, c.W, c.H-1-rows).Para(2, 0, at.Text(), cell.Plain)
}

func (v *OverviewView) Table(s *scene.Scene) analysis.View {
	if v.Shows.Of(overviewShows) == nodeByNode {
		return v.Nodes.View(s)
	}
	return s.OfEach(func(d *data.Data) analysis.View { return findingsView(d.Findings) })
}

// Row is the finding or the node at the cursor.
func (v *OverviewView) Row(s *scene.Scene) string {
	switch found := Found(s); {
	case v.split:
		return ""
	case v.Shows.Of(overviewShows) == nodeByNode:
		nodes := v.Nodes.View(s)
		return scene.RowText(nodes, v.List.At(len(nodes.Rows)))
	case len(found) > 0:
		f := found[v.List.At(len(found))]
		return fmt.Sprintf("%v %s: %s. %s", f.Grade, f.Worth(), f.Brief, f.Text())
	}
	return ""
}
