package cell

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Cell is one character.
type Cell struct {
	R    rune
	Ink  Ink
	Attr Attr

	text bool // written by Text
}

// zone is a part of a canvas that reacts to the mouse.
type zone struct {
	X, Y, W, H int
	Do         any
}

// Canvas is a grid of cells. Sub makes parts that share its cells. Nothing is drawn
// outside a part.
type Canvas struct {
	W, H   int
	Glyphs Glyphs
	Figure bool // for paper: no key works there
	Paper  Paper

	grid  [][]Cell // of the whole canvas
	x, y  int      // of this part
	zones *[]zone
	lost  *int // characters of texts that others replaced
}

// New returns an empty canvas. Sizes below one count as one.
func New(w, h int, g Glyphs) *Canvas {
	w, h = max(w, 1), max(h, 1)
	cells := make([]Cell, w*h)
	for i := range cells {
		cells[i].R = ' '
	}
	c := &Canvas{W: w, H: h, Glyphs: g, grid: make([][]Cell, h), zones: new([]zone), lost: new(int)}
	for y := range c.grid {
		c.grid[y] = cells[y*w : (y+1)*w]
	}
	return c
}

// Sub returns a part of the canvas, clipped to it.
func (c *Canvas) Sub(x, y, w, h int) *Canvas {
	x, y = min(max(x, 0), c.W), min(max(y, 0), c.H)
	s := *c
	s.x, s.y = c.x+x, c.y+y
	s.W, s.H = max(min(w, c.W-x), 0), max(min(h, c.H-y), 0)
	return &s
}

// Keys returns a text about keys, and "" on a figure.
func (c *Canvas) Keys(text string) string {
	if c.Figure {
		return ""
	}
	return text
}

// Set writes a character. Outside the canvas it does nothing.
func (c *Canvas) Set(x, y int, r rune, ink Ink, attr Attr) {
	if x < 0 || y < 0 || x >= c.W || y >= c.H {
		return
	}
	at, r := &c.grid[c.y+y][c.x+x], c.Glyphs.Fit(r)
	if at.text && at.R != ' ' && at.R != r {
		*c.lost++
	}
	*at = Cell{R: r, Ink: ink, Attr: attr}
}

// Heat writes a step of a heat map, from few (0) to many (HeatSteps-1), as the glyph and the
// colour nearest to it.
func (c *Canvas) Heat(x, y, step int) {
	step = min(max(step, 0), HeatSteps-1)
	c.Set(x, y, c.Glyphs.Shade(step), Heat+Ink(step), 0)
}

// Lost returns how many characters of texts were replaced by others, on the whole
// canvas. In a picture without overlaps it is 0.
func (c *Canvas) Lost() int { return *c.lost }

// letter writes a character of a text.
func (c *Canvas) letter(x, y int, r rune, ink Ink, attr Attr) {
	c.Set(x, y, r, ink, attr)
	if x >= 0 && y >= 0 && x < c.W && y < c.H {
		c.grid[c.y+y][c.x+x].text = true
	}
}

// At returns the character at a place of this part.
func (c *Canvas) At(x, y int) Cell {
	if x < 0 || y < 0 || x >= c.W || y >= c.H {
		return Cell{R: ' '}
	}
	return c.grid[c.y+y][c.x+x]
}

// Mark adds attributes to the characters at a place.
func (c *Canvas) Mark(x, y, w int, attr Attr) {
	for i := max(x, 0); i < min(x+w, c.W); i++ {
		if y >= 0 && y < c.H {
			c.grid[c.y+y][c.x+i].Attr |= attr
		}
	}
}

// MarkWords adds attributes to what is some of the words, in capitals or not, in a line.
func (c *Canvas) MarkWords(y int, words []string, attr Attr) {
	line := make([]rune, c.W)
	for x := range line {
		line[x] = unicode.ToLower(c.At(x, y).R)
	}
	for _, w := range words {
		word := []rune(strings.ToLower(w))
		for x := 0; len(word) > 0 && x+len(word) <= len(line); x++ {
			if slices.Equal(line[x:x+len(word)], word) {
				c.Mark(x, y, len(word), attr)
			}
		}
	}
}

// narrow treats ambiguous characters such as µ as one column wide, as terminals do
// outside East Asian settings.
var narrow = &runewidth.Condition{}

