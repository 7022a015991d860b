package grim_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/grim"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestMonitored: with and without cut-through every packet is measured once at each stage.
func TestMonitored(t *testing.T) {
	const messages, bytes = 50, 3000
	for _, through := range []bool{false, true} {
		r := testbed.New(t, on, "grim", 2, bytes, testbed.Monitored, set(func(s *grim.Spec) { s.SenderCutThrough, s.ReceiverCutThrough = through, through }))
		got := r.Measured(func() { r.Deliver(1, messages+1, slices.Repeat([]int{bytes}, messages)...) })
		require.Equal(t, testbed.EachStage(messages), got, "through %t", through)
	}
}

// TestForwardReset: an interface that stands still for longer than the network waits loses
// what is on its way, and the senders repeat it.
func TestForwardReset(t *testing.T) {
	const messages, bytes = 60, 9000
	r := testbed.New(t, on, "grim", 2, bytes, set(func(s *grim.Spec) { s.ReceiveBuffers = 2 }))
	r.Go(func(c *host.Context, p *testbed.Process) {
		for i := range messages {
			if i == messages/3 {
				r.Nodes[1].NIC.Stall(70 * sim.Millisecond)
			}
			out := p.Space.Alloc(bytes)
			p.Space.WriteAt(out, testbed.Pattern(uint64(i), bytes))
			require.NoError(t, p.Endpoint.Send(c, 1, out, bytes, trace.Meta{Kind: trace.Message}))
		}
	}, func(c *host.Context, p *testbed.Process) {
		b := make([]byte, bytes)
		for i := range messages {
			m, err := p.Endpoint.Receive(c, 0, 0, bytes)
			require.NoError(t, err)
			p.Space.ReadAt(m.At, b)
			require.Equal(t, testbed.Pattern(uint64(i), bytes), b, "message %d", i)
		}
	})
	require.Positive(t, r.Net.Stats().Resets)
	require.Positive(t, r.Count(0, "repeated"))
	require.Zero(t, r.Lost())
	require.Zero(t, r.Net.InUse())
}
