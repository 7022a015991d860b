package vmmc_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// account checks that every packet that was put on the wire has been counted
// once at its end.
func account(r *rig) {
	net := r.Net.Stats()
	sum := r.sum
	require.Equal(r.t, net.Injected, sum(func(s vmmc.Stats) uint64 { return s.Packets + s.Retransmitted + s.Acks + s.Nacks }))
	require.Equal(r.t, net.Injected, net.Delivered+net.Dropped+net.ResetLost)
	require.Equal(r.t, net.Detected, sum(func(s vmmc.Stats) uint64 { return s.Corrupt }))
	require.Equal(r.t, net.Hit, net.Detected+net.Undetected)
	var flushed uint64
	for _, n := range r.Nodes {
		flushed += n.NIC.Stats().Flushed
	}
	data := sum(func(s vmmc.Stats) uint64 { return s.Delivered + s.OutOfOrder + s.Duplicates + s.Protection })
	lost := net.Dropped + net.ResetLost + net.Detected + flushed
	sent := sum(func(s vmmc.Stats) uint64 { return s.Packets + s.Retransmitted })
	require.LessOrEqual(r.t, sent-data, lost, "each data packet that was not seen was lost")
	require.Equal(r.t, sum(func(s vmmc.Stats) uint64 { return s.Packets }), sum(func(s vmmc.Stats) uint64 { return s.Delivered }))
}

// stream lets node from send n messages of changing sizes to node to.
func (r *rig) stream(from, to, n int) {
	r.program(from, func(c *host.Context) {
		for i := range n {
			r.send(c, from, to, 31*i%1000, 97*i%20000, 1+37*i%3000, false)
		}
	})
}

// TestOneLoss: what one lost packet costs is known exactly. Node 0 takes no
// part, so that nothing can be addressed to it by mistake.
func TestOneLoss(t *testing.T) {
	for _, c := range []struct {
		name  string
		drop  fabric.Drop
		sends int
		want  vmmc.Stats // of both together
	}{
		{"data packet", fabric.Drop{Kind: trace.Data, Nth: 1}, 1, vmmc.Stats{Retransmitted: 1, Timeouts: 1, Acks: 1}},
		{"acknowledgement", fabric.Drop{Kind: trace.Ack, Nth: 1}, 1, vmmc.Stats{Retransmitted: 1, Timeouts: 1, Duplicates: 1, Acks: 2}},
		{"data packet of three", fabric.Drop{Kind: trace.Data, Nth: 2}, 3, vmmc.Stats{Retransmitted: 2, Nacks: 1, OutOfOrder: 1, Acks: 3}},
		{"acknowledgement of two", fabric.Drop{Kind: trace.Ack, Nth: 1}, 2, vmmc.Stats{Acks: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, setup{nodes: 3, faults: fabric.Faults{Drops: []fabric.Drop{c.drop}}})
			r.program(2, func(x *host.Context) {
				for i := range c.sends {
					r.send(x, 2, 1, 0, 100*i, 40, false)
					x.Sleep(100 * sim.Microsecond)
				}
			})
			r.finish()
			account(r)
			sum := func(f func(vmmc.Stats) uint64) uint64 { return r.sum(f) }
			got := vmmc.Stats{
				Retransmitted: r.retransmitted(),
				Timeouts:      sum(func(s vmmc.Stats) uint64 { return s.Timeouts }),
				Nacks:         sum(func(s vmmc.Stats) uint64 { return s.Nacks }),
				OutOfOrder:    sum(func(s vmmc.Stats) uint64 { return s.OutOfOrder }),
				Duplicates:    sum(func(s vmmc.Stats) uint64 { return s.Duplicates }),
				Acks:          sum(func(s vmmc.Stats) uint64 { return s.Acks }),
			}
			require.Equal(t, c.want, got)
			require.EqualValues(t, 1, r.Net.Stats().Dropped)
		})
	}
}

