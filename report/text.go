package report

import (
	"strings"
	"unicode/utf8"

	"github.com/sigview/sigview/analysis"
)

// Style is how text for a terminal looks. The zero Style is 80 columns,
// Unicode, without colour.
type Style struct {
	Width  int  // columns; 80 when 0
	Colour bool // ANSI colours, in addition to the marks
	ASCII  bool // no character beyond ASCII
	Full   bool // every size bin
}

const (
	minWidth  = 60
	textWidth = 80
	wideWidth = 110
)

func (s Style) width() int {
	if s.Width == 0 {
		return textWidth
	}
	return max(s.Width, minWidth)
}

func (s Style) detail() detail {
	return detail{wide: s.width() >= wideWidth, ascii: s.ASCII, full: s.Full}
}

// Text is the run for a terminal.
func Text(r Run, s Style) string { return s.render(r.blocks(s.detail())) }

func (s Style) render(blocks []block) string {
	var b strings.Builder
	for i, x := range blocks {
		switch x := x.(type) {
		case heading:
			if i > 0 {
				b.WriteByte('\n')
			}
			text := x.text
			if x.level > 1 {
				text = strings.ToUpper(text[:1]) + text[1:]
			}
			b.WriteString(s.paint(bold, text) + "\n")
			if x.level > 1 {
				b.WriteString(strings.Repeat("-", min(utf8.RuneCountInString(text), s.width())) + "\n")
			}
		case para:
			s.wrap(&b, "", x.text)
		case bullets:
			for _, item := range x.items {
				s.wrap(&b, "- ", item)
			}
		case grid:
			b.WriteByte('\n')
			s.grid(&b, x)
			s.wrap(&b, "", x.note)
		case figure:
			s.figure(&b, x)
		case Chart:
			s.chart(&b, x)
		}
	}
	if s.ASCII {
		return plain.Replace(b.String())
	}
	return b.String()
}

// plain puts the few other characters that reports use into ASCII.
var plain = strings.NewReplacer("µ", "u", "Δ", "delta", "−", "-", "±", "+-", "≥", ">=", "·", ".")

// wrap writes a paragraph within the width; the lead hangs before it.
func (s Style) wrap(b *strings.Builder, lead, text string) {
	if text == "" {
		return
	}
	b.WriteString(lead)
	used := len(lead)
	indent := strings.Repeat(" ", len(lead))
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > s.width():
			b.WriteString("\n" + indent)
			used = len(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	b.WriteByte('\n')
}

// grid writes a table, or several below each other if one may be cut and is too
// wide.
func (s Style) grid(b *strings.Builder, g grid) {
	from := 1
	for g.cut && from < len(g.head) {
		to := from + 1
		for total := g.width(0) + g.width(from); to < len(g.head); to++ {
			if total += 1 + g.width(to); 1+total > s.width() {
				break
			}
		}
		if from == 1 && to == len(g.head) {
			break
		}
		if from > 1 {
			b.WriteString("\n")
		}
		s.table(b, g.columns(from, to))
		if from = to; from == len(g.head) {
			return
		}
	}
	s.table(b, g)
}

// width is that of a column.
func (g grid) width(i int) int {
	n := utf8.RuneCountInString(g.head[i])
	for _, r := range g.rows {
		n = max(n, utf8.RuneCountInString(r[i]))
	}
	return n
}

// columns are the first one and some others.
func (g grid) columns(from, to int) grid {
	pick := func(all []string) []string { return append([]string{all[0]}, all[from:to]...) }
	out := grid{head: pick(g.head), left: append([]bool{g.left[0]}, g.left[from:to]...)}
	for _, r := range g.rows {
		out.rows = append(out.rows, pick(r))
	}
	return out
}

// table writes aligned columns, closer together when they would not fit.
func (s Style) table(b *strings.Builder, g grid) {
	widths := make([]int, len(g.head))
	total := 0
	for i := range widths {
		widths[i] = g.width(i)
		total += widths[i]
	}
	gap := "  "
	if total+len(gap)*(len(widths)-1) > s.width() {
		gap = " "
	}
	for n, r := range append([][]string{g.head}, g.rows...) {
		var line strings.Builder
		for i, cell := range r {
			if i > 0 {
				line.WriteString(gap)
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if n > 0 {
				cell = s.colour(cell)
			}
			if g.left[i] {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
		}
		text := strings.TrimRight(line.String(), " ")
		if n == 0 {
			text = s.paint(bold, text)
		}
		b.WriteString(text + "\n")
	}
}

// ANSI codes. The stages' colours are those of Okabe and Ito as near as 256
// colours come, which colour-blind people can tell apart.
const (
	bold      = "1"
	sourceHue = "38;5;214"
	lanaiHue  = "38;5;75"
	netHue    = "38;5;36"
	destHue   = "38;5;166"
	aboveHue  = "1;38;5;166"
	faint     = "2"
)

func (s Style) paint(code, text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) colour(cell string) string {
	switch strings.TrimSuffix(cell, "~") {
	case mark(analysis.Above, s.ASCII):
		return s.paint(aboveHue, cell)
	case mark(analysis.Within, s.ASCII):
		return s.paint(faint, cell)
	}
	return cell
}
