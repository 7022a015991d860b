package lfc_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/lfc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const (
	on  = "das-myrinet"
	mtu = 1024
)

var message = trace.Meta{Kind: trace.Message}

// small gives processes few buffers and peers few credits.
func small(buffers, credits int) testbed.Change {
	return func(s *cluster.Spec) { s.Profile.LFC.Buffers, s.Profile.LFC.Credits = buffers, credits }
}

// TestShare: an interface has two packet buffers for each peer at the least.
func TestShare(t *testing.T) {
	p, err := platform.Load(on)
	require.NoError(t, err)
	s := *p.LFC
	s.Firmware.ReceiveBuffers = 30
	_, err = s.Build(nil, 9)
	require.ErrorContains(t, err, "lfc.firmware.receive_buffers is 30, want at least 33")
}

// TestMessages: what every layer has to pass, also with one buffer and one credit.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, mtu), 1, 40).Draw(t, "sizes")
		few := rapid.SampledFrom([]int{1, 2, 3, 64})
		r := testbed.New(t, on, "lfc", 2, mtu, small(few.Draw(t, "buffers"), few.Draw(t, "credits")))
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 50).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		require.Zero(t, r.Net.InUse())
	})
}

// TestCredits: while the receiver does not look, no more packets leave than the
// host has buffers and the interface a share for the sender; none is lost.
func TestCredits(t *testing.T) {
	const buffers, count = 10, 300
	r := testbed.New(t, on, "lfc", 2, mtu, small(buffers, 4))
	credits := r.Nodes[0].Layer.(*lfc.Node).Credits()
	require.Equal(t, 4, credits)
	left := 0
	r.Tap(func(p *fabric.Packet) {
		if p.Src == 0 {
			left++
		}
	})
	r.Go(
		func(c *host.Context, p *testbed.Process) { testbed.SendNumbers(t, c, p.Endpoint, 1, 0, count) },
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(20 * sim.Millisecond)
			require.Equal(t, buffers+credits, left)
			testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, count)
		})
	require.NotZero(t, r.Count(1, "waited"))
	require.Zero(t, r.Lost())
}

// TestNobodyReceives: processes that send more than all buffers hold, and receive
// only then, come to an end.
func TestNobodyReceives(t *testing.T) {
	r := testbed.New(t, on, "lfc", 3, mtu, small(3, 2))
	r.SendFirst(300)
	require.NotZero(t, r.Count(0, "moved"))
	require.Zero(t, r.Lost())
}

// TestNetworkErrors: a lost or damaged packet stops the interface; what came before
// it is delivered, and calls say why.
func TestNetworkErrors(t *testing.T) {
	for _, x := range []struct{ how, want string }{{"lost", "expects packet 5 of node 0"}, {"damaged", "damaged packet"}} {
		r := testbed.New(t, on, "lfc", 2, mtu)
		n := 0
		r.Net.DropWhen(func(p *fabric.Packet) bool {
			if n++; n != 6 {
				return false
			}
			p.CRCError = x.how == "damaged"
			return x.how == "lost"
		})
		var failed error
		r.Go(
			func(c *host.Context, p *testbed.Process) { testbed.SendNumbers(t, c, p.Endpoint, 1, 0, 10) },
			func(c *host.Context, p *testbed.Process) {
				testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, 5)
				_, failed = p.Endpoint.Receive(c, 0, 0, 4)
				require.Equal(t, failed, p.Endpoint.Send(c, 0, p.Endpoint.Buffer(4), 4, message))
			})
		require.ErrorContains(t, failed, x.want)
		require.NotZero(t, r.Lost())
	}
}

// TestMonitored: each packet is measured once at every stage.
func TestMonitored(t *testing.T) {
	const messages = 100
	r := testbed.New(t, on, "lfc", 2, mtu, small(4, 4), testbed.Monitored)
	require.Equal(t, testbed.EachStage(messages), r.Measured(func() { r.Numbers(messages, 0) }))
}

// TestBothSend: two processes that send more packets than buffers and queues hold
// before they receive do not wait for each other.
func TestBothSend(t *testing.T) {
	const packets, bytes = 1000, 1024
	r := testbed.New(t, "das-myrinet", "lfc", 2, bytes)
	side := func(c *host.Context, p *testbed.Process) {
		m := r.MailOf(p, 1-p.Number, bytes)
		for i := range uint32(packets) {
			m.Put(c, bytes, i)
		}
		for i := range uint32(packets) {
			require.Equal(t, i, m.Take(c, bytes))
		}
	}
	r.Go(side, side)
	require.Zero(t, r.Lost())
}
