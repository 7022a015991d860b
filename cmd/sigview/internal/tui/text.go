package tui

import (
	"fmt"

	"github.com/sigview/sigview/chart/cell"
)

// section is a part of a text: paragraphs under a heading.
type section struct {
	head  string
	items []string
}

// drawSections is a text on a page of its own.
func drawSections(c *cell.Canvas, sections []section, top int) {
	var lines []string
	for _, s := range sections {
		if len(s.items) == 0 {
			continue
		}
		lines = append(lines, s.head)
		for _, t := range s.items {
			lead := "- "
			for _, l := range cell.Wrap(t, c.W-4) {
				lines = append(lines, lead+l)
				lead = "  "
			}
		}
		lines = append(lines, "")
	}
	drawLines(c, lines, top)
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
