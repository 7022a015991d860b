package tui

import (
	"errors"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
)

// TestPalette: a few letters of a command, view, run or word find it.
func TestPalette(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys(":", "tmln", "enter")
	require.Equal(t, "timeline", views.Kinds[r.state.View].Name)
	r.Keys(":")
	require.Contains(t, r.Text(), "view signature")
	r.Keys("opaft", "enter")
	require.Equal(t, "after", r.state.Data().Dir, "from the list of runs")
	r.Keys(":", "slcstag", "enter")
	require.Equal(t, "select stage=", r.state.Prompt.input.Value(), "an argument has to follow")
	r.Keys("net", "enter")
	require.Equal(t, trace.Net, r.state.Sel.Stage)
	r.Keys(":", "thme", "down", "down", "enter")
	require.Equal(t, "mono", r.state.Look.Theme.Name, "the second below the best")
	r.Keys(":qqq", "enter")
	require.Contains(t, r.state.Note, "unknown command")
}

// TestOnlyDigitsAreKeysOfViews: with more than ten views, the signs after 9 keep their meaning.
func TestOnlyDigitsAreKeysOfViews(t *testing.T) {
	ten := views.Kinds
	t.Cleanup(func() { views.Kinds = ten })
	views.Kinds = append(ten[:len(ten):len(ten)], ten...)
	r := newRig(t, newShell(t), "before")
	r.Keys("?")
	require.True(t, r.state.Help)
	r.Keys("esc", ":")
	require.NotNil(t, r.state.Prompt)
	require.Zero(t, r.state.View)
}

func TestCopy(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	copied := ""
	r.clip = func(text string) error { copied = text; return nil }
	r.Keys("2", "y")
	require.Equal(t, r.commandLine(""), copied)
	require.Contains(t, copied, "--view histogram")
	r.clip = func(string) error { return errors.New("no clipboard") }
	r.Keys("y")
	require.Contains(t, r.state.Note, "no clipboard")
}

// TestUnreadableTrace is told apart from one that is being read.
func TestUnreadableTrace(t *testing.T) {
	shell := newShell(t)
	damage(t, "before/packets.arrow")
	r := newRig(t, shell, "before")
	r.Keys("6")
	require.Contains(t, r.Text(), "cannot be read")
	require.NotContains(t, r.Text(), "still being read")
}

// TestPictureWithoutTheTrace: views that show nothing of a trace are the same when it is not
// read.
func TestPictureWithoutTheTrace(t *testing.T) {
	inRuns(t)
	for _, k := range views.Kinds {
		s := NewState(Look{})
		require.NoError(t, s.showView(k.Name))
		require.NoError(t, Load(Options{Dirs: []string{"before"}}, s))
		read := s.Runs[0].Packets != nil
		require.Equal(t, s.readsTrace(), read, k.Name)
		whole := NewState(Look{})
		require.NoError(t, whole.showView(k.Name))
		d, err := s.Runs[0].WithTrace()
		require.NoError(t, err)
		whole.Add(d)
		if !read {
			require.Equal(t, Draw(whole, 120, 40).String(), Draw(s, 120, 40).String(), k.Name)
		}
	}
}

func (s *State) showView(name string) error {
	at, err := views.ViewOf(name)
	s.show(at)
	return err
}
