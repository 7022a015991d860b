package tui

import (
	"fmt"

	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/docs"
)

// section is a heading with paragraphs.
type section struct {
	head  string
	items []string
}

// line is a line of a text.
type line struct {
	text string
	ink  cell.Ink
}

// reading is a text that fills the body: the keys, the glossary or the findings.
type reading struct {
	lines   []line
	columns int
}

// reading returns the text that is open, if one is, for a body of a width.
func (s *State) reading(width int) (reading, bool) {
	columns := max(width/60, 1)
	switch {
	case s.Glossary:
		return reading{glossaryLines(width/columns - 2), columns}, true
	case s.Help:
		return reading{s.helpLines(), columns}, true
	case s.Findings && s.subject() != nothing:
		return reading{sectionLines(append(s.view().findings(&s.Scene), section{"Problems", s.Problems}), width-4), 1}, true
	}
	return reading{}, false
}

// scrolls moves through the text that is open, and reports whether one is.
func (s *State) scrolls(a action, width, height int) bool {
	r, ok := s.reading(width)
	if !ok {
		return false
	}
	_, dy := a.steps()
	if a == pageDown || a == pageUp {
		dy *= max(r.page(height), pageRows) / pageRows
	}
	s.Top = min(max(s.Top+dy, 0), max(len(r.lines)-r.page(height), 0))
	return true
}

// page returns how many lines a body of a height shows.
func (r reading) page(height int) int {
	if len(r.lines) > r.columns*height {
		height-- // for the line that says so
	}
	return r.columns * height
}

// draw draws the lines from the top-th on. Where some do not fit, the last line says
// which are shown.
func (r reading) draw(c *cell.Canvas, top int) {
	page := r.page(c.H)
	top = min(max(top, 0), max(len(r.lines)-page, 0))
	end := min(top+page, len(r.lines))
	wide, high := c.W/r.columns, max(page/r.columns, 1)
	for i, l := range r.lines[top:end] {
		c.Sub(i/high*wide, 0, wide-1, c.H).Text(1, i%high, l.text, l.ink, 0)
	}
	if len(r.lines) > page {
		c.Right(c.W, c.H-1, fmt.Sprintf("lines %d to %d of %d; PgDn, PgUp ", top+1, end, len(r.lines)), cell.Faint, 0)
	}
}

// sectionLines are sections, wrapped to a width.
func sectionLines(sections []section, width int) []line {
	var lines []line
	for _, s := range sections {
		if len(s.items) == 0 {
			continue
		}
		lines = append(lines, line{s.head, cell.Strong})
		for _, t := range s.items {
			lead := "- "
			for _, l := range cell.Wrap(t, width) {
				lines = append(lines, line{lead + l, cell.Plain})
				lead = "  "
			}
		}
		lines = append(lines, line{})
	}
	return lines
}

// glossaryLines are the words of the documentation, wrapped to a width.
func glossaryLines(width int) []line {
	var lines []line
	for _, w := range docs.Words() {
		lines = append(lines, line{w.Word, cell.Strong})
		for _, l := range cell.Wrap(w.Meaning, width-2) {
			lines = append(lines, line{"  " + l, cell.Plain})
		}
	}
	return lines
}
