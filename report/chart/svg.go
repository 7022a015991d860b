package chart

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// SVG returns charts side by side as a file of its own, with background and font.
func SVG(charts ...Chart) string {
	var b strings.Builder
	var inside strings.Builder
	w, height := drawSVG(&inside, charts)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`+"\n",
		w, height, w, height, label(charts))
	b.WriteString("<style>text { font: 13px system-ui, sans-serif; fill: " + inkColour + "; }</style>\n")
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" fill="#fff"/>`+"\n", w, height)
	b.WriteString(inside.String())
	b.WriteString("</svg>\n")
	return b.String()
}

// InlineSVG returns charts side by side as an element of a page. The page sets background and font.
func InlineSVG(charts ...Chart) string {
	var inside strings.Builder
	w, height := drawSVG(&inside, charts)
	return fmt.Sprintf(`<svg viewBox="0 0 %.0f %.0f" width="%.0f" role="img" aria-label="%s">`+"\n%s</svg>\n", w, height, w, label(charts), inside.String())
}

// drawSVG writes the elements of charts and returns the size of the whole in pixels.
func drawSVG(b *strings.Builder, charts []Chart) (width, height float64) {
	pictures, width, height := layout(svgPen{b}, charts)
	for i := range pictures {
		pictures[i].paint()
	}
	return width, height
}

// label returns the titles of charts, for those who cannot see them.
func label(charts []Chart) string {
	var titles []string
	for _, c := range charts {
		titles = append(titles, c.Title)
	}
	return html.EscapeString(strings.Join(titles, "; "))
}

// svgPen writes SVG elements.
type svgPen struct{ b io.Writer }

// paint returns an attribute, fill or stroke, with a colour. Axes, words, guides and bands take the colour of
// the page's text, so that they are seen on dark pages too.
func paint(attribute, colour string) string {
	switch colour {
	case inkColour:
		return attribute + `="currentColor"`
	case guideColour:
		return attribute + `="currentColor" ` + attribute + `-opacity=".2"`
	case shadeColour:
		return attribute + `="currentColor" ` + attribute + `-opacity=".06"`
	}
	return attribute + `="` + colour + `"`
}

// path returns a path through spots as SVG writes it.
func path(through []spot) string {
	var b strings.Builder
	step := "M"
	for _, s := range through {
		fmt.Fprintf(&b, "%s%.1f %.1f", step, s.x, s.y)
		step = "L"
	}
	return b.String()
}

// element writes a path with its attributes and, if there is one, its hint as title.
func (p svgPen) element(attributes, hint string) {
	if hint == "" {
		fmt.Fprintf(p.b, "<path %s/>\n", attributes)
		return
	}
	fmt.Fprintf(p.b, "<path %s><title>%s</title></path>\n", attributes, html.EscapeString(hint))
}

func (p svgPen) trace(s stroke, hint string, through ...spot) {
	broken := ""
	if s.broken {
		broken = ` stroke-dasharray="4 3"`
	}
	p.element(fmt.Sprintf(`d="%s" fill="none" %s stroke-width="%g"%s`, path(through), paint("stroke", s.colour), s.width, broken), hint)
}

func (p svgPen) fill(colour string, hollow bool, hint string, edge ...spot) {
	look := paint("fill", colour)
	if hollow {
		look = `fill="none" ` + paint("stroke", colour)
	}
	p.element(fmt.Sprintf(`d="%sz" %s`, path(edge), look), hint)
}

func (p svgPen) text(at spot, a anchor, text string) {
	side := [...]string{begin: "", middle: ` text-anchor="middle"`, end: ` text-anchor="end"`}[a]
	fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f"%s>%s</text>`+"\n", at.x, at.y, side, html.EscapeString(text))
}
