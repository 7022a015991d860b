package amii_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/amii"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// emptied requires that every place of the regions is free again.
func emptied(r *testbed.Test) {
	for _, p := range r.Procs {
		requests, replies := requester(p).Room()
		places := 16 * (len(r.Nodes) - 1) // the profile's credits for each peer
		require.Equal(r.T, []int{places, places}, []int{requests, replies})
		require.True(r.T, p.Node.Layer.Quiet())
	}
	require.Zero(r.T, r.Net.InUse())
}

// TestLosses takes packets of all kinds at random: messages come as they went,
// in order, each once.
func TestLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 4096), 1, 40).Draw(t, "sizes")
		percent := rapid.IntRange(0, 15).Draw(t, "percent")
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "draws"), 0))
		r := testbed.New(t, "ppro", "amii", 2, 4096, stubborn)
		r.Net.DropWhen(func(*fabric.Packet) bool { return draw.IntN(100) < percent })
		stream(r, rapid.Uint64().Draw(t, "seed"), sizes)
		require.Zero(t, r.Lost())
		if r.Net.Stats().Dropped == 0 {
			require.Zero(t, count(r, "repeated"))
		} else {
			require.NotZero(t, count(r, "repeated"))
			require.NotZero(t, count(r, "timeouts"))
		}
		emptied(r)
	})
}

// TestBitErrors: packets that the CRC shows to be damaged are sent again.
func TestBitErrors(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096, func(s *cluster.Spec) { s.Faults = fabric.Faults{ErrorPerByte: 3e-5} })
	sizes := make([]int, 200)
	for i := range sizes {
		sizes[i] = 331 * i % 4097
	}
	stream(r, 7, sizes)
	require.NotZero(t, count(r, "damaged"))
	require.Equal(t, r.Net.Stats().Detected, count(r, "damaged"))
	require.GreaterOrEqual(t, count(r, "repeated"), count(r, "damaged"))
	require.Zero(t, r.Lost())
	emptied(r)
}

// TestDamageUnseen: the CRC misses one burst in 256. Nothing breaks then, and
// what a packet's fields cannot say is refused.
func TestDamageUnseen(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096, func(s *cluster.Spec) { s.Faults = fabric.Faults{ErrorPerByte: 1e-3, BurstBytes: 12} })
	done := false
	require.NoError(t, r.Try(func(c *host.Context, p *testbed.Process) {
		e := requester(p)
		for i := range 3000 {
			_ = e.Request(c, 1, uint8(i), [4]uint32{}) // one may be returned
		}
		drain(c, e)
		done = true
	}, serve(requester(r.Procs[1]), &done)))
	require.NotZero(t, r.Net.Stats().Undetected)
}

// TestOneLoss: what one lost packet costs is known exactly.
func TestOneLoss(t *testing.T) {
	for _, c := range []struct {
		name                             string
		drop                             fabric.Drop
		sends                            int
		repeated, duplicates, outOfOrder uint64
	}{
		{"request", fabric.Drop{Kind: trace.Message, Nth: 1}, 1, 1, 0, 0},
		{"reply", fabric.Drop{Kind: trace.Reply, Nth: 1}, 1, 2, 1, 0}, // the request, and the reply's copy
		{"first of three", fabric.Drop{Kind: trace.Message, Nth: 1}, 3, 3, 0, 2},
		{"last of three", fabric.Drop{Kind: trace.Message, Nth: 3}, 3, 1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := testbed.New(t, "ppro", "amii", 2, 4096, func(s *cluster.Spec) { s.Faults.Drops = []fabric.Drop{c.drop} })
			stream(r, 1, []int{100, 200, 300}[:c.sends])
			require.Equal(t, []uint64{c.repeated, 1, c.duplicates, c.outOfOrder},
				[]uint64{count(r, "repeated"), count(r, "timeouts"), count(r, "duplicates"), count(r, "out of order")})
		})
	}
}

