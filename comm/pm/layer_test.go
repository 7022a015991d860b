package pm_test

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

const mtu = 8192

// buffers gives processes that many receive buffers.
func buffers(n int) testbed.Change {
	return func(s *cluster.Spec) { s.Profile.PM.Buffers = n }
}

// TestMessages: what every layer has to pass, also with so few buffers that
// most packets are rejected at first.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, mtu), rapid.SampledFrom([]int{0, 1, 4, 256, 4096, mtu}))
		sizes := rapid.SliceOfN(size, 1, 40).Draw(t, "sizes")
		r := testbed.New(t, "ppro", "pm", 2, mtu, buffers(rapid.SampledFrom([]int{1, 2, 3, 64}).Draw(t, "buffers")))
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 50).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		for _, n := range r.Nodes {
			require.True(t, n.Layer.Quiet())
		}
		require.Zero(t, r.Net.InUse())
	})
}

// TestOverflow: a receiver that does not look for a long time loses nothing:
// its interface rejects what it has no buffer for, the sender's keeps it.
func TestOverflow(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 2, 0, buffers(4))
	var blocked sim.Duration
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			before := c.Now()
			testbed.SendNumbers(t, c, p.Endpoint, 1, 0, 200)
			blocked = c.Now().Sub(before)
		},
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(20 * sim.Millisecond)
			require.False(t, r.Nodes[0].Layer.Quiet())
			testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, 200)
		})
	require.Greater(t, blocked, 19*sim.Millisecond, "the sender's queue and SRAM fill up")
	require.NotZero(t, r.Count(1, "rejected"))
	require.NotZero(t, r.Count(1, "discarded"))
	require.GreaterOrEqual(t, r.Count(0, "repeated"), r.Count(1, "rejected"), "what is rejected is sent again")
	require.Zero(t, r.Lost())
	require.True(t, r.Nodes[0].Layer.Quiet())
}

// TestOverflowOfMany: senders whose packets are rejected all get their turn,
// and a receiver may take them in any order.
func TestOverflowOfMany(t *testing.T) {
	const senders, each = 7, 40
	r := testbed.New(t, "ppro", "pm", senders+1, 0, buffers(3))
	programs := []func(*host.Context, *testbed.Process){func(c *host.Context, p *testbed.Process) {
		c.Sleep(sim.Millisecond)
		next := make([]uint32, senders+1)
		for range senders * each {
			m, err := p.Endpoint.Receive(c, comm.Anyone, 0, 4)
			require.NoError(t, err)
			require.Equal(t, next[m.From], p.Space.Load32(m.At))
			next[m.From]++
		}
	}}
	for range senders {
		programs = append(programs, func(c *host.Context, p *testbed.Process) { testbed.SendNumbers(t, c, p.Endpoint, 0, 0, each) })
	}
	r.Go(programs...)
	require.NotZero(t, r.Count(0, "rejected"))
	require.Zero(t, r.Lost())
}

// TestChooseSender: messages of others wait while one of a certain node is
// asked for.
func TestChooseSender(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 3, 0)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			testbed.ReceiveNumbers(t, c, p.Endpoint, 2, 0, 5)
			testbed.ReceiveNumbers(t, c, p.Endpoint, 1, 0, 5)
		},
		func(c *host.Context, p *testbed.Process) { testbed.SendNumbers(t, c, p.Endpoint, 0, 0, 5) },
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(sim.Millisecond)
			testbed.SendNumbers(t, c, p.Endpoint, 0, 0, 5)
		})
}

