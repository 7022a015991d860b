package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/report/chart/cell"
)

func texts(ticks []Tick) string {
	var out []string
	for _, t := range ticks {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	require.Equal(t, "0 20 40 60 80", texts(Axis{Hi: 99}.Ticks(24, 4)))
	require.Equal(t, "-1 0 1", texts(Axis{Lo: -1.4, Hi: 1.4}.Ticks(15, 4)))
	require.Equal(t, "4 8 16 32 64 128 256 512 1024", texts(Axis{Scale: Log2, Lo: 4, Hi: 1024}.Ticks(60, 4)))
	require.Equal(t, "4 32 256", texts(Axis{Scale: Log2, Lo: 4, Hi: 1024}.Ticks(9, 3)))
	require.Equal(t, "1 10 100", texts(Axis{Scale: Log10, Lo: 0.9, Hi: 110}.Ticks(14, 2)))
	require.Equal(t, "10 20 50", texts(Axis{Scale: Log10, Lo: 9, Hi: 60}.Ticks(30, 2)))
	require.Equal(t, "1.2 1.4 1.6 1.8 2", texts(Axis{Scale: Log10, Lo: 1.15, Hi: 2.1}.Ticks(30, 4)))
	require.Equal(t, "a", texts(Axis{Lo: 0, Hi: 10, Marks: []Tick{{5, "a"}, {11, "b"}}}.Ticks(10, 1)))
	require.Empty(t, Axis{}.Ticks(10, 1))
	require.Equal(t, "4096 16K 1M 4M 2G 0.5", strings.Join([]string{binaryText(4096), binaryText(1 << 14), binaryText(1 << 20), binaryText(1 << 22), binaryText(1 << 31), binaryText(0.5)}, " "))
	require.Equal(t, "0 9999 10k 1.2M 3G 1e+12", strings.Join([]string{Short(math.Copysign(0, -1)), Short(9999), Short(1e4), Short(1.2e6), Short(3e9), Short(1e12)}, " "))
}

func TestPlaces(t *testing.T) {
	a := Axis{Scale: Log2, Lo: 4, Hi: 1024}
	p, ok := a.Place(64, 9)
	require.True(t, ok)
	require.Equal(t, 4, p)
	_, ok = a.Place(2, 9)
	require.False(t, ok)
	require.Equal(t, 0, a.Clamp(2, 9))
	require.Equal(t, 0, a.Clamp(0, 9), "what has no logarithm lies at the low end")
	require.Equal(t, 8, a.Clamp(1e9, 9))
	_, ok = a.Part(math.NaN())
	require.False(t, ok)
}

// TestValueIsTheInverseOfPart for values inside.
func TestValueIsTheInverseOfPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Axis{Scale: rapid.SampledFrom([]Scale{Linear, Log10, Log2}).Draw(t, "scale"), Lo: rapid.Float64Range(0.01, 10).Draw(t, "lo")}
		a.Hi = a.Lo * rapid.Float64Range(1.5, 1e4).Draw(t, "times")
		part := rapid.Float64Range(0, 1).Draw(t, "part")
		again, ok := a.Part(a.Value(part))
		require.True(t, ok)
		require.InDelta(t, part, again, 1e-6)
	})
}

func TestLanesStandOverTheirAxis(t *testing.T) {
	c := cell.New(26, 4, cell.ASCII)
	f := Lanes(c, 2, Axis{Lo: 0, Hi: 100}, 8)
	require.Equal(t, [2]int{20, 2}, [2]int{f.W, f.H})
	f.Set(f.Column(100), 1, 'x', cell.Plain, 0)
	require.Equal(t, "\n                         x\n      +---------+--------+\n      0        50      100\n", c.String())
}

func TestFit(t *testing.T) {
	c := Chart{X: Axis{Scale: Log2}, Y: Axis{FromZero: true}, Series: []Series{{Draw: Marks | Intervals, Points: []Point{{X: 4, Y: 10}, {X: 1024, Y: 90, Lo: 85, Hi: 95}}}}}
	x, y := c.Fit()
	require.Equal(t, [2]float64{4, 1024}, [2]float64{x.Lo, x.Hi})
	require.Zero(t, y.Lo)
	require.InDelta(t, 95*1.06, y.Hi, 1e-9)
	c.Y = Axis{Lo: 1, Hi: 7}
	_, y = c.Fit()
	require.Equal(t, [2]float64{1, 7}, [2]float64{y.Lo, y.Hi}, "a range that is given stays")
	c.Y = Axis{Scale: Log10}
	_, y = c.Fit()
	require.Less(t, y.Lo, 10.0)
	require.Greater(t, y.Hi, 95.0)
}

