package cell

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestNothingForeignReachesTheTerminal: names come out of files that anybody
// may have written.
func TestNothingForeignReachesTheTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(20, 2, Glyphs(rapid.IntRange(0, 2).Draw(t, "glyphs")))
		c.Text(rapid.IntRange(-3, 25).Draw(t, "x"), rapid.IntRange(-1, 3).Draw(t, "y"), rapid.String().Draw(t, "text"), Plain, 0)
		lines := strings.Split(c.ANSI(Theme{}, TrueColour), "\n")
		require.Len(t, lines, 2)
		for _, l := range lines {
			require.Equal(t, 20, utf8.RuneCountInString(l))
			require.Equal(t, 20, narrow.StringWidth(l), "every character is one column wide")
			require.NotContains(t, l, "\x1b")
		}
	})
}

func TestTextThatDoesNotFitEndsInAnEllipsis(t *testing.T) {
	c := New(5, 1, Braille)
	require.Equal(t, 5, c.Text(0, 0, "abcdefg", Plain, 0))
	require.Equal(t, "abcd…\n", c.String())
	c = New(5, 1, Braille)
	c.Text(0, 0, "abcde", Plain, 0)
	require.Equal(t, "abcde\n", c.String())
}

func TestParaSaysWhatIsLeftOut(t *testing.T) {
	c := New(12, 3, Braille)
	c.Para(0, 0, "one two three four five six seven eight nine", Plain)
	require.Equal(t, "one two\nthree four\n… 3 more li…\n", c.String())
}

func TestSubCannotDrawOutside(t *testing.T) {
	c := New(6, 3, Braille)
	s := c.Sub(2, 1, 2, 9)
	require.Equal(t, []int{2, 2}, []int{s.W, s.H})
	s.Text(0, 0, "abcd", Plain, 0)
	s.Set(-1, 0, 'x', Plain, 0)
	s.Set(0, 2, 'x', Plain, 0)
	require.Equal(t, "\n  a…\n\n", c.String())
	s.Zone(0, 0, 2, 1, "here")
	_, _, _, ok := c.Hit(1, 1)
	require.False(t, ok)
	do, dx, dy, ok := c.Hit(3, 1)
	require.True(t, ok)
	require.Equal(t, []any{"here", 1, 0}, []any{do, dx, dy})
}

func TestDots(t *testing.T) {
	for g, want := range map[Glyphs]string{Braille: "⡇⣀\n", Block: "▌▄\n", ASCII: ":.\n"} {
		c := New(2, 1, g)
		d := NewDots(c)
		w, h := d.Size()
		d.Line(0, 0, 0, h-1, 1, Net, 0)
		d.Line(w/2, 0, w-1, 0, 1, Net, 0)
		d.Set(w, 0, Net, 0) // outside
		d.Paint(c)
		require.Equal(t, want, c.String(), g.String())
	}
}

func TestThemes(t *testing.T) {
	for _, name := range Themes() {
		th, err := ThemeOf(name)
		require.NoError(t, err)
		c := New(1, 1, Braille)
		c.Set(0, 0, 'x', Net, 0)
		for _, d := range []Depth{NoColour, Colours16, Colours256, TrueColour} {
			coloured := strings.Contains(c.ANSI(th, d), "\x1b[3")
			require.Equal(t, name != "mono" && d != NoColour, coloured, "%s %d", name, d)
		}
		for i := range numInks {
			require.NotEqual(t, th.Back, th.Colour(i), "%s: ink %d cannot be seen", name, i)
		}
	}
	_, err := ThemeOf("mauve")
	require.ErrorContains(t, err, "mauve")
	require.Equal(t, 16, RGB{0, 0, 0}.index())
	require.Equal(t, 231, RGB{255, 255, 255}.index())
	require.Equal(t, 244, RGB{129, 128, 128}.index())
}

