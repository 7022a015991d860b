package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
)

// bound binds keys to an action, with the action's name in configurations and its place in the help.
type bound struct {
	key.Binding
	do     action.Action
	called string
	group  string
	brief  bool // also at the bottom of the screen
}

func bind(do action.Action, called, group, keys, shown, help string, brief bool) bound {
	return bound{key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(shown, help)), do, called, group, brief}
}

// keyMap binds keys to actions. The help and the last line of the screen are made from it.
type keyMap []bound

// usualKeys are those of users who have configured no others.
var usualKeys = keyMap{
	bind(action.GoLeft, "left", "Move", "h left", "h ←", "cursor left", false),
	bind(action.GoRight, "right", "Move", "l right", "l →", "cursor right", false),
	bind(action.GoUp, "up", "Move", "k up", "k ↑", "cursor up", false),
	bind(action.GoDown, "down", "Move", "j down", "j ↓", "cursor down", false),
	bind(action.Enter, "open", "Move", "enter", "enter", "open what the cursor is at", true),
	bind(action.Leave, "back", "Move", "esc backspace", "esc", "back to where enter was pressed", false),
	bind(action.PageDown, "page-down", "Move", "pgdown ctrl+f", "PgDn", "page down: ten rows, or a screen of text", false),
	bind(action.PageUp, "page-up", "Move", "pgup ctrl+b", "PgUp", "page up", false),
	bind(action.HalfDown, "half-down", "Move", "ctrl+d", "^D", "half a page down", false),
	bind(action.HalfUp, "half-up", "Move", "ctrl+u", "^U", "half a page up", false),
	bind(action.GoFirst, "first", "Move", "home", "Home", "first row, or start", false),
	bind(action.GoLast, "last", "Move", "end", "End", "last row, or end", false),
	bind(action.NextSlowest, "next-slowest", "Move", "n", "n", "slowest: the next packet by its time in the stage, of the whole trace; in a text the next match", false),
	bind(action.PreviousSlowest, "previous-slowest", "Move", "N", "N", "the one before", false),
	bind(action.NextWaiting, "next-waiting", "Move", "u", "u", "waiting: the next packet by how long it waits in all, of the whole trace", false),
	bind(action.PreviousWaiting, "previous-waiting", "Move", "U", "U", "the one before", false),
	bind(action.NextView, "next-view", "Move", "tab", "tab", "next view; 0 to 9 go to one", false),
	bind(action.PreviousView, "previous-view", "Move", "shift+tab", "shift+tab", "previous view", false),
	bind(action.Undo, "undo", "Move", "ctrl+z", "^Z", "undo: the last change of view, selection or zoom", false),
	bind(action.Redo, "redo", "Move", "ctrl+y ctrl+r", "^Y", "redo: what was undone", false),

	bind(action.NextStage, "stage", "Select", "s", "s", "stage", true),
	bind(action.NextTag, "tag", "Select", "t", "t", "tag", true),
	bind(action.NextKind, "kind", "Select", "K", "K", "kind: of packet", true),
	bind(action.NextSender, "sender", "Select", "S", "S", "sender", false),
	bind(action.NextReceiver, "receiver", "Select", "R", "R", "receiver", false),
	bind(action.NextClass, "class", "Select", "c", "c", "size class", false),
	bind(action.NextMetric, "metric", "Select", "m", "m", "what is shown", false),
	bind(action.TurnOrder, "order", "Select", "O", "O", "order: of the table of nodes, the other way round", false),
	bind(action.MarkBegin, "mark", "Select", "<", "<", "mark: put one at the cursor's time", false),
	bind(action.MarkEnd, "other-mark", "Select", ">", ">", "the other mark", false),
	bind(action.SelectMarked, "marked", "Select", "M", "M", "marked: select the time between the marks", false),
	bind(action.AskFilter, "select", "Select", "/", "/", "select by words: kind=diff; others find text", true),
	bind(action.LookAtAll, "all", "Select", "a", "a", "select all packets", false),

	bind(action.ToggleBaseline, "baseline", "Show", "b", "b", "baseline", true),
	bind(action.ToggleIntervals, "intervals", "Show", "i", "i", "intervals: 95 % of each mean", true),
	bind(action.NextOver, "over", "Show", "v", "v", "lay another run over", false),
	bind(action.NextRun, "next-run", "Show", "]", "]", "next run", false),
	bind(action.PreviousRun, "previous-run", "Show", "[", "[", "previous run", false),
	bind(action.ZoomIn, "zoom-in", "Show", "+ =", "+", "zoom in", false),
	bind(action.ZoomOut, "zoom-out", "Show", "-", "-", "zoom out", false),
	bind(action.ShowFindings, "findings", "Show", "w", "w", "findings: all of them, and warnings", true),
	bind(action.NextTheme, "theme", "Show", "T", "T", "theme", false),

	bind(action.NewRun, "run", "Do", "r", "r", "run a program: or logp, bandwidth, tpil, verbs, baseline, sweep", true),
	bind(action.RunAgain, "again", "Do", "g", "g", "run this again with a change, and compare", false),
	bind(action.ListRuns, "list", "Do", "o", "o", "open one of the list of runs", false),
	bind(action.TestCause, "test", "Do", "W", "W", "test the cause: runs with each resource free", false),
	bind(action.PauseRun, "pause", "Do", "p", "p", "pause or resume the run", false),
	bind(action.StepRun, "step", "Do", ".", ".", "one step of a paused run", false),
	bind(action.StopRun, "stop", "Do", "x", "x", "stop the run, or the test of the cause", false),
	bind(action.AskExport, "export", "Do", "e", "e", "export: SVG, PNG or CSV", true),
	bind(action.CopyLine, "copy", "Do", "y", "y", "copy the command line for this picture", false),
	bind(action.CopyRow, "copy-row", "Do", "Y", "Y", "copy the row at the cursor, or else the picture as text", false),
	bind(action.AskCommand, "command", "Do", ":", ":", "command: all that can be done, with search", false),
	bind(action.ShowHelp, "help", "Do", "?", "?", "help: then the glossary", true),
	bind(action.Quit, "quit", "Do", "q ctrl+c", "q", "quit", true),
}

