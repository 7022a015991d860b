package gam_test

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

func requester(p *testbed.Process) comm.Requester { return p.Endpoint.(comm.Requester) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// serve answers requests until done holds.
func serve(done *bool) func(*host.Context, *testbed.Process) {
	return func(c *host.Context, p *testbed.Process) {
		for !*done {
			requester(p).Wait(c)
		}
	}
}

// finish waits for all replies and lets the servers go, with a request to each.
func finish(c *host.Context, p *testbed.Process, done *bool, servers ...int) {
	q := requester(p)
	for q.Outstanding() > 0 {
		q.Wait(c)
	}
	*done = true
	for _, s := range servers {
		must(q.Request(c, s, 0, [4]uint32{}))
	}
	for q.Outstanding() > 0 {
		q.Wait(c)
	}
}

// A sender without tokens spins until the receiver, which is late, has made room: nothing is lost,
// and no more than the tokens are on their way.
func TestTokensHoldASenderBack(t *testing.T) {
	for _, platform := range platforms {
		const count = 100
		r := testbed.New(t, platform, "gam", 2, 4096)
		late := 10 * sim.Millisecond
		var before int
		r.Go(
			func(c *host.Context, p *testbed.Process) {
				for i := range count {
					a := p.Endpoint.Buffer(4)
					p.Space.Store32(a, uint32(i))
					must(p.Endpoint.Send(c, 1, a, 4, trace.Meta{Kind: trace.Message}))
					if c.Now() < sim.Time(late) {
						before++
					}
				}
			},
			func(c *host.Context, p *testbed.Process) {
				into := p.Space.Alloc(4)
				c.Spend(late)
				for i := range count {
					got, err := p.Endpoint.Receive(c, comm.Anyone, into, 4)
					must(err)
					require.Equal(t, comm.Message{From: 0, Bytes: 4, At: into}, got)
					require.EqualValues(t, i, p.Space.Load32(into))
				}
			})
		require.Equal(t, r.Procs[0].Node.Layer.(interface{ Window() int }).Window(), before, platform)
		require.NotZero(t, r.Count(0, "without token"))
		require.Zero(t, r.Lost())
	}
}

// Two that send more than their tokens before they receive do not wait for ever.
func TestBothSendFirst(t *testing.T) {
	const count = 60
	r := testbed.New(t, "ppro", "gam", 2, 4096)
	both := func(c *host.Context, p *testbed.Process) {
		peer := 1 - p.Number
		a, into := p.Endpoint.Buffer(3000), p.Space.Alloc(3000)
		for i := range count {
			p.Space.WriteAt(a, testbed.Pattern(uint64(i+1000*p.Number), 3000))
			must(p.Endpoint.Send(c, peer, a, 3000, trace.Meta{Kind: trace.Message}))
		}
		for i := range count {
			_, err := p.Endpoint.Receive(c, peer, into, 3000)
			must(err)
			data := make([]byte, 3000)
			p.Space.ReadAt(into, data)
			require.Equal(t, testbed.Pattern(uint64(i+1000*peer), 3000), data)
		}
	}
	r.Go(both, both)
	require.NotZero(t, r.Count(0, "moved unasked")+r.Count(1, "moved unasked"))
	require.Zero(t, r.Lost())
}

// A request that the network loses is never answered: its program waits until
// the simulation says that nothing can happen any more.
func TestLostPacketStopsTheProgram(t *testing.T) {
	for _, kind := range []trace.Kind{trace.Request, trace.Reply} {
		r := testbed.New(t, "ppro", "gam", 2, 4096, func(s *cluster.Spec) {
			s.Faults.Drops = []fabric.Drop{{Kind: kind, Nth: 3}}
		})
		done := false
		err := r.Try(func(c *host.Context, p *testbed.Process) {
			for range 5 {
				must(requester(p).Request(c, 1, 0, [4]uint32{}))
			}
			finish(c, p, &done, 1)
		}, serve(&done))
		var stuck *sim.DeadlockError
		require.ErrorAs(t, err, &stuck)
		require.Equal(t, 1, requester(r.Procs[0]).Outstanding(), kind)
		require.False(t, r.Nodes[0].Layer.Quiet())
	}
}

// Damaged packets are counted, each with the token that it takes along.
func TestDamageIsCountedAsLoss(t *testing.T) {
	for _, platform := range platforms {
		damage(t, platform)
	}
}

func damage(t *testing.T, platform string) {
	r := testbed.New(t, platform, "gam", 2, 4096, func(s *cluster.Spec) { s.Faults.ErrorPerByte = 1e-5 })
	err := r.Try(func(c *host.Context, p *testbed.Process) {
		a := p.Endpoint.Buffer(4096)
		for range 2000 {
			send(c, p, 1, a, 4096)
		}
	}, func(c *host.Context, p *testbed.Process) {
		into := p.Space.Alloc(4096)
		for range 2000 {
			receive(c, p, 0, into, 4096)
		}
	})
	var stuck *sim.DeadlockError
	require.ErrorAs(t, err, &stuck)
	require.NotZero(t, r.Lost())
	require.Equal(t, r.Lost(), r.Count(0, "damaged")+r.Count(1, "damaged")+r.Count(1, "incomplete"))
	require.Equal(t, platform == "myrinet", r.Count(1, "incomplete") > 0, "messages of several packets")
	require.GreaterOrEqual(t, int(r.Lost()), requester(r.Procs[0]).Outstanding(), "every token that is missing was lost with a packet, maybe with several")
}

// What damage the CRC has not shown leaves of a message does no harm to the simulation.
func TestNonsenseIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := testbed.New(t, "ppro", "gam", 2, 4096, func(s *cluster.Spec) {
			// The seed 0x471ea sets, unnoticed by the checksum, the bit of FlagWaited.
			s.Seed = rapid.OneOf(rapid.Just(uint64(0x471ea)), rapid.Uint64()).Draw(t, "seed")
			s.Faults.ErrorPerByte, s.Faults.BurstBytes = 0.02, 8
		})
		done := false
		err := r.Try(func(c *host.Context, p *testbed.Process) {
			q := requester(p)
			a := p.Endpoint.Buffer(300)
			for range 100 {
				must(q.Request(c, 1, 0, [4]uint32{}))
				must(q.Store(c, 1, a, a, 200, 0, [4]uint32{}))
				must(q.Get(c, 1, a, a, 300, 0, [4]uint32{}))
			}
		}, serve(&done))
		var stuck *sim.DeadlockError
		require.ErrorAs(r.T, err, &stuck)
		require.NotZero(r.T, r.Lost())
	})
}

