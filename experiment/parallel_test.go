package experiment

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// sideBySide are small runs of all programming models: what two runs at a time
// could share by mistake.
func sideBySide() []RunSpec {
	var out []RunSpec
	for name, size := range map[string]int64{
		"fft": 4096, "radix": 8192, "lu": 64, "ocean": 34, "water": 27, "gauss": 48,
		"dfs": 40, "alltoall": 0, "stream": 0, "queue": 0, "broadcast": 0,
	} {
		s := DefaultRun(name)
		s.Nodes, s.Size, s.Trace, s.Variance = 4, size, TraceAll, true
		if size == 0 {
			s.Pattern.Count = 50
		}
		out = append(out, s)
	}
	return out
}

// TestRunsSideBySide: two copies of each run, all at the same time, are equal
// event by event. Under the race detector it shows what they share: a run alone
// is one goroutine and its coroutines, in which there is no race to find.
func TestRunsSideBySide(t *testing.T) {
	specs := sideBySide()
	runs := make([]*trace.Run, 2*len(specs))
	errs := make([]error, len(runs))
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() { runs[i], errs[i] = Run(context.Background(), specs[i/2], nil) })
	}
	all.Wait()
	for i := range runs {
		what := specs[i/2].Workload
		require.NoError(t, errs[i], what)
		require.True(t, runs[i].Manifest.Verified, what)
		require.NotEmpty(t, runs[i].Signature, what)
		if i%2 == 1 {
			require.Equal(t, runs[i-1].Manifest.EventDigest, runs[i].Manifest.EventDigest, what)
			require.Equal(t, runs[i-1].Signature, runs[i].Signature, what)
			require.Equal(t, runs[i-1].Extra, runs[i].Extra, what)
		}
	}
}
