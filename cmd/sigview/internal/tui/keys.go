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

// bound binds keys to an action, with the action's place in the help.
type bound struct {
	key.Binding
	do    action.Action
	group string
	brief bool // also at the bottom of the screen
}

func bind(do action.Action, group, keys, shown, help string, brief bool) bound {
	return bound{key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(shown, help)), do, group, brief}
}

// keyMap is the only place that names keys. The help and the last line of the
// screen are made from it.
var keyMap = []bound{
	bind(action.GoLeft, "Move", "h left", "h ←", "cursor left", false),
	bind(action.GoRight, "Move", "l right", "l →", "cursor right", false),
	bind(action.GoUp, "Move", "k up", "k ↑", "cursor up", false),
	bind(action.GoDown, "Move", "j down", "j ↓", "cursor down", false),
	bind(action.Enter, "Move", "enter", "enter", "open what the cursor is at", true),
	bind(action.Leave, "Move", "esc backspace", "esc", "back to where enter was pressed", false),
	bind(action.PageDown, "Move", "pgdown ctrl+f", "PgDn", "page down: ten rows, or a screen of text", false),
	bind(action.PageUp, "Move", "pgup ctrl+b", "PgUp", "page up", false),
	bind(action.HalfDown, "Move", "ctrl+d", "^D", "half a page down", false),
	bind(action.HalfUp, "Move", "ctrl+u", "^U", "half a page up", false),
	bind(action.GoFirst, "Move", "home", "Home", "first row, or start", false),
	bind(action.GoLast, "Move", "end", "End", "last row, or end", false),
	bind(action.NextSlowest, "Move", "n", "n", "slowest: the next packet by its time in the stage, of the whole trace; in a text the next match", false),
	bind(action.PreviousSlowest, "Move", "N", "N", "the one before", false),
	bind(action.NextWaiting, "Move", "u", "u", "waiting: the next packet by how long it waits in all, of the whole trace", false),
	bind(action.PreviousWaiting, "Move", "U", "U", "the one before", false),
	bind(action.NextView, "Move", "tab", "tab", "next view; 0 to 9 go to one", false),
	bind(action.PreviousView, "Move", "shift+tab", "shift+tab", "previous view", false),
	bind(action.Undo, "Move", "ctrl+z", "^Z", "undo: the last change of view, selection or zoom", false),
	bind(action.Redo, "Move", "ctrl+y ctrl+r", "^Y", "redo: what was undone", false),

	bind(action.NextStage, "Select", "s", "s", "stage", true),
	bind(action.NextTag, "Select", "t", "t", "tag", true),
	bind(action.NextKind, "Select", "K", "K", "kind: of packet", true),
	bind(action.NextSender, "Select", "S", "S", "sender", false),
	bind(action.NextReceiver, "Select", "R", "R", "receiver", false),
	bind(action.NextClass, "Select", "c", "c", "size class", false),
	bind(action.NextMetric, "Select", "m", "m", "what is shown", false),
	bind(action.TurnOrder, "Select", "O", "O", "order: of the table of nodes, the other way round", false),
	bind(action.MarkBegin, "Select", "<", "<", "mark: put one at the cursor's time", false),
	bind(action.MarkEnd, "Select", ">", ">", "the other mark", false),
	bind(action.SelectMarked, "Select", "M", "M", "marked: select the time between the marks", false),
	bind(action.AskFilter, "Select", "/", "/", "select by words: kind=diff sender=3; words without = find rows, and in a text lines", true),
	bind(action.LookAtAll, "Select", "a", "a", "select all packets", false),

	bind(action.ToggleBaseline, "Show", "b", "b", "baseline", true),
	bind(action.ToggleIntervals, "Show", "i", "i", "intervals: 95 % of each mean", true),
	bind(action.NextOver, "Show", "v", "v", "lay another run over", false),
	bind(action.NextRun, "Show", "]", "]", "next run", false),
	bind(action.PreviousRun, "Show", "[", "[", "previous run", false),
	bind(action.ZoomIn, "Show", "+ =", "+", "zoom in", false),
	bind(action.ZoomOut, "Show", "-", "-", "zoom out", false),
	bind(action.ShowFindings, "Show", "w", "w", "findings: all of them, and warnings", true),
	bind(action.NextTheme, "Show", "T", "T", "theme", false),

	bind(action.NewRun, "Do", "r", "r", "run a program: or logp, bandwidth, tpil, verbs, baseline, sweep", true),
	bind(action.RunAgain, "Do", "g", "g", "run this again with a change, and compare", false),
	bind(action.ListRuns, "Do", "o", "o", "open one of the list of runs", false),
	bind(action.TestCause, "Do", "W", "W", "test the cause: runs with each resource free", false),
	bind(action.PauseRun, "Do", "p", "p", "pause or resume the run", false),
	bind(action.StepRun, "Do", ".", ".", "one step of a paused run", false),
	bind(action.StopRun, "Do", "x", "x", "stop the run, or the test of the cause", false),
	bind(action.AskExport, "Do", "e", "e", "export: SVG, PNG or CSV", true),
	bind(action.CopyLine, "Do", "y", "y", "copy the command line for this picture", false),
	bind(action.CopyRow, "Do", "Y", "Y", "copy the row at the cursor, or else the picture as text", false),
	bind(action.AskCommand, "Do", ":", ":", "command: all that can be done, with search", false),
	bind(action.ShowHelp, "Do", "?", "?", "help: then the glossary", true),
	bind(action.Quit, "Do", "q ctrl+c", "q", "quit", true),
}

// actionOf returns the action of a key.
func actionOf(k fmt.Stringer) action.Action {
	for _, b := range keyMap {
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

// boundTo returns the binding of an action.
func boundTo(a action.Action) bound {
	return keyMap[slices.IndexFunc(keyMap, func(b bound) bool { return b.do == a })]
}

// drawKeys draws the last line of the screen: help and quit on the right, on the left as
// many keys as fit. Those that do nothing here are grey, and leave room to others.
func drawKeys(c *cell.Canvas, y int, s *State) {
	end := c.W
	for _, b := range slices.Backward(keyMap) {
		if b.do == action.Quit || b.do == action.ShowHelp {
			end -= b.width(b.name()) + 2
			b.Draw(c, end+2, y, b.name(), true)
		}
	}
	x := 0
	if s.texting() {
		for _, k := range textKeys {
			b := boundTo(k.do)
			if x+b.width(k.name) <= end {
				b.Draw(c, x, y, k.name, true)
			}
			x += b.width(k.name) + 2
		}
		return
	}
	own, packets := s.view().Keys(), views.Kinds[s.View].Name == "timeline"
	for pass := range 4 { // those of all views, those of this view, grey ones, and the others
		for _, b := range keyMap {
			does, in := s.does(b.do), 3
			switch {
			case does && (b.brief || packets && (b.do == action.NextSlowest || b.do == action.NextWaiting)):
				in = 0
			case slices.Contains(own, b.do):
				in = 1
			case b.brief:
				in = 2
			}
			if in != pass || b.do == action.Quit || b.do == action.ShowHelp || !does && !b.brief || x+b.width(b.name()) > end {
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

// helpLines are the key map, the commands and the words.
func (s *State) helpLines() []scene.Line {
	lines := []scene.Line{{Text: "? shows the glossary. Keys in brackets do nothing in this view.", Ink: cell.Faint}}
	head := func(text string) { lines = append(lines, scene.Line{}, scene.Line{Text: text, Ink: cell.Strong}) }
	group := ""
	for _, b := range keyMap {
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
