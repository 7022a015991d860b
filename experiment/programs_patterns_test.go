package experiment

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func TestPatternSpec(t *testing.T) {
	for _, c := range []struct {
		name     string
		workload string
		pattern  PatternSpec
		want     string // empty: accepted
	}{
		{"none", "fft", PatternSpec{}, ""},
		{"for a pattern", "hotspot", PatternSpec{Bytes: 64, Count: 3, GapUs: 1.5, Skew: 0.2}, ""},
		{"beside another program", "fft+random", PatternSpec{Count: 3}, ""},
		{"for another program", "fft", PatternSpec{Count: 3}, "pattern.count is 3, want a synthetic pattern, not fft: [pingpong"},
		{"negative size", "random", PatternSpec{Bytes: -4}, "pattern.message_bytes is -4, want at least 0"},
		{"negative count", "random", PatternSpec{Count: -1}, "pattern.count is -1"},
		{"negative gap", "random", PatternSpec{GapUs: -1}, "pattern.gap_us is -1, want 0 to"},
		{"no gap", "random", PatternSpec{GapUs: math.NaN()}, "pattern.gap_us is NaN"},
		{"negative skew", "random", PatternSpec{Skew: -1}, "pattern.skew is -1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := DefaultRun(c.workload)
			s.Pattern = c.pattern
			err := s.Validate(Known())
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestPatternsThatCannotBe: what only the pattern knows is found when the run
// begins, and named as the specification names it.
func TestPatternsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		change func(*RunSpec)
		want   string
	}{
		{func(s *RunSpec) { s.Size = 64 }, "size is 64, want none for a pattern"},
		{func(s *RunSpec) { s.Platform, s.Layer, s.Policies = "ppro", "gam", []Policy{Throttle} }, "policies is throttle, want layer vmmc"},
		{func(s *RunSpec) { s.Pattern.Bytes = 6 }, "pattern.message_bytes is 6, want a multiple of 4 from 4 to 1048576 for stream"},
		{func(s *RunSpec) { s.Pattern.Skew = 0.5 }, "pattern.skew is 0.5, want none: stream treats all nodes alike"},
		{func(s *RunSpec) { s.Workload, s.Pattern.Skew = "hotspot", 2 }, "pattern.skew is 2, want 0 to 1, the share of messages that go to node 0"},
		{func(s *RunSpec) { s.Workload, s.Nodes, s.Pattern.Bytes = "alltoall", 1024, 4096 }, "want less: the inboxes of 1024 nodes would take"},
	} {
		s := DefaultRun("stream")
		c.change(&s)
		require.NoError(t, s.Validate(Known()))
		_, err := Run(context.Background(), s, nil)
		require.ErrorContains(t, err, c.want)
		var usage interface{ Usage() bool }
		require.ErrorAs(t, err, &usage)
		require.True(t, usage.Usage())
	}
}

func TestPatternRuns(t *testing.T) {
	for _, e := range Known().Workloads {
		if _, ok := patternWorkloads[e.Name]; !ok {
			continue
		}
		require.NotEmpty(t, e.Summary)
		s := DefaultRun(e.Name)
		s.Nodes, s.Pattern = 4, PatternSpec{Bytes: 256, Count: 12}
		run, err := Run(context.Background(), s, nil)
		require.NoError(t, err)
		m := run.Manifest
		require.True(t, m.Verified, "%s: %s", e.Name, m.Verification)
		require.Contains(t, m.Verification, "messages arrived once")
		require.Len(t, m.Shares, 4)
		var counted int64
		for _, r := range run.Classes {
			if r.Kind == trace.AllKinds && r.Stage == trace.Source {
				counted += r.Count
			}
		}
		require.Equal(t, m.Packets, counted, "%s: packets in the signature", e.Name)
	}
}

// TestManyNodes: a run of more nodes than fit a clock table's packet is
// verified, has a working clock, and does not depend on the scheduler.
func TestManyNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	s := DefaultRun("random")
	s.Nodes, s.Pattern = 256, PatternSpec{Bytes: 64, Count: 4}
	run := func(threads int) trace.Manifest {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		r, err := Run(context.Background(), s, nil)
		require.NoError(t, err)
		return r.Manifest
	}
	a := run(1)
	require.True(t, a.Verified, a.Verification)
	require.Zero(t, a.Lost.Unconverted)
	require.GreaterOrEqual(t, *a.Clock.BoundCoverage, 0.99)
	require.Less(t, *a.Clock.MaxErrorNs, 3000.0)
	require.Equal(t, a, run(3))
}

// TestThrottleHelpsBystanders: a third of all messages goes to node 0, whose interface
// cannot take so many. With the policy the others hardly wait, and those to node 0 as
// long as without.
func TestThrottleHelpsBystanders(t *testing.T) {
	run := func(policies ...Policy) (others, swamping float64, found []trace.OnlineRow) {
		s := DefaultRun("hotspot")
		s.Nodes, s.Policies = 64, policies
		s.Pattern = PatternSpec{Count: 100, GapUs: 200, Skew: 0.3}
		r := mustRun(t, s)
		run, err := r.tables(r.cluster)
		require.NoError(t, err)
		var sum, count [2]float64
		for _, p := range run.Pairs {
			if p.Kind != "all" || p.Sender == 0 || p.Stage == trace.LANai {
				continue
			}
			i := 0
			if p.Receiver == 0 {
				i = 1
			}
			sum[i] += float64(p.Count) * p.MeanNs.Value
			if p.Stage == trace.Net {
				count[i] += float64(p.Count)
			}
		}
		return sum[0] / count[0], sum[1] / count[1], run.Online
	}
	before, slow, none := run()
	require.Nil(t, none)
	after, same, found := run(Throttle)
	require.NotEmpty(t, found)
	for _, o := range found {
		require.NoError(t, trace.CheckRow(&o))
	}
	require.Less(t, after, before/4)
	require.InEpsilon(t, slow, same, 0.2)
}
