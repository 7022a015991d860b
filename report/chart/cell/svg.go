package cell

import (
	"fmt"
	"html"
	"strings"
)

// SVG returns the canvas as a picture. Text stays text. Dots, bars and shades are shapes,
// because they differ between fonts.
func (c *Canvas) SVG(t Theme, title string) string {
	var b strings.Builder
	w, h := float64(c.W*cellW), float64(c.H*cellH)
	size := fmt.Sprintf(`width="%g" height="%g"`, w, h)
	if p := c.Paper; p != (Paper{}) {
		w, h = p.pixels()
		size = fmt.Sprintf(`width="%gmm" height="%gmm"`, p.Width, p.Height)
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.6g %.6g" %s role="img">`+"\n", w, h, size)
	fmt.Fprintf(&b, "<title>%s</title>\n<rect width=\"%.6g\" height=\"%.6g\" fill=\"%s\"/>\n", html.EscapeString(Clean(title)), w, h, t.Back)
	fmt.Fprintf(&b, `<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="%d">`+"\n", letterHeight)
	shapes := map[RGB]*strings.Builder{}
	var order []RGB
	draw := func(c RGB, x, y, w, h int) {
		if shapes[c] == nil {
			shapes[c] = &strings.Builder{}
			order = append(order, c)
		}
		fmt.Fprintf(shapes[c], "M%d %dh%dv%dh-%dz", x, y, w, h, w)
	}
	var text strings.Builder
	for y := range c.H {
		for x := 0; x < c.W; {
			k := c.At(x, y)
			fill, back := t.faces(k)
			if back != t.Back {
				draw(back, x*cellW, y*cellH, cellW, cellH)
			}
			if k.Attr&Under != 0 {
				draw(fill, x*cellW, (y+1)*cellH-2, cellW, 2)
			}
			if r := rects(k.R); r != nil {
				for _, p := range r {
					draw(fill, x*cellW+p[0], y*cellH+p[1], p[2], p[3])
				}
				x++
				continue
			}
			run := []rune{}
			from := x
			for ; x < c.W && (c.At(x, y).Ink == k.Ink && c.At(x, y).Attr == k.Attr) && rects(c.At(x, y).R) == nil; x++ {
				run = append(run, c.At(x, y).R)
				if back != t.Back && x > from {
					draw(back, x*cellW, y*cellH, cellW, cellH)
				}
				if k.Attr&Under != 0 && x > from {
					draw(fill, x*cellW, (y+1)*cellH-2, cellW, 2)
				}
			}
			svgText(&text, from, y, string(run), fill, k.Attr|t.attrs[k.Ink])
		}
	}
	for _, colour := range order {
		fmt.Fprintf(&b, "<path fill=\"%s\" d=\"%s\"/>\n", colour, shapes[colour])
	}
	b.WriteString(text.String() + "</g>\n</svg>\n")
	return b.String()
}

func svgText(b *strings.Builder, x, y int, text string, fill RGB, attr Attr) {
	lead := len(text) - len(strings.TrimLeft(text, " "))
	text = strings.Trim(text, " ")
	if text == "" {
		return
	}
	style := ""
	if attr&Bold != 0 {
		style = ` font-weight="bold"`
	}
	if attr&Strike != 0 {
		style += ` text-decoration="line-through"`
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s" textLength="%d" xml:space="preserve"%s>%s</text>`+"\n",
		(x+lead)*cellW, y*cellH+12, fill, Width(text)*cellW, style, html.EscapeString(text))
}

// faces returns the colours of a cell's character and background.
func (t Theme) faces(k Cell) (fill, back RGB) {
	fill, back = t.inks[k.Ink], t.Back
	if attr := k.Attr | t.attrs[k.Ink]; attr&Dim != 0 && !t.Mono {
		for i := range fill {
			fill[i] = uint8((int(fill[i])*3 + int(back[i])) / 4)
		}
	}
	if k.Attr&Reverse != 0 {
		fill, back = back, fill
	}
	return fill, back
}

// rects returns the shapes of a glyph that is not text, as x, y, width and height within
// the cell. It returns nil for text.
func rects(r rune) [][4]int {
	switch {
	case r > 0x2800 && r <= 0x28ff:
		var out [][4]int
		for i, bit := range brailleBits {
			if r&bit != 0 {
				out = append(out, [4]int{i%2*4 + 1, i/2*4 + 1, 2, 2})
			}
		}
		return out
	case r >= '▁' && r <= '█':
		n := int(r-'▁') + 1
		return [][4]int{{0, cellH - 2*n, cellW, 2 * n}}
	case r >= '▉' && r <= '▏':
		return [][4]int{{0, 0, 7 - int(r-'▉'), cellH}}
	case r == '─' || r == '┄':
		return [][4]int{{0, 7, 8, 1}}
	case r == '│':
		return [][4]int{{4, 0, 1, 16}}
	case r == '└':
		return [][4]int{{4, 0, 1, 8}, {4, 7, 4, 1}}
	case r == '├':
		return [][4]int{{4, 0, 1, 16}, {4, 7, 4, 1}}
	case r == '┤':
		return [][4]int{{4, 0, 1, 16}, {0, 7, 4, 1}}
	case r == '┊':
		return [][4]int{{4, 1, 1, 2}, {4, 5, 1, 2}, {4, 9, 1, 2}, {4, 13, 1, 2}}
	case r == '┴':
		return [][4]int{{0, 7, 8, 1}, {4, 0, 1, 7}}
	case r == '┼':
		return [][4]int{{0, 7, 8, 1}, {4, 0, 1, 16}}
	case r == '░':
		return [][4]int{{1, 1, 2, 2}, {5, 5, 2, 2}, {1, 9, 2, 2}, {5, 13, 2, 2}}
	case r == '▒':
		return [][4]int{{0, 0, 4, 4}, {4, 4, 4, 4}, {0, 8, 4, 4}, {4, 12, 4, 4}}
	case r == '▓':
		return [][4]int{{0, 0, 8, 7}, {0, 8, 8, 7}}
	}
	for i, q := range quarters[1:] {
		if q == r {
			var out [][4]int
			for k := range 4 {
				if (i+1)&(1<<k) != 0 {
					out = append(out, [4]int{k % 2 * 4, k / 2 * 8, 4, 8})
				}
			}
			return out
		}
	}
	return nil
}