// field is what stands within the axes of a chart of 60 columns.
func field(t *testing.T, c Chart, style Style) []string {
	on := cell.New(60, 20, cell.Block)
	c.Draw(on, style)
	var out []string
	for _, line := range strings.Split(on.String(), "\n") {
		if i := strings.IndexAny(line, "│├"); i >= 0 && utf8.RuneCountInString(line[:i]) == AxisWidth-1 {
			out = append(out, strings.TrimLeft(line[i:], "│├"))
		}
	}
	require.NotEmpty(t, out)
	return out
}

func rowsWith(lines []string, mark string) (at []int) {
	for i, l := range lines {
		if strings.Contains(l, mark) {
			at = append(at, i)
		}
	}
	return at
}

// TestMarksOnCharacters: the mark of the greatest value stands highest, two series in
// one place are a star, and what is weak has another mark.
func TestMarksOnCharacters(t *testing.T) {
	c := Chart{Title: "costs", X: Axis{Name: "M", Scale: Log2}, Y: Axis{Name: "µs", FromZero: true}, Series: []Series{
		{Name: "up", Look: LookOf(0), Draw: Marks, Points: []Point{{X: 1, Y: 0}, {X: 2, Y: 5}, {X: 4, Y: 10}}},
		{Name: "flat", Look: LookOf(1), Draw: Marks, Points: []Point{{X: 1, Y: 5}, {X: 2, Y: 5}, {X: 4, Y: 5, Weak: true}}},
	}, Bands: []Band{{"rising", 1, 4}}, Notes: []string{"hollow: weak"}}
	lines := field(t, c, Style{Letters: true})
	a, flat, star := rowsWith(lines, "a"), rowsWith(lines, "b"), rowsWith(lines, "*")
	require.Len(t, a, 2)
	require.Len(t, flat, 1)
	require.Equal(t, flat, star)
	require.Less(t, a[0], flat[0])
	require.Greater(t, a[1], flat[0])
	require.Equal(t, "a up; b flat; * several; hollow: weak", c.Key())
	require.Equal(t, "costs, µs, by M", c.Head())
	lines = field(t, c, Style{})
	require.Len(t, rowsWith(lines, string(Circle.Rune(false))), 2)
	require.Len(t, rowsWith(lines, string(Square.Rune(true))), 1)
	on := cell.New(60, 20, cell.Block)
	c.Draw(on, Style{})
	require.Contains(t, on.String(), "rising")
	c.Series = append(c.Series, Series{Look: LookOf(2), Draw: Marks, Points: []Point{{X: 2, Y: 5}}}, c.Series[0])
	require.Len(t, rowsWith(field(t, c, Style{}), "*"), 3, "a series that is there twice is several")
}

// TestBarsAndMeansShareColumns: bars of one column add up, means are weighted by what
// they rest on.
// TestTopMarkIsSeen where it meets another one.
func TestTopMarkIsSeen(t *testing.T) {
	for top, want := range map[bool]string{false: "*", true: "b"} {
		c := Chart{X: Axis{Lo: 0, Hi: 2}, Y: Axis{Lo: 0, Hi: 2}, Series: []Series{
			{Draw: Marks, Points: []Point{{X: 1, Y: 1}}}, {Draw: Marks, Points: []Point{{X: 1, Y: 1}}, Top: top, Attr: cell.Bold},
		}}
		f := c.Draw(cell.New(17, 8, cell.ASCII), Style{Letters: true})
		got := f.At(f.Column(1), f.Row(1))
		require.Equal(t, want, string(got.R))
		require.Equal(t, top, got.Attr == cell.Bold)
	}
}

func TestBarsAndMeansShareColumns(t *testing.T) {
	f := Frame(cell.New(20, 10, cell.ASCII), "", Axis{Lo: 0, Hi: 1000}, Axis{Lo: 0, Hi: 10})
	points := []Point{{X: 500, Y: 2, N: 1, Weak: true}, {X: 501, Y: 6, Lo: 4, Hi: 8, N: 3}, {X: 900, Y: 1, N: 1}}
	require.Equal(t, []Point{{X: 500, Y: 5, Lo: 3, Hi: 6, N: 4}, points[2]}, f.merge(Series{Draw: Marks, Points: points}))
	require.Equal(t, 8.0, f.merge(Series{Draw: Bars, Points: points})[0].Y)
	points[1].N = 0
	require.Len(t, f.merge(Series{Draw: Marks, Points: points}), 3)
}

