package tui

import (
	"fmt"

	"github.com/sigview/sigview/chart/cell"
)

// section is a heading with paragraphs.
type section struct {
	head  string
	items []string
}

// drawSections draws a text that fills the body.
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

// drawLines draws lines from the top-th on, and the number of lines below.
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
