package chart

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"image/png"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

const made = "sigview report '<b> µ' --format svg"

// sampleFigure has a key of several lines.
func sampleFigure() Figure {
	c := Chart{Title: "latency & size", X: Axis{Name: "size, B", Scale: Log2}, Y: Axis{Name: "µs", Scale: Log10}, Notes: []string{"broken line: idle"}}
	for i := range 7 {
		c.Series = append(c.Series, Series{
			Name: fmt.Sprintf("series %d <x>", i), Look: LookOf(i), Draw: Marks | Line | Intervals, Gap: i,
			Points: []Point{{X: 64, Y: 2 + float64(i), Lo: 1, Hi: 10}, {X: 4096, Y: 20 + float64(i), Weak: true}},
		})
	}
	return Figure{c, ColumnWidth, ColumnHeight, made}
}

// TestFiguresHaveTheirSize reads figures back: their size on paper, that of their letters, and the command.
func TestFiguresHaveTheirSize(t *testing.T) {
	for _, size := range [][2]float64{{85, 60}, {178, 90.5}, {50, 70}} {
		f := sampleFigure()
		f.Width, f.Height = size[0], size[1]
		require.NoError(t, f.Check())

		var svg struct {
			Width   string `xml:"width,attr"`
			Height  string `xml:"height,attr"`
			ViewBox string `xml:"viewBox,attr"`
			Title   string `xml:"title"`
			Desc    string `xml:"desc"`
			Style   string `xml:"style"`
		}
		require.NoError(t, xml.Unmarshal([]byte(f.SVG()), &svg))
		require.Equal(t, []string{fmt.Sprintf("%gmm", size[0]), fmt.Sprintf("%gmm", size[1])}, []string{svg.Width, svg.Height})
		require.Equal(t, []string{f.Title, made}, []string{svg.Title, svg.Desc})
		var x, y, w, h, letters float64 // letters are in pixels
		_, err := fmt.Sscanf(svg.ViewBox, "%f %f %f %f", &x, &y, &w, &h)
		require.NoError(t, err)
		letters, err = strconv.ParseFloat(regexp.MustCompile(`font: ([\d.]+)px`).FindStringSubmatch(svg.Style)[1], 64)
		require.NoError(t, err)
		require.InDelta(t, size[0]/size[1], w/h, 1e-3)
		require.GreaterOrEqual(t, letters*size[0]/w*72/25.4, 7.0, "points")

		var b bytes.Buffer
		require.NoError(t, f.PNG(&b))
		img, err := png.Decode(bytes.NewReader(b.Bytes()))
		require.NoError(t, err)
		chunks := chunksOf(t, b.Bytes())
		dots := binary.BigEndian.Uint32(chunks["pHYs"]) // a metre
		require.Equal(t, []byte{1}, chunks["pHYs"][8:])
		require.InDelta(t, size[0], float64(img.Bounds().Dx())/float64(dots)*1000, 0.05)
		require.InDelta(t, size[1], float64(img.Bounds().Dy())/float64(dots)*1000, 0.05)
		require.Equal(t, "Description\x00\x00\x00\x00\x00"+made, string(chunks["iTXt"]))

		b.Reset()
		require.NoError(t, f.PDF(&b))
		box := regexp.MustCompile(`/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]`).FindAllSubmatch(b.Bytes(), -1)
		require.Len(t, box, 1)
		for i, text := range box[0][1:] {
			points, err := strconv.ParseFloat(string(text), 64)
			require.NoError(t, err)
			require.InDelta(t, size[i], points*25.4/72, 0.01)
		}
		require.Regexp(t, `/BaseFont /\S*go`, b.String(), "the font is in the file")
		require.Contains(t, b.String(), "/Subject ("+inPDF(made)+")")
	}
}

// chunksOf returns the chunks of a PNG by their names; of several the last.
func chunksOf(t *testing.T, file []byte) map[string][]byte {
	out := map[string][]byte{}
	for rest := file[8:]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		require.NotContains(t, string(rest[4:8]), "\x00")
		out[string(rest[4:8])] = rest[8 : 8+n]
		rest = rest[12+n:]
	}
	return out
}

// inPDF is a text as a PDF has it.
func inPDF(text string) string {
	var b bytes.Buffer
	b.WriteString("\xfe\xff")
	for _, u := range utf16.Encode([]rune(text)) {
		b.Write(binary.BigEndian.AppendUint16(nil, u))
	}
	return b.String()
}

// TestFiguresAreTheSame: the same figure has the same bytes.
func TestFiguresAreTheSame(t *testing.T) {
	f, g := sampleFigure(), sampleFigure()
	var a, b bytes.Buffer
	require.NoError(t, f.PDF(&a))
	require.NoError(t, g.PDF(&b))
	require.Equal(t, a.Bytes(), b.Bytes())
	require.Equal(t, f.SVG(), g.SVG())
}

// TestSmallFigures: the error of a figure that has no room for its letters names a size that has.
func TestSmallFigures(t *testing.T) {
	f := sampleFigure()
	for range 10 {
		f.Width, f.Height = 20, 20
		err := f.Check()
		require.ErrorContains(t, err, "size is 20x20mm, want ")
		_, err = fmt.Sscanf(regexp.MustCompile(`want (.*) or more`).FindStringSubmatch(err.Error())[1], "%fx%fmm", &f.Width, &f.Height)
		require.NoError(t, err)
		if f.Check() == nil {
			return
		}
	}
	t.Fatalf("%gx%gmm is too small too", f.Width, f.Height)
}
