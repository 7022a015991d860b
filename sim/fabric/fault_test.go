package fabric

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// bitwise is the CRC computed bit by bit.
func bitwise(b []byte) uint8 {
	var reg uint16
	for _, x := range append(bytes.Clone(b), 0) {
		for i := 7; i >= 0; i-- {
			reg = reg<<1 | uint16(x>>i&1)
			if reg&0x100 != 0 {
				reg ^= 0x107
			}
		}
	}
	return uint8(reg)
}

func TestCRC(t *testing.T) {
	require.EqualValues(t, 0xf4, crc8(0, []byte("123456789")))
	s := sim.NewStream(1, "crc")
	for n := range 100 {
		b := make([]byte, n)
		for i := range b {
			b[i] = uint8(s.Uint64())
		}
		require.Equal(t, bitwise(b), crc8(0, b))
	}
}

// chat sends count packets of one payload from node 0 to node 1 and returns
// what arrived changed, as seen by comparing the contents.
func chat(t *testing.T, spec Spec, count int) (r *rig, changed, flagged int) {
	r = newRig(t, spec)
	want := bytes.Repeat([]byte("sigview!"), 64)
	var send func()
	left := count
	send = func() {
		if left == 0 {
			return
		}
		left--
		p := r.net.NewPacket()
		p.Src, p.Dst, p.WireBytes, p.WantSent = 0, 1, 16+len(want)+1, true
		p.Header.Seq = 5
		copy(p.Payload(len(want)), want)
		r.net.Inject(p, r.engine.Now(), 1e12)
	}
	r.ports[0].sent = func(*Packet) { send() }
	r.ports[1].arrived = func(p *Packet) {
		r.ports[1].got = r.ports[1].got[:0]
		differs := !bytes.Equal(p.Data(), want) || p.Header != (Header{Seq: 5})
		if differs {
			changed++
			require.True(t, p.Hit, "nothing changes without the injector's knowledge")
		}
		if p.CRCError {
			flagged++
			require.True(t, p.Hit)
		}
	}
	send()
	r.run(t)
	return r, changed, flagged
}

func TestSingleBitErrors(t *testing.T) {
	spec := base(Topology{Nodes: 2})
	spec.Faults.ErrorPerByte = 1e-5
	r, changed, flagged := chat(t, spec, 20_000)
	s := r.net.Stats()
	require.InDelta(t, 20_000*529*1e-5, float64(s.Hit), 40) // σ ≈ 10
	require.EqualValues(t, flagged, s.Detected)
	require.Equal(t, s.Hit, s.Detected+s.Undetected)
	// A hit on the CRC byte alone changes no contents.
	require.LessOrEqual(t, changed, int(s.Hit))
	require.Greater(t, changed, int(s.Hit)*9/10)
}

func TestBurstsEscapeTheCRC(t *testing.T) {
	spec := base(Topology{Nodes: 2})
	spec.Faults.ErrorPerByte = 2e-3
	spec.Faults.BurstBytes = 6
	r, changed, flagged := chat(t, spec, 60_000)
	s := r.net.Stats()
	require.EqualValues(t, flagged, s.Detected)
	require.Equal(t, s.Hit, s.Detected+s.Undetected)
	share := float64(s.Undetected) / float64(s.Hit)
	require.InDelta(t, 1.0/256, share, 0.0012) // σ ≈ 0.0003
	require.GreaterOrEqual(t, changed, int(s.Undetected), "what escapes has changed something")
	require.NotZero(t, r.net.Misled(1))
	require.Equal(t, s.Undetected, r.net.Misled(0)+r.net.Misled(1))
	require.Empty(t, len(r.net.faults.hits)-freeHits(&r.net.faults), "no error record leaks")
}

func freeHits(f *faults) (n int) {
	for i := f.free; i != 0; i = f.hits[i-1].next {
		n++
	}
	return n
}

func TestNoDrawsWithoutErrors(t *testing.T) {
	r, changed, _ := chat(t, base(Topology{Nodes: 2}), 100)
	require.Zero(t, changed)
	require.Zero(t, r.net.Stats().Hit)
}

func TestDrops(t *testing.T) {
	spec := base(Topology{Nodes: 2})
	spec.Faults.Drops = []Drop{{Kind: trace.Ack, Nth: 2}, {Kind: trace.Data, Nth: 1, Count: 2}}
	r := newRig(t, spec)
	r.net.DropWhen(func(p *Packet) bool { return p.Header.Seq == 9 })
	for seq := range uint32(12) {
		p := r.net.NewPacket()
		p.Src, p.Dst, p.WireBytes = 0, 1, 20
		p.Header.Seq = seq
		if seq%2 == 1 {
			p.Header.Meta.Kind = trace.Ack
		}
		r.net.Inject(p, r.engine.Now(), 1e12)
		r.run(t)
	}
	var seqs []uint32
	for _, g := range r.ports[1].got {
		seqs = append(seqs, g.seq)
	}
	require.Equal(t, []uint32{1, 4, 5, 6, 7, 8, 10, 11}, seqs) // without acks 3 and 9, data 0 and 2
	s := r.net.Stats()
	require.EqualValues(t, 4, s.Dropped)
	require.EqualValues(t, 12, s.Injected)
	require.EqualValues(t, 8, s.Delivered)
	require.Zero(t, r.net.InUse())
}

