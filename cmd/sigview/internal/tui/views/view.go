package views

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// View is one of the views that number keys lead to. It keeps the state that it
// alone needs; what all views share is in the Scene. Only the words and keys of a
// view without a subject are used.
type View interface {
	Subject(s *scene.Scene) Subject
	// header names the subject, in line 0 from column x on.
	Header(c *cell.Canvas, x int, s *scene.Scene)
	// about says more of a subject that is no run.
	About(s *scene.Scene) string
	// obeys returns the settings of the selection that change the body. Line 2 shows
	// these, and that others do not apply.
	Obeys(s *scene.Scene) scene.Settings
	// draw draws the body and changes nothing.
	Draw(c *cell.Canvas, s *scene.Scene)
	// update does an action that means something in this view. It returns false for
	// other actions.
	Act(s *scene.Scene, a action.Action) bool
	// keys lists the actions that only some views have.
	Keys() []action.Action
	// words returns the settings of the view that can be written as text.
	Words() []scene.Word
	// table returns the data of the picture, for a CSV file.
	Table(s *scene.Scene) analysis.View
	// findings returns the text about the subject.
	Findings(s *scene.Scene) []scene.Section
	// dirs returns the directories of the subject.
	Dirs(s *scene.Scene) []string
}

// Subject is what a view is about.
type Subject int

const (
	Nothing Subject = iota
	ARun
	AMeasurement
)

// BodyHeight is the height between header and footer.
func BodyHeight(height int) int { return height - 5 }

// ofRuns is what views of runs have in common. It has no words, and obeys no setting.
type ofRuns struct{}

func (ofRuns) Words() []scene.Word               { return nil }
func (ofRuns) About(*scene.Scene) string         { return "" }
func (ofRuns) Obeys(*scene.Scene) scene.Settings { return 0 }

func (ofRuns) Subject(s *scene.Scene) Subject {
	if s.Data() == nil {
		return Nothing
	}
	return ARun
}

func (ofRuns) Header(c *cell.Canvas, x int, s *scene.Scene) {
	d := s.Data()
	text, ink := Verdict(d)
	x = c.Text(x, 0, d.Run.Manifest.Title(), cell.Strong, 0)
	x = c.Text(x, 0, "  "+text, ink, 0)
	if o := s.Second(); o != nil {
		x = c.Text(x, 0, "  over "+o.Dir, cell.Second, 0)
	}
	if room := c.W - x - 2; room > 8 {
		dir := []rune(d.Dir)
		if len(dir) > room {
			dir = append([]rune("…"), dir[len(dir)-room+1:]...)
		}
		c.Right(c.W, 0, string(dir), cell.Faint, 0)
	}
}

func (ofRuns) Findings(s *scene.Scene) []scene.Section {
	d := s.Data()
	m := d.Run.Manifest
	what := fmt.Sprintf("%s; %s packets that carry a host request in %s of simulated time.", m.Verification, analysis.Digits(m.Packets), analysis.Instant(m.SimulatedNs))
	switch {
	case m.Detail == trace.DetailSampled:
		what = fmt.Sprintf("%s; %s packets in full that carry a host request, %s by estimate.", m.Verification, analysis.Digits(m.Packets), analysis.Instant(m.SimulatedNs))
	case m.Captured():
		what = fmt.Sprintf("%s; %s packets with data in %s.", m.Verification, analysis.Digits(m.Packets), analysis.Instant(m.SimulatedNs))
	case m.Real():
		what = fmt.Sprintf("%s; %s messages in %s.", m.Verification, analysis.Digits(m.Packets), analysis.Instant(m.SimulatedNs))
	}
	return []scene.Section{
		{Head: "What deviates", Items: scene.Summary(&s.Sel, d)},
		{Head: "Found while the program ran", Items: analysis.OnlineLines(d.Run.Online)},
		{Head: "Warnings", Items: d.Diagnosis.Warnings},
		{Head: "The run", Items: []string{
			what,
			"The baseline is of " + analysis.Basis(d.Signature.ByClass()) + ".",
			fmt.Sprintf("sigview %s, platform digest %s, specification %s", m.ToolVersion, m.Platform.Digest, m.Spec),
		}},
	}
}

func (ofRuns) Dirs(s *scene.Scene) []string {
	var out []string
	for _, d := range []*data.Data{s.Second(), s.Data()} {
		if d != nil {
			out = append(out, d.Dir)
		}
	}
	return out
}

// Verdict says whether the result of a run is reliable.
func Verdict(d *data.Data) (string, cell.Ink) {
	switch {
	case d.Dir == data.LiveName:
		return "in progress", cell.Warn
	case d.Partial:
		return "CUT OFF", cell.Warn
	case !d.Run.Manifest.Verified:
		return "RESULT NOT VERIFIED", cell.Warn
	case d.Run.Manifest.Captured():
		return "captured", cell.Faint
	}
	return "verified", cell.Faint
}

