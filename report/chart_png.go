package report

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
)

// pngDots is how many dots a pixel of the chart has in each direction, so that
// pictures are sharp on fine screens.
const pngDots = 2

// PNG writes the chart as a picture.
func (c *Chart) PNG(w io.Writer) error {
	img := image.NewRGBA(image.Rect(0, 0, chartWidth*pngDots, chartHeight*pngDots))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	face := newFace()
	defer face.Close()
	c.draw(pngPen{img, face})
	return png.Encode(w, img)
}

type pngPen struct {
	img  *image.RGBA
	face font.Face
}

// rgb reads a colour written as #rrggbb.
func rgb(text string) color.RGBA {
	k := color.RGBA{A: 255}
	if _, err := fmt.Sscanf(text, "#%02x%02x%02x", &k.R, &k.G, &k.B); err != nil {
		panic(fmt.Sprintf("report: colour %q: %v", text, err))
	}
	return k
}

func (p pngPen) shade(from, to spot) {
	p.fill(color.RGBA{242, 242, 242, 255}, from, spot{to.x, from.y}, to, spot{from.x, to.y})
}

func (p pngPen) line(colour string, width float64, through ...spot) {
	for i := 1; i < len(through); i++ {
		a, b := through[i-1], through[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		// Half a width to either side, and a little on at the ends.
		dx, dy := (b.x-a.x)/length*width/2, (b.y-a.y)/length*width/2
		p.fill(rgb(colour), spot{a.x - dx - dy, a.y - dy + dx}, spot{b.x + dx - dy, b.y + dy + dx},
			spot{b.x + dx + dy, b.y + dy - dx}, spot{a.x - dx + dy, a.y - dy - dx})
	}
}

func (p pngPen) mark(colour, form string, at spot, _ string) {
	edge := outline(form)
	for i := range edge {
		edge[i] = spot{edge[i].x + at.x, edge[i].y + at.y}
	}
	p.fill(rgb(colour), edge...)
}

// fill fills a polygon.
func (p pngPen) fill(k color.RGBA, edge ...spot) {
	lo, hi := edge[0], edge[0]
	for _, s := range edge {
		lo, hi = spot{math.Min(lo.x, s.x), math.Min(lo.y, s.y)}, spot{math.Max(hi.x, s.x), math.Max(hi.y, s.y)}
	}
	corner := image.Pt(int(math.Floor(lo.x*pngDots)), int(math.Floor(lo.y*pngDots)))
	size := image.Pt(int(math.Ceil(hi.x*pngDots)), int(math.Ceil(hi.y*pngDots))).Sub(corner)
	r := vector.NewRasterizer(size.X, size.Y)
	for i, s := range edge {
		x, y := float32(s.x*pngDots-float64(corner.X)), float32(s.y*pngDots-float64(corner.Y))
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(p.img, image.Rectangle{Max: size}.Add(corner), image.NewUniform(k), image.Point{})
}

// fontSize is that of the SVG, in pixels.
const fontSize = 13

// newFace makes the font of a picture, which serves one picture at a time.
func newFace() font.Face {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic("report: built-in font: " + err.Error())
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: fontSize, DPI: 72 * pngDots, Hinting: font.HintingFull})
	if err != nil {
		panic("report: built-in font: " + err.Error())
	}
	return face
}

func (p pngPen) text(at spot, s anchor, text string) {
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(rgb(ink)), Face: p.face}
	x := fixed.I(int(math.Round(at.x * pngDots)))
	switch s {
	case middle:
		x -= d.MeasureString(text) / 2
	case end:
		x -= d.MeasureString(text)
	}
	d.Dot = fixed.Point26_6{X: x, Y: fixed.I(int(math.Round(at.y * pngDots)))}
	d.DrawString(text)
}
