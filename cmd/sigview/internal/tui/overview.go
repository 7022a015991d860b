package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// overviewView shows a run at a glance: its story, the mean way of its packets, the run time
// of its nodes, its phases, and its findings, the worst first.
type overviewView struct {
	ofRuns
	list  list // of findings; of the split its lines
	split bool // shows the split of a tested cause instead
}

func (v *overviewView) words() []word {
	return []word{v.list.word(), choiceWord("split", &v.split, "on", onOff)}
}

func (*overviewView) keys() []action        { return []action{enter} }
func (*overviewView) obeys(*Scene) settings { return ofTag }

// update moves through the findings. Enter leads to where the one at the cursor is to be
// seen; to the signature if there is none.
func (v *overviewView) update(s *Scene, a action) bool {
	if x := s.data().tested; v.split && x != nil {
		return v.list.update(a, len(split(x, 60, cell.ASCII)))
	}
	found := s.data().findings
	if a != enter {
		return v.list.update(a, len(found))
	}
	place := v.ahead(s)
	if place.View == "" {
		s.Note = "The longest waits are spread over the run, so that no single time shows this."
		return true
	}
	s.lead(place)
	return true
}

// ahead is where the finding at the cursor is to be seen; the signature if there is none.
func (v *overviewView) ahead(s *Scene) Place {
	found := s.data().findings
	if len(found) == 0 {
		return Place{View: "signature"}
	}
	return found[v.list.at(len(found))].place
}

// Heights of the parts of the overview.
const (
	wayHeight     = 7 // of the way of one class
	leastFindings = 5 // lines for findings
)

func (v *overviewView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	if v.split {
		v.drawSplit(c, d)
		return
	}
	y := c.Sub(0, 0, c.W, 4).Para(1, 0, d.Diagnosis.Story(d.Run.Manifest.Program)+".", cell.Strong)
	if o := s.over(); o != nil {
		text := fmt.Sprintf("%c other run, %s against %s: %s.", secondMark, runTime(o), runTime(d), o.Diagnosis.Story(o.Run.Manifest.Program))
		y += c.Sub(0, y, c.W, 3).Para(1, 0, text, cell.Second)
	}
	phases := d.phaseLines()
	room := c.H - y - len(phases) - leastFindings
	if left := c.W; room >= wayHeight {
		spare := room - len(d.findings) // of a screen that has all findings
		ways := max(min(room/wayHeight, c.H/16), min(spare/wayHeight, len(report.WayCharts(d.Signature, s.Sel.Tag))), 1)
		if right := c.W * 2 / 5; c.W >= 76 {
			left -= right
			drawNodeTimes(c.Sub(left, y, right, ways*wayHeight), d, s.Sel.Tag)
		}
		drawWays(c.Sub(0, y, left-1, ways*wayHeight), d, s.Sel.Tag)
		y += ways * wayHeight
	}
	d.drawPhases(c.Sub(0, y, c.W, len(phases)), phases)
	y += len(phases)
	v.drawFindings(c.Sub(0, y, c.W, c.H-y), s)
}

func (v *overviewView) findings(s *Scene) []section {
	return append(v.ofRuns.findings(s), section{"Of the trace", causes(s.data().explained)})
}

func runTime(d *Data) string { return analysis.Time(float64(d.Run.Manifest.RunTimeNs())) }

// drawSplit shows by which resource the times of a run are, as runs have tested.
func (v *overviewView) drawSplit(c *cell.Canvas, d *Data) {
	if d.tested == nil {
		c.Para(1, 0, "The cause has not been tested: W runs the program with each resource free.", cell.Plain)
		return
	}
	reading{split(d.tested, c.W-2, c.Glyphs), 1}.draw(c, viewport.Model{YOffset: v.list.row})
}

// drawWays draws the ways of the classes whose deviations cost most.
func drawWays(c *cell.Canvas, d *Data, tag trace.Tag) {
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
		c.Para(1, 0, "No way of packets can be shown. "+d.noSignature(), cell.Faint)
	}
}

// drawFindings lists the findings, and below them says all of the one at the cursor.
func (v *overviewView) drawFindings(c *cell.Canvas, s *Scene) {
	d := s.data()
	found := d.findings
	head := "Findings, worst first"
	if c.W > 100 {
		head += ": share of the run time or, where only seen, what all packets wait together"
	}
	if d.explained == nil && d.hasTrace() {
		head += "; the trace is not read yet"
	}
	c.Text(0, 0, head, cell.Strong, 0)
	if len(found) == 0 {
		c.Sub(0, 1, c.W, c.H-1).Para(2, 0, d.Diagnosis.Summary[0], cell.Faint)
		return
	}
	at := found[v.list.at(len(found))]
	detail := cell.Wrap(at.text(), c.W-3)
	rows := max(c.H-1-len(detail), min(len(found), (c.H-1)/2), 1)
	rows = min(rows, len(found))
	v.list.draw(c, 1, rows, len(found), func(i, y int, at bool) {
		ink, attr := here(c, y, at)
		x := c.Text(2, y, fmt.Sprintf("%-10v %9s  ", found[i].grade, found[i].worth()), ink, attr)
		c.Text(x, y, found[i].brief, ink, attr)
	})
	c.Sub(0, 1+rows, c.W, c.H-1-rows).Para(2, 0, at.text(), cell.Plain)
}

func (v *overviewView) table(s *Scene) analysis.View {
	return s.ofEach(func(d *Data) analysis.View { return findingsView(d.findings) })
}
