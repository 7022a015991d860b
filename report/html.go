package report

import (
	"html"
	"strings"
)

const htmlHead = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>`

const htmlStyle = `</title>
<style>
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --faint: #666; --line: #ccc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #16181c; --faint: #a0a0a0; --line: #444; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin-top: 1rem; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
th.l, td.l { text-align: left; }
.wide { overflow-x: auto; }
.note { color: var(--faint); font-size: 13px; }
svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
</style></head><body>
`

// HTML is the run as one page that needs nothing else: plots are drawn in
// place, nothing is loaded.
func HTML(r Run) string { return page(r.title(), r.blocks(detail{wide: true})) }

func page(title string, blocks []block) string {
	var b strings.Builder
	b.WriteString(htmlHead + html.EscapeString(title) + htmlStyle)
	for _, x := range blocks {
		switch x := x.(type) {
		case heading:
			tag := "h" + string(rune('0'+x.level))
			b.WriteString("<" + tag + ">" + html.EscapeString(x.text) + "</" + tag + ">\n")
		case para:
			b.WriteString("<p>" + html.EscapeString(x.text) + "</p>\n")
		case bullets:
			b.WriteString("<ul>\n")
			for _, item := range x.items {
				b.WriteString("<li>" + html.EscapeString(item) + "</li>\n")
			}
			b.WriteString("</ul>\n")
		case grid:
			htmlGrid(&b, x)
		case figure:
			svgFigure(&b, x.rows)
		case Chart:
			svgChart(&b, x)
		}
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

func htmlGrid(b *strings.Builder, g grid) {
	line := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for i, c := range cells {
			class := ""
			if g.left[i] {
				class = ` class="l"`
			}
			b.WriteString("<" + tag + class + ">" + html.EscapeString(c) + "</" + tag + ">")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString(`<div class="wide"><table>` + "\n")
	line("th", g.head)
	for _, r := range g.rows {
		line("td", r)
	}
	b.WriteString("</table></div>\n")
	b.WriteString(`<p class="note">` + html.EscapeString(g.note) + "</p>\n")
}
