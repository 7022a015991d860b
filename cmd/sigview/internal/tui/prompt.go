package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/chart/cell"
)

// prompt is a line to write in at the bottom.
type prompt struct {
	lead     string
	input    textinput.Model
	done     func(m *Model, text string) tea.Cmd
	complete completer
	made     *completion // of the last tab, until another key
}

func newPrompt(lead, text string, done func(*Model, string) tea.Cmd, complete completer) *prompt {
	return &prompt{lead: lead, input: newInput(text), done: done, complete: complete}
}

// newInput is an editor for a line; it is drawn here, not by itself.
func newInput(text string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.SetValue(text)
	in.CursorEnd()
	in.Cursor.SetMode(cursor.CursorStatic) // it is drawn here, so it need not blink
	in.Focus()
	return in
}

func (p *prompt) draw(c *cell.Canvas) {
	x := c.Text(0, 0, p.lead, cell.Accent, cell.Bold)
	drawInput(c.Sub(x, 0, c.W-x, 1), p.input, true)
	if p.made != nil {
		p.made.draw(c, 1)
		return
	}
	c.Text(0, 1, "tab completes, enter does it, esc leaves", cell.Faint, 0)
}

// drawInput writes what is being edited; its end is what stays in view.
func drawInput(c *cell.Canvas, in textinput.Model, focus bool) {
	text, at := []rune(in.Value()), in.Position()
	if from := at - c.W + 2; from > 0 {
		text, at = text[from:], at-from
	}
	c.Text(0, 0, string(text), cell.Plain, 0)
	if focus {
		c.Mark(at, 0, 1, cell.Reverse)
	}
}

// key edits the line; enter ends it and escape leaves it.
func (p *prompt) key(m *Model, msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc, tea.KeyCtrlC:
		m.state.Prompt = nil
		return nil
	case tea.KeyEnter:
		m.state.Prompt = nil
		return p.done(m, strings.TrimSpace(p.input.Value()))
	case tea.KeyTab:
		return p.tab(m, 1)
	case tea.KeyShiftTab:
		return p.tab(m, -1)
	}
	p.made = nil
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(msg)
	return cmd
}
