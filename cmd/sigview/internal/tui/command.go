package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/internal/names"
)

// command is what can be written after a colon.
type command struct {
	usage, help string
	do          func(m *Model, rest string) tea.Cmd
}

var commands []command

func init() {
	commands = []command{
		{"open DIR", "open a run, or a measurement of layers", func(m *Model, rest string) tea.Cmd { return m.open(rest, true) }},
		{"baseline DIR", "set runs beside another baseline", func(m *Model, rest string) tea.Cmd { return m.rebase(rest) }},
		{"view VIEW", "go to a view", commandView},
		{"select WORDS", "as after a slash", func(m *Model, rest string) tea.Cmd { return m.narrow(rest) }},
		{"run WORKLOAD", "fill in the form for a run", func(m *Model, rest string) tea.Cmd { return m.openForm(rest) }},
		{"export FILE", "FILE.svg, .png, .csv or .txt", func(m *Model, rest string) tea.Cmd { return m.export(rest) }},
		{"command", "the command line that makes this picture", func(m *Model, _ string) tea.Cmd {
			m.state.Note = m.commandLine("")
			return nil
		}},
		{"theme THEME", strings.Join(cell.Themes(), ", "), commandTheme},
		{"glyphs GLYPHS", strings.Join(cell.GlyphNames(), ", "), commandGlyphs},
		{"quit", "end", func(m *Model, _ string) tea.Cmd { return m.quit() }},
	}
}

// command does what was written after a colon. Names may be cut short.
func (m *Model) command(text string) tea.Cmd {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if word == "" {
		return nil
	}
	var known []string
	for _, k := range commands {
		name, argument, _ := strings.Cut(k.usage, " ")
		known = append(known, name)
		if !strings.HasPrefix(name, word) {
			continue
		}
		if rest = strings.TrimSpace(rest); argument != "" && rest == "" {
			m.state.Note = fmt.Sprintf(":%s wants %s", name, argument)
			return nil
		}
		return k.do(m, rest)
	}
	m.state.Note = names.Check("command", word, known).Error()
	return nil
}

func commandView(m *Model, rest string) tea.Cmd {
	v, err := ViewOf(rest)
	if err != nil {
		m.state.Note = err.Error()
		return nil
	}
	m.state.show(v)
	return nil
}

func commandTheme(m *Model, rest string) tea.Cmd {
	t, err := cell.ThemeOf(rest)
	if err != nil {
		m.state.Note = err.Error()
		return nil
	}
	m.state.Look.Theme = t
	return nil
}

func commandGlyphs(m *Model, rest string) tea.Cmd {
	g, err := cell.ParseGlyphs(rest)
	if err != nil {
		m.state.Note = err.Error()
		return nil
	}
	m.state.Look.Glyphs = g
	return nil
}
