package views

import (
	"strings"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart/cell"
)

// split is the report of a test, in lines of a width.
func split(x *why.Explanation, width int, g cell.Glyphs) []scene.Line {
	text := report.Text(report.Why{Explanation: *x}, report.Style{Width: width, ASCII: g == cell.ASCII})
	return lists.Map(strings.Split(strings.TrimRight(text, "\n"), "\n"), func(l string) scene.Line { return scene.Line{Text: l, Ink: cell.Plain} })
}
