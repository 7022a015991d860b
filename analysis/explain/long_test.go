package explain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal/slowest"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace/rundir"
)

// waitsOf makes a run of a program with a log of waits.
func waitsOf(t testing.TB, program string, size int64) string {
	spec := experiment.DefaultRun(program)
	spec.Nodes, spec.Size, spec.Trace = 4, size, experiment.TraceWaits
	run, err := experiment.Run(t.Context(), spec, nil)
	require.NoError(t, err)
	dir := t.TempDir() + "/run"
	require.NoError(t, rundir.WriteRun(t.Context(), dir, *run))
	return dir
}

// inWindows explains a run in windows of so many rows, the whole run or a phase.
func inWindows(t testing.TB, dir string, rows int64, phase int) *Trace {
	run, err := ReadSummary(dir)
	require.NoError(t, err)
	longest, err := LongestOperations(dir, 5, nil, nil)
	require.NoError(t, err)
	barriers, err := barriers(dir)
	require.NoError(t, err)
	out := &Trace{Manifest: run.Manifest}
	out.Activity, err = phasesAndBursts(dir, barriers, run.Manifest.RunTimeNs(), 5)
	require.NoError(t, err)
	from, to, err := out.Activity.Part(phase)
	require.NoError(t, err)
	if phase == 0 {
		to = 1000 * run.Manifest.RunTimeNs()
	}
	require.NoError(t, out.explainLong(dir, &run, longest, from, to, rows))
	return out
}

// TestWindowsOfALog: a log in windows has the critical path of the whole, its sums of waiting and its slowest operations.
func TestWindowsOfALog(t *testing.T) {
	dir := waitsOf(t, "fft", 4096)
	whole, err := Explain(dir, Question{Top: 5})
	require.NoError(t, err)
	got := inWindows(t, dir, 4000, 0)
	require.Greater(t, got.Windowed.Windows, 3)
	require.Equal(t, whole.Path, got.Path)
	require.Equal(t, whole.Nodes, got.Nodes)
	require.Equal(t, whole.Operations, got.Operations)
	require.Equal(t, whole.Waited, got.Waited)
	require.Equal(t, whole.Known, got.Known)
	require.Equal(t, whole.Blocked, got.Blocked)
	require.Equal(t, len(whole.Near), len(got.Near))
	require.Equal(t, slowest.View(whole.Slowest, nil).Rows, slowest.View(got.Slowest, nil).Rows)
	for i := range whole.Slowest {
		require.Equal(t, whole.Slowest[i].Waterfall().Rows, got.Slowest[i].Waterfall().Rows)
	}
	for _, q := range got.Queues {
		for _, w := range q.Worst {
			require.NotEmpty(t, got.Name(w.Actor))
		}
	}
	require.NotPanics(t, func() { got.Findings = got.Explanation.Findings() })
}

// BenchmarkLog compares an account of all of a log with windows: time, and bytes in use at the most.
func BenchmarkLog(b *testing.B) {
	dir := waitsOf(b, "radix", 16384)
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			_, err := Explain(dir, Question{Top: 5})
			require.NoError(b, err)
		}
	})
	b.Run("windows", func(b *testing.B) {
		for b.Loop() {
			inWindows(b, dir, 100_000, 0)
		}
	})
}
