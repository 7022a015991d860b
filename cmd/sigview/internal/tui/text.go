package tui

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/viewport"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/docs"
	"github.com/sigview/sigview/report/chart/cell"
)

// reading returns the text that is open, if one is, for a body of a width.
func (s *State) reading(width int) (scene.Reading, bool) {
	text := scene.Reading{Columns: max(width/60, 1), Sought: s.Sought, At: s.Match}
	if !s.texting() {
		return text, false
	}
	switch {
	case s.Glossary:
		text.Lines = glossaryLines(width/text.Columns - 2)
	case s.Help:
		text.Lines = s.helpLines()
	default:
		text.Lines, text.Columns = scene.SectionLines(append(s.view().Findings(&s.Scene), scene.Section{Head: "Problems", Items: s.Problems}), width-4), 1
	}
	return text, true
}

// texting reports whether a text is open.
func (s *State) texting() bool {
	return s.Glossary || s.Help || s.Findings && s.Subject() != views.Nothing
}

// page is the part of the text that is shown.
func (m *Model) page(text scene.Reading) viewport.Model {
	return text.Page(m.state.Page, m.width, views.BodyHeight(m.height))
}

// read does an action that means something in a text. It returns false for other actions.
func (m *Model) read(text scene.Reading, a action.Action) bool {
	s := m.state
	switch move := scrolling[a]; {
	case move != nil:
		s.Page = m.page(text)
		move(&s.Page)
	case a == action.AskFilter:
		s.Prompt = newPrompt("/", "", m.find, nil)
	case a == action.NextSlowest:
		m.toMatch(text, 1)
	case a == action.PreviousSlowest:
		m.toMatch(text, -1)
	default:
		return false
	}
	return true
}

// find goes to the first line of the text, from the page that is shown on, that has all of some words.
func (m *Model) find(words string) tea.Cmd {
	s := m.state
	s.Sought, s.Match = words, s.Page.YOffset-1
	if text, reading := s.reading(m.width); reading && words != "" {
		m.toMatch(text, 1)
	}
	return nil
}

// toMatch goes to the next line that has the words, or to the one before, and after the last to the first.
func (m *Model) toMatch(text scene.Reading, by int) {
	s, found := m.state, text.Matches()
	switch {
	case s.Sought == "":
		s.Note = "Nothing is looked for: / finds text."
		return
	case len(found) == 0:
		s.Note = fmt.Sprintf("no line has %q", s.Sought)
		return
	}
	at, exact := slices.BinarySearch(found, s.Match)
	if by < 0 {
		at--
	} else if exact {
		at++
	}
	at = (at + len(found)) % len(found)
	s.Match, s.Page = found[at], m.page(text)
	if top := s.Page.YOffset; s.Match < top || s.Match >= top+s.Page.Height {
		s.Page.SetYOffset(s.Match - s.Page.Height/text.Columns/2)
	}
	s.Note = fmt.Sprintf("%d of %d lines with %q", at+1, len(found), s.Sought)
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
