package chart

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/pngfile"
)

// Figure is one chart for print, of a size on paper. It has no title, which is for the caption; its key stands below.
// Its letters have 7.5 pt.
type Figure struct {
	Chart
	Width, Height float64 // mm
	Made          string  // the command that makes it, which the file holds
}

// ColumnWidth is that of a column of many journals, with a height that suits it, in mm.
const ColumnWidth, ColumnHeight = 85, 60

// Points are 72 to an inch. A pixel of a picture is so long in print that its letters have letterPoints.
const (
	inch         = 25.4 // mm
	letterPoints = 7.5
	pixel        = letterPoints / fontSize // points
)

// Geometry of a figure in pixels.
const (
	figureTop   = 26.0
	figureBelow = 52.0
	figureRight = 14.0
	keyLine     = 18.0
	letterWide  = 7.4 // a letter of the key, rather more than less
	leastField  = 90.0
)

// pixels are the width and height in pixels.
func (f *Figure) pixels() (width, height float64) {
	const of = 72 / inch / pixel
	return float64(f.Width * of), float64(f.Height * of)
}

// Check returns an error if the figure is too small for its letters.
func (f *Figure) Check() error {
	q := f.picture(nil)
	const mm = pixel / 72 * inch
	if room := min(q.to-q.from, q.bottom-q.top); room < leastField {
		w, h := f.Width+float64(max(0, leastField-(q.to-q.from))*mm), f.Height+float64(max(0, leastField-(q.bottom-q.top))*mm)
		return bounds.Wrong("size", fmt.Sprintf("%gx%gmm", f.Width, f.Height), "%.0fx%.0fmm or more, for letters of 7 pt", math.Ceil(w), math.Ceil(h))
	}
	return nil
}

// picture places the chart.
func (f *Figure) picture(p pen) picture {
	w, h := f.pixels()
	q := picture{pen: p, c: &f.Chart, untitled: true, top: figureTop, from: max(f.Room, 56), to: w - figureRight}
	q.bottom = h - figureBelow
	at := spot{q.from, 0}
	for _, e := range q.entries() {
		long := 26 + float64(letterWide*float64(len([]rune(e.text))))
		if at.x > q.from && at.x+long > w {
			at = spot{q.from, at.y + keyLine}
		}
		q.legend = append(q.legend, placed{e, at})
		at.x += long
	}
	if len(q.legend) > 0 {
		q.bottom -= at.y + keyLine
	}
	for i := range q.legend {
		q.legend[i].at.y += q.bottom + figureBelow + 4
	}
	q.x, q.y = f.Fit()
	return q
}

// SVG returns the figure as SVG, with its size in mm.
func (f *Figure) SVG() string {
	var b bytes.Buffer
	w, h := f.pixels()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%gmm" height="%gmm" viewBox="0 0 %.2f %.2f" role="img">`+"\n", f.Width, f.Height, w, h)
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n", html.EscapeString(f.Title), html.EscapeString(f.Made))
	fmt.Fprintf(&b, "<style>text { font: %dpx Helvetica, Arial, sans-serif; fill: %s; }</style>\n", fontSize, inkColour)
	fmt.Fprintf(&b, `<rect width="%.2f" height="%.2f" fill="#fff"/>`+"\n", w, h)
	q := f.picture(svgPen{&b})
	q.paint()
	b.WriteString("</svg>\n")
	return b.String()
}

// figureDots is the number of dots of a PNG on an inch.
const figureDots = 600

// PNG writes the figure as a PNG of 600 dots an inch, which says so.
func (f *Figure) PNG(w io.Writer) error {
	p := newPNGPen(figureDots / 72.0 * pixel)
	defer p.face.Close()
	side := func(mm float64) int { return int(math.Round(mm / inch * figureDots)) }
	p.blank(side(f.Width), side(f.Height))
	q := f.picture(p)
	q.paint()
	var b bytes.Buffer
	if err := p.encode(&b); err != nil {
		return err
	}
	_, err := w.Write(pngfile.Describe(b.Bytes(), figureDots, pngfile.Text{Keyword: "Title", Text: f.Title}, pngfile.Text{Keyword: "Description", Text: f.Made}))
	return err
}
