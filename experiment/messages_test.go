package experiment

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
)

// TestMessagesAreLikeFastRuns: messages alone take as long as a fast run of the same program
// within 1 % where hosts add little, and less than the replay of a schedule by a library of
// message passing.
func TestMessagesAreLikeFastRuns(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	m := DefaultMessages("pingpong")
	m.Ranks, m.Rounds, m.Bytes = 2, 200, 64
	run := DefaultRun("pingpong")
	run.Nodes, run.Pattern.Count, run.Pattern.Bytes = 2, 200, 64
	goals := DefaultMessages(GOAL)
	goals.Schedule = "testdata/farm.goal"
	replay := DefaultRun(GOAL)
	replay.Schedule.File = goals.Schedule
	for _, c := range []struct {
		alone    MessagesSpec
		run      RunSpec
		messages uint64
		least    float64 // of the fast run's time
	}{{m, run, 400, 0.99}, {goals, replay, 168, 0.3}} {
		got, err := RunMessages(context.Background(), c.alone, nil)
		require.NoError(t, err)
		require.Equal(t, c.messages, got.Messages)
		us := float64(inDetail(t, c.run, DetailFast).Manifest.RunTimeNs()) / 1000
		require.Less(t, got.RunTimeUs, 1.01*us)
		require.Greater(t, got.RunTimeUs, c.least*us)
		again, err := RunMessages(context.Background(), c.alone, nil)
		require.NoError(t, err)
		require.Equal(t, got.Digest, again.Digest)
	}
}

func TestMessagesRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(*MessagesSpec)
		want   string
	}{
		{func(s *MessagesSpec) { s.Program = "sort" }, `unknown program "sort"`},
		{func(s *MessagesSpec) { s.Program = GOAL }, "schedule is empty"},
		{func(s *MessagesSpec) { s.Schedule = "x" }, "want the program goal, not tree"},
		{func(s *MessagesSpec) { s.Ranks = 1 }, "ranks is 1, want 2 to 65536"},
		{func(s *MessagesSpec) { s.Layer = "gm" }, "one that platform shrimp has figures for"},
	} {
		s := DefaultMessages("tree")
		c.change(&s)
		_, err := RunMessages(context.Background(), s, nil)
		require.ErrorContains(t, err, c.want)
	}
}

// TestCostsAreKept: costs are found again, with the same digest, also by another process; a
// changed platform, another layer or another build of the monitor has costs of its own.
func TestCostsAreKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	of := func(name, layer string, build Build) costs {
		usedCosts.Clear() // as a new process
		p, err := platform.Load(name)
		require.NoError(t, err)
		at, err := p.At(layer)
		require.NoError(t, err)
		c, err := costsOf(context.Background(), at, build, nil)
		require.NoError(t, err)
		return c
	}
	first := of("ppro", "pm", BuildFull)
	require.False(t, first.Cached)
	again := of("ppro", "pm", BuildFull)
	require.True(t, again.Cached)
	require.Equal(t, first.Digest, again.Digest)
	require.Equal(t, first.Params, again.Params)

	p, err := platform.Load("ppro")
	require.NoError(t, err)
	slow := strings.Replace(p.Text(), "pio_write_ns = 180.0", "pio_write_ns = 360.0", 1)
	require.NotEqual(t, p.Text(), slow)
	file := filepath.Join(t.TempDir(), "slow.toml")
	require.NoError(t, os.WriteFile(file, []byte(slow), 0o644))
	for _, c := range []costs{of(file, "pm", BuildFull), of("ppro", "pm", BuildOff)} {
		require.False(t, c.Cached)
		require.NotEqual(t, first.Digest, c.Digest)
	}
	require.True(t, of(file, "pm", BuildFull).Cached)
}
