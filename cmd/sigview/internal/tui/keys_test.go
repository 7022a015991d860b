package tui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/table"
	"github.com/sigview/sigview/cmd/sigview/internal/folder"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestGreyKeysDoNothing: a key is grey exactly where it leaves the body as it is.
func TestGreyKeysDoNothing(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	m := &Model{state: s, width: 120, height: 36}
	body := func(s *State) string { return Draw(s, 120, 36).Sub(0, 3, 120, 31).ANSI(s.Look.Theme, cell.Colours256) }
	keys := []action.Action{action.NextStage, action.NextTag, action.NextKind, action.NextSender, action.NextReceiver, action.NextClass, action.NextMetric, action.ToggleBaseline, action.ToggleIntervals, action.ZoomIn}
	for i, k := range views.Kinds {
		for _, a := range keys {
			s.show(i)
			require.NoError(t, s.selectAfresh("size=128"))
			before := body(s)
			m.do(a)
			require.Equal(t, s.does(a), body(s) != before, "%s: %s", k.Name, keyOf(a))
		}
	}
	for _, of := range []*State{measurements(t, "gam", "meiko"), measurements(t, "gam")} {
		m.state = of
		of.Measured = append(of.Measured, &data.Measured{Dir: "drawn", Series: []*data.Series{{Dir: "drawn", Drawn: drawnOf("a", "b")}}})
		for series := range of.Series() {
			for _, a := range append(keys, action.NextRun) {
				if a == action.ToggleIntervals && of.Series()[series].Drawn == nil {
					continue // those of the samples are narrower than a character
				}
				of.show(of.View)
				require.NoError(t, of.selectAfresh(fmt.Sprint("scale=log series=", series)))
				before := body(of)
				m.do(a)
				require.Equal(t, of.does(a), body(of) != before, "measurement %d: %s", series, keyOf(a))
			}
		}
	}
}

// drawnOf is a made-up chart with a curve of each name.
func drawnOf(names ...string) *data.Drawn {
	d := &data.Drawn{Name: "drawn", How: "sweep", Detail: "seeds 1", Said: []string{"a result"}}
	d.X, d.Y = chart.Axis{Name: "nodes", Scale: chart.Log2}, chart.Axis{Name: "ms", Scale: chart.Log10}
	for i, name := range names {
		y := float64(i + 1)
		d.Series = append(d.Series, chart.Series{Name: name, Points: []chart.Point{{X: 2, Y: y, Lo: y / 2, Hi: 2 * y, N: 3}, {X: 4, Y: 2 * y, Lo: y, Hi: 4 * y, N: 3}}})
	}
	return d
}

func keyOf(a action.Action) string {
	return usualKeys.of(a).Help().Desc
}

