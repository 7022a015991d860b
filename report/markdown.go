package report

import "strings"

// Markdown returns a document as a Markdown page, with the charts of the text form in
// ASCII.
func Markdown(d Document) string {
	var b strings.Builder
	for i, x := range plainBlocks(d, false) {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch {
		case x.Level > 0:
			b.WriteString(strings.Repeat("#", x.Level) + " " + escapeMarkdown(x.Heading) + "\n")
		case x.Para != "":
			b.WriteString(escapeMarkdown(x.Para) + "\n")
		case x.View != nil:
			markdownTable(&b, x)
		case x.Charts != nil:
			if text := (Style{Width: textWidth, ASCII: true}).charts(x.Charts); text != "" {
				b.WriteString("```text\n" + strings.TrimPrefix(text, "\n") + "```\n")
			}
		default:
			for _, item := range x.Items {
				b.WriteString("- " + escapeMarkdown(item) + "\n")
			}
		}
	}
	return b.String()
}

func markdownTable(b *strings.Builder, x block) {
	columns, rows := x.View.Shown(true)
	line := func(n int, cell func(i int) string) {
		for i := range n {
			b.WriteString("|" + cell(i))
		}
		b.WriteString("|\n")
	}
	line(len(columns), func(i int) string { return " " + escapeMarkdown(columns[i].Name) + " " })
	line(len(columns), func(i int) string {
		if columns[i].Left {
			return ":---"
		}
		return "---:"
	})
	for _, r := range rows {
		line(len(r), func(i int) string { return " " + escapeMarkdown(r[i].Text) + " " })
	}
	b.WriteString("\n" + escapeMarkdown(x.View.Note) + "\n")
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`, "[", `\[`, "#", `\#`)

func escapeMarkdown(text string) string { return markdownEscapes.Replace(text) }
