package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report/chart/cell"
)

// command is a command of the prompt that a colon opens.
type command struct {
	name, argument, help string
	words                func(*Model) []string // for completion of the argument; nil when they cannot be listed
	do                   func(m *Model, rest string) tea.Cmd
}

// commands returns all commands.
func commands() []command {
	return []command{
		{"open", "DIR", "open a run, a measurement of layers, or a sweep", nil, func(m *Model, rest string) tea.Cmd { return m.open(rest, true) }},
		{"baseline", "DIR", "compare the runs with another baseline", nil, (*Model).rebase},
		{"view", "VIEW", "go to a view", fixed(views.Views()), func(m *Model, rest string) tea.Cmd {
			v, err := views.ViewOf(rest)
			if err == nil {
				m.state.show(v)
			}
			return m.note(err)
		}},
		{"select", "WORDS", "select by words, as after a slash", nil, (*Model).Narrow},
		{"run", "WORKLOAD", "fill in the form for a run", func(m *Model) []string { return experiment.Names(experiment.Known().Workloads) }, (*Model).openForm},
		{"list", "", "list runs and measurements, to open one", nil, func(m *Model, _ string) tea.Cmd { return m.showShelf() }},
		{"again", "", "change something of this run, run it and compare", nil, func(m *Model, _ string) tea.Cmd { return m.again() }},
		{"measure", "COMMAND", "fill in the form of a command: run, logp, bandwidth, tpil, verbs, baseline, sweep", func(m *Model) []string { return m.shell.Commands() }, (*Model).fillIn},
		{"export", "FILE", "FILE.svg, .png, .csv or .txt", nil, (*Model).export},
		{"copy", "", "copy the command line for this picture", nil, func(m *Model, _ string) tea.Cmd { return m.copyLine() }},
		{"command", "", "show the command line for this picture", nil, func(m *Model, _ string) tea.Cmd {
			m.state.Note = m.commandLine("")
			return nil
		}},
		{"theme", "THEME", strings.Join(cell.Themes(), ", "), fixed(cell.Themes()), (*Model).theme},
		{"glyphs", "GLYPHS", strings.Join(cell.GlyphNames(), ", "), fixed(cell.GlyphNames()), func(m *Model, rest string) tea.Cmd {
			g, err := cell.ParseGlyphs(rest)
			if err == nil {
				m.state.Look.Glyphs = g
			}
			return m.note(err)
		}},
		{"quit", "", "quit", nil, func(m *Model, _ string) tea.Cmd { return m.quit() }},
	}
}

func fixed(words []string) func(*Model) []string { return func(*Model) []string { return words } }

// commandOf finds a command by its name or the beginning of it.
func commandOf(word string) (command, error) {
	all := commands()
	i := slices.IndexFunc(all, func(k command) bool { return word != "" && strings.HasPrefix(k.name, word) })
	if i < 0 {
		return command{}, names.Check("command", word, commandNames())
	}
	return all[i], nil
}

func commandNames() []string {
	return lists.Map(commands(), func(k command) string { return k.name })
}

// command runs a line written after a colon.
func (m *Model) command(text string) tea.Cmd {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if word == "" {
		return nil
	}
	k, err := commandOf(word)
	if err != nil {
		return m.note(err)
	}
	if rest = strings.TrimSpace(rest); k.argument != "" && rest == "" {
		return m.note(fmt.Errorf(":%s wants %s", k.name, k.argument))
	}
	return k.do(m, rest)
}

// note shows an error, if there is one.
func (m *Model) note(err error) tea.Cmd {
	if err != nil {
		m.state.Note = err.Error()
	}
	return nil
}

func (m *Model) theme(name string) tea.Cmd {
	t, err := cell.ThemeOf(name)
	if err == nil {
		m.state.Look.Theme = t
	}
	return m.note(err)
}

// promptKey gives a key to the prompt; enter ends it and escape leaves it.
func (m *Model) promptKey(msg tea.KeyMsg) tea.Cmd {
	p := m.state.Prompt
	switch msg.Type {
	case tea.KeyEsc, tea.KeyCtrlC:
		m.state.Prompt = nil
		return nil
	case tea.KeyEnter:
		line := strings.TrimSpace(p.input.Value())
		if p.offers != nil {
			incomplete := false
			if line, incomplete = p.chosen(); incomplete {
				p.set(line)
				return nil
			}
		}
		m.state.Prompt = nil
		return p.done(line)
	}
	if p.offers != nil && p.list.Act(p.Table(m.width, views.BodyHeight(m.height)), msg) {
		p.moved = true
		return nil
	}
	return p.Key(msg)
}
