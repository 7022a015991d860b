package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/table"
	"github.com/charmbracelet/bubbles/textinput"
	"github.com/sigview/sigview/cmd/sigview/internal/folder"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report/chart/cell"
)

// shelf is the list of directories, those that fit what has been typed.
type shelf struct {
	all   []folder.Entry
	open  []string
	input textinput.Model
	list  chooser
}

// showShelf reads the directories and lists them, with those that are open.
func (m *Model) showShelf() tea.Cmd {
	read, s := m.shell.Shelf, m.state
	var kept []folder.Entry
	for _, d := range s.Runs {
		x := folder.OfRun(d.Dir, d.Run.Manifest)
		x.Verdict, _ = views.Verdict(d)
		kept = append(kept, x)
	}
	for _, d := range s.Measured {
		kept = append(kept, folder.Entry{Dir: d.Dir, Verdict: "measurement"})
	}
	return m.reading("the list of runs", func() (result, error) {
		found, err := read()
		return func(m *Model) tea.Cmd {
			m.state.Shelf = newShelf(kept, found)
			return nil
		}, err
	})
}

func newShelf(open, found []folder.Entry) *shelf {
	l := &shelf{all: slices.Clone(open), input: newInput("")}
	for _, x := range open {
		l.open = append(l.open, x.Dir)
	}
	for _, x := range found {
		if !slices.Contains(l.open, x.Dir) {
			l.all = append(l.all, x)
		}
	}
	return l
}

// fitting returns the directories that have what was typed in one of their columns.
func (l *shelf) fitting() []folder.Entry {
	words := strings.Fields(l.input.Value())
	var out []folder.Entry
	for _, x := range l.all {
		text := strings.Join(x.Cells(), " ")
		if !slices.ContainsFunc(words, func(w string) bool { return len(fuzzy.Find(w, []string{text})) == 0 }) {
			out = append(out, x)
		}
	}
	return out
}

// shelfKey gives a key to the list. Enter opens a directory, or goes to it if it is open.
func (m *Model) shelfKey(msg tea.KeyMsg) tea.Cmd {
	s, l := m.state, m.state.Shelf
	switch fit := l.fitting(); {
	case msg.Type == tea.KeyEsc || msg.Type == tea.KeyCtrlC:
		s.Shelf = nil
	case l.list.Act(l.Table(m.width, views.BodyHeight(m.height)), msg):
	case msg.Type != tea.KeyEnter:
		l.input, _ = l.input.Update(msg)
		l.list = chooser{}
	case len(fit) > 0:
		s.Shelf = nil
		dir := fit[l.list.model.Cursor()].Dir
		if s.Index(dir) >= 0 {
			s.Activate(dir)
			s.showRun()
			return nil
		}
		return m.open(dir, true)
	}
	return nil
}

// shelfKeys are the keys of the list.
const shelfKeys = "type to search, ↑ ↓ PgDn PgUp choose, enter opens, esc"

func (l *shelf) Draw(c *cell.Canvas) {
	t := l.Table(c.W, c.H)
	x := c.Text(2, 0, "Runs and measurements, * open: ", cell.Strong, 0)
	drawInput(c.Sub(x, 0, c.W-x-12, 1), l.input, true)
	c.Right(c.W-1, 0, fmt.Sprintf("%s of %s", analysis.Digits(int64(len(t.Rows()))), analysis.Digits(int64(len(l.all)))), cell.Faint, 0)
	drawTable(c.Sub(1, 2, c.W-2, c.H-2), t, cell.Accent, cell.Plain)
	if len(t.Rows()) == 0 {
		c.Text(2, 3, "nothing fits; sigview-runs and the open directories are searched", cell.Faint, 0)
	}
}

// Table returns the directories that fit, for a body. Layer, seed and platform are left out
// where there is no room, and the directory is cut.
func (l *shelf) Table(width, height int) table.Model {
	var columns []table.Column
	for _, title := range append([]string{""}, folder.Headings...) {
		columns = append(columns, table.Column{Title: title, Width: max(cell.Width(title), 1)})
	}
	rows := lists.Map(l.fitting(), func(x folder.Entry) table.Row {
		mark := ""
		if slices.Contains(l.open, x.Dir) {
			mark = "*"
		}
		return row(append([]string{mark}, x.Cells()...)...)
	})
	for _, r := range rows {
		for i, text := range r {
			columns[i].Width = max(columns[i].Width, cell.Width(text))
		}
	}
	over := func() int { // columns of the screen that lack
		n := 2 - width
		for _, k := range columns {
			if k.Width > 0 {
				n += k.Width + columnGap
			}
		}
		return n - columnGap
	}
	for _, drop := range []int{4, 6, 3} {
		if over() > 0 {
			columns[drop].Width = 0
		}
	}
	columns[1].Width = max(columns[1].Width-max(over(), 0), 10)
	return l.list.Second(columns, rows, width-2, height-2)
}
