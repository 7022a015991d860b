package lfc_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/lfc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var broadcast = trace.Meta{Kind: trace.Broadcast}

// connected is a bed whose processes know one another.
func connected(t testbed.T, nodes int, changes ...testbed.Change) *testbed.Test {
	r := testbed.New(t, on, "lfc", nodes, mtu, changes...)
	all := make([]comm.Endpoint, nodes)
	for i, p := range r.Procs {
		all[i] = p.Endpoint
	}
	if err := comm.Connect(all, mtu); err != nil {
		t.Fatalf("%v", err)
	}
	return r
}

// multicast sends a number in a message of so many bytes to all others.
func multicast(t testbed.T, c *host.Context, p *testbed.Process, number uint32, bytes int) {
	at := p.Endpoint.Buffer(bytes)
	p.Space.Store32(at, number)
	if err := p.Endpoint.(comm.Multicaster).Multicast(c, comm.Piece{At: at, Bytes: 4}, comm.Piece{At: at + 4, Bytes: bytes - 4}, broadcast); err != nil {
		t.Fatalf("%v", err)
	}
}

// take receives so many numbers of each sender, from 0 up.
func take(t testbed.T, c *host.Context, p *testbed.Process, want []int) {
	next, left := make([]uint32, len(want)), 0
	for _, n := range want {
		left += n
	}
	for ; left > 0; left-- {
		m, err := p.Endpoint.Receive(c, comm.Anyone, 0, 0)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if got := p.Space.Load32(m.At); got != next[m.From] {
			t.Fatalf("node %d gets multicast %d of node %d, want %d", p.Number, got, m.From, next[m.From])
		}
		next[m.From]++
	}
}

// TestMulticasts: all nodes multicast at the same time, with few buffers, between messages to one
// node, and receive only afterwards. All arrives once; multicasts of one sender are in order.
func TestMulticasts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(2, 9).Draw(t, "nodes")
		sends := rapid.SliceOfN(rapid.IntRange(0, 40), nodes, nodes).Draw(t, "sends")
		bytes := rapid.SampledFrom([]int{4, 100, mtu}).Draw(t, "bytes")
		few := rapid.SampledFrom([]int{1, 2, 5, 64})
		r := connected(t, nodes, small(few.Draw(t, "buffers"), few.Draw(t, "credits")))
		pause := rapid.Uint64().Draw(t, "pause")
		programs := make([]func(*host.Context, *testbed.Process), nodes)
		for i := range programs {
			want := append([]int{}, sends...)
			want[i] = 0
			programs[i] = func(c *host.Context, p *testbed.Process) {
				for k := range sends[i] {
					c.Spend(sim.Microseconds(float64(pause >> (k % 60) & 31)))
					multicast(t, c, p, uint32(k), bytes)
				}
				take(t, c, p, want)
			}
		}
		r.Go(programs...)
		require.Zero(t, r.Lost())
		require.Zero(t, r.Net.InUse())
		for _, n := range r.Nodes {
			require.True(t, n.Layer.Quiet())
		}
	})
}

// TestTree: a multicast takes each node's buffer once, and the root sends to two nodes only.
func TestTree(t *testing.T) {
	const nodes = 8
	r := connected(t, nodes)
	to := map[int32]int{}
	fromRoot := 0
	r.Tap(func(p *fabric.Packet) {
		if p.Header.Meta.Kind == trace.Broadcast {
			to[p.Dst]++
			if p.Src == 3 {
				fromRoot++
			}
		}
	})
	programs := make([]func(*host.Context, *testbed.Process), nodes)
	want := make([]int, nodes)
	want[3] = 1
	for i := range programs {
		programs[i] = func(c *host.Context, p *testbed.Process) { take(t, c, p, want) }
	}
	programs[3] = func(c *host.Context, p *testbed.Process) { multicast(t, c, p, 0, 64) }
	r.Go(programs...)
	require.Len(t, to, nodes-1)
	require.Equal(t, 2, fromRoot)
	forwarded := uint64(0)
	for i := range nodes {
		forwarded += r.Count(i, "forwarded")
	}
	require.EqualValues(t, nodes-1-2, forwarded)
}

// TestSlowNode: a node that does not look holds up multicasts that go through it, but not
// messages to others.
func TestSlowNode(t *testing.T) {
	r := connected(t, 3, small(2, 2))
	var free sim.Time
	r.Go(func(c *host.Context, p *testbed.Process) {
		testbed.SendNumbers(t, c, p.Endpoint, 1, 0, 20)
		testbed.SendNumbers(t, c, p.Endpoint, 2, 0, 20)
	}, func(c *host.Context, p *testbed.Process) {
		c.Sleep(50 * sim.Millisecond)
		testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, 20)
	}, func(c *host.Context, p *testbed.Process) {
		testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, 20)
		free = c.Now()
	})
	require.Less(t, free, sim.Time(0).Add(5*sim.Millisecond), "they pass those for node 1")
}

// TestFetchAndAdd: each number is given once, on whatever node the variable is.
func TestFetchAndAdd(t *testing.T) {
	const nodes, each = 4, 50
	r := connected(t, nodes, small(2, 2))
	given := map[uint32]int{}
	one := func(c *host.Context, p *testbed.Process) {
		last := -1
		for range each {
			n, err := p.Endpoint.(*lfc.Endpoint).FetchAndAdd(c, 1, 3, message)
			require.NoError(t, err)
			require.Greater(t, int(n), last)
			last = int(n)
			given[n]++
		}
	}
	r.Go(one, one, one, one)
	for i := range uint32(nodes * each) {
		require.Equal(t, 1, given[3*i])
	}
	require.EqualValues(t, nodes*each, r.Count(1, "fetched"))
	_, err := r.Procs[0].Endpoint.(*lfc.Endpoint).FetchAndAdd(nil, nodes, 1, message)
	require.ErrorContains(t, err, "peer is node 4, want another one of 4")
}

// TestMulticastErrors: a packet that is lost or damaged anywhere in the tree stops the interface.
func TestMulticastErrors(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		r := connected(t, 4)
		n := 0
		r.Net.DropWhen(func(p *fabric.Packet) bool {
			if p.Dst != 3 {
				return false
			}
			n++
			p.CRCError = damaged && n == 3
			return !damaged && n == 3
		})
		r.Go(func(c *host.Context, p *testbed.Process) {
			for i := range uint32(5) {
				multicast(t, c, p, i, 8)
			}
		}, nil, nil, func(c *host.Context, p *testbed.Process) {
			take(t, c, p, []int{2, 0, 0, 0})
			_, err := p.Endpoint.Receive(c, 0, 0, 0)
			require.Error(t, err)
		})
		require.NotZero(t, r.Lost())
	}
}
