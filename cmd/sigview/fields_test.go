package main

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/internal/bounds"
)

// TestEveryFieldHasItsFlag: an error about a field of a specification names the flag, for
// all numbers and words that a user can set.
func TestEveryFieldHasItsFlag(t *testing.T) {
	root := newApp(&bytes.Buffer{}, &bytes.Buffer{}).root()
	run := experiment.DefaultRun("fft")
	run.Uncontended, run.Policies, run.Phases = make([]experiment.Resource, 1), make([]experiment.Policy, 1), make([]string, 1)
	run.Faults.Stalls = make([]experiment.Stall, 1)
	for _, c := range []struct {
		command string
		spec    any
		without []string // are set by no flag
	}{
		{"run", run, []string{"workload"}},
		{"clocktest", experiment.DefaultClockTest(), []string{"clock.estimator"}},
		{"perturb", experiment.PerturbSpec{Sizes: make([]int64, 1), Programs: make([]string, 1)}, []string{"traced"}},
		{"logp", experiment.DefaultLogP(), nil},
		{"tpil", experiment.TPILSpec{Sizes: make([]int64, 1)}, nil},
		{"verbs", experiment.VerbsSpec{Sizes: make([]int64, 1), Operations: make([]perftest.Operation, 1), QueuePairs: make([]int64, 1), Outstanding: make([]int64, 1)}, nil},
		{"messages", experiment.MessagesSpec{}, []string{"program"}},
		{"bandwidth", experiment.DefaultBandwidth(), nil},
		{"baseline", experiment.BaselineSpec{}, nil},
	} {
		cmd, _, err := root.Find([]string{c.command})
		require.NoError(t, err)
		require.NoError(t, bounds.Walk("", c.spec, func(f bounds.Field) error {
			flag, _ := flagFor(cmd, f.Path, nil)
			if !slices.Contains(c.without, f.Path) && f.Tag.Get("json") != "-" {
				require.NotEmpty(t, flag, "%s: %s", c.command, f.Path)
			}
			return nil
		}))
	}
}