// action returns the action of a key.
func (m keyMap) action(k fmt.Stringer) action.Action {
	for _, b := range m {
		if key.Matches(k, b.Binding) {
			return b.do
		}
	}
	return action.DoNothing
}

// settingOf is the setting that an action changes.
var settingOf = map[action.Action]scene.Settings{
	action.NextStage: scene.OfStage, action.NextTag: scene.OfTag, action.NextKind: scene.OfKind, action.NextSender: scene.OfSender, action.NextReceiver: scene.OfReceiver, action.NextClass: scene.OfClass,
}

// does reports whether an action does something in the present view.
func (s *State) does(a action.Action) bool {
	of := s.Subject()
	switch a {
	case action.NextSlowest, action.PreviousSlowest:
		return of == views.ARun && s.Data().HasTrace()
	case action.NextWaiting, action.PreviousWaiting:
		return of == views.ARun && s.Data().WaitRows() > 0
	case action.Enter, action.NextMetric, action.TurnOrder, action.MarkBegin, action.MarkEnd, action.SelectMarked, action.ToggleBaseline, action.ToggleIntervals, action.ZoomIn, action.ZoomOut:
		if v, ok := s.view().(*views.LogpView); ok {
			x, _ := v.At(&s.Scene)
			return x != nil && slices.Contains(v.Keys(), a) && (x.Drawn == nil || a == action.ToggleIntervals)
		}
		v, limited := s.view().(interface {
			Can(*scene.Scene, action.Action) bool
		})
		return of != views.Nothing && slices.Contains(s.view().Keys(), a) && (!limited || v.Can(&s.Scene, a))
	case action.NextRun, action.PreviousRun, action.NextOver:
		return of == views.ARun && len(s.Runs) > 1 || of == views.AMeasurement && len(s.Series()) > 1
	case action.PauseRun, action.StepRun, action.StopRun:
		return s.Live != nil && !s.Live.ended
	case action.AskExport, action.ShowFindings, action.CopyLine, action.CopyRow:
		return of != views.Nothing
	case action.AskFilter, action.LookAtAll:
		return of == views.ARun
	case action.NextTag:
		if of == views.ARun && len(s.Data().Tags) < 2 {
			return false
		}
	}
	setting, ok := settingOf[a]
	switch {
	case !ok:
		return true
	case of == views.ARun:
		return s.view().Obeys(&s.Scene)&setting != 0
	}
	return of == views.AMeasurement && a == action.NextStage
}

