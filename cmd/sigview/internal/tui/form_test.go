package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
)

func (*fakeShell) Blank(command string, made json.RawMessage) (Blank, error) {
	among := func(words ...string) func([]string, string) []string {
		return func(_ []string, typed string) []string { return starting(typed, 0, words).words }
	}
	fields := []Field{
		{Name: "workload", Argument: true, Value: "fft", Words: among("fft", "radix")},
		{Name: "platform", Help: "hardware profile", Default: "shrimp", Value: "shrimp", Words: among("shrimp", "ppro")},
		{Name: "nodes", Help: "nodes, 2 to 1024"},
		{Name: "seed", Default: "1", Value: "1"},
		{Name: "gang", Group: "Program", Switch: true, Default: "false", Value: "false", Words: among("false", "true")},
		{Name: "uncontended", Group: "Program", List: true, Words: among("pci", "membus")},
	}
	if command != "run" {
		fields = fields[1:]
	}
	if made != nil {
		fields[2].Value = "8"
	}
	return Blank{Command: command, Fields: fields}, nil
}

func (*fakeShell) Prepare(line []string) (Task, error) {
	if line[0] != "run" {
		return Task{Do: func(_ context.Context, watch experiment.Watch) (string, string, error) {
			part := trace.Run{Manifest: trace.Manifest{Workload: "in progress", Platform: trace.Platform{Name: "here"}}}
			watch(experiment.Progress{Look: func() (*trace.Run, error) { return &part, nil }})
			return "after", "It is kept in after.", nil
		}}, nil
	}
	spec := experiment.DefaultRun(line[1])
	for _, flag := range line[2:] {
		name, value, _ := strings.Cut(flag, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "--nodes":
			if spec.Nodes = n; n < 2 {
				return Task{}, fmt.Errorf("--nodes is %s, want 2 to 1024", value)
			}
		case "--seed":
			spec.Seed = uint64(n)
		}
	}
	return Task{Spec: &spec}, nil
}

// TestFormIsACommandLine: what is filled in is shown as a command line, with the flags that
// differ from their defaults.
func TestFormIsACommandLine(t *testing.T) {
	r := newRig(t, newShell(t))
	r.Keys("r", "down", "right", "pgdown", "right", "down", "m", "tab")
	require.Contains(t, r.Text(), "sigview run fft --platform=ppro --gang --uncontended=membus")
	r.Keys("up", "left", "pgdown")
	require.NotContains(t, r.Text(), "--gang")
	require.Equal(t, -1, r.state.Form.at)
	r.Keys("right")
	require.Equal(t, "logp", r.state.Form.command)
	require.Contains(t, r.Text(), "sigview logp")
	r.Keys("esc")
	require.Nil(t, r.state.Form)
}

// TestCommandFromInside: what another command leaves is opened, in the place of what was shown of it
// while it ran.
func TestCommandFromInside(t *testing.T) {
	r := newRig(t, newShell(t))
	r.Keys(":measure logp", "enter", "enter")
	require.Nil(t, r.runner)
	require.Len(t, r.state.Runs, 1)
	require.Equal(t, "after", r.state.Data().Dir)
	require.NotEqual(t, "in progress", r.state.Data().Run.Manifest.Workload)
	require.Contains(t, r.state.Note, "kept in after")
	r.Keys(":measure tea", "enter")
	require.Contains(t, r.state.Note, "known: run, logp")
}

// TestRunAgainWithAChange fills in the form as it was and compares the two runs.
func TestRunAgainWithAChange(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("g")
	require.Contains(t, r.Text(), "compared with before")
	require.Contains(t, r.Text(), "--nodes=8")
	r.Keys("down", "down", "down", "ctrl+u", "5", "enter")
	require.Equal(t, "kept-001", r.state.Data().Dir)
	require.Equal(t, "before", r.state.Second().Dir)
	require.Equal(t, "compare", views.Kinds[r.state.View].Name)
	require.NotNil(t, r.state.Compared)
	r.Keys("g", "down", "down", "down", "ctrl+u", "13", "enter")
	require.NotNil(t, r.state.Form, "the run failed before it began")
	require.Contains(t, r.state.Note, "unlucky")
	r = newRig(t, newShell(t))
	r.Keys("g")
	require.Contains(t, r.state.Note, "No run is open")
}