// TestLosses takes packets of all kinds at random, until the sequence numbers
// have passed their end.
func TestLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 3
		r := newRig(t, setup{nodes: nodes, seed: 3, paced: rapid.Bool().Draw(t, "paced"), profile: func(p *platform.Profile) {
			p.NI.ReceiveBuffers = rapid.SampledFrom([]int{4, 64}).Draw(t, "buffers")
		}})
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		percent := rapid.IntRange(1, 30).Draw(t, "percent")
		start := rapid.SampledFrom([]uint32{0, 1<<31 - 5, 1<<32 - 5, 1<<32 - 1}).Draw(t, "sequence")
		for i, a := range r.Nodes {
			for j, b := range r.Nodes {
				if i != j {
					vmmc.StartSequence(a.VMMC, b.VMMC, start)
				}
			}
		}
		r.Net.DropWhen(func(*fabric.Packet) bool { return draw.IntN(100) < percent })
		play(r, drawOps(t, nodes))
		account(r)
		require.Zero(t, r.sum(func(s vmmc.Stats) uint64 { return s.Malformed + s.GivenUp }))
		if r.Net.Stats().Dropped == 0 {
			require.Zero(t, r.retransmitted())
		}
	})
}

// TestBitErrors: packets that the CRC shows to be damaged are sent again.
func TestBitErrors(t *testing.T) {
	for _, rate := range []float64{1e-5, 6e-5} {
		r := newRig(t, setup{nodes: 4, seed: 5, faults: fabric.Faults{ErrorPerByte: rate}})
		for from := range 4 {
			for k := 1; k < 4; k++ {
				r.stream(from, (from+k)%4, 60)
			}
		}
		r.finish()
		account(r)
		s := r.Net.Stats()
		require.NotZero(t, s.Detected)
		require.Zero(t, s.Undetected, "single bits")
		require.NotZero(t, r.retransmitted())
	}
}

// TestStalledReceiver: a receiver that takes nothing for 60 ms is hit by a
// forward reset after 50, and everything arrives in the end.
func TestStalledReceiver(t *testing.T) {
	for _, card := range []bool{false, true} { // its network side, or its processor
		faults := fabric.Faults{}
		if !card {
			faults.Stalls = []fabric.Stall{{Node: 1, At: sim.Time(ms), For: 60 * ms}}
		}
		r := newRig(t, setup{nodes: 4, faults: faults, profile: func(p *platform.Profile) { p.NI.ReceiveBuffers = 6 }})
		if card {
			r.at(sim.Time(ms), func() { r.Nodes[1].NIC.Stall(60 * ms) })
		}
		r.stream(0, 1, 100)
		r.stream(2, 1, 100)
		r.stream(3, 2, 100)
		r.stream(1, 3, 100)
		r.finish()
		account(r)
		s := r.Net.Stats()
		require.NotZero(t, s.Resets)
		require.NotZero(t, s.ResetLost)
		if card {
			require.NotZero(t, r.Nodes[1].NIC.Stats().Flushed)
		}
		require.Greater(t, r.Engine.Now(), sim.Time(60*ms))
		require.Less(t, r.Engine.Now(), sim.Time(2*sim.Second))
	}
}

// TestManyResets makes the block limit so short that forward resets hit cards
// whose packets wait for their host DMA. All of them come again.
func TestManyResets(t *testing.T) {
	var resets, flushed uint64
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SampledFrom([]int{3, 4, 5, 11}).Draw(t, "nodes") // the last is more than one switch
		r := newRig(t, setup{nodes: nodes, seed: rapid.Uint64().Draw(t, "seed"), paced: rapid.Bool().Draw(t, "paced"), profile: func(p *platform.Profile) {
			p.Network.BlockLimit = sim.Microseconds(1000 * rapid.Float64Range(0.02, 0.1).Draw(t, "limit"))
			p.NI.ReceiveBuffers = rapid.IntRange(2, 6).Draw(t, "buffers")
			p.VMMC.Retransmit = 3 * sim.Millisecond
		}})
		for from := 1; from < nodes; from++ {
			r.stream(from, 0, 25)
		}
		r.stream(0, 1, 25)
		r.finish()
		account(r)
		for _, n := range r.Nodes {
			require.LessOrEqual(t, vmmc.Arriving(n.VMMC), n.NIC.Spec().ReceiveBuffers, "what is flushed is used again")
		}
		resets += r.Net.Stats().Resets
		flushed += r.Nodes[0].NIC.Stats().Flushed
	})
	require.NotZero(t, resets)
	require.NotZero(t, flushed)
}

