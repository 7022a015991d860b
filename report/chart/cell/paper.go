package cell

import "math"

// A cell in pictures, in pixels.
const (
	cellW = 8
	cellH = 16

	letterHeight = 13 // size of the font
)

// Paper is a size on paper, in mm. The zero Paper is none: a picture then has its size in pixels.
type Paper struct{ Width, Height float64 }

// perMM is the number of pixels on a mm of paper, so that letters have 7 pt.
const perMM = 72 / 25.4 * letterHeight / 7

// pixels are its width and height in pixels.
func (p Paper) pixels() (width, height float64) { return p.Width * perMM, p.Height * perMM }

// Cells returns how many columns and lines have room on it.
func (p Paper) Cells() (columns, lines int) {
	w, h := p.pixels()
	return int(w / cellW), int(h / cellH)
}

// PaperOf returns the smallest paper, in whole mm, with room for so many columns and lines.
func PaperOf(columns, lines int) Paper {
	return Paper{math.Ceil(float64(columns) * cellW / perMM), math.Ceil(float64(lines) * cellH / perMM)}
}
