package ni_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// TestSendOrder: packets leave in the order of Send, one after the other, each
// stamped by the service or the probe as it starts.
func TestSendOrder(t *testing.T) {
	r := newRig(t, setup{card: func(s *ni.Spec) { s.ReceiveBuffers = 8 }})
	n, p := r.nics[0], r.progs[0]
	service := &clockService{program: p}
	n.Serve(service)
	d := &probe{program: p}
	n.Attach(d)
	r.progs[1].release = false
	p.on("timer", func() {
		for i := range 4 {
			k := r.packet(0, trace.Data, 100)
			k.Header.Seq = uint32(i)
			if i == 2 {
				k.Header.Meta.Kind = trace.ClockQuery
			}
			if i == 1 {
				k.Header.Flags = ni.FlagRepeated
			}
			n.Send(k, &ni.Record{})
		}
	})
	p.on("sent", func() {
		if len(p.log) == 2 { // while others wait
			k := r.packet(0, trace.Data, 100)
			k.Header.Seq = 4
			n.Send(k, &ni.Record{})
		}
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	require.Equal(t, []string{"timer", "sent", "sent", "sent", "sent", "sent"}, p.calls())
	require.Len(t, r.progs[1].held, 5)
	var last *fabric.Packet
	for i, k := range r.progs[1].held {
		require.EqualValues(t, i, k.Header.Seq)
		if last != nil {
			require.Greater(t, k.T3, last.T4)
		}
		last = k
	}
	require.EqualValues(t, 3, n.Stats().NetQueued, "the fifth found the engine free, but not the line")
	require.Equal(t, 4, d.injecting, "a record is the probe's, whatever the kind, unless it is sent again")
	require.Empty(t, service.injecting)
}

// TestServicePackets pass the probe by and reach the service.
func TestServicePackets(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	here, there := &clockService{program: p}, &clockService{program: r.progs[1]}
	n.Serve(here)
	r.nics[1].Serve(there)
	d := &probe{program: p}
	n.Attach(d)
	var k *fabric.Packet
	p.on("timer", func() {
		k = r.packet(0, trace.ClockQuery, 100)
		n.Send(k, nil)
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	require.Zero(t, d.injecting)
	require.Equal(t, []sim.Time{p.log[0].at.Add(7 * cycle)}, here.injecting, "at the start of the S engine")
	require.Equal(t, []string{"service"}, r.progs[1].calls())
	require.Zero(t, r.net.InUse(), "the card frees what the service has seen")
}

// TestReceiveRing: a full ring refuses, the wire waits, and goes on as soon as
// a buffer is given back.
func TestReceiveRing(t *testing.T) {
	const buffers = 2
	r := newRig(t, setup{card: func(s *ni.Spec) { s.ReceiveBuffers = buffers }})
	n, p := r.nics[0], r.progs[0]
	q := r.progs[1]
	q.release = false
	p.on("timer", func() {
		for range 5 {
			n.Send(r.packet(0, trace.Data, 100), &ni.Record{})
		}
	})
	n.SetTimer(sim.Time(us))
	require.NoError(t, r.engine.Run(sim.Time(sim.Millisecond)))
	require.Len(t, q.held, buffers)
	require.EqualValues(t, 1, r.nics[1].Stats().Refused)
	require.Equal(t, 2, r.net.Stats().InFlight+1, "the third is on the wire, the fourth is not")

	for i := range 3 {
		at := r.engine.Now().Add(10 * us)
		r.at(at, func() {
			q.drop(q.held[0])
			q.held = q.held[1:]
		})
		require.NoError(t, r.engine.Run(at.Add(9*us)))
		require.Len(t, q.held, buffers, "after room for %d", i+1)
	}
	require.EqualValues(t, 5, r.net.Stats().Delivered)
	require.Panics(t, func() {
		for range buffers + 1 {
			r.nics[1].Release()
		}
	}, "more buffers than there are")
}

// TestForwardReset: a receiver that takes nothing for 50 ms loses what lies in
// its ring, and afterwards all its buffers are free and used.
func TestForwardReset(t *testing.T) {
	const buffers = 3
	for _, held := range []bool{true, false} { // by the program, or before its processor
		r := newRig(t, setup{card: func(s *ni.Spec) { s.ReceiveBuffers = buffers }})
		n, p := r.nics[0], r.progs[0]
		q := r.progs[1]
		q.release = false
		if !held {
			r.at(0, func() { r.nics[1].Stall(60 * sim.Millisecond) })
		}
		p.on("timer", func() {
			for range 6 {
				n.Send(r.packet(0, trace.Data, 100), &ni.Record{})
			}
		})
		n.SetTimer(sim.Time(us))
		r.run(t)
		s := r.net.Stats()
		require.EqualValues(t, 1, s.Resets)
		require.EqualValues(t, 1, s.ResetLost)
		require.EqualValues(t, buffers, r.nics[1].Stats().Flushed)
		require.Equal(t, 1, q.flushes)
		require.Len(t, q.held, 2, "those after the reset")
		require.EqualValues(t, 5, s.Delivered)
		require.Equal(t, 2, r.net.InUse())
	}
}

// TestResetWithNextAtTheDoor: the packet that comes to the head of the line by
// the reset itself is refused while the ring is still full. It must be
// offered again once the ring has been flushed.
func TestResetWithNextAtTheDoor(t *testing.T) {
	r := newRig(t, setup{card: func(s *ni.Spec) { s.ReceiveBuffers = 2 }})
	n, q := r.nics[1], r.progs[1]
	r.at(0, func() {
		for range 2 {
			require.True(t, n.Accept(nil))
		}
		q.release = false
	})
	// Two packets whose heads have been accepted will not come; one is refused.
	r.inject(0, trace.Data, 100, sim.Time(10*us))
	r.at(sim.Time(20*us), func() { n.Reset() })
	require.NoError(t, r.engine.Run(sim.Time(30*us)))
	require.Equal(t, []string{"received"}, q.calls(), "within the block limit")
	require.EqualValues(t, 0, r.net.Stats().Resets)
	r.at(sim.Time(31*us), func() { n.Reset() })
	require.NoError(t, r.engine.Run(sim.Time(40*us)))
	require.Panics(t, n.Release, "two buffers in all")
}

// TestFlushThatReleases: the program gives buffers back while it flushes, and
// what is offered then is not taken for lost.
func TestFlushThatReleases(t *testing.T) {
	r := newRig(t, setup{card: func(s *ni.Spec) { s.ReceiveBuffers = 1 }})
	n, q := r.nics[1], r.progs[1]
	q.release = false
	r.inject(0, trace.Data, 100, sim.Time(10*us))
	r.inject(0, trace.Data, 100, sim.Time(20*us)) // refused
	r.at(sim.Time(30*us), func() { n.Reset() })
	require.NoError(t, r.engine.Run(sim.Time(40*us)))
	require.Equal(t, []string{"received", "received"}, q.calls())
	require.EqualValues(t, 1, n.Stats().Flushed)
	require.NotPanics(t, n.Release)
	require.Panics(t, n.Release, "one buffer in all")
}

// TestFreeNetDMA: the S engine keeps nothing waiting.
func TestFreeNetDMA(t *testing.T) {
	r := newRig(t, setup{free: ni.Uncontended{NetDMA: true}, network: func(s *fabric.Spec) { s.Uncontended, s.FreeSenders = true, true }})
	n, p := r.nics[0], r.progs[0]
	r.progs[1].release = false
	p.on("timer", func() {
		for range 3 {
			n.Send(r.packet(0, trace.Data, 1000), &ni.Record{})
		}
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	require.Zero(t, n.Stats().NetQueued)
	for i, k := range r.progs[1].held {
		require.Equal(t, p.log[0].at.Add(sim.Duration(i+1)*7*cycle), k.T3)
	}
	require.Len(t, r.progs[1].held, 3)
}

// TestDamagedHeader: a packet whose CRC is wrong is the program's, whatever its
// kind seems to be.
func TestDamagedHeader(t *testing.T) {
	r := newRig(t, setup{network: func(s *fabric.Spec) { s.Faults.ErrorPerByte = 0.5 }})
	n, p := r.nics[1], r.progs[1]
	service := &clockService{program: p}
	n.Serve(service)
	p.takes("timer", 2000)
	n.SetTimer(sim.Time(us))
	r.inject(0, trace.ClockQuery, 100, sim.Time(5*us))
	r.at(sim.Time(7*us), func() { n.SetServiceTimer(sim.Time(8 * us)) })
	r.run(t)
	require.EqualValues(t, 1, r.net.Stats().Detected)
	require.Equal(t, []string{"timer", "due", "control"}, p.calls())
	require.Zero(t, r.net.InUse())
}
