package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// completion is what the end of a line can be made into. What is written from
// a place on is replaced by one of the words.
type completion struct {
	line  string // that was completed
	from  int
	words []string
	at    int  // the word taken, below 0 for what they have in common
	paths bool // only the ends of words are shown
}

// completer finds the words for a line. Where it has to read a directory it
// gives a command that does.
type completer func(m *Model, line string) (completion, tea.Cmd)

// completed is what a command found.
type completed completion

// tab completes a line, or goes to the next word when it has been.
func (p *prompt) tab(m *Model, by int) tea.Cmd {
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
	made, cmd := p.complete(m, p.input.Value())
	if cmd == nil {
		p.take(made)
	}
	return cmd
}

func (p *prompt) set(line string) {
	p.input.SetValue(line)
	p.input.CursorEnd()
}

// take writes what all words have in common, or the only one.
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

// draw shows the words on a line; the one taken is in view.
func (c *completion) draw(to *cell.Canvas, y int) {
	if len(c.words) == 0 {
		to.Text(0, y, "nothing begins like this", cell.Faint, 0)
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
		attr := cell.Attr(0)
		if i == c.at {
			attr = cell.Reverse
		}
		x = to.Text(x, y, show[i], cell.Accent, attr) + 2
	}
}

// starting are the words that begin like a text, from a place in a line on, in
// capitals or not.
func starting(line string, from int, words []string) completion {
	c := completion{line: line, from: from}
	for _, w := range words {
		if n := len(line) - from; len(w) >= n && strings.EqualFold(w[:n], line[from:]) {
			c.words = append(c.words, w)
		}
	}
	return c
}

// completeSelection completes the last word of a selection: its name, or what
// stands after the "=".
func completeSelection(m *Model, line string) (completion, tea.Cmd) {
	return m.state.selectionWords(line, strings.LastIndexByte(line, ' ')+1), nil
}

func (s *State) selectionWords(line string, from int) completion {
	if name, _, ok := strings.Cut(line[from:], "="); ok {
		return starting(line, from+len(name)+1, s.valuesOf(name))
	}
	var words []string
	for _, t := range terms() {
		words = append(words, t.name+"=")
	}
	return starting(line, from, words)
}

// valuesOf are the values that can stand after a name, as far as they can be
// listed.
func (s *State) valuesOf(name string) []string {
	var out []string
	add := func(n int) []string {
		for i := range n {
			out = append(out, strconv.Itoa(i))
		}
		return out
	}
	switch d := s.data(); name {
	case "stage":
		for _, st := range trace.Stages() {
			out = append(out, st.String())
		}
	case "class":
		out = append(trace.Classes(), trace.AllSizes)
	case "baseline", "intervals":
		out = []string{"on", "off"}
	case "series":
		out = add(len(s.series()))
	case "against":
		out = []string{"all", "none"}
		out = add(len(s.series()))
	case "curve":
		if x, _ := s.seriesAt(); x != nil {
			out = add(len(x.curves(s.plot())))
		}
	case "scale":
		out = []string{"log", "linear"}
	case "metric":
		out = add(len(views[s.View].metrics))
	case "tag":
		if d != nil {
			for _, t := range d.tags {
				out = append(out, strconv.Itoa(int(t)))
			}
		}
	case "kind":
		if d != nil {
			for _, g := range d.kinds(s.Sel.Tag) {
				k := Selection{Kind: g.Kind, First: g.First}
				out = append(out, k.kindName())
			}
		}
	case "sender", "receiver":
		if out = []string{"all"}; d != nil {
			out = add(d.nodes)
		}
	case "size":
		if d != nil {
			cols, _ := s.Sel.columns(d)
			for _, c := range cols {
				out = append(out, strconv.FormatInt(c.SizeHiBytes, 10))
			}
		}
	}
	return out
}

// completeCommand completes the name of a command, or its argument.
func completeCommand(m *Model, line string) (completion, tea.Cmd) {
	word, rest, has := strings.Cut(line, " ")
	if !has {
		var words []string
		for _, k := range commands {
			name, _, _ := strings.Cut(k.usage, " ")
			words = append(words, name)
		}
		return starting(line, 0, words), nil
	}
	from := len(line) - len(strings.TrimLeft(rest, " "))
	i := slices.IndexFunc(commands, func(k command) bool { return strings.HasPrefix(k.usage, word) })
	if i < 0 || word == "" {
		return completion{line: line, from: from}, nil
	}
	switch _, argument, _ := strings.Cut(commands[i].usage, " "); argument {
	case "DIR":
		return completion{}, completeDirs(line, from)
	case "FILE":
		if dot := strings.LastIndexByte(line, '.'); dot >= from {
			return starting(line, dot, Formats()), nil
		}
		return completion{}, completeDirs(line, from)
	case "WORDS":
		return m.state.selectionWords(line, max(strings.LastIndexByte(line, ' ')+1, from)), nil
	case "WORKLOAD":
		return starting(line, from, experiment.Names(m.lab.Known().Workloads)), nil
	case "VIEW":
		return starting(line, from, Views()), nil
	case "THEME":
		return starting(line, from, cell.Themes()), nil
	case "GLYPHS":
		return starting(line, from, cell.GlyphNames()), nil
	}
	return completion{line: line, from: from}, nil
}

// completeFile completes the name of a file to write.
func completeFile(_ *Model, line string) (completion, tea.Cmd) {
	if dot := strings.LastIndexByte(line, '.'); dot > strings.LastIndexByte(line, '/') {
		return starting(line, dot, Formats()), nil
	}
	return completion{}, completeDirs(line, 0)
}

// mostDirs is how many directories are offered.
const mostDirs = 200

// completeDirs reads, outside of Update, which directories there are. One that
// holds a run or a measurement is complete; others go on after a slash.
func completeDirs(line string, from int) tea.Cmd {
	return func() tea.Msg {
		c := completion{line: line, from: from, paths: true}
		parent, begin := filepath.Split(line[from:])
		read := parent
		if read == "" {
			read = "."
		}
		entries, err := os.ReadDir(read)
		if err != nil {
			return completed(c) // nothing there is nothing to offer
		}
		for _, e := range entries {
			name := e.Name()
			hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".")
			if !strings.HasPrefix(name, begin) || hidden || len(c.words) == mostDirs {
				continue
			}
			info, err := os.Stat(filepath.Join(read, name))
			if err != nil || !info.IsDir() {
				continue
			}
			if !holdsRun(filepath.Join(read, name)) {
				name += "/"
			}
			c.words = append(c.words, parent+name)
		}
		return completed(c)
	}
}

func holdsRun(dir string) bool {
	for _, name := range []string{"run.json", "logp.json", "bandwidth.json"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