// TestReturnToSender: requests that no try brings over come back, once, to the
// one who sent them, and what is sent later is handled.
func TestReturnToSender(t *testing.T) {
	for _, handler := range []bool{false, true} {
		r := testbed.New(t, "ppro", "amii", 3, 4096)
		cut := true
		r.Net.DropWhen(func(p *fabric.Packet) bool { return cut && p.Dst == 1 })
		var back []comm.Call
		var handled []uint32
		done := false
		r.Go(
			func(c *host.Context, p *testbed.Process) {
				e := requester(p)
				if handler {
					e.Returned(func(_ *host.Context, q comm.Call) { back = append(back, q) })
				}
				for i := range uint32(3) {
					must(e.Request(c, 1, 5, [4]uint32{i}))
				}
				must(e.Request(c, 2, 5, [4]uint32{77}))
				drain(c, e)
				cut = false
				if !handler {
					var u *calls.Undeliverable
					require.ErrorAs(t, e.Request(c, 1, 5, [4]uint32{9}), &u)
					require.Equal(t, calls.Undeliverable{Layer: "amii", To: 1, Requests: 3, Tries: 10}, *u)
				}
				must(e.Request(c, 1, 5, [4]uint32{10}))
				must(e.Request(c, 1, 5, [4]uint32{11}))
				drain(c, e)
				done = true
			},
			func(c *host.Context, p *testbed.Process) {
				requester(p).Handle(5, func(_ *host.Context, q comm.Call) [4]uint32 {
					handled = append(handled, q.Args[0])
					return [4]uint32{}
				})
				for !done {
					requester(p).Wait(c)
					done = done || len(handled) == 2
				}
			},
			serve(requester(r.Procs[2]), &done))
		require.Equal(t, []uint32{10, 11}, handled)
		require.EqualValues(t, 3, r.Count(0, "returned"))
		require.EqualValues(t, 3, r.Lost())
		require.EqualValues(t, 10, r.Count(0, "timeouts"))
		require.EqualValues(t, 27, r.Count(0, "repeated"), "three requests nine times again")
		if handler {
			require.Len(t, back, 3)
			for i, q := range back {
				require.Equal(t, comm.Call{From: 1, Args: [4]uint32{uint32(i)}}, q)
			}
		}
	}
}

// TestRepliesLost: a request whose replies are all lost is handled once and
// returned; the next one begins an epoch and is handled.
func TestRepliesLost(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096)
	cut := true
	r.Net.DropWhen(func(p *fabric.Packet) bool { return cut && p.Dst == 0 }) // all replies
	var handled []uint32
	done := false
	r.Procs[1].Endpoint.(*amii.Endpoint).Handle(1, func(_ *host.Context, q comm.Call) [4]uint32 {
		handled = append(handled, q.Args[0])
		return q.Args
	})
	r.Go(func(c *host.Context, p *testbed.Process) {
		e := requester(p)
		must(e.Request(c, 1, 1, [4]uint32{1}))
		drain(c, e)
		cut = false
		require.Error(t, e.Request(c, 1, 1, [4]uint32{2}))
		must(e.Request(c, 1, 1, [4]uint32{3}))
		drain(c, e)
		done = true
	}, serve(requester(r.Procs[1]), &done))
	require.Equal(t, []uint32{1, 3}, handled, "each once, though the first was sent ten times")
	require.EqualValues(t, 9, r.Count(1, "duplicates"))
}

// TestOverflowPrevented: a sender whose receiver does not look stops when its
// credits are used up. What it sends again meanwhile finds its place taken, and is dropped.
func TestOverflowPrevented(t *testing.T) {
	for _, c := range []struct {
		silence sim.Duration
		repeats bool
	}{{10 * sim.Millisecond, false}, {300 * sim.Millisecond, true}} {
		r := testbed.New(t, "ppro", "amii", 2, 4096)
		const messages = 50
		sent, done := 0, false
		r.Go(func(c *host.Context, p *testbed.Process) {
			out := p.Endpoint.Buffer(4096)
			for range messages {
				must(p.Endpoint.Send(c, 1, out, 4096, trace.Meta{Kind: trace.Message}))
				sent++
			}
			drain(c, requester(p))
			done = true
		}, func(x *host.Context, p *testbed.Process) {
			in := p.Space.Alloc(4096)
			x.Sleep(c.silence)
			require.Equal(t, 16, sent, "the credits")
			for range messages {
				_, err := p.Endpoint.Receive(x, 0, in, 4096)
				must(err)
			}
			serve(requester(p), &done)(x, p)
		})
		require.Zero(t, r.Lost())
		for _, name := range []string{"repeated", "timeouts", "no room"} {
			require.Equal(t, c.repeats, count(r, name) > 0, name)
		}
		emptied(r)
	}
}

// TestResets: packets that forward resets flush out of the network and of the
// receive ring are sent again.
func TestResets(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096, func(s *cluster.Spec) {
		s.Faults.Stalls = []fabric.Stall{{Node: 1, At: sim.Time(sim.Millisecond), For: 120 * sim.Millisecond}}
	})
	sizes := make([]int, 100)
	for i := range sizes {
		sizes[i] = 40 * i
	}
	stream(r, 3, sizes)
	require.NotZero(t, r.Net.Stats().Resets)
	require.NotZero(t, count(r, "repeated"))
	require.Zero(t, r.Lost())
	emptied(r)
}

