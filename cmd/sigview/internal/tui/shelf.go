package tui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// Shelved is a directory that can be opened.
type Shelved struct {
	Dir      string
	Name     string         // in place of the directory, to be shorter
	Manifest trace.Manifest // of a run
	Verdict  string
}

// shelf is the list of directories, those that fit what has been typed.
type shelf struct {
	all   []Shelved
	open  []string
	input textinput.Model
	at    int
}

// ShelvedRun describes a run for the list.
func ShelvedRun(dir string, m trace.Manifest) Shelved {
	x := Shelved{Dir: dir, Manifest: m, Verdict: "verified"}
	if !m.Verified {
		x.Verdict = "NOT VERIFIED"
	}
	return x
}

// showShelf reads the directories and lists them, with those that are open.
func (m *Model) showShelf() tea.Cmd {
	read, s := m.lab.Shelf, m.state
	var kept []Shelved
	for _, d := range s.Runs {
		x := ShelvedRun(d.Dir, d.Run.Manifest)
		x.Verdict, _ = d.verdict()
		kept = append(kept, x)
	}
	for _, d := range s.Measured {
		kept = append(kept, Shelved{Dir: d.Dir, Verdict: "measurement"})
	}
	return m.reading("the list of runs", func() (result, error) {
		found, err := read()
		return func(m *Model) tea.Cmd {
			m.state.Shelf = newShelf(kept, found)
			return nil
		}, err
	})
}

func newShelf(open, found []Shelved) *shelf {
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

// cells are the columns of a directory.
func (x Shelved) cells() []string {
	m := x.Manifest
	out := []string{cmp.Or(x.Name, x.Dir), m.Workload, m.Platform.Name, "", "", "", "", x.Verdict}
	if m.Workload == "" {
		return out
	}
	var spec struct {
		Layer string `json:"layer"`
	}
	if json.Unmarshal(m.Spec, &spec) == nil {
		out[3] = spec.Layer
	}
	out[4], out[5] = fmt.Sprint(m.Nodes), fmt.Sprint(m.Seed)
	if len(m.Seeds) > 0 {
		out[5] = trace.SeedsText(m.Seeds)
	}
	out[6] = analysis.Time(float64(m.RunTimeNs()))
	return out
}

// fitting returns the directories that have what was typed in one of their columns.
func (l *shelf) fitting() []Shelved {
	words := strings.Fields(l.input.Value())
	var out []Shelved
	for _, x := range l.all {
		text := strings.Join(x.cells(), " ")
		if !slices.ContainsFunc(words, func(w string) bool { return len(fuzzy.Find(w, []string{text})) == 0 }) {
			out = append(out, x)
		}
	}
	return out
}

// shelfKey gives a key to the list. Enter opens a directory, or goes to it if it is open.
func (m *Model) shelfKey(msg tea.KeyMsg) tea.Cmd {
	s, l := m.state, m.state.Shelf
	fit := l.fitting()
	page := max(m.height-9, 1)
	move := map[tea.KeyType]int{tea.KeyDown: 1, tea.KeyUp: -1, tea.KeyPgDown: page, tea.KeyPgUp: -page, tea.KeyHome: -len(fit), tea.KeyEnd: len(fit)}
	switch by, ok := move[msg.Type]; {
	case msg.Type == tea.KeyEsc || msg.Type == tea.KeyCtrlC:
		s.Shelf = nil
	case ok:
		l.at = min(max(l.at+by, 0), max(len(fit)-1, 0))
	case msg.Type != tea.KeyEnter:
		l.input, _ = l.input.Update(msg)
		l.at = 0
	case len(fit) > 0:
		s.Shelf = nil
		dir := fit[l.at].Dir
		if s.index(dir) >= 0 {
			s.activate(dir)
			s.showRun()
			return nil
		}
		return m.open(dir, true)
	}
	return nil
}

// shelfKeys are the keys of the list.
const shelfKeys = "type to search, ↑ ↓ choose, enter opens, esc"

func (l *shelf) draw(c *cell.Canvas) {
	fit := l.fitting()
	x := c.Text(2, 0, "Runs and measurements: ", cell.Strong, 0)
	drawInput(c.Sub(x, 0, c.W-x-12, 1), l.input, true)
	c.Right(c.W-1, 0, fmt.Sprintf("%s of %s", analysis.Digits(int64(len(fit))), analysis.Digits(int64(len(l.all)))), cell.Faint, 0)
	head := []string{"directory", "workload", "platform", "layer", "nodes", "seed", "run time", "verdict"}
	rows := [][]string{head}
	for _, x := range fit {
		rows = append(rows, x.cells())
	}
	widths := l.widths(rows, c.W-4)
	drawCells(c, 2, head, widths, cell.Faint, 0)
	room := c.H - 3
	from := min(max(l.at-room/2, 0), max(len(fit)-room, 0))
	for i := from; i < min(from+room, len(fit)); i++ {
		ink := cell.Plain
		if slices.Contains(l.open, fit[i].Dir) {
			ink = cell.Accent
		}
		drawCells(c, 3+i-from, rows[i+1], widths, ink, attrIf(i == l.at, cell.Reverse))
	}
	if len(fit) == 0 {
		c.Text(2, 3, "nothing fits; sigview-runs and the open directories are searched", cell.Faint, 0)
	}
}

// widths are those of the columns; layer, seed and platform are left out where there is no
// room, and the directory is cut.
func (l *shelf) widths(rows [][]string, room int) []int {
	out := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, text := range r {
			out[i] = max(out[i], cell.Width(text))
		}
	}
	sum := func() (n int) {
		for _, w := range out {
			if w > 0 {
				n += w + 2
			}
		}
		return n - 2
	}
	for _, drop := range []int{3, 5, 2} {
		if sum() > room {
			out[drop] = 0
		}
	}
	out[0] = max(out[0]-max(sum()-room, 0), 10)
	return out
}

func drawCells(c *cell.Canvas, y int, cells []string, widths []int, ink cell.Ink, attr cell.Attr) {
	x := 2
	for i, w := range widths {
		if w > 0 {
			c.Sub(x, y, w, 1).Text(0, 0, cells[i], ink, attr)
			x += w + 2
		}
	}
}
