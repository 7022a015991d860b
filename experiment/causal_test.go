package experiment

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// explained runs a program and explains its time.
func explained(t *testing.T, s RunSpec) (*executed, *causal.Explanation) {
	t.Helper()
	s.Trace = TraceWaits
	r, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	return r, explain(t, r)
}

// explain explains the time of a run.
func explain(t *testing.T, r *executed) *causal.Explanation {
	t.Helper()
	a, err := account.Resolve(r.cluster.Waits())
	require.NoError(t, err)
	return causal.ExplainPart(graph.New(a), 0, int64(r.took()))
}

// TestPartsThatAreUnlikeOthersAreNamed: one part of one node is changed, and is the first finding, at its node.
func TestPartsThatAreUnlikeOthersAreNamed(t *testing.T) {
	for cause, c := range map[string]struct{ program, platform, lines string }{
		"a slow card":                   {"kv", "cx6-hdr", `verbs.card.pipeline_ns = "*12"`},
		"a small cache of queue pairs":  {"alltoall", "cx7", `verbs.contexts = 1`},
		"entries that the card fetches": {"allreduce", "cx7", "verbs.inline_bytes = 0\nverbs.blueflame_bytes = 0\nverbs.fetch_entries = 1"},
		"a small window":                {"alltoall", "cx7", "verbs.send_packets = 1\nverbs.send_depth = 2"},
		"a receiver with little room":   {"alltoall", "ppro", "ni.receive_buffers = 1"},
		"slow memory":                   {"ocean", "gm-p3", "host.mem_bus_mbps = \"/6\"\nhost.mem_read_mbps = \"/6\"\nhost.mem_write_mbps = \"/6\""},
		"slow interrupts":               {"water", "gm-p3", `host.interrupt_delivery_us = "*12"`},
		"a slow link":                   {"fft", "gm-p3", `ni.net_dma_mbps = "/9"`},
	} {
		t.Run(cause, func(t *testing.T) {
			s := DefaultRun(c.program)
			s.Platform, s.Nodes, s.Size = c.platform, 4, smallSizes[c.program]
			if s.IsPattern() {
				s.Pattern = PatternSpec{Bytes: 64, Count: 40}
			}
			s.Others = map[int]platform.Overlay{1: changed(t, c.lines)}
			_, e := explained(t, s)
			found := e.Findings()
			require.NotEmpty(t, found)
			require.Equal(t, cause, found[0].Cause, found[0].Text)
			require.Equal(t, 1, *found[0].At, found[0].Text)
		})
	}
}

// TestWhatPutsAProgramOutOfStepIsNamed: all nodes compute for as long between their messages, and stay in step unless one is
// different for a moment, or by little all the time. Of either the critical path has hardly anything.
func TestWhatPutsAProgramOutOfStepIsNamed(t *testing.T) {
	for what, c := range map[string]struct {
		bytes, node int
		gap         float64
		lines       string // changes of node 1
		faults      FaultSpec
	}{
		"a slow processor": {2264, 1, 24.7, "host.flop_ns = \"*3.3\"\nhost.int_ns = \"*3.3\"\nhost.load_ns = \"*3.3\"\nhost.store_ns = \"*3.3\"\nhost.clock_mhz = \"/3.3\"\nhost.copy_cached_mbps = \"/3.3\"", FaultSpec{}},
		"slow memory":      {264, 1, 26.5, "host.mem_bus_mbps = \"/6.9\"\nhost.mem_read_mbps = \"/6.9\"\nhost.mem_write_mbps = \"/6.9\"\nhost.copy_uncached_mbps = \"/6.9\"", FaultSpec{}},
		"a pause storm":    {436, 3, 8.58, "", FaultSpec{Storms: []Stall{{Node: 3, At: sim.Time(83 * sim.Microsecond), For: 134 * sim.Microsecond}}}},
	} {
		t.Run(what, func(t *testing.T) {
			s := DefaultRun("alltoall")
			s.Platform, s.Nodes, s.Pattern = "cx5-roce", 4, PatternSpec{Bytes: c.bytes, Count: 48, GapUs: c.gap}
			quiet, e := explained(t, s)
			require.Nil(t, e.Odd)
			if c.lines != "" {
				s.Others = map[int]platform.Overlay{c.node: changed(t, c.lines)}
			}
			s.Faults = c.faults
			r, e := explained(t, s)
			require.Greater(t, r.took(), quiet.took()+quiet.took()/4, "it is out of step")
			found := e.Findings()
			require.NotEmpty(t, found)
			require.Equal(t, c.node, *found[0].Node, found[0].Text)
			require.True(t, found[0].Outlier)
			longer := (r.took() - quiet.took()).Us()
			require.LessOrEqual(t, found[0].LeastUs, longer)
			require.GreaterOrEqual(t, 1.2*found[0].MostUs, longer)
		})
	}
}

