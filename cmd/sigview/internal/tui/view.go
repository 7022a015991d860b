package tui

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
)

// view is one of the pictures that number keys lead to.
type view struct {
	name  string
	short string // where there is little room
	draw  func(c *cell.Canvas, s *State, d *Data)
	// table is what is seen, as a table.
	table func(s *State, d *Data) table
	// move takes the cursor by cells; nil when there is none.
	move func(s *State, d *Data, dx, dy int)
	// point takes the cursor to a place of the view's own zone.
	point   func(s *State, d *Data, z place)
	metrics []string // what m goes through
	enters  string   // the view that enter leads to; "" for none
	// act does what a key means in this view only; false for what it means
	// everywhere. A view that has it needs no run.
	act  func(s *State, a action) bool
	bare string // what a baseline does not have, where it cannot be laid over
}

// table is a view's content for a CSV file.
type table struct {
	head []string
	rows [][]string
}

// place is where a view was pointed at, in its own terms.
type place struct {
	panel  string
	dx, dy int
	y0     int // line of a list
	w, h   int
	x, y   axis
}

var views []view

func init() {
	views = []view{
		{name: "signature", short: "sig", draw: drawSignature, table: signatureTable, move: moveSignature, point: pointSizes, enters: "histogram"},
		{name: "histogram", short: "hist", draw: drawHistogram, table: histogramTable, move: moveHistogram, point: pointHistogram},
		{name: "matrix", short: "pairs", draw: drawMatrix, table: matrixTable, move: moveMatrix, point: pointMatrix, metrics: pairMetrics, enters: "signature"},
		{name: "percentiles", short: "pct", draw: drawPercentiles, table: percentilesTable, move: moveSignature, point: pointSizes, metrics: percentileMetrics, enters: "histogram"},
		{name: "spans", short: "spans", draw: drawSpans, table: spansTable, move: moveSpans, point: pointList, bare: "operations"},
		{name: "timeline", short: "time", draw: drawTimeline, table: timelineTable, move: moveTimeline, point: pointTimeline, bare: "packets over time"},
		{name: "LogP", short: "LogP", draw: drawLogP, table: logpTable, point: pointLogP, metrics: logpMetrics, act: actLogP},
		{name: "clock", short: "clock", draw: drawClock, table: clockTable, move: moveClock, point: pointList, metrics: clockMetrics, bare: "clocks"},
		{name: "compare", short: "cmp", draw: drawCompare, table: compareTable, move: moveCompare, point: pointList},
	}
}

// Views lists the names of the views in the order of their number keys.
func Views() []string {
	var out []string
	for _, v := range views {
		out = append(out, v.name)
	}
	return out
}

