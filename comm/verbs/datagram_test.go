package verbs_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// open gives a process on each node of a bed datagrams.
func open(r *testbed.Test) (all []*verbs.Datagrams) {
	for _, n := range r.Nodes {
		all = append(all, n.Layer.(*verbs.Node).OpenDatagrams(host.NewSpace("datagrams", n.Frames), 0))
	}
	return all
}

// get returns what the oldest datagram of a node has behind the space before it.
func get(t *testing.T, c *host.Context, d *verbs.Datagrams, from int) []byte {
	m, err := d.Receive(c, from, 0, 0)
	require.NoError(t, err)
	b := make([]byte, m.Bytes)
	d.Space().ReadAt(m.At, b)
	require.Equal(t, make([]byte, verbs.GlobalHeaderBytes), b[:verbs.GlobalHeaderBytes])
	return b[verbs.GlobalHeaderBytes:]
}

// TestDatagrams: one pair sends to several nodes and receives from them, up to a packet, and nobody acknowledges. What is
// longer is refused.
func TestDatagrams(t *testing.T) {
	r := testbed.New(t, on, "verbs", 3, 100)
	d := open(r)
	mtu := r.Place.Verbs.MTU
	sizes := []int{1, 188, 189, mtu, 0}
	content := func(n, to int) []byte { return slices.Repeat([]byte{byte(n), byte(to)}, n)[:n] }
	peer := func(c *host.Context, p *testbed.Process) {
		for _, n := range sizes {
			b := get(t, c, d[p.Number], 0)
			require.Equal(t, content(n, p.Number), b)
		}
		at := d[p.Number].Buffer(4)
		d[p.Number].Space().Store32(at, uint32(p.Number))
		require.NoError(t, d[p.Number].Send(c, d[0].Address(), at, 4, message, 0, false))
	}
	r.Go(func(c *host.Context, _ *testbed.Process) {
		for i, n := range sizes {
			at := d[0].Buffer(mtu)
			for to := 1; to <= 2; to++ {
				d[0].Space().WriteAt(at, content(n, to))
				require.NoError(t, d[0].Send(c, d[to].Address(), at, n, message, uint64(i), true))
				require.Equal(t, uint64(i), d[0].AwaitCompletion(c).ID)
			}
		}
		for _, from := range []int{2, 1} {
			require.Equal(t, []byte{byte(from), 0, 0, 0}, get(t, c, d[0], from))
		}
		began := c.Now()
		require.ErrorContains(t, d[0].Send(c, d[1].Address(), d[0].Buffer(mtu+1), mtu+1, message, 0, false), "datagram of 1025 B, want at most the 1024 B of a packet")
		require.ErrorContains(t, d[0].Send(c, d[0].Address(), d[0].Buffer(1), 1, message, 0, false), "peer is node 0")
		require.Equal(t, began, c.Now())
	}, peer, peer)
	for _, n := range r.Nodes {
		s := n.Layer.(*verbs.Node).Stats()
		require.Zero(t, s.Acks+s.Naks+s.Lost+s.Refused)
		require.True(t, n.Layer.Quiet())
	}
	require.EqualValues(t, 12, r.Net.Stats().Injected)
	require.Zero(t, r.Net.InUse())
}

// TestDatagramsGetLost: what finds no buffer, is damaged or dropped does not come, and is counted; the rest comes
// once and in order. Entries complete all the same.
func TestDatagramsGetLost(t *testing.T) {
	lost := uint64(0)
	rapid.Check(t, func(t *rapid.T) {
		r := testbed.New(t, on, "verbs", 2, 100, func(s *cluster.Spec) {
			s.Profile.Verbs.ReceiveDepth, s.Profile.Verbs.SendDepth = rapid.SampledFrom([]int{1, 4, 100}).Draw(t, "buffers"), 3
			s.Faults.ErrorPerByte = rapid.SampledFrom([]float64{0, 1e-5}).Draw(t, "damage")
		})
		g := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		lose := rapid.SampledFrom([]float64{0, 0.2}).Draw(t, "loss")
		r.Net.DropWhen(func(*fabric.Packet) bool { return g.Float64() < lose })
		d, pause := open(r), rapid.IntRange(0, 2).Draw(t, "pause")
		const count = 60
		received, done := uint64(0), false
		r.Go(func(c *host.Context, _ *testbed.Process) {
			defer func() { done = true }()
			at := d[0].Buffer(1024)
			for i := range uint32(count) {
				d[0].Space().Store32(at, i)
				require.NoError(t, d[0].Send(c, d[1].Address(), at, 4+g.IntN(1000), message, uint64(i), true))
				require.NoError(t, d[0].AwaitCompletion(c).Err)
			}
			c.Sleep(100 * us)
		}, func(c *host.Context, _ *testbed.Process) {
			next := uint32(0)
			for !done {
				if c.Sleep(us); d[1].Due() == 0 && g.IntN(1+pause) == 0 {
					m, err := d[1].Receive(c, comm.Anyone, 0, 0)
					require.NoError(t, err)
					number := d[1].Space().Load32(m.At + verbs.GlobalHeaderBytes)
					require.GreaterOrEqual(t, number, next)
					next = number + 1
					received++
				}
			}
		})
		for d[1].Due() == 0 {
			received++
			r.Go(nil, func(c *host.Context, _ *testbed.Process) {
				_, err := d[1].Receive(c, 0, 0, 0)
				require.NoError(t, err)
			})
		}
		s := r.Nodes[1].Layer.(*verbs.Node).Stats()
		require.EqualValues(t, count, received+s.Lost+s.Damaged+r.Net.Stats().Dropped)
		require.EqualValues(t, s.Lost, r.Lost())
		require.Zero(t, r.Net.InUse())
		lost += s.Lost
	})
	require.Positive(t, lost)
}

// TestDatagramsAreApart: a connection does not take a datagram, nor a pair of datagrams a message.
func TestDatagramsAreApart(t *testing.T) {
	r := testbed.New(t, on, "verbs", 2, 100, impatient)
	d := open(r)
	q, _ := verbs.Connect(d[0].Process, d[1].Process)
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Header.Meta.Kind == trace.Message {
			p.Header.Words[0] = 3 - p.Header.Words[0] // the number of the pair: the bed has pair 0
		}
		return false
	})
	r.Go(func(c *host.Context, _ *testbed.Process) {
		at := d[0].Buffer(8)
		require.NoError(t, d[0].Send(c, d[1].Address(), at, 8, message, 1, true))
		require.NoError(t, d[0].AwaitCompletion(c).Err)
		require.NoError(t, q.Message(c, at, 8, message, 2, true))
		require.ErrorContains(t, d[0].AwaitCompletion(c).Err, "has not answered")
	})
	require.EqualValues(t, 9, r.Nodes[1].Layer.(*verbs.Node).Stats().Refused)
	require.Equal(t, sim.Never, d[1].Due())
}