// TestNobodyReceives: two processes that send to one another more than all
// buffers hold, and receive only then, come to an end; so does one that asks
// for a message behind all those of others.
func TestNobodyReceives(t *testing.T) {
	const messages = 300
	r := testbed.New(t, "ppro", "pm", 3, 0, buffers(3))
	both := func(c *host.Context, p *testbed.Process) {
		testbed.SendNumbers(t, c, p.Endpoint, 1-p.Number, 0, messages)
		testbed.ReceiveNumbers(t, c, p.Endpoint, 1-p.Number, 0, messages)
	}
	r.Go(both, both)
	require.NotZero(t, r.Count(0, "moved"))
	last := func(c *host.Context, p *testbed.Process) {
		testbed.SendNumbers(t, c, p.Endpoint, 1-p.Number, messages, 100)
		testbed.ReceiveNumbers(t, c, p.Endpoint, 2, 0, 1)
		testbed.ReceiveNumbers(t, c, p.Endpoint, 1-p.Number, messages, 100)
	}
	r.Go(last, last, func(c *host.Context, p *testbed.Process) {
		c.Sleep(10 * sim.Millisecond)
		testbed.SendNumbers(t, c, p.Endpoint, 0, 0, 1)
		testbed.SendNumbers(t, c, p.Endpoint, 1, 0, 1)
	})
	require.Zero(t, r.Lost())
	for _, n := range r.Nodes {
		require.True(t, n.Layer.Quiet())
	}
}

// TestSlowReceiver: a receiver that is slower than the network by ten times
// still gets its messages at its own rate, and the wire carries each of them
// three times at most: rejected or behind a rejected one, as a trial, and for good.
func TestSlowReceiver(t *testing.T) {
	const messages = 200
	r := testbed.New(t, "ppro", "pm", 2, 0, buffers(4))
	var took sim.Duration
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			at := p.Endpoint.Buffer(mtu)
			for range messages {
				require.NoError(t, p.Endpoint.Send(c, 1, at, mtu, message))
			}
		},
		func(c *host.Context, p *testbed.Process) {
			before := c.Now()
			for range messages {
				_, err := p.Endpoint.Receive(c, 0, 0, mtu)
				require.NoError(t, err)
				c.Spend(650 * sim.Microsecond)
			}
			took = c.Now().Sub(before)
		})
	require.NotZero(t, r.Count(1, "rejected"))
	require.LessOrEqual(t, r.Count(0, "repeated"), uint64(2*messages))
	require.InEpsilon(t, messages*650, took.Us(), 0.02)
}

// TestNetworkErrors: what the network damages or loses is gone; the receiver
// is told, and nothing behind it is handed out.
func TestNetworkErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		change testbed.Change
		want   string
		count  string
	}{
		{"lost", func(s *cluster.Spec) { s.Faults.Drops = []fabric.Drop{{Kind: trace.Message, Nth: 6}} },
			"node 1 expects packet 5 of node 0 and gets packet 6: the network has lost one", "abandoned"},
		{"damaged", func(s *cluster.Spec) { s.Faults.ErrorPerByte = 2e-3 }, "has received a damaged packet", "damaged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := testbed.New(t, "ppro", "pm", 2, 0, c.change)
			var failed error
			got := 0
			err := r.Try(
				func(c *host.Context, p *testbed.Process) {
					at := p.Endpoint.Buffer(4)
					for range 1000 {
						if err := p.Endpoint.Send(c, 1, at, 4, message); err != nil {
							failed = err
							return
						}
					}
				},
				func(c *host.Context, p *testbed.Process) {
					for {
						if _, err := p.Endpoint.Receive(c, 0, 0, 4); err != nil {
							failed = err
							return
						}
						got++
					}
				})
			require.ErrorContains(t, failed, c.want)
			var stuck *sim.DeadlockError
			require.ErrorAs(t, err, &stuck, "the other one waits for what does not come")
			if c.name == "lost" {
				require.Equal(t, 5, got)
			}
			require.NotZero(t, r.Count(0, c.count)+r.Count(1, c.count))
			require.NotZero(t, r.Lost())
			require.Zero(t, r.Count(0, "repeated"), "nothing repairs it")
		})
	}
}

