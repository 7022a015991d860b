// Package cell is a grid of characters with colours by meaning, and what can
// be made of it: lines for a terminal, an SVG, a PNG. All views are drawn on
// it, so that what is exported is what is seen.
//
// Files, in reading order:
//   - png.go: a canvas as PNG
//   - svg.go: a canvas as SVG, and glyphs as shapes
//   - ansi.go: a canvas as lines for a terminal
//   - dots.go: points finer than characters
//   - canvas.go: the grid, text on it, and places that can be pointed at
//   - glyph.go: what a terminal can show
//   - ink.go: colours by meaning, and themes
package cell