func TestOneProcessPerNode(t *testing.T) {
	r := testbed.New(t, "ppro", "gam", 2, 4096)
	_, err := r.Nodes[1].Layer.Open(r.Procs[1].Space, 0)
	require.ErrorContains(t, err, "gam: node 1: a second process")
}

func TestWhatCannotBeSent(t *testing.T) {
	r := testbed.New(t, "ppro", "gam", 2, 4096)
	r.Go(func(c *host.Context, p *testbed.Process) {
		q := requester(p)
		a := p.Endpoint.Buffer(8192)
		meta := trace.Meta{Kind: trace.Message}
		require.ErrorContains(t, q.Send(c, 0, a, 1, meta), "gam: node 0: peer is node 0, want another one of 2")
		require.ErrorContains(t, q.Send(c, 2, a, 1, meta), "peer is node 2")
		require.ErrorContains(t, q.Send(c, 1, a, 4097, meta), "message of 4097 B, want 1 to 4096")
		require.ErrorContains(t, q.Store(c, 1, a, a, 0, 0, [4]uint32{}), "store of 0 B")
		require.ErrorContains(t, q.Get(c, 1, a, 1<<40, 8, 0, [4]uint32{}), "not all allocated")
		require.ErrorContains(t, q.Request(c, -1, 0, [4]uint32{}), "peer is node -1")
		_, err := q.Receive(c, 5, a, 8)
		require.ErrorContains(t, err, "node 5")
	})
}

