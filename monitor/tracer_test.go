package monitor_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// TestHighWaterMark: at the mark a transfer does not wait for an idle processor.
func TestHighWaterMark(t *testing.T) {
	burst := func(high int64) monitor.TraceStats {
		r := newRig(t, monitor.Full, 2, func(s *cluster.Spec) {
			s.Trace, s.Ring = monitor.TracePackets, monitor.Ring{Bytes: 256, Batch: 64, High: high}
		})
		r.Record()
		r.burst(0, 1, 30)
		require.NoError(t, r.Engine.RunUntil(func() bool { return len(r.oracles[0].injected) == 30 }))
		require.NoError(t, r.Engine.Run(r.Engine.Now().Add(ms)))
		s := r.Nodes[0].Monitor.TraceStats()
		require.EqualValues(t, 30, s.Records+s.Lost)
		return s
	}
	late, early := burst(256), burst(64)
	require.Zero(t, late.Urgent, "idle moments suffice")
	require.NotZero(t, early.Urgent)
	require.Zero(t, early.Lost)
}

// TestNoClock: packets of a node without a table of the clock have no record. They count as
// lost and are in the gaps.
func TestNoClock(t *testing.T) {
	r := newRig(t, monitor.Full, 2, func(s *cluster.Spec) {
		s.Trace = monitor.TracePackets
		s.Faults.Drops = []fabric.Drop{{Kind: trace.ClockTable, Nth: 1, Count: 100}}
	})
	r.Record()
	r.burst(1, 0, 10)
	require.NoError(t, r.Engine.RunUntil(func() bool { return len(r.oracles[1].injected) == 10 }))
	log := r.Nodes[1].Monitor.Log()
	require.EqualValues(t, 10, log.Lost)
	require.Len(t, log.Gaps, 1)
	require.Equal(t, trace.NoClock, log.Gaps[0].Why)
	require.EqualValues(t, 10, log.Gaps[0].Lost)
}

// TestRing: sizes that are not given follow from the ring's.
func TestRing(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	for _, c := range []struct {
		ring monitor.Ring
		want [3]int
	}{
		{monitor.Ring{}, [3]int{65536, 1024, 49152}},
		{monitor.Ring{Bytes: 131072}, [3]int{131072, 1024, 98304}},
		{monitor.Ring{Bytes: 1024}, [3]int{1024, 256, 768}},
		{monitor.Ring{Bytes: 64}, [3]int{64, 32, 48}},
		{monitor.Ring{High: 2048}, [3]int{65536, 1024, 2048}},
		{monitor.Ring{Bytes: 4096, Batch: 64, High: 4096}, [3]int{4096, 64, 4096}},
	} {
		s := p.Monitor
		c.ring.Apply(&s)
		require.Equal(t, c.want, [3]int{s.TraceRingBytes, s.TraceBatchBytes, s.TraceHighBytes})
		require.NoError(t, s.Validate())
	}
}

// TestSelectionAsText: what is parsed is written back, and errors name what was wanted.
func TestSelectionAsText(t *testing.T) {
	var s monitor.Selection
	require.False(t, s.Any())
	const text = "tag=0,kind=data,kind=page-reply,node=3,node=5..7,span=1..9,size=128..4096,window=1ms..2.5ms,every=16"
	for part := range strings.SplitSeq(text, ",") {
		require.NoError(t, s.Add(part))
	}
	require.Equal(t, text, s.String())
	require.True(t, s.Any())
	require.Equal(t, []monitor.Range{{Lo: 1_000_000, Hi: 2_500_000}}, s.Windows)
	require.NoError(t, s.Check(8, 1))
	require.ErrorContains(t, s.Check(7, 1), "trace_only.nodes is 5..7, want 0 to 6")
	require.NoError(t, (&monitor.Selection{Every: 1}).Add("every=2"))

	for text, want := range map[string]string{
		"data":       "want KEY=VALUE or KEY=FROM..TO",
		"nod=3":      "want tag, kind, node, span, size, window or every",
		"node=x":     "node is \"x\", want node=NUMBER or FROM..TO",
		"node=4..3":  "want node=NUMBER or FROM..TO",
		"size=-1":    "want size=NUMBER",
		"window=1..": "times with their units",
		"kind=pag":   `unknown packet kind "pag"`,
		"kind=ack":   "carries a host request",
		"every=0":    "at least 1",
	} {
		require.ErrorContains(t, new(monitor.Selection).Add(text), want, text)
	}
}
