package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/table"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
	"github.com/sigview/sigview/report/chart/cell"
)

// offer is a line that the palette offers: a command with its argument, or one that an
// argument has still to follow.
type offer struct{ line, help string }

// openPalette opens the prompt for commands, with all that can be done from it. The runs
// in directories follow when they have been listed.
func (m *Model) openPalette() tea.Cmd {
	p := newPrompt(":", "", m.command, m.completeCommand)
	p.offers = m.offers()
	m.state.Prompt = p
	read := m.shell.Shelf
	return func() tea.Msg {
		found, err := read()
		if err != nil {
			return nil // the list of runs, on o, tells why
		}
		return result(func(*Model) tea.Cmd {
			for _, x := range found {
				p.offers = append(p.offers, offer{"open " + x.Dir, strings.Join(x.Cells()[1:], " ")})
			}
			return nil
		})
	}
}

// offers lists commands, views, open runs and words of selections.
func (m *Model) offers() []offer {
	var out []offer
	for _, k := range commands() {
		line := k.name
		if k.argument != "" {
			line += " "
		}
		out = append(out, offer{line, k.help})
		if k.words == nil {
			continue
		}
		for _, w := range k.words(m) {
			out = append(out, offer{k.name + " " + w, ""})
		}
	}
	for _, d := range m.state.Runs {
		out = append(out, offer{"open " + scene.ShellQuote(d.Dir), d.Run.Manifest.Title()})
	}
	for _, w := range views.AllWords() {
		out = append(out, offer{"select " + w.Name + "=", w.Want})
	}
	return out
}

// fitting returns the offers that have the letters of the line in their order, the best
// first.
func (p *prompt) fitting() []offer {
	typed := p.input.Value()
	if strings.TrimSpace(typed) == "" {
		return p.offers
	}
	var out []offer
	for _, hit := range fuzzy.Find(typed, lists.Map(p.offers, func(o offer) string { return o.line })) {
		out = append(out, p.offers[hit.Index])
	}
	return out
}

// chosen returns the line to do. It is incomplete if an argument has to follow.
func (p *prompt) chosen() (line string, incomplete bool) {
	typed := strings.TrimSpace(p.input.Value())
	word, rest, _ := strings.Cut(typed, " ")
	k, err := commandOf(word)
	whole := err == nil && (k.argument == "" || rest != "")
	fit := p.fitting()
	if len(fit) == 0 || typed == "" && !p.moved || whole && !p.moved {
		return typed, false
	}
	line = fit[min(max(p.list.model.Cursor(), 0), len(fit)-1)].line
	return line, strings.HasSuffix(line, " ") || strings.HasSuffix(line, "=")
}

// Table returns the offers that fit, for a body.
func (p *prompt) Table(width, height int) table.Model {
	columns := []table.Column{{Width: min(36, width-4)}, {Width: max(width-42, 1)}}
	rows := lists.Map(p.fitting(), func(o offer) table.Row { return row(o.line, o.help) })
	return p.list.Second(columns, rows, width-2, height)
}

func (p *prompt) drawOffers(c *cell.Canvas) {
	t := p.Table(c.W, c.H)
	c.Text(2, 0, "Commands, views, runs and words; ↑ ↓ PgDn PgUp choose", cell.Strong, 0)
	drawTable(c.Sub(2, 0, c.W-2, c.H), t, cell.Accent, cell.Faint)
	if len(t.Rows()) == 0 {
		c.Text(2, 1, "nothing has these letters in this order", cell.Faint, 0)
	}
}
