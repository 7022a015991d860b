package experiment

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/trace"
)

// everySequence is a program whose histograms tell all predecessors apart.
type everySequence struct{ program }

func (e everySequence) sequences() []trace.Sequence {
	var list []trace.Sequence
	for _, k := range e.kinds() {
		for _, after := range append(e.kinds(), trace.SameMessage) {
			list = append(list, trace.Sequence{Kind: k, After: after})
		}
	}
	return list
}

// TestSequencesAreDeclared: operations on idle nodes cause no predecessors but those that
// their programs declare.
func TestSequencesAreDeclared(t *testing.T) {
	for _, name := range []string{"fft", "gauss", "dfs"} {
		t.Run(name, func(t *testing.T) {
			spec := DefaultRun(name)
			p, err := platform.Load(spec.Platform)
			require.NoError(t, err)
			o, ok := operationsOf(name, spec)
			require.True(t, ok)
			var declared []trace.Sequence
			all := o
			all.make = func(s RunSpec, p *platform.Profile) (program, error) {
				prog, err := o.make(s, p)
				if err == nil {
					declared = prog.sequences()
				}
				return everySequence{prog}, err
			}
			run, err := all.run(context.Background(), p, spec, nil)
			require.NoError(t, err)
			found, sent := map[trace.Sequence]int64{}, map[trace.Kind]int64{}
			for _, r := range run.Sequences {
				kind, err := trace.ParseKind(r.Kind)
				require.NoError(t, err)
				after, err := trace.ParsePredecessor(r.After)
				require.NoError(t, err)
				if r.Stage != trace.Source {
					continue
				}
				sent[kind] += r.Count
				if k, ok := after.Kind(); ok {
					found[trace.Sequence{Kind: kind, After: k}] += r.Count
				}
			}
			require.NotEmpty(t, found)
			for q, n := range found {
				t.Logf("%v: %d packets", q, n)
				if n >= 4 && 50*n >= sent[q.Kind] { // not by a rare coincidence
					require.True(t, slices.Contains(declared, q), "%d packets of %v", n, q)
				}
			}
		})
	}
}

// TestTwoNodesAreTheirBaseline: where two nodes take turns, nothing contends, and every
// kind of packet takes what it takes in operations on idle nodes.
func TestTwoNodesAreTheirBaseline(t *testing.T) {
	for name, size := range map[string]int64{"ocean": 0, "gauss": 256} {
		t.Run(name, func(t *testing.T) {
			spec := DefaultRun(name)
			spec.Nodes, spec.Size = 2, size
			run, err := Run(context.Background(), spec, nil)
			require.NoError(t, err)
			judged := 0
			for _, r := range run.Classes {
				if r.Weak || r.Kind == trace.Credit.String() || r.Stage == trace.NetMinusLANai {
					continue
				}
				judged++
				require.Equal(t, trace.BaselineIdle, r.BaselineFrom)
				require.InEpsilon(t, r.BaselineNs.Value, r.MeanNs.Value, 0.15, "%s, %s, %v", r.Kind, r.Class, r.Stage)
			}
			require.Greater(t, judged, 20)
		})
	}
}

// TestOperationsFollowTheRun: the baseline of a run is that of its own platform, layer
// and program, and programs side by side have one each.
func TestOperationsFollowTheRun(t *testing.T) {
	spec := DefaultRun("ocean+random")
	spec.Nodes, spec.Size, spec.Pattern.Count = 2, 0, 20
	keys := map[string]bool{}
	for _, name := range []string{"fft", "gauss", "dfs"} {
		o, ok := operationsOf(name, spec)
		require.True(t, ok)
		keys[o.key] = true
	}
	require.Len(t, keys, 3)
	_, ok := operationsOf("random", spec)
	require.False(t, ok)
	require.ErrorContains(t, BaselineSpec{Platform: "shrimp", Operations: "random"}.Validate(Known()), "operations")
	require.ErrorContains(t, BaselineSpec{Platform: "none", Operations: "fft"}.Validate(Known()), "platform")
}

// TestBaselineIsKept: what one process has measured, the next one reads.
func TestBaselineIsKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := DefaultRun("gauss")
	s.Nodes, s.Size = 2, 16
	read := func() (b analysis.Baseline, measured bool) {
		baselines.Lock()
		clear(baselines.of) // as in another process
		baselines.Unlock()
		b, err := baselineFor(context.Background(), s, func(p Progress) { measured = true })
		require.NoError(t, err)
		return b, measured
	}
	first, measured := read()
	require.True(t, measured)
	again, measured := read()
	require.False(t, measured)
	require.Equal(t, first, again)

	s.Seed++
	_, measured = read()
	require.True(t, measured, "another seed")
}
