package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func (r *rig) undo() { r.send(tea.KeyMsg{Type: tea.KeyCtrlZ}) }
func (r *rig) redo() { r.send(tea.KeyMsg{Type: tea.KeyCtrlY}) }

// TestUndoAndRedo: each change of view, selection or zoom is undone by itself, steps of the cursor in a row together.
func TestUndoAndRedo(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.undo()
	require.Contains(t, r.state.Note, "nothing to undo")
	r.state.Note, r.state.Hint = "", false
	var pictures []string
	for _, key := range []string{"1", "s", "+", "enter", "kkk", "m", "6", "n", "0", "m", "O"} {
		pictures = append(pictures, r.Text())
		r.Keys(key)
		r.state.Note = ""
	}
	last := r.Text()
	for i := len(pictures) - 1; i >= 0; i-- {
		r.undo()
		r.state.Note = ""
		require.Equal(t, pictures[i], r.Text(), "undone down to %d", i)
	}
	for range pictures {
		r.redo()
	}
	require.Equal(t, last, r.Text())
	r.redo()
	require.Contains(t, r.state.Note, "nothing to redo")
	r.undo()
	r.Keys("2")
	r.redo()
	require.Contains(t, r.state.Note, "nothing to redo", "what was undone is gone after another change")
	r.Keys("?")
	r.undo()
	require.False(t, r.state.Help, "what is undone is seen")
}

// TestUndoComesBack: after any keys, as many undos as there are changes lead back to the beginning.
func TestUndoComesBack(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	rapid.Check(t, func(t *rapid.T) {
		r.history = history{}
		before := r.state.place()
		r.Keys(rapid.SliceOf(rapid.SampledFrom([]string{"0", "1", "2", "3", "4", "5", "6", "9", "j", "k", "l", "h", "enter", "esc", "s", "K", "S", "c", "m", "O", "a", "+", "-", "n", "b", "?"})).Draw(t, "keys")...)
		for len(r.history.past) > 0 {
			r.undo()
		}
		require.Equal(t, before, r.state.place())
	})
}

// TestASecondClickOpens: a click moves the cursor, and one on what the cursor is at does what enter does.
func TestASecondClickOpens(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	click := func(x, y int) {
		r.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	r.Keys("3")
	click(30, 8)
	at := [2]int{r.state.Sel.Sender, r.state.Sel.Receiver}
	require.Equal(t, "matrix", views.Kinds[r.state.View].Name)
	require.NotEqual(t, [2]int{-1, -1}, at)
	click(30, 8)
	require.Equal(t, "histogram", views.Kinds[r.state.View].Name)
	require.Equal(t, at, [2]int{r.state.Sel.Sender, r.state.Sel.Receiver})
}

// TestRowsAreCopied: Y gives the row at the cursor to the clipboard, and the picture where there are no rows.
func TestRowsAreCopied(t *testing.T) {
	r := newRig(t, newShell(t), "after", "before")
	var clip string
	r.clip = func(text string) error {
		clip = text
		return nil
	}
	for _, at := range [][2]string{ // keys, what the row has
		{"0", "seen"}, {"0mO", "node "}, {"5", "operation page_fetch"}, {"9", "interval"}, {"3", "rows send"}, {"?", "cursor left"},
	} {
		r.Keys(at[0], "Y")
		require.Contains(t, clip, at[1], at[0])
		r.Keys("esc")
	}
}