// TestMissingPointsInterruptLines, on characters and in pictures.
func TestMissingPointsInterruptLines(t *testing.T) {
	points := []Point{{X: 1, Y: 5}, {X: 2, Y: 5}, {X: 3, Y: 5, Missing: true}, {X: 4, Y: 5}, {X: 5, Y: 5}}
	c := Chart{X: Axis{Name: "x"}, Y: Axis{Lo: 0, Hi: 10}, Series: []Series{{Draw: Line, Points: points}}}
	require.Len(t, c.runs(points), 2)
	whole := c
	whole.Series = []Series{{Draw: Line, Points: append(points[:2:2], Point{X: 3, Y: 5}, points[3], points[4])}}
	count := func(c Chart) (n int) { return strings.Count(strings.Join(field(t, c, Style{}), ""), "▀") }
	require.Less(t, count(c), count(whole))
	require.Greater(t, strings.Count(SVG(c), `stroke-width="1.5"`), strings.Count(SVG(whole), `stroke-width="1.5"`))
}

func TestHeatStep(t *testing.T) {
	require.Equal(t, 0, heatStep(1, 1000))
	require.Equal(t, cell.HeatSteps-1, heatStep(1000, 1000))
}

// TestHeatMap: cells cover their part of the field. Those that share a character add up;
// in a picture each is a shape of its own.
func TestHeatMap(t *testing.T) {
	c := Chart{Title: "t", X: Axis{Name: "x", Lo: 0, Hi: 10}, Y: Axis{Name: "y", Lo: 0, Hi: 10}, Cells: []Cell{
		{X0: 0, X1: 4, Y0: 0, Y1: 5, N: 1}, {X0: 5, X1: 5, Y0: 9.9, Y1: 10, N: 60}, {X0: 5, X1: 5, Y0: 9.9, Y1: 10, N: 60}, {X0: 12, X1: 14, Y0: 0, Y1: 5, N: 9},
	}}
	require.False(t, c.Empty())
	on := cell.New(AxisWidth+11, 13, cell.ASCII)
	f := c.Draw(on, Style{})
	require.Equal(t, cell.Heat+cell.HeatSteps-1, f.At(5, 0).Ink, "the most packets")
	require.Equal(t, cell.Heat, f.At(0, 9).Ink)
	require.Equal(t, ' ', f.At(0, 0).R)
	require.Equal(t, ' ', f.At(10, 9).R, "what lies outside is not drawn")
	left, right, top, bottom := f.Cover(c.Cells[0])
	require.Equal(t, [4]int{0, 4, 5, 9}, [4]int{left, right, top, bottom})
	svg := SVG(c)
	require.Contains(t, svg, "0 to 4, 0 to 5: 1</title>")
	require.Equal(t, 2, strings.Count(svg, ": 60</title>"))
	require.NoError(t, PNG(io.Discard, c))
}

// TestChartsOfAnything: whatever the values, every surface draws without a crash and
// within its bounds.
func TestChartsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0, 1e7), rapid.Just(0.), rapid.Just(1e-9), rapid.Just(math.NaN()), rapid.Just(math.Inf(1)))
		scale := func() Axis {
			return Axis{Name: "n", Scale: Scale(rapid.IntRange(0, 2).Draw(t, "scale")), FromZero: rapid.Bool().Draw(t, "zero")}
		}
		c := Chart{Title: "t", X: scale(), Y: scale()}
		for i := range rapid.IntRange(0, 10).Draw(t, "series") {
			s := Series{Name: "k", Look: LookOf(i), Draw: Parts(rapid.IntRange(0, 31).Draw(t, "draw"))}
			for range rapid.IntRange(0, 6).Draw(t, "points") {
				v := value.Draw(t, "y")
				s.Points = append(s.Points, Point{X: float64(rapid.IntRange(0, 1<<22).Draw(t, "x")), Y: v, Lo: v / 2, Hi: v * 2, N: float64(rapid.IntRange(0, 2).Draw(t, "n"))})
			}
			c.Series = append(c.Series, s)
		}
		finite := rapid.Float64Range(0, 1e7)
		for range rapid.IntRange(0, 4).Draw(t, "cells") {
			x, y := finite.Draw(t, "x0"), finite.Draw(t, "y0")
			c.Cells = append(c.Cells, Cell{X0: x, X1: x + finite.Draw(t, "width"), Y0: y, Y1: y + finite.Draw(t, "height"), N: finite.Draw(t, "count")})
			c.Boxes = append(c.Boxes, Box{X0: x, X1: x + finite.Draw(t, "length"), Y0: y, Y1: y + 1, Look: LookOf(1), Hollow: x > y, Text: "a text"})
		}
		on := cell.New(rapid.IntRange(1, 120).Draw(t, "width"), rapid.IntRange(1, 30).Draw(t, "height"), cell.Glyphs(rapid.IntRange(0, 2).Draw(t, "glyphs")))
		c.Draw(on, Style{Intervals: true})
		svg := SVG(c, c)
		require.NotContains(t, svg, "NaN")
		require.NotContains(t, svg, "Inf")
	})
	var b bytes.Buffer
	require.NoError(t, PNG(&b, Chart{Title: "nothing", Series: []Series{{Name: "none", Draw: Marks, Points: []Point{{X: 1, Y: math.NaN()}}}}}))
	_, err := png.Decode(&b)
	require.NoError(t, err)
}

