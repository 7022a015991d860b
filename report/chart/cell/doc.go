// Package cell has a grid of characters with colours by meaning, which becomes lines
// for a terminal, an SVG or a PNG. All views are drawn on it, so that an exported view
// is the same as on the screen.
//
// Files, in reading order:
//   - png.go: a canvas as PNG
//   - svg.go: a canvas as SVG, and glyphs as shapes
//   - ansi.go: a canvas as lines for a terminal
//   - dots.go: points finer than characters
//   - canvas.go: the grid, text on it, and zones for the mouse
//   - paper.go: the size of a cell, and how many have room on paper
//   - visible.go: texts without characters that steer a terminal
//   - glyph.go: what a terminal can show
//   - ink.go: colours by meaning, and themes
package cell
