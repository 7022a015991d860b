package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/experiment"
)

// TestFormFromASpecification: a form that an earlier run fills in makes its specification
// again, for each flag of run.
func TestFormFromASpecification(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _, _ := realApp()
	for _, flags := range []string{
		"", "--nodes=4 --size=64K --seed=7 --layer=vmmc --platform=ppro", "--uncontended=pci,membus --policy=homes --gang",
		"--trace --trace-only=kind=page-reply,node=0..3,every=4 --trace-ring=64K --bins=250us --variance --phases=start",
		"--homes=single --service=polling --check-slices", "--fault-bit-error=1e-06 --fault-burst=4 --fault-drop-ack=0.25 --fault-stall=3:10ms:60ms",
		"--clock-oscillators=harsh --clock-round=2ms --no-clock-priority --no-inline-checks",
		"--message-size=256 --count=1K --gap=20us --skew=0.3", "--monitor=off --detail=fast",
	} {
		program := "fft"
		if strings.Contains(flags, "--count") {
			program = "hotspot"
		}
		task, err := shell{a}.Prepare(append([]string{"run", program}, strings.Fields(flags)...))
		require.NoError(t, err)
		made, err := json.Marshal(task.Spec)
		require.NoError(t, err)
		blank, err := shell{a}.Blank("run", made)
		require.NoError(t, err)
		again := []string{"run"}
		for _, x := range blank.Fields {
			if x.Argument {
				again = append(again, x.Value)
			} else if x.Value != x.Default {
				again = append(again, "--"+x.Name+"="+x.Value)
			}
		}
		other, err := shell{a}.Prepare(again)
		require.NoError(t, err, again)
		require.Equal(t, task.Spec, other.Spec, again)
	}
	require.NoDirExists(t, runsFolder, "checking makes nothing")
}

// TestFormHasEveryFlag of the commands that the views run, but those for output.
func TestFormHasEveryFlag(t *testing.T) {
	a, _, _ := realApp()
	for _, name := range fromInside {
		blank, err := shell{a}.Blank(name, nil)
		require.NoError(t, err)
		have := map[string]bool{}
		for _, x := range blank.Fields {
			have[x.Name] = true
		}
		cmd, _, err := a.root().Find([]string{name})
		require.NoError(t, err)
		for _, line := range strings.Split(cmd.Flags().FlagUsages(), "\n") {
			if _, flag, ok := strings.Cut(line, "--"); ok {
				flag, _, _ = strings.Cut(strings.TrimLeft(flag, "-"), " ")
				flag, _, _ = strings.Cut(flag, "[")
				require.True(t, have[flag] || strings.Contains(strings.Join(outside, " "), flag), "%s --%s", name, flag)
			}
		}
	}
	_, err := shell{a}.Blank("run", json.RawMessage(`{"platform":"shrimp"}`))
	require.ErrorContains(t, err, "not made by sigview run")
}

// TestPrepareChecks what the views fill in, as the command line does.
func TestPrepareChecks(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _, _ := realApp()
	for line, want := range map[string]string{
		"run fft --nodes=1":            "--nodes is",
		"run nothing":                  "nothing",
		"run fft --seeds=x":            "--seeds",
		"run fft --platform=x":         "x",
		"logp --layer=x":               "x",
		"bandwidth --size=x":           "--size",
		"sweep missing.toml":           "missing.toml",
		"baseline --operations=nobody": "nobody",
	} {
		_, err := shell{a}.Prepare(strings.Fields(line))
		require.ErrorContains(t, err, want, line)
	}
	task, err := shell{a}.Prepare(strings.Fields("run fft --nodes=2 --size=1K --seeds=2"))
	require.NoError(t, err)
	require.Nil(t, task.Spec, "several runs are not one")
	seen := false
	dir, _, err := task.Do(t.Context(), func(experiment.Progress) { seen = true })
	require.NoError(t, err)
	require.True(t, seen)
	require.DirExists(t, dir)
	_, err = explain.ReadRun(dir)
	require.NoError(t, err)
}
