package tui

import (
	"strings"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart/cell"
)

// split is the report of a test, in lines of a width.
func split(x *why.Explanation, width int, g cell.Glyphs) []line {
	text := report.Text(report.Why{Explanation: *x}, report.Style{Width: width, ASCII: g == cell.ASCII})
	return made(strings.Split(strings.TrimRight(text, "\n"), "\n"), func(l string) line { return line{l, cell.Plain} })
}