// Stores into memory that the receiver does not have are refused.
func TestStoreBeyondMemory(t *testing.T) {
	for _, platform := range platforms {
		r := testbed.New(t, platform, "gam", 2, 4096)
		err := r.Try(func(c *host.Context, p *testbed.Process) {
			a := p.Endpoint.Buffer(64)
			must(requester(p).Store(c, 1, a, 1<<40, 64, 0, [4]uint32{}))
			for requester(p).Outstanding() > 0 {
				requester(p).Wait(c)
			}
		}, func(c *host.Context, p *testbed.Process) { requester(p).Wait(c) })
		var stuck *sim.DeadlockError
		require.ErrorAs(t, err, &stuck)
		require.EqualValues(t, 1, r.Count(1, "malformed"))
	}
}

// A forward reset loses packets for good, and the programs stop.
func TestResetStopsTheProgram(t *testing.T) {
	for _, platform := range platforms {
		r := testbed.New(t, platform, "gam", 2, 4096, func(s *cluster.Spec) {
			s.Faults.Stalls = []fabric.Stall{{Node: 1, At: sim.Time(sim.Millisecond), For: 200 * sim.Millisecond}}
		})
		done := false
		err := r.Try(func(c *host.Context, p *testbed.Process) {
			a, at := p.Endpoint.Buffer(4096), r.Procs[1].Space.Alloc(4096)
			for range 2000 {
				must(requester(p).Store(c, 1, a, at, 4096, 0, [4]uint32{}))
			}
			finish(c, p, &done, 1)
		}, serve(&done))
		var stuck *sim.DeadlockError
		require.ErrorAs(t, err, &stuck, platform)
		require.NotZero(t, requester(r.Procs[0]).Outstanding())
	}
}

// TestSlotThatIsUsed: a message whose header names the slot of one that waits for the host is
// refused. The one that waits is handled, once.
func TestSlotThatIsUsed(t *testing.T) {
	r := testbed.New(t, "ppro", "gam", 2, 4096)
	slot, requests := uint64(0), 0
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		const mask = 0xffffff << 8 // where a header names the slot
		if w := &p.Header.Words[4]; p.Dst == 1 {
			if requests++; requests == 1 {
				slot = *w & mask
			}
			*w = *w&^mask | slot
		}
		return false
	})
	var handled []uint32
	err := r.Try(func(c *host.Context, p *testbed.Process) {
		must(requester(p).Request(c, 1, 1, [4]uint32{7}))
		must(requester(p).Request(c, 1, 1, [4]uint32{8}))
		drain(c, requester(p))
	}, func(c *host.Context, p *testbed.Process) {
		requester(p).Handle(1, func(_ *host.Context, q comm.Call) [4]uint32 {
			handled = append(handled, q.Args[0])
			return [4]uint32{}
		})
		c.Sleep(sim.Millisecond)
		requester(p).Poll(c)
	})
	var stuck *sim.DeadlockError
	require.ErrorAs(t, err, &stuck, "the token of the second is lost")
	require.Equal(t, []uint32{7}, handled)
	require.EqualValues(t, 1, r.Count(1, "malformed"))
}

func drain(c *host.Context, e comm.Requester) {
	for e.Outstanding() > 0 {
		e.Wait(c)
	}
}

// TestReplyWithoutRequest: a reply whose header names a slot without a request is refused. The
// request that it was meant for is still outstanding.
func TestReplyWithoutRequest(t *testing.T) {
	r := testbed.New(t, "ppro", "gam", 2, 4096)
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Dst == 0 {
			p.Header.Words[4] ^= 1 << 8 // the slot
		}
		return false
	})
	done := false
	err := r.Try(func(c *host.Context, p *testbed.Process) {
		must(requester(p).Request(c, 1, 1, [4]uint32{7}))
		drain(c, requester(p))
	}, serve(&done))
	var stuck *sim.DeadlockError
	require.ErrorAs(t, err, &stuck)
	require.Equal(t, 1, requester(r.Procs[0]).Outstanding())
	require.EqualValues(t, 1, r.Count(0, "malformed"))
}
