package experiment

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/trace"
)

// everySequence is a program whose histograms tell all predecessors apart.
type everySequence struct{ program }

func (e everySequence) sequences() []trace.Sequence {
	var list []trace.Sequence
	for _, k := range e.kinds() {
		for _, after := range e.kinds() {
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
			found := map[trace.Sequence]int64{}
			for _, r := range run.Sequences {
				kind, err := trace.ParseKind(r.Kind)
				require.NoError(t, err)
				after, err := trace.ParsePredecessor(r.After)
				require.NoError(t, err)
				if k, ok := after.Kind(); ok && r.Stage == trace.Source {
					found[trace.Sequence{Kind: kind, After: k}] += r.Count
				}
			}
			require.NotEmpty(t, found)
			for q, n := range found {
				t.Logf("%v: %d packets", q, n)
				if n >= 4 {
					require.True(t, slices.Contains(declared, q), "%d packets of %v", n, q)
				}
			}
		})
	}
}
