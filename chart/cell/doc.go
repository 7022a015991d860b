// Package cell is a grid of characters with colours by meaning, and what can
// be made of it: lines for a terminal, an SVG, a PNG. All views are drawn on
// it, so that what is exported is what is seen.
package cell
