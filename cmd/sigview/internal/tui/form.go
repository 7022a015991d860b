package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/report/chart/cell"
)

// form asks for the argument and the flags of a command.
type form struct {
	commands []string
	command  string
	fields   []field
	at       int // field with the focus, -1: the command
	prepare  func(line []string) (Task, error)
	against  string // run of which this one differs by a change, ""
	made     *completion

	task  Task  // of what is filled in
	wrong error // why there is none
}

// field is one that can be edited.
type field struct {
	Field
	input textinput.Model
}

func newForm(shell Shell, blank Blank, against string) *form {
	f := &form{commands: shell.Commands(), command: blank.Command, prepare: shell.Prepare, against: against}
	for _, x := range blank.Fields {
		f.fields = append(f.fields, field{x, newInput(x.Value)})
	}
	f.check()
	return f
}

// line returns the command line of what is filled in.
func (f *form) line() []string {
	var flags []string
	for _, x := range f.fields {
		value := strings.TrimSpace(x.input.Value())
		switch {
		case x.Argument:
		case value == "" || value == x.Default:
		case x.Switch && value == "true":
			flags = append(flags, "--"+x.Name)
		default:
			flags = append(flags, "--"+x.Name+"="+value)
		}
	}
	return slices.Concat([]string{f.command}, f.arguments(), flags)
}

// check finds out whether the command can be run.
func (f *form) check() { f.task, f.wrong = f.prepare(f.line()) }

// fill sets a field.
func (f *form) fill(name, value string) {
	for i := range f.fields {
		if f.fields[i].Name == name {
			f.fields[i].input.SetValue(value)
		}
	}
	f.check()
}

// Words returns what the field with the focus can be.
func (f *form) Words(typed string) []string {
	if x := f.fields[f.at]; x.Words != nil {
		return x.Words(f.arguments(), typed)
	}
	return nil
}

// arguments returns what is filled in for the argument, if the command has one.
func (f *form) arguments() (out []string) {
	for _, x := range f.fields {
		if x.Argument {
			out = append(out, strings.TrimSpace(x.input.Value()))
		}
	}
	return out
}

// Key edits the field that has the focus, or goes to another. It returns the command whose
// form is wanted in place of this one, if any.
func (f *form) Key(msg tea.KeyMsg) (other string) {
	switch msg.Type {
	case tea.KeyDown:
		f.focus(f.at + 1)
		return ""
	case tea.KeyUp:
		f.focus(f.at - 1)
		return ""
	case tea.KeyPgDown:
		f.Group(1)
		return ""
	case tea.KeyPgUp:
		f.Group(-1)
		return ""
	}
	by := map[tea.KeyType]int{tea.KeyLeft: -1, tea.KeyRight: 1}[msg.Type]
	if f.at < 0 {
		if by != 0 {
			return lists.Cycle(f.commands, f.command, by)
		}
		return ""
	}
	f.edit(msg, by)
	f.check()
	return ""
}

// edit gives a key to the field that has the focus.
func (f *form) edit(msg tea.KeyMsg, by int) {
	x := &f.fields[f.at]
	switch all := f.Words(""); {
	case msg.Type == tea.KeyTab || msg.Type == tea.KeyShiftTab:
		f.complete(x, map[tea.KeyType]int{tea.KeyTab: 1, tea.KeyShiftTab: -1}[msg.Type])
		return
	case by != 0 && len(all) > 0 && !x.List:
		if !slices.Contains(all, x.Default) {
			all = append([]string{x.Default}, all...)
		}
		x.input.SetValue(lists.Cycle(all, x.input.Value(), by))
		x.input.CursorEnd()
	default:
		x.input, _ = x.input.Update(msg)
	}
	f.made = nil
}

// complete completes the field, or goes to the next word that fits.
func (f *form) complete(x *field, by int) {
	p := &prompt{input: x.input, made: f.made, complete: func(line string) (completion, tea.Cmd) {
		return completion{line: line, words: f.Words(line)}, nil
	}}
	p.tab(by)
	p.set(strings.TrimRight(p.input.Value(), " "))
	x.input, f.made = p.input, p.made
	if f.made != nil {
		f.made.line = x.input.Value()
	}
}

