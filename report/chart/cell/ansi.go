package cell

import (
	"fmt"
	"strings"
)

// Depth is how many colours a terminal has.
type Depth uint8

// Depths.
const (
	NoColour Depth = iota
	Colours16
	Colours256
	TrueColour
)

// ANSI returns the canvas as lines for a terminal. Mono themes and NoColour keep bold,
// dim, underlined and reversed text.
func (c *Canvas) ANSI(t Theme, d Depth) string {
	if t.Mono {
		d = NoColour
	}
	var b strings.Builder
	b.Grow(c.W * c.H * 2)
	for y := range c.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		last, over := "", false
		for x := range c.W {
			k := c.At(x, y)
			// A space looks the same in any style, unless that is reversed or
			// underlined.
			if s := t.style(k, d); s != last && (s != "" || k.R != ' ' || over) {
				if last != "" {
					b.WriteString("\x1b[0m")
				}
				b.WriteString(s)
				last, over = s, (k.Attr|t.attrs[k.Ink])&(Reverse|Under) != 0
			}
			b.WriteRune(k.R)
		}
		if last != "" {
			b.WriteString("\x1b[0m")
		}
	}
	return b.String()
}

// style returns the escape sequence of a cell, "" for plain text.
func (t Theme) style(k Cell, d Depth) string {
	attr := k.Attr | t.attrs[k.Ink]
	if k.R == ' ' && attr&(Reverse|Under) == 0 || k.Ink == Plain && attr == 0 {
		return ""
	}
	var codes []string
	for _, a := range []struct {
		attr Attr
		code string
	}{{Bold, "1"}, {Dim, "2"}, {Under, "4"}, {Reverse, "7"}, {Strike, "9"}} {
		if attr&a.attr != 0 {
			codes = append(codes, a.code)
		}
	}
	if k.Ink != Plain {
		switch rgb := t.inks[k.Ink]; d {
		case Colours16:
			codes = append(codes, basic[k.Ink])
		case Colours256:
			codes = append(codes, fmt.Sprintf("38;5;%d", rgb.index()))
		case TrueColour:
			codes = append(codes, fmt.Sprintf("38;2;%d;%d;%d", rgb[0], rgb[1], rgb[2]))
		}
	}
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// basic are the inks on a terminal of 16 colours. Users set these colours themselves, so
// that they are readable.
var basic = [numInks]string{
	Faint: "90", Strong: "39", Axis: "90", Source: "33", LANai: "36", Net: "32", Dest: "31", Difference: "35",
	Up: "31", Down: "34", Warn: "33", Accent: "39", Second: "93",
	Heat: "34", Heat + 1: "34", Heat + 2: "36", Heat + 3: "36", Heat + 4: "32", Heat + 5: "32", Heat + 6: "33", Heat + 7: "93",
}

// index returns the nearest of 256 colours, of the cube or of the greys.
func (c RGB) index() int {
	levels := [6]int{0, 95, 135, 175, 215, 255}
	best, at := 1<<30, 0
	for r, lr := range levels {
		for g, lg := range levels {
			for b, lb := range levels {
				if d := c.far(lr, lg, lb); d < best {
					best, at = d, 16+36*r+6*g+b
				}
			}
		}
	}
	for i := range 24 {
		if v := 8 + 10*i; c.far(v, v, v) < best {
			best, at = c.far(v, v, v), 232+i
		}
	}
	return at
}

func (c RGB) far(r, g, b int) int {
	dr, dg, db := int(c[0])-r, int(c[1])-g, int(c[2])-b
	return dr*dr + dg*dg + db*db
}
