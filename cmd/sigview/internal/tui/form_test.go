package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
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
	r.keys("r", "down", "right", "pgdown", "right", "down", "m", "tab")
	require.Contains(t, r.text(), "sigview run fft --platform=ppro --gang --uncontended=membus")
	r.keys("up", "left", "pgdown")
	require.NotContains(t, r.text(), "--gang")
	require.Equal(t, -1, r.state.Form.at)
	r.keys("right")
	require.Equal(t, "logp", r.state.Form.command)
	require.Contains(t, r.text(), "sigview logp")
	r.keys("esc")
	require.Nil(t, r.state.Form)
}

// TestCommandFromInside: what another command leaves is opened, in the place of what was shown of it
// while it ran.
func TestCommandFromInside(t *testing.T) {
	r := newRig(t, newShell(t))
	r.keys(":measure logp", "enter", "enter")
	require.Nil(t, r.runner)
	require.Len(t, r.state.Runs, 1)
	require.Equal(t, "after", r.state.data().Dir)
	require.NotEqual(t, "in progress", r.state.data().Run.Manifest.Workload)
	require.Contains(t, r.state.Note, "kept in after")
	r.keys(":measure tea", "enter")
	require.Contains(t, r.state.Note, "known: run, logp")
}

// TestRunAgainWithAChange fills in the form as it was and compares the two runs.
func TestRunAgainWithAChange(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys("g")
	require.Contains(t, r.text(), "compared with before")
	require.Contains(t, r.text(), "--nodes=8")
	r.keys("down", "down", "down", "ctrl+u", "5", "enter")
	require.Equal(t, "kept-001", r.state.data().Dir)
	require.Equal(t, "before", r.state.over().Dir)
	require.Equal(t, "compare", kinds[r.state.View].name)
	require.NotNil(t, r.state.Compared)
	r.keys("g", "down", "down", "down", "ctrl+u", "13", "enter")
	require.NotNil(t, r.state.Form, "the run failed before it began")
	require.Contains(t, r.state.Note, "unlucky")
	r = newRig(t, newShell(t))
	r.keys("g")
	require.Contains(t, r.state.Note, "No run is open")
}
