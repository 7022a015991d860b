package monitor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestPredecessors: at both ends, a packet follows the one before it if that went to the
// same node and had not left yet.
func TestPredecessors(t *testing.T) {
	kinds := []trace.Kind{trace.Data, trace.PageReply}
	r := newRig(t, monitor.Full, 3, func(s *cluster.Spec) {
		s.Kinds = kinds
		for _, k := range kinds {
			for _, after := range append(kinds, trace.SameMessage) {
				s.Sequences = append(s.Sequences, trace.Sequence{Kind: k, After: after})
			}
		}
	})
	type message struct {
		to, bytes int
		meta      trace.Meta
		alone     bool // nothing is on its way
	}
	page := trace.Meta{Kind: trace.PageReply}
	data := trace.Meta{Kind: trace.Data}
	all := []message{
		{1, 4096, page, true}, {1, 8, data, false}, // behind its page
		{1, 4096, page, true}, {1, 8, data, true}, // after it
		{1, 4096, page, true}, {2, 8, data, false}, // to another node
		{1, 200, data, true}, {1, 2000, data, false}, {1, 8, data, false}, // behind one another
		{2, 8192, page, true}, // two packets
	}
	r.Record()
	ended := false
	r.Nodes[0].Host.Go("messages", host.Application, func(c *host.Context) {
		for _, m := range all {
			if m.alone {
				c.Sleep(2 * ms)
			}
			r.send(c, 0, m.to, m.bytes, m.meta)
		}
		c.Sleep(2 * ms)
		ended = true
	})
	require.NoError(t, r.Engine.RunUntil(func() bool { return ended }))
	s, err := r.Histograms()
	require.NoError(t, err)
	for _, want := range []struct {
		kind  trace.Kind
		after trace.Predecessor
		n     uint64
	}{
		{trace.PageReply, 0, 4},
		{trace.PageReply, trace.After(trace.SameMessage, 3), 1},
		{trace.Data, 0, 3},
		{trace.Data, trace.After(trace.PageReply, 3), 1},
		{trace.Data, trace.After(trace.Data, 1), 1},
		{trace.Data, trace.After(trace.Data, 2), 1},
	} {
		for stage := range trace.NumStages {
			m, err := s.Moments(histo.Query{Kinds: []trace.Kind{want.kind}, After: trace.Some(want.after), Stage: stage})
			require.NoError(t, err)
			require.Equal(t, want.n, m.Count, "%v after %v, %v", want.kind, want.after, stage)
		}
	}
}
