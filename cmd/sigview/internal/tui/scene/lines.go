package scene

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/report/chart/cell"
)

// Section is a heading with paragraphs.
type Section struct {
	Head  string
	Items []string
}

// Line is a line of a text.
type Line struct {
	Text string
	Ink  cell.Ink
}

// Reading is a text that fills the body: the keys, the glossary or the findings.
type Reading struct {
	Lines   []Line
	Columns int
	Sought  string // words that are looked for in it
	At      int    // the line that has been found
}

// Matches returns the lines that have the words that are looked for.
func (r Reading) Matches() (out []int) {
	for i := range r.Lines {
		if r.matches(i) {
			out = append(out, i)
		}
	}
	return out
}

func (r Reading) matches(line int) bool {
	return strings.TrimSpace(r.Sought) != "" && lists.Holds(r.Lines[line].Text, r.Sought)
}

// Page returns the part of the text that a body shows: as many lines as all its columns have,
// without the last line where that says which are shown.
func (r Reading) Page(from viewport.Model, width, height int) viewport.Model {
	if len(r.Lines) > r.Columns*height {
		height--
	}
	v := viewport.New(width/r.Columns-1, r.Columns*height)
	v.SetContent(strings.Join(lists.Map(r.Lines, func(l Line) string { return l.Text }), "\n"))
	v.SetYOffset(from.YOffset)
	return v
}

// Draw draws the lines that are shown. Where some are not, the last line says so.
func (r Reading) Draw(c *cell.Canvas, from viewport.Model) {
	v := r.Page(from, c.W, c.H)
	rows := max(v.Height/r.Columns, 1)
	end := v.YOffset + v.VisibleLineCount()
	for i, l := range r.Lines[v.YOffset:end] {
		column, y := c.Sub(i/rows*(v.Width+1), 0, v.Width, c.H), i%rows
		column.Text(1, y, l.Text, l.Ink, 0)
		if at := v.YOffset + i; r.matches(at) {
			column.MarkWords(y, strings.Fields(r.Sought), cell.Reverse)
			if at == r.At {
				column.Set(0, y, '▶', cell.Accent, cell.Bold)
			}
		}
	}
	if v.Height < len(r.Lines) {
		c.Right(c.W, c.H-1, fmt.Sprintf("lines %d to %d of %d; PgDn, PgUp ", v.YOffset+1, end, len(r.Lines)), cell.Faint, 0)
	}
}

// SectionLines are sections, wrapped to a width.
func SectionLines(sections []Section, width int) []Line {
	var lines []Line
	for _, s := range sections {
		if len(s.Items) == 0 {
			continue
		}
		lines = append(lines, Line{s.Head, cell.Strong})
		for _, t := range s.Items {
			lead := "- "
			for _, l := range cell.Wrap(t, width) {
				lines = append(lines, Line{lead + l, cell.Plain})
				lead = "  "
			}
		}
		lines = append(lines, Line{})
	}
	return lines
}