// Clean makes a text safe to show. It replaces characters that could move the cursor,
// join with their neighbours or are not one column wide by question marks. European
// scripts and the symbols of views remain.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r >= ' ' && r < 0x7f, (r >= 0xa1 && r < 0x250 || r >= 0x370 && r < 0x530 || r >= 0x2010 && r < 0x2900) &&
			unicode.IsPrint(r) && !unicode.Is(unicode.M, r) && narrow.RuneWidth(r) == 1:
			return r
		}
		return '?'
	}, text)
}

// Text writes a line and returns the column after it. A line that does not fit ends in an
// ellipsis.
func (c *Canvas) Text(x, y int, text string, ink Ink, attr Attr) int {
	runes := []rune(Clean(text))
	if room := max(c.W-x, 0); len(runes) > room {
		if runes = runes[:room]; room > 0 {
			runes[room-1] = '…'
		}
	}
	for _, r := range runes {
		c.letter(x, y, r, ink, attr)
		x++
	}
	return x
}

// Right writes a line that ends before column x.
func (c *Canvas) Right(x, y int, text string, ink Ink, attr Attr) {
	c.Text(max(x-Width(text), 0), y, text, ink, attr)
}

// Ends writes a line with one text at its left end and another at its right end. The
// first is shortened if both do not fit.
func (c *Canvas) Ends(y int, left string, leftInk Ink, right string, rightInk Ink) {
	room := c.W
	if right != "" {
		room -= min(Width(right)+1, c.W)
	}
	c.Sub(0, y, room, 1).Text(0, 0, left, leftInk, 0)
	c.Sub(min(room+1, c.W), y, c.W, 1).Text(0, 0, right, rightInk, 0)
}

// Width returns the number of columns of a text.
func Width(text string) int { return len([]rune(text)) }

// units stay on the line of the number before them.
var units = []string{"%", "B", "KB", "MB", "MB/s", "ns", "µs", "ms", "s"}

// words splits a text where lines may end.
func words(text string) (out []string) {
	for _, word := range strings.Fields(text) {
		if last := len(out) - 1; last >= 0 && slices.Contains(units, strings.TrimRight(word, ".,:;)")) {
			if r, _ := utf8.DecodeLastRuneInString(out[last]); unicode.IsDigit(r) {
				out[last] += " " + word
				continue
			}
		}
		out = append(out, word)
	}
	return out
}

// Wrap breaks a text into lines of at most w columns. Longer words are split.
func Wrap(text string, w int) []string {
	var lines []string
	line := ""
	for _, word := range words(text) {
		for Width(word) > w && w > 0 {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			r := []rune(word)
			lines, word = append(lines, string(r[:w])), string(r[w:])
		}
		switch {
		case line == "":
			line = word
		case Width(line)+1+Width(word) <= w:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Para writes wrapped text from line y on and returns the line after it. If it does not
// fit, the last line says how many lines are left out.
func (c *Canvas) Para(x, y int, text string, ink Ink) int {
	lines := Wrap(text, c.W-x)
	for i, line := range lines {
		if y == c.H-1 && i < len(lines)-1 {
			c.Text(x, y, fmt.Sprintf("… %d more lines", len(lines)-i), Faint, 0)
			return c.H
		}
		c.Text(x, y, line, ink, 0)
		y++
	}
	return y
}

// Zone sets the action of a click on a part of the canvas.
func (c *Canvas) Zone(x, y, w, h int, do any) {
	*c.zones = append(*c.zones, zone{c.x + x, c.y + y, w, h, do})
}

// Hit returns the action at a place of the whole canvas, and the place within its zone.
// Of several zones, the last one set counts.
func (c *Canvas) Hit(x, y int) (do any, dx, dy int, ok bool) {
	for i := len(*c.zones) - 1; i >= 0; i-- {
		z := (*c.zones)[i]
		if x >= z.X && y >= z.Y && x < z.X+z.W && y < z.Y+z.H {
			return z.Do, x - z.X, y - z.Y, true
		}
	}
	return nil, 0, 0, false
}

// String returns the canvas without colours and without spaces at the ends of lines.
func (c *Canvas) String() string {
	var b strings.Builder
	for y := range c.H {
		line := make([]rune, c.W)
		for x := range c.W {
			line[x] = c.At(x, y).R
		}
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return b.String()
}
