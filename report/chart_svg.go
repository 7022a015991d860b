package report

import (
	"fmt"
	"html"
	"strings"
)

// SVG is the chart as a file of its own.
func (c *Chart) SVG() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`+"\n",
		chartWidth, chartHeight, chartWidth, chartHeight, html.EscapeString(c.Title))
	b.WriteString("<style>text { font: 13px system-ui, sans-serif; fill: " + ink + "; }</style>\n")
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" fill="#fff"/>`+"\n", chartWidth, chartHeight)
	c.draw(svgPen{&b})
	b.WriteString("</svg>\n")
	return b.String()
}

// svgChart draws the chart in a page, which brings its own background.
func svgChart(b *strings.Builder, c Chart) {
	if c.empty() {
		return
	}
	fmt.Fprintf(b, `<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`+"\n", chartWidth, chartHeight, html.EscapeString(c.Title))
	c.draw(svgPen{b})
	b.WriteString("</svg>\n")
}

type svgPen struct{ b *strings.Builder }

// svgInk lets axes follow the page's colour.
func svgInk(colour string) string {
	switch colour {
	case ink, "#000000":
		return "currentColor"
	case faintInk:
		return `currentColor" stroke-opacity=".2`
	}
	return colour
}

func (p svgPen) shade(from, to spot) {
	fmt.Fprintf(p.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="currentColor" fill-opacity=".06"/>`+"\n",
		from.x, from.y, to.x-from.x, to.y-from.y)
}

func (p svgPen) line(colour string, width float64, through ...spot) {
	var path strings.Builder
	for i, s := range through {
		step := "L"
		if i == 0 {
			step = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", step, s.x, s.y)
	}
	fmt.Fprintf(p.b, `<path d="%s" fill="none" stroke="%s" stroke-width="%g"/>`+"\n", path.String(), svgInk(colour), width)
}

func (p svgPen) mark(colour, form string, at spot, hint string) {
	var path strings.Builder
	for i, s := range outline(form) {
		step := "L"
		if i == 0 {
			step = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", step, at.x+s.x, at.y+s.y)
	}
	fill := svgInk(colour)
	if hint == "" {
		fmt.Fprintf(p.b, `<path d="%sz" fill="%s"/>`+"\n", path.String(), fill)
		return
	}
	fmt.Fprintf(p.b, `<path d="%sz" fill="%s"><title>%s</title></path>`+"\n", path.String(), fill, html.EscapeString(hint))
}

func (p svgPen) text(at spot, s anchor, text string) {
	anchor := map[anchor]string{begin: "", middle: ` text-anchor="middle"`, end: ` text-anchor="end"`}[s]
	fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f"%s>%s</text>`+"\n", at.x, at.y, anchor, html.EscapeString(text))
}

// hint says what a point is.
func hint(name string, d Dot) string {
	if d.Hi > d.Lo {
		return fmt.Sprintf("%s: %.6g at %.6g, %.6g to %.6g", name, d.Y, d.X, d.Lo, d.Hi)
	}
	return fmt.Sprintf("%s: %.6g at %.6g", name, d.Y, d.X)
}

// outline is the edge of a mark about its middle.
func outline(form string) []spot {
	switch form {
	case "circle":
		return []spot{{-3.6, 0}, {-3.1, -1.8}, {-1.8, -3.1}, {0, -3.6}, {1.8, -3.1}, {3.1, -1.8}, {3.6, 0}, {3.1, 1.8}, {1.8, 3.1}, {0, 3.6}, {-1.8, 3.1}, {-3.1, 1.8}}
	case "square":
		return []spot{{-3.2, -3.2}, {3.2, -3.2}, {3.2, 3.2}, {-3.2, 3.2}}
	case "triangle":
		return []spot{{0, -4.4}, {4.2, 3.2}, {-4.2, 3.2}}
	case "down":
		return []spot{{0, 4.4}, {4.2, -3.2}, {-4.2, -3.2}}
	case "diamond":
		return []spot{{0, -4.6}, {4.6, 0}, {0, 4.6}, {-4.6, 0}}
	case "bar":
		return []spot{{-4.5, -1.5}, {4.5, -1.5}, {4.5, 1.5}, {-4.5, 1.5}}
	case "plus":
		return []spot{{-1.2, -4.4}, {1.2, -4.4}, {1.2, -1.2}, {4.4, -1.2}, {4.4, 1.2}, {1.2, 1.2}, {1.2, 4.4}, {-1.2, 4.4}, {-1.2, 1.2}, {-4.4, 1.2}, {-4.4, -1.2}, {-1.2, -1.2}}
	case "cross":
		return []spot{{-2.6, -4}, {0, -1.4}, {2.6, -4}, {4, -2.6}, {1.4, 0}, {4, 2.6}, {2.6, 4}, {0, 1.4}, {-2.6, 4}, {-4, 2.6}, {-1.4, 0}, {-4, -2.6}}
	}
	panic("report: no mark of form " + form)
}
