package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/report/chart/cell"
)

// prompt is an input line at the bottom of the screen.
type prompt struct {
	lead     string
	input    textinput.Model
	done     func(text string) tea.Cmd
	complete completer
	made     *completion // of the last tab, until another key

	offers []offer // of the palette
	list   chooser // of those that fit
	moved  bool    // to one of them, since the last letter
}

func newPrompt(lead, text string, done func(string) tea.Cmd, complete completer) *prompt {
	return &prompt{lead: lead, input: newInput(text), done: done, complete: complete}
}

// newInput returns an editor for a line. drawInput draws it.
func newInput(text string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.SetValue(text)
	in.CursorEnd()
	in.Cursor.SetMode(cursor.CursorStatic) // it is drawn here, so it need not blink
	in.Focus()
	return in
}

func (p *prompt) Draw(c *cell.Canvas) {
	x := c.Text(0, 0, p.lead, cell.Accent, cell.Bold)
	drawInput(c.Sub(x, 0, c.W-x, 1), p.input, true)
	if p.made != nil {
		p.made.Draw(c, 1)
		return
	}
	keys := "enter accepts, esc cancels"
	if p.complete != nil {
		keys = "tab completes, " + keys
	}
	c.Text(0, 1, keys, cell.Faint, 0)
}

// drawInput draws the line with the cursor in view.
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

// Key edits the line.
func (p *prompt) Key(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyTab:
		return p.tab(1)
	case tea.KeyShiftTab:
		return p.tab(-1)
	}
	p.made, p.list, p.moved = nil, chooser{}, false
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(msg)
	return cmd
}

// completion is a choice of words for the end of a line, from a place on.
type completion struct {
	line  string // that was completed
	from  int
	words []string
	at    int  // the word taken, below 0 for what they have in common
	paths bool // only the ends of words are shown
}

// completer finds the words for a line. If it needs to read a directory, it returns
// a command that does so.
type completer func(line string) (completion, tea.Cmd)

// completed is the message of a command that completes a line.
type completed completion

// tab completes the line, or goes to the next word when it is complete.
func (p *prompt) tab(by int) tea.Cmd {
	if c := p.made; c != nil && len(c.words) > 1 && p.input.Value() == c.line {
		at := c.at + by
		if c.at < 0 && by < 0 {
			at = len(c.words) - 1
		}
		c.at = (at + len(c.words)) % len(c.words)
		p.set(c.line[:c.from] + c.words[c.at])
		c.line = p.input.Value()
		return nil
	}
	if p.complete == nil {
		return nil
	}
	made, cmd := p.complete(p.input.Value())
	if cmd == nil {
		p.take(made)
	}
	return cmd
}

func (p *prompt) set(line string) {
	p.input.SetValue(line)
	p.input.CursorEnd()
	p.list, p.moved = chooser{}, false
}

// take inserts the only word, or what all words begin with.
func (p *prompt) take(c completion) {
	if p.input.Value() != c.line {
		return // something else has been written since
	}
	c.at = -1
	p.made = &c
	if len(c.words) == 0 {
		return
	}
	text := c.words[0]
	for _, w := range c.words {
		for !strings.HasPrefix(w, text) {
			text = text[:len(text)-1]
		}
	}
	if len(c.words) == 1 && !strings.HasSuffix(text, "/") && !strings.HasSuffix(text, "=") && !strings.HasSuffix(text, ".") {
		text += " "
	}
	p.set(c.line[:c.from] + text)
	p.made.line = p.input.Value()
}

// Draw lists the words with the chosen one in view.
func (c *completion) Draw(to *cell.Canvas, y int) {
	if len(c.words) == 0 {
		to.Text(0, y, "nothing begins with this", cell.Faint, 0)
		return
	}
	show := make([]string, len(c.words))
	end, first := 0, 0
	for i, w := range c.words {
		show[i] = w
		if dir := strings.TrimSuffix(w, "/"); c.paths && strings.Contains(dir, "/") {
			show[i] = w[strings.LastIndex(dir, "/")+1:]
		}
		if end += cell.Width(show[i]) + 2; i == c.at && end > to.W-4 {
			first = i
		}
	}
	x := 0
	for i := first; i < len(show); i++ {
		if room := to.W - x - 12; cell.Width(show[i]) > room && i > first {
			to.Text(x, y, "… "+strconv.Itoa(len(show)-i)+" more", cell.Faint, 0)
			return
		}
		x = to.Text(x, y, show[i], cell.Accent, scene.AttrIf(i == c.at, cell.Reverse)) + 2
	}
}

// starting returns the words that begin like the line from a place on, in upper or
// lower case.
func starting(line string, from int, words []string) completion {
	c := completion{line: line, from: from}
	for _, w := range words {
		if n := len(line) - from; len(w) >= n && strings.EqualFold(w[:n], line[from:]) {
			c.words = append(c.words, w)
		}
	}
	return c
}
