package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	"github.com/sigview/sigview/report/chart/cell"
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

// page returns the part of the text that a body shows: as many lines as all its columns have,
// without the last line where that says which are shown.
func (r reading) page(from viewport.Model, width, height int) viewport.Model {
	if len(r.lines) > r.columns*height {
		height--
	}
	v := viewport.New(width/r.columns-1, r.columns*height)
	v.SetContent(strings.Join(made(r.lines, func(l line) string { return l.text }), "\n"))
	v.SetYOffset(from.YOffset)
	return v
}

// draw draws the lines that are shown. Where some are not, the last line says so.
func (r reading) draw(c *cell.Canvas, from viewport.Model) {
	v := r.page(from, c.W, c.H)
	rows := max(v.Height/r.columns, 1)
	end := v.YOffset + v.VisibleLineCount()
	for i, l := range r.lines[v.YOffset:end] {
		c.Sub(i/rows*(v.Width+1), 0, v.Width, c.H).Text(1, i%rows, l.text, l.ink, 0)
	}
	if v.Height < len(r.lines) {
		c.Right(c.W, c.H-1, fmt.Sprintf("lines %d to %d of %d; PgDn, PgUp ", v.YOffset+1, end, len(r.lines)), cell.Faint, 0)
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