// TestReplyOfAnEarlierEpoch: a reply that has been on the way since before requests were
// returned does not answer a later request of the same number.
func TestReplyOfAnEarlierEpoch(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096)
	cut, old := true, 0
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Dst == 1 {
			return cut
		}
		q, err := calls.Decode(&p.Header, int(p.Src), p.Bytes())
		if err == nil && q.Op.Reply() && old == 0 { // in its place comes one of the epoch before
			old++
			q.Epoch--
			q.Args = [4]uint32{99}
			words := q.Words(calls.To(&p.Header))
			copy(p.Header.Words[:], words[:])
		}
		return false
	})
	var answers []uint32
	done := false
	r.Go(func(c *host.Context, p *testbed.Process) {
		e := requester(p)
		e.Returned(func(*host.Context, comm.Call) {})
		e.Answered(1, func(_ *host.Context, q comm.Call) { answers = append(answers, q.Args[0]) })
		must(e.Request(c, 1, 1, [4]uint32{1}))
		drain(c, e)
		cut = false
		must(e.Request(c, 1, 1, [4]uint32{2}))
		drain(c, e)
		done = true
	}, serve(requester(r.Procs[1]), &done))
	require.Equal(t, 1, old)
	require.Equal(t, []uint32{0}, answers, "that of the second request")
	require.EqualValues(t, 1, r.Count(0, "duplicates"))
}

// TestRequestOfAnEarlierEpoch: a request that has been on the way since before requests were
// returned is not served in place of a later one of the same number.
func TestRequestOfAnEarlierEpoch(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096)
	cut, requests := true, 0
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		q, err := calls.Decode(&p.Header, int(p.Src), p.Bytes())
		if p.Dst == 1 && err == nil && !cut {
			if requests++; requests == 2 { // in its place comes one of the epoch before
				q.Epoch--
				q.Args = [4]uint32{99}
				words := q.Words(calls.To(&p.Header))
				copy(p.Header.Words[:], words[:])
			}
		}
		return cut && p.Dst == 1
	})
	var handled []uint32
	done := false
	r.Procs[1].Endpoint.(*amii.Endpoint).Handle(1, func(_ *host.Context, q comm.Call) [4]uint32 {
		handled = append(handled, q.Args[0])
		return q.Args
	})
	r.Go(func(c *host.Context, p *testbed.Process) {
		e := requester(p)
		e.Returned(func(*host.Context, comm.Call) {})
		must(e.Request(c, 1, 1, [4]uint32{1}))
		drain(c, e)
		cut = false
		for i := range uint32(2) {
			must(e.Request(c, 1, 1, [4]uint32{2 + i}))
			drain(c, e)
		}
		done = true
	}, serve(requester(r.Procs[1]), &done))
	require.Equal(t, []uint32{2, 3}, handled)
	require.EqualValues(t, 1, r.Count(1, "duplicates"))
}

// TestReplyOfAnotherLength: a reply with less data than was asked for, as damage makes it, is
// refused, and the request is sent again.
func TestReplyOfAnotherLength(t *testing.T) {
	const n = 100
	r := testbed.New(t, "ppro", "amii", 2, 4096)
	short := 0
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if q, err := calls.Decode(&p.Header, int(p.Src), p.Bytes()); err == nil && q.Op.Reply() && q.Bytes == n && short == 0 {
			short++
			q.Bytes = n / 2
			p.Payload(n / 2)
			words := q.Words(calls.To(&p.Header))
			copy(p.Header.Words[:], words[:])
		}
		return false
	})
	there := r.Procs[1].Space.Alloc(n)
	r.Procs[1].Space.WriteAt(there, testbed.Pattern(5, n))
	done, answers := false, 0
	r.Go(func(c *host.Context, p *testbed.Process) {
		into := p.Endpoint.Buffer(n)
		requester(p).Answered(1, func(*host.Context, comm.Call) {
			answers++
			got := make([]byte, n)
			p.Space.ReadAt(into, got)
			require.Equal(t, testbed.Pattern(5, n), got)
		})
		must(requester(p).Get(c, 1, there, into, n, 1, [4]uint32{}))
		drain(c, requester(p))
		done = true
	}, serve(requester(r.Procs[1]), &done))
	require.Equal(t, []int{1, 1}, []int{short, answers})
	require.EqualValues(t, 1, r.Count(0, "malformed"))
}

// TestReceiveFromOneNode: a receive that waits for one node is not ended by what another sends.
func TestReceiveFromOneNode(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 3, 4096)
	sender := func(after sim.Duration) func(*host.Context, *testbed.Process) {
		return func(c *host.Context, p *testbed.Process) {
			at := p.Endpoint.Buffer(100)
			p.Space.WriteAt(at, testbed.Pattern(uint64(p.Number), 100))
			c.Sleep(after)
			must(p.Endpoint.Send(c, 0, at, 100, trace.Meta{Kind: trace.Message}))
			drain(c, requester(p))
		}
	}
	r.Go(func(c *host.Context, p *testbed.Process) {
		at, got := p.Space.Alloc(100), make([]byte, 100)
		for _, from := range []int{1, comm.Anyone} {
			m, err := p.Endpoint.Receive(c, from, at, 100)
			must(err)
			require.Equal(t, from == 1, m.From == 1)
			p.Space.ReadAt(at, got)
			require.Equal(t, testbed.Pattern(uint64(m.From), 100), got)
		}
	}, sender(2*sim.Millisecond), sender(sim.Millisecond))
}
