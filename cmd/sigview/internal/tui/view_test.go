package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/stretchr/testify/require"
)

// TestViewsKeepTheirState: what a view keeps is still there when the user comes
// back, and no other view sees it.
func TestViewsKeepTheirState(t *testing.T) {
	r := newRig(t, newShell(t), "after", "before")
	r.Keys("3", "m", "5", "j", "8", "m", "m", "3")
	require.Contains(t, r.Text(), "deviation from the baseline")
	require.Equal(t, "metric=1", r.state.Text())
	r.Keys("5")
	require.Equal(t, "row=1", r.state.Text())
	r.Keys("8")
	require.Equal(t, "metric=2", r.state.Text())
	r.Keys("a")
	require.Empty(t, r.state.Text(), "all again")
	r.Keys("4")
	require.Empty(t, r.state.Text())
	r.Keys("9", "j", "j", "1", "s", "9")
	require.Equal(t, "stage=dest row=2", r.state.Text(), "the selection is for all")
}

// TestCloneIsIndependent: what is drawn of a copy in a command must not change
// with the state.
func TestCloneIsIndependent(t *testing.T) {
	all := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	m, err := measuredAt("gam")
	require.NoError(t, err)
	all.AddMeasured(m)
	for i := range views.Kinds {
		s := all.clone()
		s.show(i)
		still := Still(s)
		before := Draw(still, 100, 30).String()
		require.NoError(t, s.selectBy("metric=1 row=2 curve=1 point=16 scale=log kind=data stage=source baseline=off"))
		s.Runs[1] = s.Runs[0]
		require.Equal(t, before, Draw(still, 100, 30).String(), views.Kinds[i].Name)
	}
}

// TestEveryViewDoesItsKeys: the keys that a view lists mean something in it, and
// each view answers for itself.
func TestEveryViewDoesItsKeys(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	for i, k := range views.Kinds {
		s.show(i)
		if k.Name == "LogP" {
			require.False(t, s.view().Act(&s.Scene, action.NextMetric), "nothing measured is open")
			m, err := measuredAt("gam")
			require.NoError(t, err)
			s.AddMeasured(m)
		}
		for _, a := range s.view().Keys() {
			if a >= action.ToggleBaseline && a <= action.ZoomOut {
				continue // TestGreyKeysDoNothing
			}
			s.Note, s.Leads = "", nil
			require.True(t, s.view().Act(&s.Scene, a), "%s: %d", k.Name, a)
			require.True(t, s.Note != "" || s.Leads != nil, k.Name)
			if p := s.Leads; p != nil {
				require.NoError(t, s.clone().goTo(*p))
			}
		}
		require.False(t, s.view().Act(&s.Scene, action.NextTheme), k.Name)
		require.NotEmpty(t, s.view().Findings(&s.Scene), k.Name)
		require.NotEmpty(t, s.view().Dirs(&s.Scene), k.Name)
		names := map[string]bool{}
		for _, w := range s.view().Words() {
			require.False(t, names[w.Name], "%s: %s twice", k.Name, w.Name)
			names[w.Name] = true
			require.Error(t, w.Set("mauve"), w.Name)
			for _, v := range append([]string{w.Get()}, listed(w, &s.Scene)...) {
				require.NoError(t, w.Set(v), "%s=%s", w.Name, v)
				require.Equal(t, v, w.Get(), w.Name)
			}
		}
	}
}

// listed are the values of a word, none when they cannot be listed.
func listed(w scene.Word, s *scene.Scene) []string {
	if w.Values == nil {
		return nil
	}
	return w.Values(s)
}

// TestSelectionWordsKeepWhatTheyAreSet checks the words that all views share.
func TestSelectionWordsKeepWhatTheyAreSet(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	for _, w := range scene.Words(&s.Sel) {
		require.Error(t, w.Set("mauve"), w.Name)
		for _, v := range append([]string{w.Get()}, listed(w, &s.Scene)...) {
			require.NoError(t, w.Set(v), fmt.Sprintf("%s=%s", w.Name, v))
			require.Equal(t, v, w.Get(), w.Name)
		}
	}
}

// TestEveryPlaceCanBePointedAt: a click anywhere leaves a state that can be drawn,
// and takes the cursor of a list to the line that was clicked.
func TestEveryPlaceCanBePointedAt(t *testing.T) {
	r := newRig(t, newShell(t), "after", "before", "gam", "meiko")
	r.Keys(":baseline base", "enter")
	s := r.state
	for i, k := range views.Kinds {
		s.show(i)
		require.NoError(t, s.selectAfresh(""))
		clicks := 0
		for y := range r.height {
			c := Draw(s, r.width, r.height)
			for x := range r.width {
				do, dx, dy, ok := c.Hit(x, y)
				if p, is := do.(action.Pointed); ok && is {
					p(dx, dy)
					s.Settle()
					clicks++
				}
			}
		}
		require.Positive(t, clicks, k.Name)
		require.NotEmpty(t, Draw(s, r.width, r.height).String())
	}
	for name, text := range map[string]string{"spans": "lock_acquire", "clock": "   2 ", "compare": "? 1024_to_4095", "LogP": "b gam on meiko, request"} {
		v, err := views.ViewOf(name)
		require.NoError(t, err)
		r.send(tea.WindowSizeMsg{Width: 150, Height: 44})
		s.show(v)
		require.NoError(t, s.selectAfresh(""))
		lines := strings.Split(r.Text(), "\n")
		y := slices.IndexFunc(lines[4:], func(l string) bool { return strings.Contains(l, text) }) + 4
		require.Greater(t, y, 3, "%s: %s", name, r.Text())
		x := len([]rune(lines[y][:strings.Index(lines[y], text)]))
		r.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		switch v := s.view().(type) {
		case *views.SpansView:
			require.Contains(t, data.NameOf(views.Listed(&s.Sel, s.Data())[v.List.Row]), text)
		case *views.ClockView:
			require.Equal(t, 2, v.Node.Row)
		case *views.CompareView:
			require.Equal(t, "1024_to_4095", views.Compare(&s.Scene).Changes[v.List.Row].Class)
		case *views.LogpView:
			require.Equal(t, 1, v.Series.Row)
		}
	}
}

// TestNoiseLooksLikeNoise: pairs that differ by less than their intervals have neighbouring shades, those that differ by more use all.
func TestNoiseLooksLikeNoise(t *testing.T) {
	e := views.Calm(chart.Extent{Lo: 20, Hi: 24.6, Some: true}, []float64{3, 2.5, 4})
	step := (e.Hi - e.Lo) / cell.HeatSteps
	require.GreaterOrEqual(t, step, 2.99)
	require.Less(t, 4.6/step, 2.0)
	require.Equal(t, chart.Extent{Lo: 20, Hi: 400, Some: true}, views.Calm(chart.Extent{Lo: 20, Hi: 400, Some: true}, []float64{3}))
	require.Zero(t, views.Calm(chart.Extent{Lo: 1, Hi: 2, Some: true}, []float64{5}).Lo)
	difference := views.Calm(chart.Extent{Lo: -2, Hi: 1, Some: true}, []float64{5}) // Net less LANai of some pairs is below 0
	require.Negative(t, difference.Lo+2)
	require.Positive(t, difference.Hi-1)
}