// TestCopies: memory of the library's own is sent from and received in without
// a copy; other memory is copied.
func TestCopies(t *testing.T) {
	for _, own := range []bool{true, false} {
		r := testbed.New(t, "ppro", "pm", 2, 0)
		var sent, received sim.Duration
		data := testbed.Pattern(7, mtu)
		r.Go(
			func(c *host.Context, p *testbed.Process) {
				at := p.Endpoint.Buffer(mtu)
				if !own {
					at = p.Space.Alloc(mtu)
				}
				for range 12 { // more than there are buffers for copies
					p.Space.WriteAt(at, data)
					before := c.Now()
					require.NoError(t, p.Endpoint.Send(c, 1, at, mtu, message))
					sent = c.Now().Sub(before)
					if !own { // it is ours again
						p.Space.WriteAt(at, make([]byte, mtu))
					}
					c.Sleep(sim.Millisecond)
				}
			},
			func(c *host.Context, p *testbed.Process) {
				into := host.Addr(0)
				if !own {
					into = p.Space.Alloc(mtu)
				}
				for i := range 12 {
					c.Sleep(sim.Time(i + 1).Add(sim.Duration(i+1) * sim.Millisecond).Sub(c.Now()))
					before := c.Now()
					m, err := p.Endpoint.Receive(c, 0, into, mtu)
					require.NoError(t, err)
					received = c.Now().Sub(before)
					got := make([]byte, mtu)
					p.Space.ReadAt(m.At, got)
					require.Equal(t, data, got)
					if !own {
						require.Equal(t, into, m.At)
					}
				}
			})
		copying := 40 * sim.Microsecond // of 8 KB at some 180 MB/s
		require.Equal(t, own, sent < copying, "%v", sent)
		require.Equal(t, own, received < copying, "%v", received)
	}
}

// TestTags: packets of a program that has no process on a node are refused;
// those of two programs do not mix.
func TestTags(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 2, 0)
	wild := host.NewSpace("wild", r.Nodes[0].Frames)
	ep, err := r.Nodes[0].Layer.Open(wild, 3)
	require.NoError(t, err)
	_, err = r.Nodes[0].Layer.Open(wild, 3)
	require.ErrorContains(t, err, "a process with tag 3 has access already")
	r.Go(
		func(c *host.Context, _ *testbed.Process) { testbed.SendNumbers(t, c, ep, 1, 100, 5) },
		func(c *host.Context, p *testbed.Process) { c.Sleep(sim.Millisecond) })
	require.EqualValues(t, 5, r.Count(1, "refused"))
	require.True(t, r.Nodes[0].Layer.Quiet())
}

// TestBadCalls: what cannot be sent or received is refused with its value.
func TestBadCalls(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 2, 0)
	r.Go(func(c *host.Context, p *testbed.Process) {
		at := p.Endpoint.Buffer(16)
		for _, x := range []struct {
			to   int
			at   host.Addr
			n    int
			meta trace.Meta
			want string
		}{
			{0, at, 4, message, "pm: node 0: peer is node 0"},
			{2, at, 4, message, "pm: node 0: peer is node 2, want another one of 2"},
			{1, at, mtu + 1, message, "8193 B, want 0 to 8192"},
			{1, at, -1, message, "-1 B"},
			{1, 0, 4, message, "4 B at 0x0"},
			{1, at, 4, trace.Meta{Kind: trace.Ack}, "kind ack"},
		} {
			require.ErrorContains(t, p.Endpoint.Send(c, x.to, x.at, x.n, x.meta), x.want)
		}
		_, err := p.Endpoint.Receive(c, 5, 0, 4)
		require.ErrorContains(t, err, "node 5")
		require.NoError(t, p.Endpoint.Send(c, 1, at, 16, message))
	}, func(c *host.Context, p *testbed.Process) {
		_, err := p.Endpoint.Receive(c, 0, p.Space.Alloc(8), 8)
		require.ErrorContains(t, err, "16 B of node 0, want at most the 8 B")
	})
}
