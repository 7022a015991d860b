package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/report/chart/cell"
)

// TestPanes: from 140 columns on, a view stands beside the place that enter leads to, and a
// click there leads to it as well.
func TestPanes(t *testing.T) {
	for _, name := range []string{"overview", "matrix", "spans", "compare"} {
		r := newRig(t, newShell(t), "before")
		r.keys(":baseline base", "enter")
		at, err := ViewOf(name)
		require.NoError(t, err)
		r.state.show(at)
		r.send(tea.WindowSizeMsg{Width: twoPanes - 1, Height: 40})
		require.NotContains(t, r.text(), "enter › ", name)
		r.send(tea.WindowSizeMsg{Width: twoPanes, Height: 40})
		before := right(r.text())
		require.Contains(t, before, "enter › ", name)
		r.keys("down", "down")
		require.NotEqual(t, before, right(r.text()), "%s: the cursor changes what it leads to", name)
		next, ok := r.state.leadsTo()
		require.True(t, ok)
		s := r.state.clone()
		r.keys("enter")
		require.Equal(t, next.View, r.state.View, name)
		require.Equal(t, next.text(), r.state.text(), name)
		r.state = s
		r.send(tea.MouseMsg{X: twoPanes - 5, Y: 20, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		require.Equal(t, next.text(), r.state.text(), name)
	}
}

// TestPanesAreDrawnOnce: the pane beside says itself what it obeys, and has no pane beside it.
func TestPanesAreDrawnOnce(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	s.Over = -1
	s.show(3)
	require.NoError(t, s.selectBy("kind=data"))
	text := Draw(s, 200, 60).String()
	lines := strings.Split(text, "\n")
	require.Contains(t, lines[2], "kind data: not here")
	require.Contains(t, lines[3], "enter › histogram  tag 0 fft · kind data")
	require.Equal(t, 1, strings.Count(text, "enter › "))
	for _, s := range []*State{s, two(t, s.Look)} {
		for i := range kinds {
			s.show(i)
			checkSize(t, Draw(s, twoPanes, 40), [2]int{twoPanes, 40})
		}
	}
}

// right is the right half of a picture.
func right(text string) string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		r := []rune(l)
		out = append(out, string(r[min(len(r), twoPanes/2):]))
	}
	return strings.Join(out, "\n")
}
