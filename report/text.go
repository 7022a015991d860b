package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
)

// Style is how text for a terminal looks. The zero Style is 80 columns,
// Unicode, without colour.
type Style struct {
	Width  int  // columns; 0: 80
	Colour bool // ANSI colours, in addition to the marks
	ASCII  bool // no character beyond ASCII
	Full   bool // every size bin
	// Lines is how many lines an answer may have; 0: all of the document is written.
	Lines int
	All   string   // what shows the whole; "": --full
	Next  []string // lines at the end of an answer: the commands that go on
}

const (
	minWidth   = 60
	textWidth  = 80
	wideWidth  = 110
	chartWidth = 120 // widest chart
	chartLines = 19
)

func (s Style) width() int {
	if s.Width == 0 {
		return textWidth
	}
	return max(s.Width, minWidth)
}

// Text returns a document for a terminal.
func Text(d Document, s Style) string {
	if s.Lines > 0 && !s.Full {
		return s.cut(d)
	}
	return s.render(plainBlocks(d, s.Full))
}

func (s Style) render(blocks []block) string {
	var b strings.Builder
	for i, x := range blocks {
		switch {
		case x.Level > 0:
			s.heading(&b, x, i == 0)
		case x.Para != "":
			s.wrap(&b, "", x.Para)
		case x.View != nil:
			b.WriteByte('\n')
			s.view(&b, x.View)
			s.wrap(&b, "", x.View.Note)
		case x.Charts != nil:
			b.WriteString(s.charts(x.Charts))
		default:
			for _, item := range x.Items {
				s.wrap(&b, "- ", item)
			}
		}
	}
	return b.String()
}

func (s Style) heading(b *strings.Builder, x block, first bool) {
	if !first {
		b.WriteByte('\n')
	}
	text := s.fit(x.Heading)
	if x.Level == 1 {
		for _, line := range cell.Wrap(text, s.width()) {
			b.WriteString(s.paint(bold, line) + "\n")
		}
		return
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	b.WriteString(s.paint(bold, text) + "\n" + strings.Repeat("-", min(utf8.RuneCountInString(text), s.width())) + "\n")
}

// plain replaces the few characters of reports that are not ASCII.
var plain = strings.NewReplacer("µ", "u", "Δ", "delta", "−", "-", "±", "+-", "≥", ">=", "·", ".", "▲", "^", "▼", "v", "█", "#", "▒", "+")

// fit returns a text in the characters that the style allows.
func (s Style) fit(text string) string {
	text = cell.Visible(text)
	if s.ASCII {
		return plain.Replace(text)
	}
	return text
}

// wrap writes a paragraph within the width. It begins with lead; further lines are
// indented by as much.
func (s Style) wrap(b *strings.Builder, lead, text string) {
	for i, line := range cell.Wrap(s.fit(text), s.width()-len(lead)) {
		if i > 0 {
			lead = strings.Repeat(" ", len(lead))
		}
		b.WriteString(lead + line + "\n")
	}
}

// lines is a table as text, with the headings as the first row.
type lines struct {
	columns []analysis.Column
	rows    [][]analysis.Cell
	widths  []int
}

// view writes a table, or several below each other if it may be folded and is too wide.
func (s Style) view(b *strings.Builder, v *analysis.View) {
	t := lines{}
	t.columns, t.rows = v.Shown(s.width() >= wideWidth)
	var head []analysis.Cell
	for _, c := range t.columns {
		head = append(head, analysis.Cell{Text: c.Name})
	}
	t.rows = append([][]analysis.Cell{head}, t.rows...)
	t.widths = make([]int, len(t.columns))
	for _, r := range t.rows {
		for i := range r {
			r[i].Text = s.fit(r[i].Text)
			t.widths[i] = max(t.widths[i], utf8.RuneCountInString(r[i].Text))
		}
	}
	var all []int
	for i := range t.columns {
		all = append(all, i)
	}
	if !v.Fold {
		s.table(b, t, all)
		return
	}
	for from, to := 1, 0; from < len(all); from = to {
		to = from + 1
		for total := t.widths[0] + t.widths[from]; to < len(all); to++ {
			if total += 1 + t.widths[to]; 1+total > s.width() {
				break
			}
		}
		if from > 1 {
			b.WriteString("\n")
		}
		s.table(b, t, slices.Concat(all[:1], all[from:to]))
	}
}

// table writes some columns aligned, closer together if they would not fit.
func (s Style) table(b *strings.Builder, t lines, at []int) {
	total := 0
	for _, i := range at {
		total += t.widths[i]
	}
	gap := "  "
	if total+len(gap)*(len(at)-1) > s.width() {
		gap = " "
	}
	for n, r := range t.rows {
		var line strings.Builder
		for _, i := range at {
			if i > 0 {
				line.WriteString(gap)
			}
			pad := strings.Repeat(" ", t.widths[i]-utf8.RuneCountInString(r[i].Text))
			if t.columns[i].Left {
				line.WriteString(s.colour(r[i]) + pad)
			} else {
				line.WriteString(pad + s.colour(r[i]))
			}
		}
		text := strings.TrimRight(line.String(), " ")
		if n == 0 {
			text = s.paint(bold, text)
		}
		b.WriteString(text + "\n")
	}
}

// charts draws charts side by side with their keys below. It returns "" if there is
// nothing to compare.
func (s Style) charts(charts []chart.Chart) string {
	if !slices.ContainsFunc(charts, func(c chart.Chart) bool { return !c.OneX() }) {
		return ""
	}
	glyphs := cell.Braille
	if s.ASCII {
		glyphs = cell.ASCII
	}
	weights, height := 0, chartLines
	for _, c := range charts {
		weights += max(c.Weight, 1)
		switch {
		case c.Lanes > 0:
			height = c.Lanes + 3
		case len(c.Bands) > 0:
			height = chartLines + 1
		}
	}
	on := cell.New(min(s.width(), chartWidth), height, glyphs)
	at, used := 0, 0
	for i := range charts {
		used += max(charts[i].Weight, 1)
		to := on.W * used / weights
		charts[i].Draw(on.Sub(at, 0, to-at, on.H), chart.Style{Letters: true})
		at = to + 1
	}
	head, field, _ := strings.Cut(on.String(), "\n")
	if s.Colour {
		theme, _ := cell.ThemeOf("dark")
		field = on.Sub(0, 1, on.W, on.H-1).ANSI(theme, cell.Colours256) + "\n"
	}
	var b strings.Builder
	b.WriteString("\n" + s.paint(bold, head) + "\n")
	for line := range strings.Lines(field) {
		b.WriteString(trim(strings.TrimSuffix(line, "\n")) + "\n")
	}
	for i := range charts {
		if key := charts[i].Key(); key != "" && !charts[i].Keyless {
			s.wrap(&b, "", key+".")
		}
	}
	return b.String()
}

// trim removes the spaces at the end of a line, also before the code that ends a colour.
func trim(line string) string {
	text, ended := strings.CutSuffix(line, endColour)
	text = strings.TrimRight(text, " ")
	if ended {
		text += endColour
	}
	return text
}

// ANSI codes: those of the 256 colours that are nearest to the colours of Okabe and Ito.
const (
	bold      = "1"
	aboveHue  = "1;38;5;166"
	faint     = "2"
	endColour = "\x1b[0m"
)

func (s Style) paint(code, text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[" + code + "m" + text + endColour
}

func (s Style) colour(c analysis.Cell) string {
	switch c.Level {
	case analysis.Above:
		return s.paint(aboveHue, c.Text)
	case analysis.Within:
		return s.paint(faint, c.Text)
	}
	return c.Text
}