// TestPagesReachTheEnds: of every list, of the sizes, and of the texts.
func TestPagesReachTheEnds(t *testing.T) {
	shell := newShell(t)
	for i := range 40 {
		shell.others = append(shell.others, folder.Entry{Dir: fmt.Sprint("logp-", 100+i), Verdict: "measurement"})
	}
	r := newRig(t, shell, "after", "before", "gam", "meiko")
	page, half := action.PageRows, action.PageRows/2
	for _, l := range []struct {
		open       []string
		at, rows   func() int
		page, half int
	}{
		{[]string{"0"}, func() int { return viewOf[*views.OverviewView](r).List.Row }, func() int { return len(r.state.Data().Findings) }, page, half},
		{[]string{"5"}, func() int { return viewOf[*views.SpansView](r).List.Row }, func() int { return len(views.Listed(&r.state.Sel, r.state.Data())) }, page, half},
		{[]string{"6"}, func() int { return viewOf[*views.TimelineView](r).Lane.Row }, r.state.Nodes, page, half},
		{[]string{"8"}, func() int { return viewOf[*views.ClockView](r).Node.Row }, func() int { return len(views.ClockNodes(r.state.Data())) }, page, half},
		{[]string{"9"}, func() int { return viewOf[*views.CompareView](r).List.Row }, func() int { return len(views.Compare(&r.state.Scene).Changes) }, page, half},
		{[]string{"?"}, func() int { return r.state.Page.YOffset }, func() int { return r.state.Page.TotalLineCount() - r.state.Page.Height + 1 }, views.BodyHeight(r.height) - 1, (views.BodyHeight(r.height) - 1) / 2},
		{[]string{"?"}, func() int { return r.state.Page.YOffset }, func() int { return r.state.Page.TotalLineCount() - r.state.Page.Height + 1 }, views.BodyHeight(r.height) - 1, (views.BodyHeight(r.height) - 1) / 2},
		{[]string{"?", "o"}, func() int { return r.state.Shelf.list.model.Cursor() }, func() int { return len(r.state.Shelf.fitting()) }, views.BodyHeight(r.height) - 3, 0},
		{[]string{"esc", ":"}, func() int { return r.state.Prompt.list.model.Cursor() }, func() int { return len(r.state.Prompt.fitting()) }, views.BodyHeight(r.height) - 1, 0},
	} {
		r.Keys(l.open...)
		r.Keys("home")
		require.Zero(t, l.at(), l.open)
		if l.page > 0 {
			r.Keys("pgdown")
			require.Equal(t, min(l.page, l.rows()-1), l.at(), l.open)
		}
		if l.half > 0 {
			r.Keys("home", "ctrl+d")
			require.Equal(t, min(l.half, l.rows()-1), l.at(), l.open)
			r.Keys("ctrl+u")
			require.Zero(t, l.at(), l.open)
		}
		r.Keys("end", "pgdown")
		require.Equal(t, l.rows()-1, l.at(), "%v: not beyond the end", l.open)
		r.Keys("up")
		require.Equal(t, max(l.rows()-2, 0), l.at(), l.open)
		r.Keys("pgup", "home")
		require.Zero(t, l.at(), l.open)
	}
	r.Keys("esc", "7", "pgdown")
	require.Equal(t, len(r.state.Series())-1, viewOf[*views.LogpView](r).Series.Row)
	r.Keys("pgup")
	require.Zero(t, viewOf[*views.LogpView](r).Series.Row)

	r.Keys("1", "home")
	require.EqualValues(t, 32, r.state.Sel.SizeBytes)
	r.Keys("end")
	require.EqualValues(t, 4096, r.state.Sel.SizeBytes)

	r.Keys("?")
	r.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	require.Positive(t, r.state.Page.YOffset, "the wheel")
	r.Keys("home")
	require.Zero(t, r.state.Page.YOffset)
	r.run(r.do(action.PageDown), 0)
	require.Positive(t, r.state.Page.YOffset, "a click in the footer")
}

func viewOf[V views.View](r *rig) V { return r.state.view().(V) }

// TestChosenRowStaysInView after any keys and sizes of the terminal.
func TestChosenRowStaysInView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := make([]table.Row, rapid.IntRange(1, 60).Draw(t, "rows"))
		for i := range rows {
			rows[i] = row(fmt.Sprint("row ", i))
		}
		keys := []tea.KeyType{tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd}
		k, height := chooser{}, 12
		for range 20 {
			if rapid.Bool().Draw(t, "resized") {
				height = rapid.IntRange(5, 30).Draw(t, "height")
			}
			k.Act(k.Second([]table.Column{{Width: 8}}, rows, 20, height), tea.KeyMsg{Type: rapid.SampledFrom(keys).Draw(t, "key")})
			c := cell.New(20, height, cell.ASCII)
			drawTable(c, k.model, cell.Plain)
			require.Contains(t, c.ANSI(cell.Theme{Mono: true}, cell.NoColour), fmt.Sprintf("\x1b[7mrow %-4d", k.model.Cursor()))
			require.Equal(t, min(len(rows), height-1), strings.Count(c.String(), "row"))
		}
	})
}

// TestKeysAreDocumented: the page about the terminal has every key and every view.
func TestKeysAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/terminal.md")
	require.NoError(t, err)
	_, keys, _ := strings.Cut(string(text), "## Keys")
	keys, _, _ = strings.Cut(keys, "\n## ")
	for _, b := range usualKeys {
		require.Contains(t, keys, "`"+strings.Fields(b.Help().Key)[0]+"`", b.Help().Desc)
	}
	for _, b := range usualKeys {
		require.Contains(t, string(text), "`"+b.called+"`", "the name for configurations")
	}
	for i, k := range views.Kinds {
		require.Contains(t, string(text), fmt.Sprintf("| `%d` | %s |", i, k.Name))
	}
}