// ViewOf finds a view by name or number.
func ViewOf(name string) (int, error) {
	for i, v := range views {
		if strings.EqualFold(v.name, name) || v.short == name || fmt.Sprint(i+1) == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("view %q, want one of %v", name, Views())
}

// Smallest terminal that a picture fits into.
const (
	MinWidth  = 60
	MinHeight = 18
)

// Draw makes the picture.
func Draw(s *State, width, height int) *cell.Canvas {
	c := cell.New(width, height, s.Look.Glyphs)
	if width < MinWidth || height < MinHeight {
		c.Para(0, 0, fmt.Sprintf("The terminal is %d×%d; sigview needs %d×%d. Make it larger, or press q.", width, height, MinWidth, MinHeight), cell.Warn)
		return c
	}
	drawHeader(c.Sub(0, 0, width, 3), s)
	drawFooter(c.Sub(0, height-2, width, 2), s)
	body := c.Sub(0, 3, width, height-5)
	d := s.data()
	switch {
	case s.Help:
		drawHelp(body, s)
	case s.Form != nil:
		s.Form.draw(body)
	case s.measuring() && s.Words:
		drawDoubtPage(body, s)
	case s.measuring():
		drawLogP(body, s, d)
	case d == nil:
		drawEmpty(body, s)
	case s.Words:
		drawWords(body, s, d)
	default:
		views[s.View].draw(body, s, d)
	}
	return c
}

// showView is what pointing at a tab does.
type showView int

func drawHeader(c *cell.Canvas, s *State) {
	x := c.Text(0, 0, "sigview  ", cell.Accent, cell.Bold)
	if s.measuring() {
		drawMeasuredHeader(c, x, s)
	} else if d := s.data(); d != nil {
		x = c.Text(x, 0, d.title(), cell.Strong, 0)
		x = c.Text(x, 0, "  "+verdict(d), verdictInk(d), 0)
		if o := s.over(); o != nil {
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
	x = 0
	names := make([]string, len(views))
	total := 0
	for i, v := range views {
		names[i] = fmt.Sprintf("%d %s", i+1, v.name)
		total += len(names[i]) + 2
	}
	for i, v := range views {
		name, attr, ink := names[i], cell.Attr(0), cell.Faint
		if total > c.W {
			name = fmt.Sprintf("%d %s", i+1, v.short)
		}
		if i == s.View {
			attr, ink = cell.Reverse, cell.Accent
		}
		c.Zone(x, 1, len(name)+2, 1, showView(i))
		x = c.Text(x, 1, " "+name+" ", ink, attr)
	}
	if d := s.data(); d != nil && !s.measuring() {
		c.Text(0, 2, s.Sel.describe(d), cell.Plain, 0)
	}
}

func verdict(d *Data) string {
	switch {
	case d.Dir == liveName:
		return "in progress"
	case d.Partial:
		return "CUT OFF"
	case !d.Run.Manifest.Verified:
		return "RESULT NOT VERIFIED"
	}
	return "verified"
}

func verdictInk(d *Data) cell.Ink {
	if d.Partial || !d.Run.Manifest.Verified {
		return cell.Warn
	}
	return cell.Faint
}

func drawFooter(c *cell.Canvas, s *State) {
	switch {
	case s.Prompt != nil:
		s.Prompt.draw(c)
		return
	case s.Note != "":
		c.Text(0, 0, s.Note, cell.Warn, 0)
	case s.Live != nil && s.Live.Running():
		c.Text(0, 0, s.Live.line(), cell.Accent, 0)
	case len(s.Loading) > 0:
		c.Text(0, 0, "reading "+s.Loading[0]+" …", cell.Accent, 0)
	case len(s.Problems) > 0:
		c.Text(0, 0, s.Problems[len(s.Problems)-1], cell.Warn, 0)
	case s.Hint:
		c.Text(0, 0, "Numbers change the view, arrows move the cursor, s the stage; ? lists every key, q ends.", cell.Accent, 0)
	}
	drawKeys(c, 1, s)
}

// drawEmpty is what is seen when there is no run.
func drawEmpty(c *cell.Canvas, s *State) {
	y := 1
	for _, p := range s.Problems {
		y = c.Para(2, y, p, cell.Warn)
	}
	if len(s.Loading) > 0 {
		c.Text(2, y+1, "reading "+s.Loading[0]+" …", cell.Plain, 0)
		return
	}
	y = c.Para(2, y+1, "No run is open.", cell.Strong)
	c.Text(2, y+1, "r          run a program from here", cell.Plain, 0)
	c.Text(2, y+2, ":open DIR  open the directory of a run, or of a measurement of layers", cell.Plain, 0)
	if len(s.Measured) > 0 {
		c.Text(2, y+3, "7          look at the measurement that is open", cell.Plain, 0)
	}
	c.Para(2, y+4, "On the command line: sigview run fft leaves a directory, sigview view DIR shows it.", cell.Faint)
}

// drawWords is the explanation on a page of its own.
func drawWords(c *cell.Canvas, s *State, d *Data) {
	lines := []string{}
	put := func(head string, items []string) {
		if len(items) == 0 {
			return
		}
		lines = append(lines, head)
		for _, t := range items {
			for i, l := range cell.Wrap(t, c.W-4) {
				lines = append(lines, map[bool]string{true: "- ", false: "  "}[i == 0]+l)
			}
		}
		lines = append(lines, "")
	}
	m := d.Run.Manifest
	put("What deviates", d.Diagnosis.Summary)
	put("Warnings", d.Diagnosis.Warnings)
	put("The run", []string{
		fmt.Sprintf("%s; %s packets that carry a host request in %.6f s of simulated time.", m.Verification, analysis.Digits(m.Packets), float64(m.SimulatedNs)/1e9),
		fmt.Sprintf("sigview %s, platform digest %s, specification %s", m.ToolVersion, m.Platform.Digest, m.Spec),
	})
	put("Problems", s.Problems)
	drawLines(c, lines, s.Top)
}

// drawLines shows a text from a line on and says how much is left.
func drawLines(c *cell.Canvas, lines []string, top int) {
	top = min(max(top, 0), max(len(lines)-c.H, 0))
	for y := range min(c.H, len(lines)-top) {
		ink := cell.Plain
		if l := lines[top+y]; l != "" && l[0] != '-' && l[0] != ' ' {
			ink = cell.Strong
		}
		c.Text(1, y, lines[top+y], ink, 0)
	}
	if left := len(lines) - top - c.H; left > 0 {
		c.Right(c.W, c.H-1, fmt.Sprintf(" … %d more lines, PgDn ", left), cell.Faint, 0)
	}
}