// TestStrangeAcknowledgements repeats and reorders acknowledgements, and makes
// up impossible ones.
func TestStrangeAcknowledgements(t *testing.T) {
	r := newRig(t, setup{nodes: 2, seed: 9, faults: fabric.Faults{ErrorPerByte: 1e-4}})
	r.stream(0, 1, 200)
	draw := rand.New(rand.NewPCG(1, 1))
	from, to := r.Nodes[0].VMMC, r.Nodes[1].VMMC
	forged := uint64(0)
	for i := range 400 {
		r.at(sim.Time(i)*sim.Time(10*sim.Microsecond)+1, func() {
			done := uint32(to.Stats().Delivered)
			ack := uint32(draw.IntN(int(done) + 1)) // an old one
			if i%5 == 0 {
				ack = done + 1000 + draw.Uint32N(1<<30)
				forged++
			}
			kind := trace.Ack
			if i%7 == 0 {
				kind = trace.Nack
			}
			require.True(t, vmmc.Forge(from, 1, kind, ack, ack, 0, 0, nil))
		})
	}
	r.finish()
	s := r.Nodes[0].VMMC.Stats()
	require.Greater(t, forged, uint64(20))
	require.Equal(t, forged, s.Malformed)
}

// TestRefusedAgain: a packet that is refused counts as deposited, also if a forward reset flushes
// one before it and both come again. It counts once, however the two meet the second time, or it
// would acknowledge another packet when the numbers come round.
func TestRefusedAgain(t *testing.T) {
	for name, pause := range map[string]sim.Duration{"at once": 0, "after the other's deposit": ms} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{nodes: 2})
			p := r.procs[1]
			forge := func(seq uint32, handle uint64) {
				require.True(t, vmmc.Forge(p.node.VMMC, 0, trace.Data, seq, 0, handle, 0, r.procs[0].bytes[:packet]))
			}
			id := p.exports[0].(*vmmc.Export).ID()
			copy(p.want[0], r.procs[0].bytes[:packet])
			for seq, handle := range []uint64{id, id, id + 1000} {
				forge(uint32(seq), handle)
			}
			for p.node.VMMC.Stats().Protection == 0 {
				require.True(t, r.Engine.Step())
			}
			require.Zero(t, p.node.VMMC.Stats().Delivered)
			p.node.NIC.Reset()
			require.NotZero(t, p.node.NIC.Stats().Flushed)
			first := uint32(2 - p.node.NIC.Stats().Flushed)
			for seq := first; seq < 2; seq++ {
				forge(seq, id)
			}
			require.NoError(t, r.Engine.Run(r.Engine.Now().Add(pause)))
			forge(2, id+1000)
			require.NoError(t, r.Engine.Run(sim.Never))
			require.EqualValues(t, 2, p.node.VMMC.Stats().Delivered)
			require.Zero(t, vmmc.Early(p.node.VMMC))
			r.check()
		})
	}
}

// TestAcknowledgedWhileSentAgain: an acknowledgement that comes while the
// packet is being sent again is not forgotten.
func TestAcknowledgedWhileSentAgain(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	r.Net.DropWhen(func(p *fabric.Packet) bool { return p.Header.Meta.Kind == trace.Ack && p.WireBytes == 16 })
	r.program(0, func(c *host.Context) { r.send(c, 0, 1, 0, 0, packet, false) })
	for r.retransmitted() == 0 {
		require.True(t, r.Engine.Step())
	}
	r.at(r.Engine.Now().Add(5*sim.Microsecond), func() {
		require.True(t, r.Net.Busy(0))
		vmmc.Forge(r.Nodes[0].VMMC, 1, trace.Ack, 1, 1, 0, 0, nil)
	})
	r.finish()
	require.EqualValues(t, 1, r.retransmitted())
}

