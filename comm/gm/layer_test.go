package gm_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/gm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const on = "gm-p3"

var message = trace.Meta{Kind: trace.Message}

// few gives ports few tokens.
func few(send, receive int) testbed.Change {
	return func(s *cluster.Spec) { s.Profile.GM.SendTokens, s.Profile.GM.ReceiveTokens = send, receive }
}

// disturb loses, damages and delays packets of all kinds at random; at most so many
// in a row of one connection.
func disturb(r *testbed.Test, t *rapid.T) {
	share := rapid.IntRange(0, 30).Draw(t, "percent")
	seed := rapid.Uint64().Draw(t, "fate")
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		seed = seed*6364136223846793005 + 1442695040888963407
		if int(seed>>33)%100 >= share {
			return false
		}
		p.CRCError = seed>>40&1 == 0
		return !p.CRCError
	})
}

// TestMessages: all messages arrive once and in order, whatever the network loses and
// however few tokens there are.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, 20000), rapid.SampledFrom([]int{0, 1, 128, 129, 4096, 4097, 8192}))
		sizes := rapid.SliceOfN(size, 1, 20).Draw(t, "sizes")
		tokens := rapid.SampledFrom([]int{1, 2, 61})
		r := testbed.New(t, on, "gm", 2, 20000, few(tokens.Draw(t, "send"), tokens.Draw(t, "receive")))
		disturb(r, t)
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 20).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		for _, n := range r.Nodes {
			require.True(t, n.Layer.Quiet())
		}
	})
}

// TestOneLoss: what one lost packet costs is known exactly.
func TestOneLoss(t *testing.T) {
	for _, x := range []struct {
		name     string
		kind     trace.Kind
		nth      int
		messages int
		want     map[string]uint64
	}{
		{"only packet", trace.Message, 1, 1, map[string]uint64{"repeated": 1, "timeouts": 1}},
		{"first of three", trace.Message, 1, 3, map[string]uint64{"repeated": 2, "out of order": 1}},
		{"only acknowledgement", trace.Ack, 1, 1, map[string]uint64{"repeated": 1, "timeouts": 1, "duplicates": 1}},
		{"acknowledgement before another", trace.Ack, 1, 2, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := testbed.New(t, on, "gm", 2, 64)
			n := 0
			r.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Header.Meta.Kind == x.kind {
					n++
				}
				return p.Header.Meta.Kind == x.kind && n == x.nth
			})
			r.Go(
				func(c *host.Context, p *testbed.Process) {
					for i := range x.messages {
						testbed.SendNumbers(t, c, p.Endpoint, 1, i, 1)
						c.Sleep(100 * sim.Microsecond)
					}
				},
				func(c *host.Context, p *testbed.Process) { testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, x.messages) })
			for _, name := range []string{"repeated", "timeouts", "out of order", "duplicates", "no token"} {
				require.Equal(t, x.want[name], r.Count(0, name)+r.Count(1, name), name)
			}
		})
	}
}

// TestNobodyReceives: processes that send more than all buffers hold, and receive only
// then, come to an end.
func TestNobodyReceives(t *testing.T) {
	r := testbed.New(t, on, "gm", 3, 64, few(5, 3))
	r.SendFirst(200)
	require.NotZero(t, r.Count(0, "no token"))
	require.NotZero(t, r.Count(0, "moved"))
	require.Zero(t, r.Lost())
}

// TestTokens: a sender without tokens waits until its oldest message is acknowledged.
func TestTokens(t *testing.T) {
	r := testbed.New(t, on, "gm", 2, 64, few(4, 254))
	most := 0
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			for i := range 50 {
				testbed.SendNumbers(t, c, p.Endpoint, 1, i, 1)
				most = max(most, p.Endpoint.(*gm.Endpoint).Sending())
			}
		},
		func(c *host.Context, p *testbed.Process) { testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, 50) })
	require.Equal(t, 4, most)
	require.Zero(t, r.Procs[0].Endpoint.(*gm.Endpoint).Sending())
}

// TestDirectedSend writes to the peer's memory and nowhere else.
func TestDirectedSend(t *testing.T) {
	const n = 10000
	r := testbed.New(t, on, "gm", 2, n)
	into := r.Procs[1].Space.Alloc(n)
	data := testbed.Pattern(1, n)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			e := p.Endpoint.(*gm.Endpoint)
			at := e.Buffer(n)
			p.Space.WriteAt(at, data)
			require.NoError(t, e.DirectedSend(c, 1, at, into, n, message))
			require.NoError(t, e.DirectedSend(c, 1, at, 1<<40, 4, message))
			testbed.SendNumbers(t, c, e, 1, 7, 1)
		},
		func(c *host.Context, p *testbed.Process) { testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 7, 1) })
	got := make([]byte, n)
	r.Procs[1].Space.ReadAt(into, got)
	require.Equal(t, data, got)
	require.EqualValues(t, 1, r.Count(1, "protection"))
}

// TestForwardReset: packets that a reset flushes were not acknowledged and come again.
func TestForwardReset(t *testing.T) {
	flushed := 0
	for at := 1; at < 1000; at += 9 {
		r := testbed.New(t, on, "gm", 2, 20000, func(s *cluster.Spec) { s.Profile.GM.Firmware.ReceiveBuffers = 4 })
		r.Engine.At(r.Engine.Now().Add(sim.Microseconds(float64(at))), stall{r}, 0, 0)
		r.Deliver(1, 10, 100, 20000, 4, 9000, 20000, 128, 129, 4096, 20000, 20000)
		require.Zero(t, r.Lost())
		flushed += int(r.Count(1, "flushed"))
	}
	require.NotZero(t, flushed)
}

type stall struct{ *testbed.Test }

func (s stall) Act(uint32, uint64) { s.Nodes[1].NIC.Stall(60 * sim.Millisecond) }

// TestMonitored: each packet is measured once at every stage.
func TestMonitored(t *testing.T) {
	const messages = 60
	r := testbed.New(t, on, "gm", 2, 5000, testbed.Monitored)
	require.Equal(t, testbed.EachStage(2*messages), r.Measured(func() { r.Deliver(1, messages+1, slices.Repeat([]int{5000}, messages)...) }))
}
