package chart

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/sigview/sigview/internal/portable"
)

// pngDots is the number of dots per pixel in each direction, so that pictures are sharp
// on fine screens.
const pngDots = 2

// fontSize is that of the SVG, in pixels.
const fontSize = 13

// PNG writes charts side by side as a PNG, with pngDots dots a pixel. It returns the errors of w.
func PNG(w io.Writer, charts ...Chart) error {
	p := newPNGPen(pngDots)
	defer p.face.Close()
	pictures, width, height := layout(p, charts)
	p.blank(int(width)*pngDots, int(height)*pngDots)
	for i := range pictures {
		pictures[i].paint()
	}
	return p.encode(w)
}

// pngPen draws on an image.
type pngPen struct {
	img  *image.RGBA
	face font.Face
	dots float64 // a pixel
}

func newPNGPen(dots float64) *pngPen { return &pngPen{face: newFace(dots), dots: dots} }

// blank makes the image, of so many dots.
func (p *pngPen) blank(width, height int) {
	p.img = image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(p.img, p.img.Bounds(), image.White, image.Point{}, draw.Src)
}

func (p *pngPen) encode(w io.Writer) error { return png.Encode(w, p.img) }

// newFace returns the font of a picture. It keeps state while it draws, so that each picture has one of its
// own.
func newFace(dots float64) font.Face {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic("chart: built-in font: " + err.Error())
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: fontSize, DPI: 72 * dots, Hinting: font.HintingFull})
	if err != nil {
		panic("chart: built-in font: " + err.Error())
	}
	return face
}

func (p *pngPen) trace(s stroke, _ string, through ...spot) {
	const dash, period = 4, 7 // as in the SVG
	gone := 0.0               // length of the line so far, to continue dashes in the next segment
	for i := 1; i < len(through); i++ {
		a, b := through[i-1], through[i]
		length := portable.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		ux, uy := (b.x-a.x)/length, (b.y-a.y)/length
		if !s.broken {
			p.piece(s, a, b, ux, uy)
			continue
		}
		for at := -math.Mod(gone, period); at < length; at += period {
			if from, to := math.Max(at, 0), math.Min(at+dash, length); from < to {
				p.piece(s, spot{a.x + float64(ux*from), a.y + float64(uy*from)}, spot{a.x + float64(ux*to), a.y + float64(uy*to)}, ux, uy)
			}
		}
		gone += length
	}
}

// piece draws a straight line from a to b, whose direction is (ux, uy). It is longer by half its width at both
// ends, so that pieces of a line join.
func (p *pngPen) piece(s stroke, a, b spot, ux, uy float64) {
	dx, dy := float64(ux*s.width/2), float64(uy*s.width/2)
	p.polygon(s.colour, spot{a.x - dx - dy, a.y - dy + dx}, spot{b.x + dx - dy, b.y + dy + dx},
		spot{b.x + dx + dy, b.y + dy - dx}, spot{a.x - dx + dy, a.y - dy - dx})
}

func (p *pngPen) fill(colour string, hollow bool, _ string, edge ...spot) {
	if hollow {
		p.trace(stroke{colour, 1, false}, "", append(edge, edge[0])...)
		return
	}
	p.polygon(colour, edge...)
}

// polygon fills a polygon. Only the rectangle around it is rasterized.
func (p *pngPen) polygon(colour string, edge ...spot) {
	lo, hi := edge[0], edge[0]
	for _, s := range edge {
		lo, hi = spot{math.Min(lo.x, s.x), math.Min(lo.y, s.y)}, spot{math.Max(hi.x, s.x), math.Max(hi.y, s.y)}
	}
	corner := image.Pt(int(math.Floor(lo.x*p.dots)), int(math.Floor(lo.y*p.dots)))
	size := image.Pt(int(math.Ceil(hi.x*p.dots)), int(math.Ceil(hi.y*p.dots))).Sub(corner)
	r := vector.NewRasterizer(size.X, size.Y)
	for i, s := range edge {
		x, y := float32(float64(s.x*p.dots)-float64(corner.X)), float32(float64(s.y*p.dots)-float64(corner.Y))
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(p.img, image.Rectangle{Max: size}.Add(corner), image.NewUniform(rgb(colour)), image.Point{})
}

// rgb returns the colour that #rrggbb names. It panics for any other text: colours are constants.
func rgb(text string) color.RGBA {
	k := color.RGBA{A: 255}
	if _, err := fmt.Sscanf(text, "#%02x%02x%02x", &k.R, &k.G, &k.B); err != nil {
		panic(fmt.Sprintf("chart: colour %q: %v", text, err))
	}
	return k
}

func (p *pngPen) text(at spot, a anchor, text string) {
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(rgb(inkColour)), Face: p.face}
	x := fixed.I(int(math.Round(at.x * p.dots)))
	switch a {
	case middle:
		x -= d.MeasureString(text) / 2
	case end:
		x -= d.MeasureString(text)
	}
	d.Dot = fixed.Point26_6{X: x, Y: fixed.I(int(math.Round(at.y * p.dots)))}
	d.DrawString(text)
}
