package tui

import (
	"github.com/charmbracelet/bubbles/viewport"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/docs"
	"github.com/sigview/sigview/report/chart/cell"
)

// reading returns the text that is open, if one is, for a body of a width.
func (s *State) reading(width int) (scene.Reading, bool) {
	columns := max(width/60, 1)
	switch {
	case s.Glossary:
		return scene.Reading{Lines: glossaryLines(width/columns - 2), Columns: columns}, true
	case s.Help:
		return scene.Reading{Lines: s.helpLines(), Columns: columns}, true
	case s.Findings && s.Subject() != views.Nothing:
		return scene.Reading{Lines: scene.SectionLines(append(s.view().Findings(&s.Scene), scene.Section{Head: "Problems", Items: s.Problems}), width-4), Columns: 1}, true
	}
	return scene.Reading{}, false
}

// scrolling is what actions do to a text.
var scrolling = map[action.Action]func(*viewport.Model){
	action.GoDown: func(v *viewport.Model) { v.ScrollDown(1) }, action.GoUp: func(v *viewport.Model) { v.ScrollUp(1) },
	action.HalfDown: func(v *viewport.Model) { v.HalfPageDown() }, action.HalfUp: func(v *viewport.Model) { v.HalfPageUp() },
	action.PageDown: func(v *viewport.Model) { v.PageDown() }, action.PageUp: func(v *viewport.Model) { v.PageUp() },
	action.GoFirst: func(v *viewport.Model) { v.GotoTop() }, action.GoLast: func(v *viewport.Model) { v.GotoBottom() },
}

// glossaryLines are the words of the documentation, wrapped to a width.
func glossaryLines(width int) []scene.Line {
	var lines []scene.Line
	for _, w := range docs.Words() {
		lines = append(lines, scene.Line{Text: w.Word, Ink: cell.Strong})
		for _, l := range cell.Wrap(w.Meaning, width-2) {
			lines = append(lines, scene.Line{Text: "  " + l, Ink: cell.Plain})
		}
	}
	return lines
}
