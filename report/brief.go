package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
)

// Lines of an answer.
const (
	AnswerLines = 40 // of a command
	ScreenLines = 23 // of a run, on a screen of 24 that also shows where the run is kept
)

// Limits of a part of a short answer.
const (
	briefItems = 3 // of a list
	briefRows  = 3 // that a table has at least
	restLines  = 3 // that say what is left out
)

// brief is a document that chooses what answers first. All others are cut from the end.
type brief interface{ brief() []block }

// cut returns as much of a document as fits into the style's lines, part by part, and names what
// is left out.
func (s Style) cut(d Document) string {
	all := plainBlocks(d, false)
	whole := s.render(all)
	if strings.Count(whole, "\n")+len(s.Next) <= s.Lines {
		return whole + s.next()
	}
	blocks := all
	if b, ok := d.(brief); ok {
		blocks = b.brief()
	}
	c := cutter{Style: s, room: s.Lines - len(s.Next) - restLines, shown: map[string]bool{}}
	for _, b := range blocks {
		c.add(b)
	}
	return c.text.String() + c.rest(all, strings.Count(whole, "\n")) + s.next()
}

// next returns the lines of the commands that go on.
func (s Style) next() string {
	text := ""
	for _, line := range s.Next {
		text += s.fit(line) + "\n"
	}
	return text
}

// cutter writes blocks until no more fit.
type cutter struct {
	Style
	text  strings.Builder
	room  int             // lines
	under []block         // the heading of the next block, if it is not written yet
	shown map[string]bool // headings that are written
}

func (c *cutter) add(b block) {
	if b.Level > 1 {
		c.under = []block{b}
		return
	}
	ok := c.write(b) || b.View != nil && c.write(c.few(b))
	for n := min(len(b.Items), briefItems) - 1; n > 0 && !ok; n-- {
		ok = c.write(block{Items: b.Items[:n]})
	}
	if ok {
		for _, h := range c.under {
			c.shown[h.Heading] = true
		}
		c.under = nil
	}
}

// write writes a block with its heading, if both fit.
func (c *cutter) write(b block) bool {
	if b.View != nil {
		v := *b.View
		v.Note = "" // says how to read all of the table
		b.View = &v
	}
	if more := len(b.Items) - briefItems; more > 0 {
		b.Items = append(slices.Clone(b.Items[:briefItems]), fmt.Sprintf("%d more.", more))
	}
	text := c.render(append(slices.Clone(c.under), b))
	if c.text.Len() > 0 && (len(c.under) > 0 || b.Items != nil) {
		text = "\n" + text
	}
	n := strings.Count(text, "\n")
	if n > c.room {
		return false
	}
	c.room -= n
	c.text.WriteString(text)
	return true
}

// few returns a table with as many of its first rows as there is room for.
func (c *cutter) few(b block) block {
	const around = 6 // blank lines, heading, names of columns, count of other rows
	n := c.room - around
	if n < briefRows || b.View.Fold {
		return b
	}
	v := *b.View
	v.Rows = append(slices.Clone(v.Rows[:min(n, len(v.Rows))]), c.others(&v, n))
	return block{View: &v}
}

// others is the row that counts those which are left out.
func (c *cutter) others(v *analysis.View, n int) []analysis.Cell {
	row := make([]analysis.Cell, len(v.Columns))
	for i := range v.Columns {
		if v.Columns[i].Room == analysis.Always {
			row[i].Text = fmt.Sprintf("… %d", len(v.Rows)-n)
			break
		}
	}
	return row
}

// rest names the parts of the whole document, of so many lines, that are left out.
func (c *cutter) rest(all []block, lines int) string {
	var left []string
	for _, b := range all {
		if b.Level > 1 && !c.shown[b.Heading] && !slices.Contains(left, b.Heading) {
			left = append(left, b.Heading)
		}
	}
	whole := fmt.Sprintf("%s shows all %d lines.", cmp.Or(c.All, "--full"), lines)
	var b strings.Builder
	for named := min(len(left), 4); ; named-- {
		b.Reset()
		b.WriteByte('\n')
		c.wrap(&b, "", whole+leftOut(left, named))
		if named == 0 || strings.Count(b.String(), "\n") <= restLines {
			return b.String()
		}
	}
}

// leftOut names so many of the parts that are left out, and counts the others.
func leftOut(parts []string, named int) string {
	if n := len(parts) - named; n > 0 {
		parts = append(slices.Clone(parts[:named]), fmt.Sprintf("%d more", n))
	}
	if len(parts) == 0 {
		return ""
	}
	return " Left out: " + strings.Join(parts, "; ") + "."
}