// TestStalledReceiver: a stall shorter than the block limit only delays, a
// longer one costs the packets that a forward reset cuts, and traffic
// resumes.
func TestStalledReceiver(t *testing.T) {
	for _, c := range []struct {
		stall  sim.Duration
		resets uint64
	}{{40 * sim.Millisecond, 0}, {60 * sim.Millisecond, 1}} {
		spec := base(Topology{Nodes: 4})
		spec.Faults.Stalls = []Stall{{Node: 3, At: 0, For: c.stall}}
		r := newRig(t, spec)
		r.send(0, 3, 1000, 1, 10) // refused at the receiver, halts its sender
		r.run(t)
		s := r.net.Stats()
		require.Equal(t, c.resets, s.Resets)
		require.Equal(t, c.resets, s.ResetLost)
		require.EqualValues(t, c.resets, r.ports[3].resets)
		require.EqualValues(t, c.resets, r.ports[0].aborted)
		require.EqualValues(t, 1, s.Delivered+s.ResetLost)
		require.Zero(t, r.net.InUse())
		r.send(0, 3, 1000, 2, r.engine.Now())
		r.run(t)
		require.EqualValues(t, 2, s.ResetLost+r.net.Stats().Delivered)
		if c.resets == 1 {
			at := r.ports[3].got[0].t5.Sub(r.ports[3].got[0].t3)
			require.Equal(t, 1000*byteTime+hopTime+wire, at, "the way is clear after a reset")
		}
	}
}

// TestResetClearsChain: a sender blocked behind packets to another node clears
// the chain up to the node that does not take its packets.
func TestResetClearsChain(t *testing.T) {
	r := newRig(t, base(Topology{Nodes: 8}))
	deaf := true
	r.ports[7].take = func(*Packet) bool { return !deaf }
	r.send(0, 7, 1000, 1, 0) // refused
	r.send(1, 7, 50, 2, 100) // waits for the channel, tail in the slack
	require.NoError(t, r.engine.Run(sim.Time(10*sim.Microsecond)))
	r.send(2, 7, 1000, 3, r.engine.Now()) // waits too
	r.send(1, 5, 1000, 4, r.engine.Now()) // behind number 2
	require.NoError(t, r.engine.Run(sim.Time(49*sim.Millisecond)))
	require.Zero(t, r.net.Stats().Resets)
	require.EqualValues(t, 4, r.net.Stats().InFlight)
	require.NoError(t, r.engine.Run(sim.Time(50*sim.Millisecond+sim.Microsecond)))
	// Node 0 has been halted for 50 ms and has cut number 1. Number 2 is refused now.
	require.EqualValues(t, 1, r.net.Stats().Resets)
	require.EqualValues(t, 1, r.net.Stats().ResetLost)
	deaf = false
	r.net.Resume(7)
	r.run(t)
	require.EqualValues(t, 3, r.net.Stats().Delivered)
	require.Equal(t, uint32(4), r.ports[5].got[0].seq)
	require.Zero(t, r.net.InUse())

	// Again, but nobody listens until all senders have given up.
	deaf = true
	now := r.engine.Now()
	r.send(1, 7, 50, 5, now)
	require.NoError(t, r.engine.Run(now.Add(sim.Microsecond)))
	r.send(1, 5, 1000, 6, r.engine.Now()) // behind number 5
	r.run(t)
	s := r.net.Stats()
	require.EqualValues(t, 2, s.Resets)
	require.EqualValues(t, 3, s.ResetLost, "both packets of the chain")
	require.Equal(t, 2, r.ports[7].resets)
	require.Zero(t, r.ports[5].resets)
	require.Zero(t, r.net.InUse())
}

// TestHaltsApart: the block limit counts from the last halt. Two stalls, each shorter than the
// limit, cause no reset, though the limit after the first ends in the second.
func TestHaltsApart(t *testing.T) {
	spec := base(Topology{Nodes: 4})
	ms := sim.Time(sim.Millisecond)
	spec.Faults.Stalls = []Stall{{Node: 3, At: 0, For: 30 * sim.Millisecond}, {Node: 3, At: 30*ms + 10, For: 40 * sim.Millisecond}}
	r := newRig(t, spec)
	r.send(0, 3, 1000, 1, 10)
	require.NoError(t, r.engine.Run(31*ms))
	r.send(0, 3, 1000, 2, 31*ms)
	r.run(t)
	require.Zero(t, r.net.Stats().Resets)
	require.Len(t, r.ports[3].got, 2)
	require.Greater(t, r.ports[3].got[1].t5, 70*ms)
}

// TestStallsTogether: of two stalls that overlap the later end counts.
func TestStallsTogether(t *testing.T) {
	spec := base(Topology{Nodes: 4})
	ms := sim.Time(sim.Millisecond)
	spec.Faults.Stalls = []Stall{{Node: 3, At: 0, For: 40 * sim.Millisecond}, {Node: 3, At: 10, For: 20 * sim.Millisecond}}
	r := newRig(t, spec)
	r.send(0, 3, 1000, 1, 100)
	r.run(t)
	require.Len(t, r.ports[3].got, 1)
	require.Greater(t, r.ports[3].got[0].t5, 40*ms)
}

// TestLosses: packets of one node are lost, about a share of them, and those that DropWhen takes too.
func TestLosses(t *testing.T) {
	spec := base(Topology{Nodes: 2})
	spec.Faults.DropAck, spec.Faults.Losses = 0.5, []Loss{{Node: 0, Share: 0.2}}
	r := newRig(t, spec)
	for seq := range int32(2000) {
		p := r.net.NewPacket()
		p.Src, p.Dst, p.WireBytes = seq%2, 1-seq%2, 20
		if seq%4 == 3 { // half of node 1's
			p.Header.Meta.Kind = trace.Ack
		}
		r.net.Inject(p, r.engine.Now(), 1e12)
		r.run(t)
	}
	require.InDelta(t, 800, len(r.ports[1].got), 50)
	require.InDelta(t, 750, len(r.ports[0].got), 50)
}
