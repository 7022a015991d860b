package tui

import (
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/stretchr/testify/require"
)

// TestPanes: from 140 columns on, a view stands beside the place that enter leads to, and a
// click there leads to it as well.
func TestPanes(t *testing.T) {
	for _, name := range []string{"overview", "matrix", "spans", "compare"} {
		r := newRig(t, newShell(t), "before")
		r.Keys(":baseline base", "enter")
		at, err := views.ViewOf(name)
		require.NoError(t, err)
		r.state.show(at)
		r.send(tea.WindowSizeMsg{Width: scene.TwoPanes - 1, Height: 40})
		require.NotContains(t, r.Text(), "enter › ", name)
		r.send(tea.WindowSizeMsg{Width: scene.TwoPanes, Height: 40})
		before := right(r.Text())
		require.Contains(t, before, "enter › ", name)
		r.Keys("down", "down")
		require.NotEqual(t, before, right(r.Text()), "%s: the cursor changes what it leads to", name)
		next, ok := r.state.leadsTo()
		require.True(t, ok)
		s := r.state.clone()
		r.Keys("enter")
		require.Equal(t, next.View, r.state.View, name)
		require.Equal(t, next.Text(), r.state.Text(), name)
		r.state = s
		r.send(tea.MouseMsg{X: scene.TwoPanes - 5, Y: 20, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		require.Equal(t, next.Text(), r.state.Text(), name)
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
		for i := range views.Kinds {
			s.show(i)
			checkSize(t, Draw(s, scene.TwoPanes, 40), [2]int{scene.TwoPanes, 40})
		}
	}
}

// right is the right half of a picture.
func right(text string) string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		r := []rune(l)
		out = append(out, string(r[min(len(r), scene.TwoPanes/2):]))
	}
	return strings.Join(out, "\n")
}