// noSignature says why there are no packets.
func noSignature(d *data.Data) string {
	if d.Run.Manifest.Detail == trace.DetailFast {
		return "This run holds no packets: it was made with --detail fast, where messages have only costs. Run it with --detail full."
	}
	if len(d.Signature.Rows) == 0 {
		return "This run holds no signature: the monitor was not part of the firmware. Run it with --monitor full."
	}
	return "Press a to select all packets."
}

// untraced says how to record what a run without a trace lacks.
func untraced(d *data.Data, c *cell.Canvas, what string) {
	if d.Broken {
		c.Para(1, 1, "The trace of this run cannot be read; w shows why.", cell.Warn)
		return
	}
	if d.HasTrace() {
		c.Para(1, 1, "The trace of this run is still being read.", cell.Accent)
		return
	}
	if n := len(d.Run.Manifest.Seeds); n > 1 {
		y := c.Para(1, 1, fmt.Sprintf("This is the mean of %d runs, which has no %s.", n, what), cell.Strong)
		c.Para(1, y+1, "Each of them has, if it was made with --trace: they are the directories in "+d.Dir+".", cell.Plain)
		return
	}
	y := c.Para(1, 1, "This run was not traced, so it holds no "+what+".", cell.Strong)
	if d.Run.Manifest.Real() {
		return // whose hosts have recorded what they could
	}
	y = c.Para(1, y+1, "A run with --trace has them:", cell.Plain)
	c.Para(4, y+1, "sigview run "+d.Run.Manifest.Workload+" --trace", cell.Accent)
}

// withoutBaseline switches the baseline in a view that cannot draw one.
func withoutBaseline(s *scene.Scene, what string) bool {
	s.Sel.NoBaseline = !s.Sel.NoBaseline
	s.Note = "A baseline has mean latencies but no " + what + ", so it cannot be drawn here. v lays another run over."
	return true
}

// Choice is the index of the figure that a view shows.
type Choice int

func (m *Choice) Of(names []string) int { return min(max(int(*m), 0), len(names)-1) }

func (m *Choice) next(s *scene.Scene, names []string) bool {
	*m = Choice((m.Of(names) + 1) % len(names))
	s.Note = "showing " + names[*m]
	return true
}

func (m *Choice) word(names []string) scene.Word {
	return scene.NumberWord("metric", "a number", m, 0, 1<<30).UpTo(func(*scene.Scene) int { return len(names) })
}

// list is the cursor of a list.
type list struct{ Row int }

func (l *list) At(n int) int { return min(max(l.Row, 0), max(n-1, 0)) }

// Act moves the cursor in a list of n rows. It returns false for other actions.
func (l *list) Act(a action.Action, n int) bool {
	dx, dy := a.Steps()
	if dx == 0 && dy == 0 {
		return false
	}
	l.Row = min(max(l.Row+dy, 0), max(n-1, 0))
	return true
}

func (l *list) word() scene.Word { return scene.NumberWord("row", "a number", &l.Row, 0, 1<<30) }

// Draw draws as many of n rows as fit, from line y0 on and with the cursor in view, and in them the words
// by which they are listed. Where some do not fit, the last line says which are shown. A click on a row
// moves the cursor there.
func (l *list) Draw(c *cell.Canvas, y0, room, n int, words string, row func(i, y int, here bool)) {
	l.drawFrom(c, y0, room, 0, n, l.At(n), words, row)
}

// drawFrom draws n rows from the first of them in the list on, as Draw does. The cursor is at one of them, or at none.
func (l *list) drawFrom(c *cell.Canvas, y0, room, first, n, at int, words string, row func(i, y int, here bool)) {
	if n > room && room > 2 {
		room--
		top := scroll(at, n, room)
		c.Right(c.W, y0+room, fmt.Sprintf("rows %d to %d of %d ", top+1, top+room, n), cell.Faint, 0)
	}
	top := scroll(at, n, room)
	for i := top; i < n && i-top < room; i++ {
		y := y0 + i - top
		c.Zone(0, y, c.W, 1, action.Pointed(func(_, _ int) { l.Row = first + i }))
		row(i, y, i == at)
		c.MarkWords(y, strings.Fields(words), cell.Reverse)
	}
}

// scroll returns the first of n rows to draw, so that the cursor is in view.
func scroll(cursor, n, room int) int {
	if n <= room {
		return 0
	}
	return min(max(cursor-room/2, 0), n-room)
}

// here marks the row at the cursor, and returns the look of a row.
func here(c *cell.Canvas, y int, at bool) (cell.Ink, cell.Attr) {
	if !at {
		return cell.Plain, 0
	}
	c.Set(0, y, '▶', cell.Accent, cell.Bold)
	return cell.Accent, cell.Bold
}
