package bip_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// sizes are around what changes the way of a message.
func sizes() *rapid.Generator[int] {
	return rapid.OneOf(
		rapid.SampledFrom([]int{0, 1, 4, 254, 255, 256, 257, 4095, 4096, 4097, 70_000}),
		rapid.IntRange(0, 300), rapid.IntRange(0, 20_000),
	)
}

// TestMessages: what every layer has to pass.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := testbed.New(t, "ppro", "bip", 2, 70_000)
		turn := rapid.IntRange(1, 4).Draw(t, "turn")
		r.Deliver(rapid.Uint64().Draw(t, "seed"), turn, rapid.SliceOfN(sizes(), 1, 12).Draw(t, "sizes")...)
		require.Zero(t, r.Lost())
		require.Zero(t, r.Net.InUse())
	})
}

func TestLongMessages(t *testing.T) {
	r := testbed.New(t, "ppro", "bip", 2, 4<<20)
	r.Deliver(7, 2, 1<<20, 4<<20, 3, 1<<20+1)
	require.Zero(t, r.Lost())
	require.Zero(t, r.Net.InUse())
}

// TestOrder: two senders, a receiver that takes messages of one of them or of
// anyone. Those of one sender come in their order. The receive ring is large:
// in a small one a message that waits would hold the other sender up.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 2048
		r := testbed.New(t, "ppro", "bip", 3, n, func(s *cluster.Spec) { s.Profile.BIP.Firmware.ReceiveBuffers = 48 })
		var lengths [3][]int
		for i := 1; i < 3; i++ {
			lengths[i] = rapid.SliceOfN(rapid.SampledFrom([]int{3, 255, 256, 700, n}), 1, 10).Draw(t, "lengths")
		}
		ahead := rapid.IntRange(0, 3).Draw(t, "ahead")
		sender := func(c *host.Context, p *testbed.Process) {
			for k, length := range lengths[p.Number] {
				send(c, p, 0, length, uint64(p.Number*1000+k))
			}
		}
		r.Go(func(c *host.Context, p *testbed.Process) {
			var come [3]int
			left := func(i int) int { return len(lengths[i]) - come[i] }
			take := func(from int) {
				m, b := receive(c, p, from, 0, n)
				if from != comm.Anyone {
					require.Equal(t, from, m.From)
				}
				k := come[m.From]
				come[m.From]++
				require.Equal(t, testbed.Pattern(uint64(m.From*1000+k), lengths[m.From][k]), b, "message %d of node %d", k, m.From)
			}
			for left(1)+left(2) > 0 {
				from := rapid.SampledFrom([]int{comm.Anyone, 1, 2}).Draw(t, "from")
				if from != comm.Anyone && left(from) == 0 {
					from = 3 - from
				}
				c.Sleep(sim.Duration(ahead) * 20 * sim.Microsecond)
				take(from)
			}
		}, sender, sender)
		require.Zero(t, r.Lost())
		require.Zero(t, r.Net.InUse())
	})
}

// TestAnnouncedAhead: several announcements are filled in their order, by
// messages of the node that each names.
func TestAnnouncedAhead(t *testing.T) {
	r := testbed.New(t, "ppro", "bip", 3, 1000)
	ready := func(c *host.Context, p *testbed.Process, n int, numbers ...uint64) {
		c.Sleep(100 * sim.Microsecond)
		for _, k := range numbers {
			send(c, p, 0, n, k)
		}
	}
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			at := []host.Addr{post(c, p, 2, 1000), post(c, p, comm.Anyone, 1000), post(c, p, 2, 1000)}
			require.ErrorContains(t, func() error { _, err := p.Endpoint.Receive(c, 2, at[0], -1); return err }(), "receive of -1 B")
			m, b := receive(c, p, 1, at[1], 1000)
			require.Equal(t, comm.Message{From: 1, Bytes: 500, At: at[1]}, m)
			require.Equal(t, testbed.Pattern(1, 500), b)
			c.Sleep(sim.Millisecond)
			for i, into := range []host.Addr{at[0], at[2]} {
				_, b = receive(c, p, 2, into, 1000)
				require.Equal(t, testbed.Pattern(uint64(2+i), 900), b)
			}
		},
		func(c *host.Context, p *testbed.Process) { ready(c, p, 500, 1) },
		func(c *host.Context, p *testbed.Process) { c.Sleep(sim.Millisecond); ready(c, p, 900, 2, 3) })
	require.Zero(t, r.Lost())
}

