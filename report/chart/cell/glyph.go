package cell

import (
	"strings"

	"github.com/sigview/sigview/internal/names"
)

// Glyphs is how much a terminal can show.
type Glyphs uint8

// From the finest to the plainest.
const (
	Braille Glyphs = iota // eight dots a cell
	Block                 // four quarters a cell
	ASCII                 // nothing beyond ASCII
)

var glyphNames = names.NewEnum[Glyphs]("glyphs", "braille", "block", "ascii")

// GlyphNames lists the names of the glyph sets.
func GlyphNames() []string { return glyphNames.Words().Names() }

func (g Glyphs) String() string { return glyphNames.Name(g) }

// ParseGlyphs is the inverse of String.
func ParseGlyphs(name string) (Glyphs, error) { return glyphNames.Parse(name) }

// plain stands in for characters beyond ASCII.
var plain = map[rune]rune{
	'µ': 'u', 'Δ': 'd', '−': '-', '–': '-', '±': '~', '≥': '>', '≤': '<', '·': '.', '…': '~', '→': '>', '←': '<', '↑': '^', '↓': 'v', '›': '>', '×': 'x', '²': '2',
	'─': '-', '│': '|', '┼': '+', '├': '+', '┤': '+', '┌': '+', '┐': '+', '└': '+', '┘': '+', '┴': '+', '┬': '+', '┄': '-', '╎': ':', '┊': ':',
	'▲': '^', '▼': 'v', '●': 'S', '■': 'L', '◆': 'N', '◉': 'D', '✚': 'X', '○': 's', '□': 'l', '◇': 'n', '◌': 'd', '✕': 'x',
	'▶': '>', '△': 't', '▽': 'u', '▫': '.', '░': '.', '▒': '+', '▓': '*', '█': '#', '‖': '|', '▏': '|', '▪': '*',
}

// Fit returns the character itself, or its replacement in ASCII.
func (g Glyphs) Fit(r rune) rune {
	if g != ASCII || r < 0x80 {
		return r
	}
	if p, ok := plain[r]; ok {
		return p
	}
	return '?'
}

// Shade returns the glyph of a heat map's step, from 0 to HeatSteps-1. Higher steps are
// denser.
func (g Glyphs) Shade(step int) rune {
	steps := []rune("··░░▒▒▓█")
	if g == ASCII {
		steps = []rune(".:-=+*%@")
	}
	return steps[min(max(step, 0), HeatSteps-1)]
}

// Bar returns a column of h eighths of a cell.
func (g Glyphs) Bar(eighths int) rune {
	if g == ASCII {
		if eighths >= 4 {
			return '#'
		}
		if eighths > 0 {
			return '.'
		}
		return ' '
	}
	return []rune(" ▁▂▃▄▅▆▇█")[min(max(eighths, 0), 8)]
}

// LeftBar returns a row of h eighths of a cell.
func (g Glyphs) LeftBar(eighths int) rune {
	if g == ASCII {
		return g.Bar(eighths)
	}
	return []rune(" ▏▎▍▌▋▊▉█")[min(max(eighths, 0), 8)]
}

// UTF8 reports whether the environment's locale has characters beyond ASCII. It returns
// true if there is no locale.
func UTF8(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(env(name)); v != "" {
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return true
}
