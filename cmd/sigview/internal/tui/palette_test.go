package tui

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestPalette: a few letters of a command, view, run or word find it.
func TestPalette(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys(":", "tmln", "enter")
	require.Equal(t, "timeline", kinds[r.state.View].name)
	r.keys(":")
	require.Contains(t, r.text(), "view signature")
	r.keys("opaft", "enter")
	require.Equal(t, "after", r.state.data().Dir, "from the list of runs")
	r.keys(":", "slcstag", "enter")
	require.Equal(t, "select stage=", r.state.Prompt.input.Value(), "an argument has to follow")
	r.keys("net", "enter")
	require.Equal(t, trace.Net, r.state.Sel.Stage)
	r.keys(":", "thme", "down", "down", "enter")
	require.Equal(t, "mono", r.state.Look.Theme.Name, "the second below the best")
	r.keys(":qqq", "enter")
	require.Contains(t, r.state.Note, "unknown command")
}

func TestCopy(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	copied := ""
	r.clip = func(text string) error { copied = text; return nil }
	r.keys("2", "y")
	require.Equal(t, r.commandLine(""), copied)
	require.Contains(t, copied, "--view histogram")
	r.clip = func(string) error { return errors.New("no clipboard") }
	r.keys("y")
	require.Contains(t, r.state.Note, "no clipboard")
}

// TestUnreadableTrace is told apart from one that is being read.
func TestUnreadableTrace(t *testing.T) {
	shell := newShell(t)
	damage(t, "before/packets.arrow")
	r := newRig(t, shell, "before")
	r.keys("6")
	require.Contains(t, r.text(), "cannot be read")
	require.NotContains(t, r.text(), "still being read")
}

// TestPictureWithoutTheTrace: views that show nothing of a trace are the same when it is not
// read.
func TestPictureWithoutTheTrace(t *testing.T) {
	inRuns(t)
	for _, k := range kinds {
		s := NewState(Look{})
		require.NoError(t, s.showView(k.name))
		require.NoError(t, Load(Options{Dirs: []string{"before"}}, s))
		read := s.Runs[0].Packets != nil
		require.Equal(t, s.readsTrace(), read, k.name)
		whole := NewState(Look{})
		require.NoError(t, whole.showView(k.name))
		d, err := s.Runs[0].withTrace()
		require.NoError(t, err)
		whole.add(d)
		if !read {
			require.Equal(t, Draw(whole, 120, 40).String(), Draw(s, 120, 40).String(), k.name)
		}
	}
}

func (s *State) showView(name string) error {
	at, err := ViewOf(name)
	s.show(at)
	return err
}
