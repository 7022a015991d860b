package tui

import (
	"github.com/charmbracelet/bubbles/viewport"

	"github.com/sigview/sigview/docs"
	"github.com/sigview/sigview/report/chart/cell"
)

// reading returns the text that is open, if one is, for a body of a width.
func (s *State) reading(width int) (reading, bool) {
	columns := max(width/60, 1)
	switch {
	case s.Glossary:
		return reading{glossaryLines(width/columns - 2), columns}, true
	case s.Help:
		return reading{s.helpLines(), columns}, true
	case s.Findings && s.subject() != nothing:
		return reading{sectionLines(append(s.view().findings(&s.Scene), section{"Problems", s.Problems}), width-4), 1}, true
	}
	return reading{}, false
}

// scrolling is what actions do to a text.
var scrolling = map[action]func(*viewport.Model){
	goDown: func(v *viewport.Model) { v.ScrollDown(1) }, goUp: func(v *viewport.Model) { v.ScrollUp(1) },
	halfDown: func(v *viewport.Model) { v.HalfPageDown() }, halfUp: func(v *viewport.Model) { v.HalfPageUp() },
	pageDown: func(v *viewport.Model) { v.PageDown() }, pageUp: func(v *viewport.Model) { v.PageUp() },
	goFirst: func(v *viewport.Model) { v.GotoTop() }, goLast: func(v *viewport.Model) { v.GotoBottom() },
}

// glossaryLines are the words of the documentation, wrapped to a width.
func glossaryLines(width int) []line {
	var lines []line
	for _, w := range docs.Words() {
		lines = append(lines, line{w.Word, cell.Strong})
		for _, l := range cell.Wrap(w.Meaning, width-2) {
			lines = append(lines, line{"  " + l, cell.Plain})
		}
	}
	return lines
}