// focus goes to a field.
func (f *form) focus(at int) {
	n := len(f.fields) + 1
	f.at, f.made = (at+1+n)%n-1, nil
}

// Group goes to the first field of the next group, or of the one before.
func (f *form) Group(by int) {
	first := []int{-1}
	for i, x := range f.fields {
		if i == 0 || x.Group != f.fields[i-1].Group {
			first = append(first, i)
		}
	}
	now := 0
	for i, at := range first {
		if at <= f.at {
			now = i
		}
	}
	f.focus(first[(now+by+len(first))%len(first)])
}

// formKeys are the keys of the form.
const formKeys = "enter runs, ↑ ↓ choose, PgDn next group, tab completes, esc"

// Columns of the form.
const (
	formName  = 4
	formValue = 24
	formHelp  = 54
)

func (f *form) Draw(c *cell.Canvas) {
	title := "Run a command"
	if f.against != "" {
		title = "Change something and run again; the result is compared with " + f.against
	}
	c.Text(2, 0, title, cell.Strong, 0)
	f.drawFields(c.Sub(0, 1, c.W, c.H-5))
	about := "← → go through the commands"
	if f.at >= 0 {
		about = f.fields[f.at].Help
	}
	below := c.Sub(2, c.H-4, c.W-4, 4)
	y := below.Para(0, 0, about, cell.Plain)
	if f.made != nil && y < 2 {
		f.made.Draw(below, y)
		y++
	}
	if y = min(y, 2); f.wrong != nil {
		below.Para(0, y, f.wrong.Error(), cell.Warn)
	} else {
		below.Text(0, y, f.commandLine(), cell.Faint, 0)
	}
}

// drawFields draws the fields in their groups, those around the focus if not all fit.
func (f *form) drawFields(c *cell.Canvas) {
	lines := []func(y int){func(y int) { drawField(c, y, "command", f.command, f.at < 0, nil) }}
	focus := 0
	for i, x := range f.fields {
		if x.Group != "" && (i == 0 || x.Group != f.fields[i-1].Group) {
			lines = append(lines, func(y int) { c.Text(2, y, x.Group, cell.Strong, 0) })
		}
		if i == f.at {
			focus = len(lines)
		}
		lines = append(lines, func(y int) { drawField(c, y, x.Name, "", i == f.at, &x) })
	}
	from := min(max(focus-c.H/2, 0), max(len(lines)-c.H, 0))
	for y, draw := range lines[from:min(from+c.H, len(lines))] {
		draw(y)
	}
	if from+c.H < len(lines) {
		c.Text(c.W-10, c.H-1, fmt.Sprintf("%d more ↓", len(lines)-from-c.H), cell.Faint, 0)
	}
}

func drawField(c *cell.Canvas, y int, name, value string, focus bool, x *field) {
	ink := cell.Plain
	if focus {
		ink = cell.Accent
		c.Set(2, y, '▶', cell.Accent, 0)
	}
	c.Text(formName, y, name, ink, 0)
	switch {
	case x == nil:
		c.Text(formValue, y, value, cell.Plain, scene.AttrIf(focus, cell.Reverse))
	case x.input.Value() == "" && !focus:
		c.Text(formValue, y, "–", cell.Faint, 0)
	default:
		drawInput(c.Sub(formValue, y, formHelp-formValue-2, 1), x.input, focus)
	}
	if x != nil && x.input.Value() != x.Default && !x.Argument {
		c.Set(formValue-2, y, '*', cell.Accent, 0)
	}
	if room := c.W - formHelp - 12; x != nil && room > 30 {
		help, _, _ := strings.Cut(x.Help, ": ")
		c.Sub(formHelp, y, room, 1).Text(0, 0, help, cell.Faint, 0)
	}
}

// commandLine is the line that does the same outside.
func (f *form) commandLine() string {
	return "sigview " + strings.Join(lists.Map(f.line(), scene.ShellQuote), " ")
}