// textKeys are the keys of a text that fills the body, and what they do there.
var textKeys = []struct {
	do   action.Action
	name string
}{
	{action.Leave, "close"}, {action.PageDown, "on"}, {action.PageUp, "back"}, {action.AskFilter, "find"}, {action.NextSlowest, "next match"}, {action.PreviousSlowest, "the one before"},
}

// of returns the binding of an action.
func (m keyMap) of(a action.Action) bound {
	return m[slices.IndexFunc(m, func(b bound) bool { return b.do == a })]
}

// drawKeys draws the last line of the screen: help and quit on the right, on the left as
// many keys as fit. Those that do nothing here are grey, and leave room to others.
func drawKeys(c *cell.Canvas, y int, s *State) {
	end := c.W
	for _, b := range slices.Backward(s.keys) {
		if b.Enabled() && (b.do == action.Quit || b.do == action.ShowHelp) {
			end -= b.width(b.name()) + 2
			b.Draw(c, end+2, y, b.name(), true)
		}
	}
	x := 0
	if s.texting() {
		for _, k := range textKeys {
			b := s.keys.of(k.do)
			if b.Enabled() && x+b.width(k.name) <= end {
				b.Draw(c, x, y, k.name, true)
			}
			x += b.width(k.name) + 2
		}
		return
	}
	own, packets := s.view().Keys(), views.Kinds[s.View].Name == "timeline"
	for pass := range 4 { // those of all views, those of this view, grey ones, and the others
		for _, b := range s.keys {
			does, in := s.does(b.do), 3
			switch {
			case does && (b.brief || packets && (b.do == action.NextSlowest || b.do == action.NextWaiting)):
				in = 0
			case slices.Contains(own, b.do):
				in = 1
			case b.brief:
				in = 2
			}
			if in != pass || !b.Enabled() || b.do == action.Quit || b.do == action.ShowHelp || !does && !b.brief || x+b.width(b.name()) > end {
				continue
			}
			b.Draw(c, x, y, b.name(), does)
			x += b.width(b.name()) + 2
		}
	}
}

// name is the help without its details.
func (b bound) name() string {
	if b.do == action.Enter {
		return "open"
	}
	name, _, _ := strings.Cut(b.Help().Desc, ":")
	name, _, _ = strings.Cut(name, " by ")
	return name
}

func (b bound) width(name string) int { return cell.Width(b.Help().Key) + 1 + cell.Width(name) }

func (b bound) Draw(c *cell.Canvas, x, y int, name string, does bool) {
	key, ink, attr := cell.Accent, cell.Plain, cell.Bold
	if !does {
		key, ink, attr = cell.Faint, cell.Faint, 0
	}
	c.Zone(x, y, b.width(name), 1, b.do)
	x = c.Text(x, y, b.Help().Key, key, attr)
	c.Text(x+1, y, name, ink, 0)
}

// helpLines are the keys, the commands and the words.
func (s *State) helpLines() []scene.Line {
	lines := []scene.Line{{Text: "? shows the glossary. Keys in brackets do nothing in this view.", Ink: cell.Faint}}
	head := func(text string) { lines = append(lines, scene.Line{}, scene.Line{Text: text, Ink: cell.Strong}) }
	group := ""
	for _, b := range s.keys {
		if !b.Enabled() {
			continue
		}
		if b.group != group {
			group = b.group
			head(group)
		}
		if s.does(b.do) {
			lines = append(lines, scene.Line{Text: fmt.Sprintf("  %-12s %s", b.Help().Key, b.Help().Desc), Ink: cell.Plain})
		} else {
			lines = append(lines, scene.Line{Text: fmt.Sprintf(" [%-12s %s]", b.Help().Key, b.Help().Desc), Ink: cell.Faint})
		}
	}
	head("Commands, after a colon; tab completes them")
	for _, k := range commands() {
		lines = append(lines, scene.Line{Text: fmt.Sprintf("  %-28s %s", strings.TrimSpace(k.name+" "+k.argument), k.help), Ink: cell.Plain})
	}
	head("Words after a slash select; tab completes them")
	for _, w := range views.AllWords() {
		lines = append(lines, scene.Line{Text: fmt.Sprintf("  %-12s %s", w.Name+"=", w.Want), Ink: cell.Plain})
	}
	return lines
}
