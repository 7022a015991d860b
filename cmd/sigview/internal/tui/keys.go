package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"github.com/sigview/sigview/report/chart/cell"
)

// bound binds keys to an action, with the action's place in the help.
type bound struct {
	key.Binding
	do    action
	group string
	brief bool // also at the bottom of the screen
}

func bind(do action, group, keys, shown, help string, brief bool) bound {
	return bound{key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(shown, help)), do, group, brief}
}

// keyMap is the only place that names keys. The help and the last line of the
// screen are made from it.
var keyMap = []bound{
	bind(goLeft, "Move", "h left", "h ←", "cursor left", false),
	bind(goRight, "Move", "l right", "l →", "cursor right", false),
	bind(goUp, "Move", "k up", "k ↑", "cursor up", false),
	bind(goDown, "Move", "j down", "j ↓", "cursor down", false),
	bind(enter, "Move", "enter", "enter", "open what the cursor is at", true),
	bind(leave, "Move", "esc backspace", "esc", "back to where enter was pressed", false),
	bind(pageDown, "Move", "pgdown ctrl+f", "PgDn", "page down: ten rows, or a screen of text", false),
	bind(pageUp, "Move", "pgup ctrl+b", "PgUp", "page up", false),
	bind(halfDown, "Move", "ctrl+d", "^D", "half a page down", false),
	bind(halfUp, "Move", "ctrl+u", "^U", "half a page up", false),
	bind(goFirst, "Move", "home", "Home", "first row, or start", false),
	bind(goLast, "Move", "end", "End", "last row, or end", false),
	bind(nextSlowest, "Move", "n", "n", "slowest: the next packet by its time in the stage, of the whole trace", false),
	bind(previousSlowest, "Move", "N", "N", "the one before", false),
	bind(nextWaiting, "Move", "u", "u", "waiting: the next packet by how long it waits in all, of the whole trace", false),
	bind(previousWaiting, "Move", "U", "U", "the one before", false),
	bind(nextView, "Move", "tab", "tab", "next view; 0 to 9 go to one", false),
	bind(previousView, "Move", "shift+tab", "shift+tab", "previous view", false),

	bind(nextStage, "Select", "s", "s", "stage", true),
	bind(nextTag, "Select", "t", "t", "tag", true),
	bind(nextKind, "Select", "K", "K", "kind: of packet", true),
	bind(nextSender, "Select", "S", "S", "sender", false),
	bind(nextReceiver, "Select", "R", "R", "receiver", false),
	bind(nextClass, "Select", "c", "c", "size class", false),
	bind(nextMetric, "Select", "m", "m", "what is shown", false),
	bind(askFilter, "Select", "/", "/", "select by words: kind=diff sender=3", true),
	bind(lookAtAll, "Select", "a", "a", "select all packets", false),

	bind(toggleBaseline, "Show", "b", "b", "baseline", true),
	bind(toggleIntervals, "Show", "i", "i", "intervals: 95 % of each mean", true),
	bind(nextOver, "Show", "v", "v", "lay another run over", false),
	bind(nextRun, "Show", "]", "]", "next run", false),
	bind(previousRun, "Show", "[", "[", "previous run", false),
	bind(zoomIn, "Show", "+ =", "+", "zoom in", false),
	bind(zoomOut, "Show", "-", "-", "zoom out", false),
	bind(showFindings, "Show", "w", "w", "findings: all of them, and warnings", true),
	bind(nextTheme, "Show", "T", "T", "theme", false),

	bind(newRun, "Do", "r", "r", "run a program: or logp, bandwidth, tpil, verbs, baseline, sweep", true),
	bind(runAgain, "Do", "g", "g", "run this again with a change, and compare", false),
	bind(listRuns, "Do", "o", "o", "open one of the list of runs", false),
	bind(testCause, "Do", "W", "W", "test the cause: runs with each resource free", false),
	bind(pauseRun, "Do", "p", "p", "pause or resume the run", false),
	bind(stepRun, "Do", ".", ".", "one step of a paused run", false),
	bind(stopRun, "Do", "x", "x", "stop the run, or the test of the cause", false),
	bind(askExport, "Do", "e", "e", "export: SVG, PNG or CSV", true),
	bind(copyLine, "Do", "y", "y", "copy the command line for this picture", false),
	bind(askCommand, "Do", ":", ":", "command: all that can be done, with search", false),
	bind(showHelp, "Do", "?", "?", "help: then the glossary", true),
	bind(quit, "Do", "q ctrl+c", "q", "quit", true),
}

// actionOf returns the action of a key.
func actionOf(k fmt.Stringer) action {
	for _, b := range keyMap {
		if key.Matches(k, b.Binding) {
			return b.do
		}
	}
	return doNothing
}

