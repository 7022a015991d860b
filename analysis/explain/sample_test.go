package explain

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// recorded makes a run of messages to one node, which stops for a while, with records of its packets.
func recorded(t *testing.T) (dir string, run trace.Run) {
	spec := experiment.DefaultRun("hotspot")
	spec.Nodes, spec.Trace = 4, experiment.TraceAll
	spec.Faults.Stalls = []experiment.Stall{{Node: 0, At: sim.Time(2 * sim.Millisecond), For: 4 * sim.Millisecond}}
	made, err := experiment.Run(t.Context(), spec, nil)
	require.NoError(t, err)
	dir = t.TempDir() + "/run"
	require.NoError(t, rundir.WriteRun(t.Context(), dir, *made))
	run, err = ReadSummary(dir)
	require.NoError(t, err)
	return dir, run
}

// TestSampleOfAllIsTheWhole: a short trace is one window, which tells what an account of the whole run does.
func TestSampleOfAllIsTheWhole(t *testing.T) {
	dir, run := recorded(t)
	whole, err := Explain(dir, Question{Top: 5})
	require.NoError(t, err)
	s := &Trace{Manifest: run.Manifest, Activity: whole.Activity}
	require.NoError(t, s.sample(dir, &run, whole.From, whole.To))
	require.Equal(t, whole.Queues, s.Queues)
	require.Equal(t, whole.Waited, s.Waited)
	require.Equal(t, whole.Known, s.Known)
	require.Equal(t, whole.Longest(), s.Longest())
	require.Len(t, s.Events, 1)
	require.Len(t, whole.Events, 1)
	require.Equal(t, whole.Events[0].What, s.Events[0].What)
	require.Equal(t, whole.Events[0].Node, s.Events[0].Node)
	require.InDelta(t, whole.Events[0].FromNs, s.Events[0].FromNs, 1e4) // by two other estimates of handlers
	require.InDelta(t, whole.Events[0].ToNs, s.Events[0].ToNs, 1e4)
}

// TestSpread: windows follow each other in the time that is explained, and are all of it if its packets are few.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var index []trace.BatchRow
		at, all := int64(0), int64(0)
		for range rapid.IntRange(1, 20).Draw(t, "batches") {
			b := trace.BatchRow{Rows: rapid.Int64Range(1, 70000).Draw(t, "rows"), FromNs: at}
			at += rapid.Int64Range(0, 1e6).Draw(t, "length")
			b.ToNs = at + rapid.Int64Range(0, 1e3).Draw(t, "overlap")
			index, all = append(index, b), all+b.Rows
		}
		to := index[len(index)-1].ToNs + 1
		each := float64(rapid.IntRange(1, 100000).Draw(t, "each"))
		windows, packets := spread(index, 0, to, each)
		if packets == 0 {
			return
		}
		require.LessOrEqual(t, packets, all)
		require.LessOrEqual(t, len(windows), sampleWindows)
		before := int64(0)
		for _, w := range windows {
			require.True(t, before <= w.FromNs && w.FromNs <= w.ToNs && w.ToNs <= to, "%v", windows)
			before = w.ToNs
		}
		if float64(packets) <= sampleWindows*each {
			require.EqualValues(t, 0, windows[0].FromNs)
			require.Equal(t, to, before)
		}
	})
}

// TestWindowsAreNearTheWhole: what small windows cut off at their ends is little.
func TestWindowsAreNearTheWhole(t *testing.T) {
	dir, run := recorded(t)
	whole, err := Explain(dir, Question{Top: 5})
	require.NoError(t, err)
	for _, each := range []float64{30, 100} {
		e, s, err := sampled(&source{dir: dir, run: &run}, whole.From, whole.To, each)
		require.NoError(t, err)
		require.Greater(t, s.Windows, 4)
		require.InEpsilon(t, whole.Waited, e.Waited, 0.03)
		for i, q := range whole.Queues[:2] {
			require.Equal(t, q.Resource, e.Queues[i].Resource)
			require.InEpsilon(t, q.Waited, e.Queues[i].Waited, 0.05)
			require.InEpsilon(t, q.Holders[0].Waited, e.Queues[i].Holders[0].Waited, 0.1)
		}
	}
}