// TestLooksCanBeToldApart by form and by colour, each alone.
func TestLooksCanBeToldApart(t *testing.T) {
	runes, colours := map[rune]bool{}, map[string]bool{}
	for f := range numForms {
		require.GreaterOrEqual(t, len(forms[f].edge), 3)
		for _, hollow := range []bool{false, true} {
			require.False(t, runes[f.Rune(hollow)])
			runes[f.Rune(hollow)] = true
			require.NotEqual(t, '?', cell.ASCII.Fit(f.Rune(hollow)))
		}
	}
	for i := range inks {
		s := Series{Look: LookOf(i)}
		require.False(t, colours[s.colour()])
		colours[s.colour()] = true
	}
	seen := map[Look]bool{}
	for i := range len(inks) * int(numForms) {
		require.False(t, seen[LookOf(i)])
		seen[LookOf(i)] = true
	}
}

// TestTextOfPictureIsAnchored: a text begins at its spot, lies about it, or ends there.
func TestTextOfPictureIsAnchored(t *testing.T) {
	p := newPNGPen(pngDots)
	p.img = image.NewRGBA(image.Rect(0, 0, 400, 60))
	extent := func(a anchor) (lo, hi float64) {
		clear(p.img.Pix)
		p.text(spot{100, 20}, a, "1024 B")
		lo, hi = 400, 0
		for i := 3; i < len(p.img.Pix); i += 4 {
			if p.img.Pix[i] > 0 {
				x := float64(i/4%400) / pngDots
				lo, hi = math.Min(lo, x), math.Max(hi, x)
			}
		}
		return lo, hi
	}
	lo, hi := extent(begin)
	require.InDelta(t, 100, lo, 2)
	require.Greater(t, hi, 130.0)
	lo, hi = extent(middle)
	require.InDelta(t, 100, (lo+hi)/2, 2)
	_, hi = extent(end)
	require.InDelta(t, 100, hi, 2)
}

// TestLabelsLineUnderLine: a tall chart shows the label of every line, within its room.
func TestLabelsLineUnderLine(t *testing.T) {
	c := Chart{Tall: 600, Room: 170, X: Axis{Lo: 0, Hi: 200}, Y: Axis{Lo: 0, Hi: 30}}
	for i := range 29 {
		c.Y.Marks = append(c.Y.Marks, Tick{float64(i + 1), fmt.Sprintf("line-%d-", i+1)})
	}
	svg := SVG(c)
	for _, m := range c.Y.Marks {
		require.Contains(t, svg, `text-anchor="end">`+m.Text)
	}
	require.Contains(t, svg, fmt.Sprintf(`height="%.0f"`, top+600+below))
	require.Contains(t, svg, `x="164.0"`)
	c.Tall = 0
	require.Less(t, strings.Count(SVG(c), ">line-"), 29, "no room for all")
}

// seen notes the intervals that a chart draws.
type seen struct {
	surface
	intervals [][2]spot
}

func (s *seen) cells([]Cell)                          {}
func (s *seen) mark(int, *Series, spot, bool, string) {}
func (s *seen) interval(_ *Series, from, to spot) {
	s.intervals = append(s.intervals, [2]spot{from, to})
}

// TestIntervalsReachFromEndToEnd also where the mean is not in their middle.
func TestIntervalsReachFromEndToEnd(t *testing.T) {
	c := Chart{Series: []Series{{Draw: Marks | Intervals, Points: []Point{{X: 5, Y: 6, Lo: 2, Hi: 9}, {X: 7, Y: 6}}}}}
	var on seen
	c.draw(&on, Axis{Lo: 0, Hi: 10}, Axis{Lo: 0, Hi: 10})
	require.Equal(t, [][2]spot{{{0.5, 0.2}, {0.5, 0.9}}}, on.intervals)
}

// TestTextOfSVGIsEscaped: names of programs and files may hold anything.
func TestTextOfSVGIsEscaped(t *testing.T) {
	name := `<script>&"'`
	c := Chart{Title: name, X: Axis{Name: name}, Y: Axis{Name: name}, Notes: []string{name},
		Series: []Series{{Name: name, Draw: Marks, Points: []Point{{X: 1, Y: 2, Hint: name}}}}}
	d := xml.NewDecoder(strings.NewReader(SVG(c)))
	shown := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			require.NotEqual(t, "script", x.Name.Local)
		case xml.CharData:
			shown += strings.Count(string(x), name)
		}
	}
	require.Equal(t, 6, shown)
}
