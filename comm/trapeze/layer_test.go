package trapeze_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const (
	on    = "trapeze-p3"
	frame = 8192
)

var message = trace.Meta{Kind: trace.Message}

func frames(n int) testbed.Change {
	return func(s *cluster.Spec) { s.Profile.Trapeze.Frames = n }
}

// TestMessages: a receiver that keeps up gets every message once and in order.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, frame), rapid.SampledFrom([]int{0, 4, 112, 113, 4096, frame}))
		sizes := rapid.SliceOfN(size, 1, 30).Draw(t, "sizes")
		r := testbed.New(t, on, "trapeze", 2, frame, frames(rapid.SampledFrom([]int{1, 2, 64}).Draw(t, "frames")))
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 30).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		require.True(t, r.Nodes[0].Layer.Quiet() && r.Nodes[1].Layer.Quiet())
	})
}

// numbers sends messages with numbers to a receiver that sleeps first, and returns the numbers
// that arrive until none comes for 200 ms.
func numbers(t testbed.T, r *testbed.Test, n, bytes int, sleep sim.Duration) (got []uint32) {
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			for i := range n {
				at := p.Endpoint.Buffer(bytes)
				p.Space.Store32(at, uint32(i))
				require.NoError(t, p.Endpoint.Send(c, 1, at, bytes, message))
			}
		},
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(sleep)
			for idle := 0; idle < 200; idle++ {
				for p.Endpoint.(comm.Attended).Due() == 0 {
					m, err := p.Endpoint.Receive(c, 0, 0, 0)
					require.NoError(t, err)
					got = append(got, p.Space.Load32(m.At))
					idle = 0
				}
				c.Sleep(sim.Millisecond)
			}
		})
	return got
}

// TestOverflow: without frames the card and the network fill, and a forward reset loses
// what waits. What arrives is in order, and the losses are counted.
func TestOverflow(t *testing.T) {
	for _, x := range []struct {
		sleep sim.Duration
		loses bool
	}{{10 * sim.Millisecond, false}, {200 * sim.Millisecond, true}} {
		r := testbed.New(t, on, "trapeze", 2, frame, frames(4))
		got := numbers(t, r, 60, 4096, x.sleep)
		require.IsIncreasing(t, got)
		require.Equal(t, x.loses, len(got) < 60, "%d messages", len(got))
		require.Equal(t, x.loses, r.Lost() > 0)
		require.EqualValues(t, 60, len(got)+int(r.Lost()), "each is received or counted")
	}
}

// TestErrors: nothing repairs a damaged message; it is counted.
func TestErrors(t *testing.T) {
	r := testbed.New(t, on, "trapeze", 2, frame)
	n := 0
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		n++
		p.CRCError = n == 6
		return false
	})
	require.Equal(t, []uint32{0, 1, 2, 3, 4, 6, 7, 8, 9}, numbers(t, r, 10, 4096, sim.Millisecond))
	require.EqualValues(t, 1, r.Count(1, "damaged"))
}

// TestDamage: with and without cut-through, a damaged message is never announced, its frame is
// free again, and all others arrive in order.
func TestDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const messages = 40
		bytes := rapid.SampledFrom([]int{4, 112, 113, 4096, frame}).Draw(t, "bytes")
		percent, fate := rapid.IntRange(0, 50).Draw(t, "percent"), rapid.Uint64().Draw(t, "fate")
		through := rapid.Bool().Draw(t, "through")
		r := testbed.New(t, on, "trapeze", 2, frame, frames(rapid.IntRange(2, 4).Draw(t, "frames")), func(s *cluster.Spec) {
			s.Profile.Trapeze.ReceiveThrough = through
		})
		r.Net.DropWhen(func(p *fabric.Packet) bool {
			fate = fate*6364136223846793005 + 1442695040888963407
			p.CRCError = int(fate>>33)%100 < percent
			return false
		})
		got := numbers(t, r, messages, bytes, 0)
		require.IsIncreasing(t, append([]uint32{0}, shifted(got)...))
		require.EqualValues(t, messages, len(got)+int(r.Lost()))
		require.Equal(t, r.Lost(), r.Count(1, "damaged"))
	})
}

// shifted counts from 1.
func shifted(numbers []uint32) []uint32 {
	for i := range numbers {
		numbers[i]++
	}
	return numbers
}

// TestCutThrough: each of sending while fetching and delivering while receiving saves most of the
// time of a page on one of three stages of equal speed.
func TestCutThrough(t *testing.T) {
	oneWay := func(send, receive bool) float64 {
		r := testbed.New(t, on, "trapeze", 2, frame, func(s *cluster.Spec) {
			s.Profile.Trapeze.Firmware.CutThrough, s.Profile.Trapeze.ReceiveThrough = send, receive
		})
		var took sim.Duration
		r.Go(
			func(c *host.Context, p *testbed.Process) {
				require.NoError(t, p.Endpoint.Send(c, 1, p.Endpoint.Buffer(frame), frame, message))
			},
			func(c *host.Context, p *testbed.Process) {
				begin := c.Now()
				_, err := p.Endpoint.Receive(c, 0, 0, 0)
				require.NoError(t, err)
				took = c.Now().Sub(begin)
			})
		return took.Us()
	}
	const stage = float64(frame) / 132
	none, send, receive, both := oneWay(false, false), oneWay(true, false), oneWay(false, true), oneWay(true, true)
	t.Logf("%.0f µs, cut-through at the sender %.0f, at the receiver %.0f, at both %.0f", none, send, receive, both)
	require.InDelta(t, stage, none-send, 3)
	require.InDelta(t, stage, none-receive, 15, "less the steps of the program that no longer overlap")
	require.InDelta(t, none-send, receive-both, 8)
}

// TestMonitored: each message is measured once at every stage.
func TestMonitored(t *testing.T) {
	r := testbed.New(t, on, "trapeze", 2, frame, testbed.Monitored)
	var got []uint32
	require.Equal(t, testbed.EachStage(50), r.Measured(func() { got = numbers(t, r, 50, 4096, sim.Millisecond) }))
	require.Len(t, got, 50)
}
