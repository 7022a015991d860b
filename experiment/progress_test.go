package experiment

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/trace"
)

func TestCountingReportsEveryStepOnce(t *testing.T) {
	var seen []int64
	done := Watch(func(p Progress) {
		require.EqualValues(t, 20, p.Total)
		seen = append(seen, p.Done)
	}).Counting(20, "measurements")
	require.NoError(t, parallel.Each(context.Background(), 20, func(i int) error { done(fmt.Sprint(i)); return nil }))
	require.Len(t, seen, 20)
	for i, n := range seen {
		require.EqualValues(t, i+1, n)
	}
	Watch(nil).Counting(1, "")("nobody watches")
}

// TestProgramsKnowTheirPhasesAndProgress runs every program, small: its phases are those that it
// lists, and its progress ends at its total.
func TestProgramsKnowTheirPhasesAndProgress(t *testing.T) {
	sizes := map[string]int64{"fft": 4096, "radix": 8192, "lu": 64, "ocean": 16, "water": 16, "gauss": 48, "dfs": 60}
	for _, e := range Known().Workloads {
		if e.Name == GOAL {
			continue // needs a file
		}
		spec := DefaultRun(e.Name)
		spec.Nodes, spec.Size, spec.Trace = 4, sizes[e.Name], TraceSpans
		if spec.runsAny(patternWorkloads) {
			spec.Pattern.Count = 8
		}
		p, nodes, err := resolve(spec, spec.Platform, spec.Nodes)
		require.NoError(t, err)
		programs, declared, err := newPrograms(spec, p, nodes)
		require.NoError(t, err)
		var last Progress
		r, err := perform(t.Context(), spec, p, nodes, programs, declared, func(p Progress) {
			require.GreaterOrEqual(t, p.Done, last.Done, e.Name)
			last = p
		})
		require.NoError(t, err)
		done, total := programs[0].progress()
		require.Equal(t, total, done, e.Name)
		require.Equal(t, e.Name == "ocean", total == 0, e.Name)

		run, err := r.tables(r.cluster)
		require.NoError(t, err)
		var phases []string
		for s := range run.Spans {
			if s.Operation == string(trace.OpPhase) && !slices.Contains(phases, s.Name) {
				phases = append(phases, s.Name)
			}
		}
		require.ElementsMatch(t, e.Phases, phases, e.Name)
	}
}

func TestUnknownPhase(t *testing.T) {
	spec := DefaultRun("fft")
	spec.Phases = []string{"transpose 1", "transpse 2"}
	require.ErrorContains(t, spec.Validate(Known()), `unknown phase of fft "transpse 2", did you mean "transpose 2"?`)
	spec.Workload, spec.Phases = "fft+lu", []string{"transpose 1", "interior"}
	require.NoError(t, spec.Validate(Known()))
}
