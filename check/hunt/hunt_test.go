package hunt

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// TestRandomRuns tries random runs. make soak tries more.
func TestRandomRuns(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tally := NewTally()
	require.NoError(t, Each(t.Context(), Round{First: 1, Cases: testlong.Pick(24, 2000)}, func(c Case) error {
		ending, found, err := Try(t.Context(), c, experiment.Run)
		tally.Add(c, ending, len(found) > 0)
		args, unsaid := c.Command()
		assert.Empty(t, found, "seed %d: sigview %s; %v", c.Seed, strings.Join(args, " "), unsaid)
		return err
	}))
	t.Log(tally.Text(0))
}

// TestDrawIsRepeated: a seed gives the same case.
func TestDrawIsRepeated(t *testing.T) {
	for seed := range uint64(50) {
		require.Equal(t, Random(seed), Random(seed))
	}
}

// planted are runs that are wrong in a way that a check has to see.
var planted = map[string]func(*trace.Run){
	"kinds":   func(r *trace.Run) { r.Signature[0].Count++ },
	"pairs":   func(r *trace.Run) { r.Pairs[0].Count++ },
	"verdict": func(r *trace.Run) { r.Manifest.Verified, r.Manifest.Verification = false, "message 3 is wrong" },
	"reports": func(r *trace.Run) { r.Manifest.ToolVersion = "" },
}

// TestPlantedFaultsAreFound: each check sees the fault that it is for, and only in the right
// runs there are no findings.
func TestPlantedFaultsAreFound(t *testing.T) {
	c := Case{Spec: experiment.DefaultRun("pingpong")}
	c.Spec.Nodes, c.Spec.Pattern.Count = 2, 3
	try := func(change func(*trace.Run)) (out []string) {
		_, found, err := Try(t.Context(), c, func(ctx context.Context, s experiment.RunSpec, w experiment.Watch) (*trace.Run, error) {
			run, err := experiment.Run(ctx, s, w)
			if err == nil {
				change(run)
			}
			return run, err
		})
		require.NoError(t, err)
		for _, f := range found {
			out = append(out, f.Check)
		}
		return out
	}
	require.Empty(t, try(func(*trace.Run) {}))
	for check, change := range planted {
		require.Contains(t, try(change), check)
	}
	n := int64(0)
	require.Equal(t, []string{"repeats"}, try(func(r *trace.Run) { n++; r.Manifest.Events += n }))
}

// TestShrink: what does not matter for a failure is taken away.
func TestShrink(t *testing.T) {
	c := Random(8)
	for seed := uint64(9); len(c.Spec.Programs()) < 2 || !c.Spec.Faults.Any() || c.Spec.Nodes < 5; seed++ {
		c = Random(seed)
	}
	small := Shrink(c, func(c Case) bool { return c.Spec.Nodes >= 3 })
	want := experiment.DefaultRun(small.Spec.Workload)
	want.Platform, want.Layer, want.Nodes, want.Build = c.Spec.Platform, c.Spec.Layer, 3, experiment.BuildOff
	want.Pattern.Count, want.Pattern.Bytes = 1, small.Spec.Pattern.Bytes
	small.Spec.Uncontended, small.Spec.Policies = nil, nil
	require.Equal(t, want, small.Spec)
}
