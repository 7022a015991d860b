package cell

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"

	"github.com/sigview/sigview/internal/pngfile"
)

// pngScale makes pictures sharp on fine screens, paperScale on paper.
const pngScale, paperScale = 2, 5

// marks that the font does not have, as lines of bits eight pixels wide.
var marks = map[rune][]uint8{
	'▲': {0, 0, 0, 0, 0x08, 0x08, 0x1c, 0x1c, 0x3e, 0x3e, 0x7f, 0x7f},
	'▼': {0, 0, 0, 0, 0x7f, 0x7f, 0x3e, 0x3e, 0x1c, 0x1c, 0x08, 0x08},
	'●': {0, 0, 0, 0, 0x1c, 0x3e, 0x7f, 0x7f, 0x7f, 0x3e, 0x1c},
	'○': {0, 0, 0, 0, 0x1c, 0x22, 0x41, 0x41, 0x41, 0x22, 0x1c},
	'■': {0, 0, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f},
	'□': {0, 0, 0, 0, 0x7f, 0x41, 0x41, 0x41, 0x41, 0x41, 0x7f},
	'◆': {0, 0, 0, 0, 0x08, 0x1c, 0x3e, 0x7f, 0x3e, 0x1c, 0x08},
	'◇': {0, 0, 0, 0, 0x08, 0x14, 0x22, 0x41, 0x22, 0x14, 0x08},
	'◉': {0, 0, 0, 0, 0x3e, 0x41, 0x5d, 0x5d, 0x5d, 0x41, 0x3e},
	'◌': {0, 0, 0, 0, 0x2a, 0x41, 0, 0x41, 0, 0x41, 0x2a},
	'✚': {0, 0, 0, 0, 0x1c, 0x1c, 0x7f, 0x7f, 0x7f, 0x1c, 0x1c},
	'✕': {0, 0, 0, 0, 0x41, 0x22, 0x14, 0x08, 0x14, 0x22, 0x41},
	'Δ': {0, 0, 0, 0x08, 0x08, 0x14, 0x14, 0x22, 0x22, 0x41, 0x41, 0x7f},
	'▪': {0, 0, 0, 0, 0, 0, 0x1c, 0x1c, 0x1c},
}

// PNG writes the canvas as a picture. One on paper says how large it is there, and its title.
func (c *Canvas) PNG(w io.Writer, t Theme, title string) error {
	small := image.NewRGBA(image.Rect(0, 0, c.W*cellW, c.H*cellH))
	draw.Draw(small, small.Bounds(), uniform(t.Back), image.Point{}, draw.Src)
	for y := range c.H {
		for x := range c.W {
			k := c.At(x, y)
			fill, back := t.faces(k)
			at := image.Pt(x*cellW, y*cellH)
			if back != t.Back {
				box(small, at, [4]int{0, 0, cellW, cellH}, back)
			}
			character(small, at, k.R, fill, (k.Attr|t.attrs[k.Ink])&Bold != 0)
			if k.Attr&Under != 0 {
				box(small, at, [4]int{0, cellH - 2, cellW, 2}, fill)
			}
			if k.Attr&Strike != 0 {
				box(small, at, [4]int{0, cellH / 2, cellW, 1}, fill)
			}
		}
	}
	scaled := func(scale int) image.Rectangle { return image.Rect(0, 0, c.W*cellW*scale, c.H*cellH*scale) }
	if c.Paper == (Paper{}) {
		big := image.NewRGBA(scaled(pngScale))
		xdraw.NearestNeighbor.Scale(big, big.Bounds(), small, small.Bounds(), draw.Src, nil)
		return png.Encode(w, big)
	}
	width, height := c.Paper.pixels()
	big := image.NewRGBA(image.Rect(0, 0, int(math.Round(width*paperScale)), int(math.Round(height*paperScale))))
	draw.Draw(big, big.Bounds(), uniform(t.Back), image.Point{}, draw.Src)
	xdraw.NearestNeighbor.Scale(big, scaled(paperScale), small, small.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	if err := png.Encode(&b, big); err != nil {
		return err
	}
	_, err := w.Write(pngfile.Describe(b.Bytes(), perMM*paperScale*25.4, pngfile.Text{Keyword: "Description", Text: title}))
	return err
}

func uniform(c RGB) image.Image { return image.NewUniform(color.RGBA{c[0], c[1], c[2], 255}) }

func box(img draw.Image, at image.Point, r [4]int, c RGB) {
	draw.Draw(img, image.Rect(r[0], r[1], r[0]+r[2], r[1]+r[3]).Add(at), uniform(c), image.Point{}, draw.Src)
}

func character(img draw.Image, at image.Point, r rune, fill RGB, bold bool) {
	if shapes := rects(r); shapes != nil {
		for _, s := range shapes {
			box(img, at, s, fill)
		}
		return
	}
	if bits, ok := marks[r]; ok {
		for y, line := range bits {
			for x := range 8 {
				if line&(0x80>>x) != 0 {
					box(img, at, [4]int{x, y, 1, 1}, fill)
				}
			}
		}
		return
	}
	face := inconsolata.Regular8x16
	if bold {
		face = inconsolata.Bold8x16
	}
	if _, ok := face.GlyphAdvance(r); !ok {
		r = ASCII.Fit(r)
	}
	d := font.Drawer{Dst: img, Src: uniform(fill), Face: face, Dot: fixed.P(at.X, at.Y+12)}
	d.DrawString(string(r))
}