// TestNothingIsChecked: a process reaches one of another program on another
// node, and a second one of a node takes what is meant for the first
// (userspace Table 1: no protection within a node or between nodes). What goes to a node without a process is lost.
func TestNothingIsChecked(t *testing.T) {
	p, err := platform.Load("ppro")
	require.NoError(t, err)
	c, err := cluster.New(cluster.Spec{
		Profile: p, Layer: "bip", Nodes: 3, Seed: 1, Options: monitor.Options{Build: monitor.Off}, Tags: 2,
		Kinds: []trace.Kind{trace.Data},
	})
	require.NoError(t, err)
	var ends []comm.Endpoint
	for tag, n := range c.Nodes[:2] {
		e, err := n.Layer.Open(host.NewSpace("program", n.Frames), trace.Tag(tag))
		require.NoError(t, err)
		ends = append(ends, e)
	}
	got := 0
	c.Nodes[0].Host.Go("sender", host.Application, func(x *host.Context) {
		at := ends[0].Buffer(1000)
		for _, to := range []int{2, 1, 2} {
			must(ends[0].Send(x, to, at, 100, data))
		}
		must(ends[0].Send(x, 2, at, 1000, data))
	})
	c.Nodes[1].Host.Go("receiver", host.Application, func(x *host.Context) {
		m, err := ends[1].Receive(x, 0, ends[1].Buffer(100), 100)
		must(err)
		got = m.Bytes
	})
	require.NoError(t, c.Engine.Run(c.Engine.Now().Add(sim.Second)))
	require.Equal(t, 100, got)

	thief, err := c.Nodes[1].Layer.Open(host.NewSpace("thief", c.Nodes[1].Frames), 9)
	require.NoError(t, err)
	c.Nodes[0].Host.Go("sender", host.Application, func(x *host.Context) { must(ends[0].Send(x, 1, ends[0].Buffer(70), 70, data)) })
	c.Nodes[1].Host.Go("thief", host.Application, func(x *host.Context) {
		m, err := thief.Receive(x, 0, thief.Buffer(100), 100)
		must(err)
		got = m.Bytes
	})
	require.NoError(t, c.Engine.Run(c.Engine.Now().Add(sim.Second)))
	require.Equal(t, 70, got)
	for _, n := range c.Nodes[2].Layer.Counts() {
		if n.Name == "unclaimed" {
			require.EqualValues(t, 2+2, n.N, "two messages, and two fragments of one")
		} else {
			require.Zero(t, n.N, n.Name)
		}
	}
}

func TestBadArguments(t *testing.T) {
	r := testbed.New(t, "ppro", "bip", 2, 100)
	r.Go(func(c *host.Context, p *testbed.Process) {
		e := p.Endpoint
		at := e.Buffer(8192)
		for _, bad := range []struct {
			err  error
			want string
		}{
			{e.Send(c, 2, at, 1, data), "want another one of 2"},
			{e.Send(c, 0, at, 1, data), "want another one of 2"},
			{e.Send(c, 1, at, e.Traits().MaxBytes+1, data), "want 0 to 4194304"},
			{e.Send(c, 1, at, 8193, data), "not all allocated"},
			{e.Post(c, 3, at, 1000), "peer is node 3"},
			{e.Post(c, 1, at+8000, 1000), "not all allocated"},
		} {
			require.ErrorContains(t, bad.err, bad.want)
		}
		for range 16 {
			require.NoError(t, e.Post(c, 1, at, 1000))
		}
		require.ErrorContains(t, e.Post(c, 1, at, 1000), "16 receives are announced")
	})
	require.True(t, r.Nodes[0].Layer.Quiet())
}
