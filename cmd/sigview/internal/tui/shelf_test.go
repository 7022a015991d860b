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
	r.Keys("o")
	text := r.Text()
	for _, want := range []string{"before", "after", "fft", "shrimp", "verified", "measurement", "3 of 3"} {
		require.Contains(t, text, want)
	}
	r.Keys("meas")
	require.Contains(t, r.Text(), "1 of 3")
	require.NotContains(t, r.Text(), "after ")
	r.Keys("ctrl+u", "aft", "enter")
	require.Nil(t, r.state.Shelf)
	require.Equal(t, "after", r.state.Data().Dir)
	r.Keys("o", "before", "enter")
	require.Len(t, r.state.Runs, 2, "it was open already")
	require.Equal(t, "before", r.state.Data().Dir)
	r.Keys("o", "zzz", "enter")
	require.Contains(t, r.Text(), "nothing fits")
	r.Keys("esc")
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
			require.Equal(t, "kept-001", r.state.Data().Dir)
			require.True(t, r.state.Data().Partial)
			require.Contains(t, r.Text(), "CUT OFF")
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
		for r.state.Data() == nil {
			_, ask = r.Update(ask())
		}
		press("q")
		require.False(t, r.ended)
		require.Contains(t, r.Text(), "s stop and quit")
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