// TestWhatARunIsMadeOf: of a part without peers nothing waits for it more than for others, but the run is made of its service.
func TestWhatARunIsMadeOf(t *testing.T) {
	s := DefaultRun("prodcons")
	s.Platform, s.Nodes, s.Pattern = "ppro", 4, PatternSpec{Bytes: 148, Count: 50, GapUs: 26.2}
	s.Others = map[int]platform.Overlay{1: changed(t, "ni.host_dma_to_ni_mbps = \"/4\"\nni.host_dma_to_host_mbps = \"/4\"\nni.host_dma_setup_us = \"*4\"")}
	_, e := explained(t, s)
	found := e.Findings()
	require.LessOrEqual(t, len(found), 3)
	require.True(t, slices.ContainsFunc(found, func(f causal.Finding) bool { return f.At != nil && *f.At == 1 && f.Resource == "host_dma" }))
	for _, f := range found {
		require.False(t, f.Outlier, f.Text)
	}
}

// TestDeviceIsNamed: where a program waits for a device, its finding is first, and has a command that shows it.
func TestDeviceIsNamed(t *testing.T) {
	s := DefaultRun("blocks")
	s.Platform, s.Nodes, s.Size, s.Job.DeviceUs = "cx7", 4, smallSizes["blocks"], 300
	_, e := explained(t, s)
	first := e.Findings()[0]
	require.Equal(t, "device", first.Resource, first.Text)
	require.Equal(t, 0, *first.Node)
	require.NotEmpty(t, first.Commands)
}

// TestContentionIsTold: of a store with few keys, whose clients find most of them locked or changed, that is a finding, and
// it costs what the run takes longer than with many keys, within its bounds.
func TestContentionIsTold(t *testing.T) {
	took := func(zipf float64) (int64, []causal.Finding) {
		s := DefaultRun("kv")
		s.Platform, s.Nodes, s.Size = "cx7", 8, 600
		s.Job.Items, s.Job.Writes, s.Job.Atomics, s.Job.Zipf = 300, 30, 40, zipf
		r, e := explained(t, s)
		run, err := r.tables(r.cluster)
		require.NoError(t, err)
		retries := causal.Retries{}
		for x := range run.Steps {
			retries.AddSteps([]trace.StepRow{x})
		}
		e.Retries = retries.List()
		return e.Length(), e.Findings()
	}
	even, _ := took(0)
	skewed, found := took(2)
	i := slices.IndexFunc(found, func(f causal.Finding) bool { return f.Cause == "contention for what is locked" })
	require.Equal(t, 0, i)
	require.InDelta(t, float64(skewed-even)/1e6, found[0].CostUs, 0.3*float64(skewed-even)/1e6)
}

// TestEventsHaveAPlaceAndALength: a stall is the one event of its run, a full ring that of an incast, and a run without
// faults has none.
func TestEventsHaveAPlaceAndALength(t *testing.T) {
	const ms = 1_000_000
	at := func(workload string, nodes int, stalls ...Stall) []causal.Event {
		s := DefaultRun(workload)
		s.Nodes, s.Faults.Stalls = nodes, stalls
		_, e := explained(t, s)
		return e.Events
	}
	events := at("hotspot", 8, Stall{Node: 0, At: sim.Time(2 * sim.Millisecond), For: 4 * sim.Millisecond})
	require.Len(t, events, 1)
	require.Equal(t, 0, events[0].Node)
	require.Equal(t, "takes no packets", events[0].What)
	require.InDelta(t, 2*ms, events[0].FromNs, 0.3*ms)
	require.InDelta(t, 6*ms, events[0].ToNs, 0.3*ms)

	events = at("incast", 9)
	require.Len(t, events, 1)
	require.Equal(t, "has a full receive ring", events[0].What)
	require.Greater(t, events[0].Packets, 100)

	require.Empty(t, at("hotspot", 8))
}