// settingOf is the setting that an action changes.
var settingOf = map[action]settings{
	nextStage: ofStage, nextTag: ofTag, nextKind: ofKind, nextSender: ofSender, nextReceiver: ofReceiver, nextClass: ofClass,
}

// does reports whether an action does something in the present view.
func (s *State) does(a action) bool {
	of := s.subject()
	switch a {
	case nextSlowest, previousSlowest:
		return of == aRun && s.data().hasTrace()
	case nextWaiting, previousWaiting:
		return of == aRun && s.data().waitRows() > 0
	case enter, nextMetric, toggleBaseline, toggleIntervals, zoomIn, zoomOut:
		if v, ok := s.view().(*logpView); ok {
			x, _ := v.at(&s.Scene)
			return x != nil && slices.Contains(v.keys(), a) && (x.Drawn == nil || a == toggleIntervals)
		}
		return of != nothing && slices.Contains(s.view().keys(), a)
	case nextRun, previousRun, nextOver:
		return of == aRun && len(s.Runs) > 1 || of == aMeasurement && len(s.series()) > 1
	case pauseRun, stepRun, stopRun:
		return s.Live != nil && !s.Live.ended
	case askExport, showFindings, copyLine:
		return of != nothing
	case askFilter, lookAtAll:
		return of == aRun
	case nextTag:
		if of == aRun && len(s.data().tags) < 2 {
			return false
		}
	}
	setting, ok := settingOf[a]
	switch {
	case !ok:
		return true
	case of == aRun:
		return s.view().obeys(&s.Scene)&setting != 0
	}
	return of == aMeasurement && a == nextStage
}

// drawKeys draws the last line of the screen: help and quit on the right, on the left as
// many keys as fit. Those that do nothing here are grey, and leave room to others.
func drawKeys(c *cell.Canvas, y int, s *State) {
	end := c.W
	for _, b := range slices.Backward(keyMap) {
		if b.do == quit || b.do == showHelp {
			end -= b.width() + 2
			b.draw(c, end+2, y, true)
		}
	}
	x := 0
	own, packets := s.view().keys(), kinds[s.View].name == "timeline"
	for pass := range 4 { // those of all views, those of this view, grey ones, and the others
		for _, b := range keyMap {
			does, in := s.does(b.do), 3
			switch {
			case does && (b.brief || packets && (b.do == nextSlowest || b.do == nextWaiting)):
				in = 0
			case slices.Contains(own, b.do):
				in = 1
			case b.brief:
				in = 2
			}
			if in != pass || b.do == quit || b.do == showHelp || !does && !b.brief || x+b.width() > end {
				continue
			}
			b.draw(c, x, y, does)
			x += b.width() + 2
		}
	}
}

// name is the help without its details.
func (b bound) name() string {
	if b.do == enter {
		return "open"
	}
	name, _, _ := strings.Cut(b.Help().Desc, ":")
	name, _, _ = strings.Cut(name, " by ")
	return name
}

func (b bound) width() int { return cell.Width(b.Help().Key) + 1 + cell.Width(b.name()) }

func (b bound) draw(c *cell.Canvas, x, y int, does bool) {
	key, name, attr := cell.Accent, cell.Plain, cell.Bold
	if !does {
		key, name, attr = cell.Faint, cell.Faint, cell.Dim
	}
	c.Zone(x, y, b.width(), 1, b.do)
	x = c.Text(x, y, b.Help().Key, key, attr)
	c.Text(x+1, y, b.name(), name, attr&cell.Dim)
}

// helpLines are the key map, the commands and the words.
func (s *State) helpLines() []line {
	lines := []line{{"? shows the glossary. Keys in brackets do nothing in this view.", cell.Faint}}
	head := func(text string) { lines = append(lines, line{}, line{text, cell.Strong}) }
	group := ""
	for _, b := range keyMap {
		if b.group != group {
			group = b.group
			head(group)
		}
		if s.does(b.do) {
			lines = append(lines, line{fmt.Sprintf("  %-12s %s", b.Help().Key, b.Help().Desc), cell.Plain})
		} else {
			lines = append(lines, line{fmt.Sprintf(" [%-12s %s]", b.Help().Key, b.Help().Desc), cell.Faint})
		}
	}
	head("Commands, after a colon; tab completes them")
	for _, k := range commands() {
		lines = append(lines, line{fmt.Sprintf("  %-28s %s", strings.TrimSpace(k.name+" "+k.argument), k.help), cell.Plain})
	}
	head("Words after a slash select; tab completes them")
	for _, w := range allWords() {
		lines = append(lines, line{fmt.Sprintf("  %-12s %s", w.name+"=", w.want), cell.Plain})
	}
	return lines
}
