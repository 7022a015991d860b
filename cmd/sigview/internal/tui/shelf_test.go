package tui

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

func TestListOfRuns(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys("o")
	text := r.text()
	for _, want := range []string{"before", "after", "fft", "shrimp", "verified", "measurement", "3 of 3"} {
		require.Contains(t, text, want)
	}
	r.keys("meas")
	require.Contains(t, r.text(), "1 of 3")
	require.NotContains(t, r.text(), "after ")
	r.keys("ctrl+u", "aft", "enter")
	require.Nil(t, r.state.Shelf)
	require.Equal(t, "after", r.state.data().Dir)
	r.keys("o", "before", "enter")
	require.Len(t, r.state.Runs, 2, "it was open already")
	require.Equal(t, "before", r.state.data().Dir)
	r.keys("o", "zzz", "enter")
	require.Contains(t, r.text(), "nothing fits")
	r.keys("esc")
	require.Nil(t, r.state.Shelf)
}

// TestQuitAsksDuringARun: the run can go on, be kept as far as it came, or be dropped.
func TestQuitAsksDuringARun(t *testing.T) {
	for _, c := range []struct {
		key  string
		want func(*rig)
	}{
		{"esc", func(r *rig) { require.NotNil(t, r.runner) }},
		{"s", func(r *rig) { require.True(t, r.ended) }},
		{"k", func(r *rig) {
			require.Nil(t, r.runner)
			require.Contains(t, r.state.Note, "kept in kept-001")
			require.Equal(t, "kept-001", r.state.data().Dir)
			require.True(t, r.state.data().Partial)
			require.Contains(t, r.text(), "CUT OFF")
		}},
	} {
		shell := newShell(t)
		shell.run = func(ctx context.Context, _ experiment.RunSpec, watch experiment.Watch) (*trace.Run, error) {
			run := busy(3).make(t)
			watch(experiment.Progress{Stage: "fft", Look: func() (*trace.Run, error) { return &run, nil }})
			<-ctx.Done()
			return nil, ctx.Err()
		}
		r := newRig(t, shell)
		press := func(key string) tea.Cmd {
			msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
			if key == "esc" {
				msg = tea.KeyMsg{Type: tea.KeyEsc}
			}
			_, cmd := r.Update(msg)
			return cmd
		}
		press("r")
		_, ask := r.Update(tea.KeyMsg{Type: tea.KeyEnter})
		for r.state.data() == nil {
			_, ask = r.Update(ask())
		}
		press("q")
		require.False(t, r.ended)
		require.Contains(t, r.text(), "s stop and quit")
		press(c.key)
		require.False(t, r.state.Asking && c.key != "s")
		if c.key == "k" {
			r.run(ask, 0)
		}
		c.want(r)
		if r.runner != nil {
			r.runner.stop()
		}
	}
}