// TestOwedAcknowledgements: several peers whose packets arrive while the
// S engine is busy are all answered as soon as it is free.
func TestOwedAcknowledgements(t *testing.T) {
	r := newRig(t, setup{nodes: 5})
	r.program(0, func(c *host.Context) { r.send(c, 0, 1, 0, 0, packet, false) })
	for from := 2; from < 5; from++ {
		r.program(from, func(c *host.Context) {
			c.Sleep(sim.Duration(45+from) * sim.Microsecond)
			r.send(c, from, 0, 0, 0, 8, false)
		})
	}
	require.NoError(t, r.Engine.Run(sim.Time(ms)))
	for i, n := range r.Nodes {
		require.Zero(t, n.VMMC.Unacknowledged(), "node %d", i)
	}
	r.finish()
	require.Zero(t, r.retransmitted())
}

// TestGivenUp: when peers are gone for good, the run ends with a report of who
// waits, and the timers end too; a peer that comes back is served.
func TestGivenUp(t *testing.T) {
	r := newRig(t, setup{nodes: 3})
	gone, acks := true, 0
	var deaf sim.Time // for acknowledgements, but the first
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Src == 1 && !gone {
			acks++
		}
		return gone || acks > 1 && p.Src == 1 && r.Engine.Now() < deaf
	})
	var word host.Watchpoint
	q := r.procs[1]
	r.program(1, func(c *host.Context) {
		for q.space.Load32(q.regions[0]) == 0 {
			q.space.Watch(&word, q.regions[0], 4)
			c.Spin(&word.Watch, "a word")
			q.space.Unwatch(&word)
		}
	})
	r.stream(0, 1, 10)
	r.stream(0, 2, 30)
	err := r.Engine.Run(sim.Never)
	var dead *sim.DeadlockError
	require.True(t, errors.As(err, &dead), "%v", err)
	require.Contains(t, err.Error(), "waits for a word")
	s := r.Nodes[0].VMMC.Stats()
	require.EqualValues(t, 2, s.GivenUp)
	require.Equal(t, []comm.Silence{{Peer: 1, Again: 100, GivenUp: true}, {Peer: 2, Again: 100, GivenUp: true}}, r.Nodes[0].VMMC.Silent())
	require.EqualValues(t, 200, s.Timeouts)

	gone, deaf = false, r.Engine.Now().Add(50*ms)
	for peer := 1; peer <= 2; peer++ {
		require.True(t, vmmc.Forge(r.Nodes[0].VMMC, peer, trace.Nack, 0, 0, 0, 0, nil))
	}
	r.finish()
}

// TestRepeatOnce: a packet that waits to be sent again is not queued a second
// time.
func TestRepeatOnce(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	deaf := true
	r.Net.DropWhen(func(p *fabric.Packet) bool { return deaf && p.Src == 1 })
	r.program(0, func(c *host.Context) { r.send(c, 0, 1, 0, 0, 8*packet, false) })
	r.at(sim.Time(2*ms), func() {
		for range 3 {
			require.True(t, vmmc.Forge(r.Nodes[0].VMMC, 1, trace.Nack, 0, 0, 0, 0, nil))
		}
		deaf = false
	})
	r.finish()
	require.EqualValues(t, 8, r.retransmitted())
}

// TestEveryGapIsReported: each of several gaps is asked for, so that no timer
// has to end.
func TestEveryGapIsReported(t *testing.T) {
	r := newRig(t, setup{nodes: 2, faults: fabric.Faults{Drops: []fabric.Drop{{Kind: trace.Data, Nth: 2}, {Kind: trace.Data, Nth: 12}}}})
	r.stream(0, 1, 30)
	r.finish()
	require.EqualValues(t, 2, r.Nodes[1].VMMC.Stats().Nacks)
	require.Zero(t, r.Nodes[0].VMMC.Stats().Timeouts)
}

