package report

import "strings"

// Markdown is the run as a Markdown page; the plots are those of the text
// form, in ASCII.
func Markdown(r Run) string { return markdown(r.blocks(detail{wide: true})) }

func markdown(blocks []block) string {
	var b strings.Builder
	for i, x := range blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch x := x.(type) {
		case heading:
			b.WriteString(strings.Repeat("#", x.level) + " " + escapeMarkdown(x.text) + "\n")
		case para:
			b.WriteString(escapeMarkdown(x.text) + "\n")
		case bullets:
			for _, item := range x.items {
				b.WriteString("- " + escapeMarkdown(item) + "\n")
			}
		case grid:
			markdownGrid(&b, x)
		case figure:
			b.WriteString("```text")
			Style{Width: textWidth, ASCII: true}.figure(&b, x)
			b.WriteString("```\n")
		case Chart:
			if !x.oneX() {
				b.WriteString("```text")
				Style{Width: textWidth}.chart(&b, x)
				b.WriteString("```\n")
			}
		}
	}
	return b.String()
}

func markdownGrid(b *strings.Builder, g grid) {
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + escapeMarkdown(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(g.head)
	for _, left := range g.left {
		if left {
			b.WriteString("|:---")
		} else {
			b.WriteString("|---:")
		}
	}
	b.WriteString("|\n")
	for _, r := range g.rows {
		line(r)
	}
	b.WriteString("\n" + escapeMarkdown(g.note) + "\n")
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`, "[", `\[`, "#", `\#`)

func escapeMarkdown(text string) string { return markdownEscapes.Replace(text) }
