package explain_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace/rundir"
)

// traced runs a small program with a log of waiting into the next directory of a folder.
func traced(folder string, seed uint64) (dir string, err error) {
	spec := experiment.DefaultRun("fft")
	spec.Nodes, spec.Size, spec.Seed, spec.Trace = 2, 1024, seed, experiment.TraceWaits
	run, err := experiment.Run(context.Background(), spec, nil)
	if err != nil {
		return "", err
	}
	dir = rundir.SeedDir(folder, seed)
	return dir, rundir.WriteRun(context.Background(), dir, *run)
}

// Explain a traced run: what sigview trace does. Then compare it with another one, as sigview diff does.
func Example() {
	folder, err := os.MkdirTemp("", "explain")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	var sides []compare.Side
	for seed := range uint64(2) {
		dir, err := traced(folder, seed+1)
		if err != nil {
			fmt.Println(err)
			return
		}
		side, err := explain.Side(dir)
		if err != nil {
			fmt.Println(err)
			return
		}
		sides = append(sides, side)
	}
	t, err := explain.Explain(rundir.SeedDir(folder, 1), explain.Question{Top: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d phases\n", t.Manifest.Title(), len(t.Activity.Phases))
	for _, o := range t.Slowest {
		fmt.Printf("the longest %s: span %d, %s\n", o.Operation, o.Span, analysis.Time(float64(o.DurationNs)))
	}
	for _, f := range t.Findings {
		fmt.Println("waits most for:", f.Cause)
	}
	mean, err := explain.ReadSummary(folder)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("seeds of the mean:", mean.Manifest.Seeds)
	fmt.Println("equal runs:", compare.Compare(sides[0], sides[1], 30).Same)
	// Output:
	// fft on shrimp, 2 nodes, seed 1: 8 phases
	// the longest barrier: span 5, 479.6 µs
	// the longest diff_flush: span 8, 129.4 µs
	// the longest lock_acquire: span 3, 94.27 µs
	// the longest page_fetch: span 45, 345.2 µs
	// waits most for: the queue at the host-DMA engine
	// seeds of the mean: [1 2]
	// equal runs: false
}

// TestViewsAndTraceNameTheSameOperations: the longest operations that the views show are those of
// sigview trace, for a run whose trace is read whole.
func TestViewsAndTraceNameTheSameOperations(t *testing.T) {
	dir, err := traced(t.TempDir(), 1)
	require.NoError(t, err)
	const most = 3
	found, err := explain.LongestOperations(dir, most, nil, nil)
	require.NoError(t, err)
	told, err := explain.Explain(filepath.Clean(dir), explain.Question{Top: most})
	require.NoError(t, err)
	require.NotEmpty(t, told.Slowest)
	kinds := 0
	for kind, list := range found.Longest {
		if kind.Operation == "phase" {
			continue
		}
		kinds++
		var numbers []int64
		for _, o := range told.Slowest {
			if o.Tag == kind.Tag && o.Operation == kind.Operation {
				numbers = append(numbers, o.Span)
				require.Equal(t, found.Count[kind], o.Count)
			}
		}
		require.Len(t, numbers, len(list))
		for i, o := range list {
			require.Equal(t, o.Span, numbers[i], "%s, place %d", kind.Operation, i+1)
			one, err := explain.Operation(dir, spans.ID{Tag: o.Tag, Span: o.Span})
			require.NoError(t, err)
			require.Equal(t, o.Steps, one.Steps)
		}
	}
	require.Greater(t, kinds, 1)
}
