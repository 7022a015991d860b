package experiment

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// jobRun is a small run of a job.
func jobRun(name string, nodes int) RunSpec {
	s := DefaultRun(name)
	s.Nodes, s.Size = nodes, smallSizes[name]
	return s
}

// TestJobOptions: each job has its own options, and refuses those that it has not, and values that it cannot have.
func TestJobOptions(t *testing.T) {
	for _, c := range []struct {
		workload string
		job      JobSpec
		want     string // empty: it runs
	}{
		{"allreduce", JobSpec{Algorithm: "trees", Steps: 2, ChunkBytes: 512, ComputeUs: 3}, ""},
		{"paramserver", JobSpec{Servers: 2, Steps: 2, ChunkBytes: 512, ComputeUs: 3}, ""},
		{"kv", JobSpec{Servers: 2, Items: 7, ItemBytes: 64, Reads: 1, Writes: 2, Atomics: 3, Zipf: 0.9, Access: "requests", ComputeUs: 3}, ""},
		{"blocks", JobSpec{Servers: 2, Items: 7, ItemBytes: 512, Reads: 1, Writes: 2, Depth: 3, DeviceUs: 2, DeviceMBps: 100}, ""},
		{"allreduce", JobSpec{Servers: 2}, "job.servers is 2, want none: allreduce has no such option"},
		{"blocks", JobSpec{Zipf: 1}, "job.zipf is 1, want none: blocks has no such option"},
		{"kv", JobSpec{Servers: 4}, "job.servers is 4, want fewer than the 4 nodes"},
		{"kv", JobSpec{Access: "one-sided"}, "job.access is one-sided, want requests"},
		{"fft", JobSpec{Depth: 1}, "job.depth is 1, want one of allreduce, blocks, kv or paramserver, not fft"},
		{"allreduce", JobSpec{Algorithm: "tre"}, `unknown algorithm "tre", did you mean "tree"?`},
		{"allreduce", JobSpec{Steps: -1}, "job.steps is -1, want 0 to 10000"},
	} {
		s := jobRun(c.workload, 4)
		s.Job, s.Build = c.job, BuildOff
		err := s.Validate(Known())
		if err == nil {
			var run *trace.Run
			if run, err = Run(context.Background(), s, nil); err == nil {
				require.True(t, run.Manifest.Verified, run.Manifest.Verification)
			}
		}
		if c.want == "" {
			require.NoError(t, err, "%+v", c)
			continue
		}
		require.ErrorContains(t, err, c.want)
		requireUsage(t, err, "")
	}
}

// TestJobOperations: operations of every job are told of, and their steps sum to them; so are its phases.
func TestJobOperations(t *testing.T) {
	for name, want := range map[string]struct {
		operations []string
		steps      []string
	}{
		"allreduce":   {[]string{"all_reduce"}, []string{"reduce", "gather"}},
		"paramserver": {[]string{"push_pull"}, []string{"push", "pull"}},
		"kv":          {[]string{"get", "put", "fetch_add"}, []string{"request", "handler", "reply"}},
		"blocks":      {[]string{"read_block", "write_block"}, []string{"request", "handler", "ready", "device", "data", "reply"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := jobRun(name, 4)
			s.Trace = TraceAll
			run, err := Run(context.Background(), s, nil)
			require.NoError(t, err)
			require.True(t, run.Manifest.Verified, run.Manifest.Verification)
			var operations, steps, phases []string
			sum := map[int64]int64{}
			for x := range run.Steps {
				steps = append(steps, x.Step)
				sum[x.Span] += x.DurationNs
			}
			for x := range run.Spans {
				if x.Operation == string(trace.OpPhase) {
					phases = append(phases, x.Name)
					continue
				}
				operations = append(operations, x.Operation)
				require.Equal(t, x.DurationNs, sum[x.Span])
				require.Positive(t, x.Packets, "%v", x)
			}
			require.ElementsMatch(t, want.operations, compact(operations))
			require.Subset(t, compact(steps), want.steps)
			require.ElementsMatch(t, workloads[name].phases, compact(phases))
		})
	}
}

// compact returns each word once.
func compact(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

// TestJobsRepeat: the same run gives the same records, also in less detail; they are verified there, too.
func TestJobsRepeat(t *testing.T) {
	for name := range jobWorkloads {
		for _, detail := range []Detail{"", DetailFast} {
			s := jobRun(name, 5)
			s.Detail = detail
			first, err := Run(context.Background(), s, nil)
			require.NoError(t, err)
			require.True(t, first.Manifest.Verified, first.Manifest.Verification)
			second, err := Run(context.Background(), s, nil)
			require.NoError(t, err)
			require.Equal(t, first.Manifest, second.Manifest)
			require.Equal(t, first.Signature, second.Signature)
		}
	}
}

// TestJobOptionsGoWithTheirProgram: what is left of a specification without its job has no options of one.
func TestJobOptionsGoWithTheirProgram(t *testing.T) {
	s := DefaultRun("kv+stream")
	s.Job.Items = 3
	require.NoError(t, s.Validate(Known()))
	require.Zero(t, s.Without(0).Job)
	require.Equal(t, 3, s.Without(1).Job.Items)
}
