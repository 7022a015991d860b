package experiment

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/causal/rebuild"
	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// TestWaitingIsRebuilt: what the monitors record is enough to say who waited for whom. The
// model knows.
func TestWaitingIsRebuilt(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates whole programs")
	}
	for _, c := range []struct {
		name             string
		size             int64
		long, path       bool    // path: the steps of operations tell what processes did
		resource, holder float64 // of the waiting time, at least
	}{
		{"fft", 1 << 16, false, true, 0.97, 0.97},
		{"gauss", 128, false, false, 0.96, 0.95},
		{"lu", 128, false, true, 0.97, 0.95},
		{"radix", 1 << 16, false, true, 0.95, 0.95},
		{"ocean", 66, true, true, 0.97, 0.96},
		{"water", 0, true, true, 0.95, 0.92},
		{"hotspot", 0, true, false, 0.97, 0.94},
		{"dfs", 0, true, false, 0.97, 0.95},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long {
				testlong.Only(t, c.name)
			}
			known, rebuilt := rebuiltRun(t, c.name, c.size)
			s := rebuild.Compare(known, rebuilt)
			share := func(ps int64) float64 { return float64(ps) / float64(s.Waiting) }
			t.Logf("%d packets: resource %.3f, holder %.3f, culprit %.3f, invented %.3f, recorded %.3f of the waiting time",
				s.Packets, share(s.Resource), share(s.Holder), share(s.Culprit), share(s.Invented), float64(s.Waiting)/float64(s.Whole))
			for m, ps := range s.Confusion {
				if m.Known != m.Taken && share(ps) > 0.01 {
					t.Logf("  %s taken for %s: %.3f", m.Known, m.Taken, share(ps))
				}
			}
			require.GreaterOrEqual(t, share(s.Resource), c.resource)
			require.GreaterOrEqual(t, share(s.Holder), c.holder)
			if c.path {
				explained := causal.Explain(graph.New(rebuilt), 0)
				require.Less(t, float64(unknown(explained)), 0.005*float64(explained.Length()), "of the critical path")
			}
		})
	}
}

// TestRecordsNameWhatIsUnlike: the records of monitors alone tell which node is unlike the others, on cards too.
func TestRecordsNameWhatIsUnlike(t *testing.T) {
	for cause, c := range map[string]struct {
		program, platform string
		network, node     string // what is changed, of all and of node 1
		faults            FaultSpec
	}{
		"a slow link":                                 {"fft", "cx7", "network.inward = [{node = 1, link_mbps = 50000.0, wire_ns = 2000.0}]", "", FaultSpec{}},
		"entries that the card fetches":               {"fft", "cx6-hdr", "", "verbs.inline_bytes = 0\nverbs.blueflame_bytes = 0\nverbs.fetch_entries = 1", FaultSpec{}},
		"packets lost and sent again after a timeout": {"radix", "shrimp", "", "", FaultSpec{Losses: []fabric.Loss{{Node: 1, Share: 0.1}}}},
		"a node that takes no packets":                {"fft", "ppro", "", "", FaultSpec{Stalls: []fabric.Stall{{Node: 1, At: sim.Time(500 * sim.Microsecond), For: 100 * sim.Millisecond}}}}, // the network drops what waits for 50 ms
		"a slow interface processor":                  {"fft", "gm-p3", "", `ni.clock_hz = "/5"`, FaultSpec{}},
		"slow interrupts":                             {"radix", "cx7", "", "host.interrupt_delivery_us = \"*10\"\nhost.interrupt_entry_us = \"*10\"", FaultSpec{}},
		"a receiver with little room":                 {"fft", "cx5-roce", "", "verbs.receive_buffers = 1", FaultSpec{}},
		"a short send queue":                          {"fft", "cx5-roce", "", "verbs.send_packets = 1\nverbs.send_depth = 2", FaultSpec{}},
		"a small cache of queue pairs":                {"fft", "cx7", "", "verbs.contexts = 1\nverbs.translations = 1", FaultSpec{}},
	} {
		t.Run(cause, func(t *testing.T) {
			s := DefaultRun(c.program)
			s.Platform, s.Nodes, s.Size = c.platform, 4, smallSizes[c.program]
			s.Others = map[int]platform.Overlay{1: changed(t, c.node)}
			s.Faults = c.faults
			_, rebuilt := rebuiltBy(t, s, changed(t, c.network))
			e := causal.Explain(graph.New(rebuilt), 0)
			e.Records = true
			found := e.Findings()
			require.NotEmpty(t, found)
			require.Equal(t, cause, found[0].Cause, found[0].Text)
			require.Equal(t, 1, *found[0].At, found[0].Text)
		})
	}
}

// changed returns changes of a platform.
func changed(t *testing.T, lines string) platform.Overlay {
	t.Helper()
	all, err := platform.ParseOverlays("test", []byte("[changed]\n"+lines+"\n"))
	require.NoError(t, err)
	return all.Of("changed")
}

// unknown returns the time of a critical path that nothing explains.
func unknown(e *causal.Explanation) (ps int64) {
	for _, u := range e.Path {
		if u.Unknown {
			ps += u.Length()
		}
	}
	return ps
}

// rebuiltRun returns a run's account by the model, and by the records of its monitors.
func rebuiltRun(t *testing.T, name string, size int64) (known, rebuilt *account.Account) {
	t.Helper()
	spec := DefaultRun(name)
	spec.Size, spec.Nodes = size, 8
	return rebuiltBy(t, spec, platform.Overlay{})
}

func rebuiltBy(t *testing.T, spec RunSpec, change platform.Overlay) (known, rebuilt *account.Account) {
	t.Helper()
	spec.Trace = TraceWaits
	r, err := execute(context.Background(), spec, change, nil)
	require.NoError(t, err)
	known, err = account.Resolve(r.cluster.Waits())
	require.NoError(t, err)
	r.baseline = func() (analysis.Baseline, error) { return baselineFor(context.Background(), spec, nil) }
	run, err := r.tables(r.cluster)
	require.NoError(t, err)
	log := rebuild.Log(rebuild.Trace{
		Signature: run.Signature, Cards: r.profile.Verbs != nil, Repeats: run.Manifest.Lost.Retransmitted > 0,
		Packets: slices.Collect(run.Packets), Spans: slices.Collect(run.Spans), Steps: slices.Collect(run.Steps),
	})
	rebuilt, err = account.Resolve(log)
	require.NoError(t, err)
	return known, rebuilt
}