// TestBackoff: the time without an acknowledgement doubles up to a limit, and
// is the first one again after an acknowledgement.
func TestBackoff(t *testing.T) {
	const limit = 2
	r := newRig(t, setup{nodes: 2, profile: func(p *platform.Profile) { p.VMMC.BackoffLimit = limit }})
	var sent []sim.Time
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Header.Meta.Kind != trace.Data {
			return false
		}
		sent = append(sent, r.Engine.Now())
		return len(sent) != 7 && len(sent) != 9
	})
	r.program(0, func(c *host.Context) { r.send(c, 0, 1, 0, 0, 8, false) })
	r.at(sim.Time(sim.Second), func() {
		r.program(0, func(c *host.Context) { r.send(c, 0, 1, 8, 8, 8, false) })
	})
	r.finish()
	require.Len(t, sent, 9)
	var timeouts []int // in units of 20 ms
	for i := range 8 {
		timeouts = append(timeouts, int(sent[i+1].Sub(sent[i])/(20*ms)))
	}
	timeouts[6] = 0 // between the messages
	require.Equal(t, []int{1, 2, 4, 4, 4, 4, 0, 1}, timeouts)
}

// TestRepeatedHeader: a packet that is sent again is as long as the first
// time, the monitor's words included.
func TestRepeatedHeader(t *testing.T) {
	for _, build := range []monitor.Build{monitor.Off, monitor.Full} {
		r := newRig(t, setup{nodes: 2, build: build})
		var lengths []int
		r.Net.DropWhen(func(p *fabric.Packet) bool {
			if p.Header.Meta.Kind == trace.Data {
				require.Equal(t, len(lengths) > 0, p.Header.Flags&ni.FlagRepeated != 0)
				lengths = append(lengths, p.WireBytes)
				return len(lengths) == 1
			}
			return false
		})
		r.program(0, func(c *host.Context) { r.send(c, 0, 1, 0, 0, 100, false) })
		require.NoError(t, r.Engine.Run(sim.Time(100*ms)))
		require.Len(t, lengths, 2)
		require.Equal(t, lengths[0], lengths[1])
		if build == monitor.Off {
			require.Equal(t, 124, lengths[0])
		} else {
			require.Equal(t, 132, lengths[0])
		}
	}
}

// TestUnseenCorruption: errors that the CRC does not show may change anything.
// Every run ends: with the right data or with data that the fabric knows to
// be damaged, or in a deadlock or a given-up link that is reported.
func TestUnseenCorruption(t *testing.T) {
	unseen := uint64(0)
	for seed := range uint64(60) {
		r := newRig(t, setup{nodes: 3, seed: seed, build: monitor.Full, faults: fabric.Faults{ErrorPerByte: 5e-4, BurstBytes: 12}})
		for n := range 3 {
			r.stream(n, (n+1)%3, 60)
		}
		require.NoError(t, r.Engine.Run(sim.Time(60*sim.Second)))
		net := r.Net.Stats()
		unseen += net.Undetected
		require.Equal(t, net.Detected, r.sum(func(s vmmc.Stats) uint64 { return s.Corrupt }))
		if net.Undetected == 0 {
			for _, n := range r.Nodes {
				require.Zero(t, n.VMMC.Unacknowledged())
			}
		}
	}
	require.Greater(t, unseen, uint64(50))
}

// TestGapIsReportedOnce: packets after a gap, however many, ask once for what is missing.
func TestGapIsReportedOnce(t *testing.T) {
	r := newRig(t, setup{nodes: 2, faults: fabric.Faults{Drops: []fabric.Drop{{Kind: trace.Data, Nth: 1}}}})
	r.program(0, func(c *host.Context) {
		for i := range 20 {
			r.send(c, 0, 1, 64*i, 64*i, 64, false)
		}
	})
	r.finish()
	require.Greater(t, r.Nodes[1].VMMC.Stats().OutOfOrder, uint64(2))
	require.EqualValues(t, 1, r.Nodes[1].VMMC.Stats().Nacks)
}

// TestNoTimeoutBeforeAPacketHasLeft: the time of a packet that the network holds up on its way out
// does not run.
func TestNoTimeoutBeforeAPacketHasLeft(t *testing.T) {
	r := newRig(t, setup{nodes: 2, faults: fabric.Faults{Stalls: []fabric.Stall{{Node: 1, For: 45 * ms}}}})
	r.program(0, func(c *host.Context) { r.send(c, 0, 1, 0, 0, packet, false) })
	r.finish()
	require.Greater(t, r.Engine.Now(), sim.Time(45*ms), "two times the wait before sending again")
	require.Zero(t, r.Nodes[0].VMMC.Stats().Timeouts)
	require.Zero(t, r.Net.Stats().Resets)
}