func TestPictures(t *testing.T) {
	th, err := ThemeOf("dark")
	require.NoError(t, err)
	c := New(30, 3, Braille)
	c.Text(0, 0, "a < b & \"c\" µs ▲●░█⣿▌│─ …", Net, Bold)
	c.Mark(0, 0, 5, Reverse)
	svg := c.SVG(th, "</title><script>")
	require.NotContains(t, svg, "<script>")
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	var b bytes.Buffer
	require.NoError(t, c.PNG(&b, th, ""))
	img, err := png.Decode(&b)
	require.NoError(t, err)
	require.Equal(t, 30*cellW*pngScale, img.Bounds().Dx())
}

// TestFramesAreShapes: lines of axes and cursors are no characters of a font, whose strokes leave gaps between cells.
func TestFramesAreShapes(t *testing.T) {
	for _, r := range "│─└┴┼├┤┄┊" {
		require.NotEmpty(t, rects(r), "%c", r)
	}
}

// TestLostCountsTextUnderText: also in parts, and not where a text repeats another.
func TestLostCountsTextUnderText(t *testing.T) {
	c := New(10, 2, ASCII)
	c.Set(0, 0, '#', Plain, 0)
	c.Text(0, 0, "abc", Plain, 0)
	c.Text(3, 0, "de", Plain, 0)
	require.Zero(t, c.Lost())
	c.Sub(2, 0, 5, 1).Text(0, 0, "cx", Plain, 0)
	require.Equal(t, 1, c.Lost(), "x for d")
	c.Right(2, 0, "  ", Plain, 0)
	c.Set(4, 0, '#', Plain, 0)
	require.Equal(t, 4, c.Lost(), "spaces and marks hide a text too")
	c.Text(5, 1, "far too long", Plain, 0)
	require.Equal(t, 4, c.Lost(), "a text shortened by itself")
}

// TestHeatHasAnInkForEveryStep: whatever step a figure gives, the picture has a colour for it.
func TestHeatHasAnInkForEveryStep(t *testing.T) {
	th, err := ThemeOf("dark")
	require.NoError(t, err)
	c := New(4, 1, Braille)
	for i, step := range []int{math.MinInt, -17, 3, math.MaxInt} {
		c.Heat(i, 0, step)
	}
	require.NotEmpty(t, c.SVG(th, "steps"))
	require.Equal(t, []Ink{Heat, Heat, Heat + 3, Heat + HeatSteps - 1}, []Ink{c.At(0, 0).Ink, c.At(1, 0).Ink, c.At(2, 0).Ink, c.At(3, 0).Ink})
}

// TestInksCanBeRead: with the background all have the contrast that WCAG 2.1 asks of text of any size, and the shades of
// maps, which are no text, what it asks of graphics; with 256 colours too, and what is dim.
func TestInksCanBeRead(t *testing.T) {
	light := func(c RGB) float64 {
		part := func(v uint8) float64 {
			x := float64(v) / 255
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*part(c[0]) + 0.7152*part(c[1]) + 0.0722*part(c[2]) + 0.05
	}
	for _, name := range Themes() {
		theme, err := ThemeOf(name)
		require.NoError(t, err)
		contrast := func(c RGB) float64 {
			a, b := light(c), light(theme.Back)
			return max(a, b) / min(a, b)
		}
		for i := range numInks {
			least := 4.5
			if i >= Heat {
				least = 3
			}
			require.GreaterOrEqual(t, contrast(theme.inks[i]), least, "%s: ink %d", name, i)
			require.GreaterOrEqual(t, contrast(indexed(theme.inks[i].index())), least, "%s: ink %d of 256 colours", name, i)
		}
		dim, _ := theme.faces(Cell{R: 'x', Ink: Plain, Attr: Dim})
		require.GreaterOrEqual(t, contrast(dim), 4.5, "%s: dim", name)
	}
}

// indexed returns one of the 256 colours of terminals, beyond the first 16.
func indexed(i int) RGB {
	if i >= 232 {
		v := uint8(8 + 10*(i-232))
		return RGB{v, v, v}
	}
	levels := [6]uint8{0, 95, 135, 175, 215, 255}
	i -= 16
	return RGB{levels[i/36], levels[i/6%6], levels[i%6]}
}
