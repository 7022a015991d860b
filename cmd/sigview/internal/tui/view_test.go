package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/report/chart/cell"
)

// TestViewsKeepTheirState: what a view keeps is still there when the user comes
// back, and no other view sees it.
func TestViewsKeepTheirState(t *testing.T) {
	r := newRig(t, newShell(t), "after", "before")
	r.keys("3", "m", "5", "j", "8", "m", "m", "3")
	require.Contains(t, r.text(), "deviation from the baseline")
	require.Equal(t, "metric=1", r.state.text())
	r.keys("5")
	require.Equal(t, "row=1", r.state.text())
	r.keys("8")
	require.Equal(t, "metric=2", r.state.text())
	r.keys("a")
	require.Empty(t, r.state.text(), "all again")
	r.keys("4")
	require.Empty(t, r.state.text())
	r.keys("9", "j", "j", "1", "s", "9")
	require.Equal(t, "stage=dest row=2", r.state.text(), "the selection is for all")
}

// TestCloneIsIndependent: what is drawn of a copy in a command must not change
// with the state.
func TestCloneIsIndependent(t *testing.T) {
	all := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	m, err := measuredAt("gam")
	require.NoError(t, err)
	all.addMeasured(m)
	for i := range kinds {
		s := all.clone()
		s.show(i)
		still := Still(s)
		before := Draw(still, 100, 30).String()
		require.NoError(t, s.selectBy("metric=1 row=2 curve=1 point=16 scale=log kind=data stage=source baseline=off"))
		s.Runs[1] = s.Runs[0]
		require.Equal(t, before, Draw(still, 100, 30).String(), kinds[i].name)
	}
}

// TestEveryViewDoesItsKeys: the keys that a view lists mean something in it, and
// each view answers for itself.
func TestEveryViewDoesItsKeys(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	for i, k := range kinds {
		s.show(i)
		if k.name == "LogP" {
			require.False(t, s.view().update(&s.Scene, nextMetric), "nothing measured is open")
			m, err := measuredAt("gam")
			require.NoError(t, err)
			s.addMeasured(m)
		}
		for _, a := range s.view().keys() {
			if a >= toggleBaseline && a <= zoomOut {
				continue // TestGreyKeysDoNothing
			}
			s.Note, s.leads = "", nil
			require.True(t, s.view().update(&s.Scene, a), "%s: %d", k.name, a)
			require.True(t, s.Note != "" || s.leads != nil, k.name)
			if p := s.leads; p != nil {
				require.NoError(t, s.clone().goTo(*p))
			}
		}
		require.False(t, s.view().update(&s.Scene, nextTheme), k.name)
		require.NotEmpty(t, s.view().findings(&s.Scene), k.name)
		require.NotEmpty(t, s.view().dirs(&s.Scene), k.name)
		names := map[string]bool{}
		for _, w := range s.view().words() {
			require.False(t, names[w.name], "%s: %s twice", k.name, w.name)
			names[w.name] = true
			require.Error(t, w.set("mauve"), w.name)
			for _, v := range append([]string{w.get()}, w.listed(&s.Scene)...) {
				require.NoError(t, w.set(v), "%s=%s", w.name, v)
				require.Equal(t, v, w.get(), w.name)
			}
		}
	}
}

// listed are the values of a word, none when they cannot be listed.
func (w word) listed(s *Scene) []string {
	if w.values == nil {
		return nil
	}
	return w.values(s)
}

// TestSelectionWordsKeepWhatTheyAreSet checks the words that all views share.
func TestSelectionWordsKeepWhatTheyAreSet(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	for _, w := range s.Sel.words() {
		require.Error(t, w.set("mauve"), w.name)
		for _, v := range append([]string{w.get()}, w.listed(&s.Scene)...) {
			require.NoError(t, w.set(v), fmt.Sprintf("%s=%s", w.name, v))
			require.Equal(t, v, w.get(), w.name)
		}
	}
}

// TestEveryPlaceCanBePointedAt: a click anywhere leaves a state that can be drawn,
// and takes the cursor of a list to the line that was clicked.
func TestEveryPlaceCanBePointedAt(t *testing.T) {
	r := newRig(t, newShell(t), "after", "before", "gam", "meiko")
	r.keys(":baseline base", "enter")
	s := r.state
	for i, k := range kinds {
		s.show(i)
		require.NoError(t, s.selectAfresh(""))
		clicks := 0
		for y := range r.height {
			c := Draw(s, r.width, r.height)
			for x := range r.width {
				do, dx, dy, ok := c.Hit(x, y)
				if p, is := do.(pointed); ok && is {
					p(dx, dy)
					s.settle()
					clicks++
				}
			}
		}
		require.Positive(t, clicks, k.name)
		require.NotEmpty(t, Draw(s, r.width, r.height).String())
	}
	for name, text := range map[string]string{"spans": "lock_acquire", "clock": "   2 ", "compare": "▼ 1024_to_4095", "LogP": "b gam on meiko, request"} {
		v, err := ViewOf(name)
		require.NoError(t, err)
		r.send(tea.WindowSizeMsg{Width: 150, Height: 44})
		s.show(v)
		require.NoError(t, s.selectAfresh(""))
		lines := strings.Split(r.text(), "\n")
		y := slices.IndexFunc(lines[4:], func(l string) bool { return strings.Contains(l, text) }) + 4
		require.Greater(t, y, 3, "%s: %s", name, r.text())
		x := len([]rune(lines[y][:strings.Index(lines[y], text)]))
		r.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		switch v := s.view().(type) {
		case *spansView:
			require.Contains(t, nameOf(s.Sel.listed(s.data())[v.list.row]), text)
		case *clockView:
			require.Equal(t, 2, v.node.row)
		case *compareView:
			require.Equal(t, "1024_to_4095", s.compare().changes[v.list.row].Class)
		case *logpView:
			require.Equal(t, 1, v.series.row)
		}
	}
}
