package ni

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Send starts the S engine on p at the cursor, or queues p after the packet in
// progress. The record is nil for packets that carry no host request.
// FlagRepeated marks a packet that is sent again.
func (n *NIC) Send(p *fabric.Packet, r *Record) {
	n.settled()
	if r != nil {
		p.Owner = r
	}
	if n.log != nil {
		n.queued(p, r)
	}
	if n.free.NetDMA {
		n.beginSend(p, r)
		return
	}
	if n.sending {
		n.publish()
		n.sendQueue.Push(outbound{p, r})
		n.stats.NetQueued++
	} else if n.sendQueue.Len() == 0 {
		n.beginSend(p, r)
	} else {
		n.sendQueue.Push(outbound{p, r})
		n.chainSend()
	}
	if !n.serving {
		n.plan()
	}
}

// AwaitSend requests SendIdle at the end of the packet in progress, whatever its kind.
func (n *NIC) AwaitSend() {
	n.settled()
	n.publish()
	n.awaited = true
	n.plan()
}

// Sending reports whether the S engine is busy.
func (n *NIC) Sending() bool {
	n.settled()
	return n.sending
}

// Outgoing reports whether a packet is being sent or waits for the S engine.
func (n *NIC) Outgoing() bool { return n.Sending() || n.sendQueue.Len() > 0 }

func (n *NIC) beginSend(p *fabric.Packet, r *Record) {
	n.sending = true
	n.meet()
	n.shareSRAM()
	n.Serves(p.Actor)
	n.Spend(n.spec.Loop.NetStartCycles)
	n.injecting(p, r)
	n.numbered(p, r)
	rate := n.netRate
	if r != nil && r.Rate > 0 {
		rate = min(rate, r.Rate)
	}
	n.insertEnd = n.cur.Add(rate.Time(p.WireBytes))
	n.inject(p, r, rate)
	if r != nil {
		n.Spend(int(r.Keep))
	}
}

// chainSend starts the next waiting packet, if any.
func (n *NIC) chainSend() {
	if n.sendQueue.Len() > 0 && !n.sending {
		o := n.sendQueue.Pop()
		n.beginSend(o.packet, o.record)
	}
}

// Sent is the end of insertion by the hardware. Packets that the firmware
// itself made raise no event, unless something waits for the engine.
func (n *NIC) Sent(p *fabric.Packet) {
	n.settled()
	n.tail = sim.Never
	n.publish()
	n.sending = false
	n.shareSRAM()
	n.inserted(p)
	r, _ := p.Owner.(*Record)
	actor := waits.ID(0)
	if n.noticed(r) {
		actor = n.noting(p)
	}
	n.sent(n.engine.Now(), r, p.Header.Flags&FlagRepeated != 0, actor)
}

// noticed reports whether the end of a packet of r is an event of the main loop.
func (n *NIC) noticed(r *Record) bool { return r != nil || n.awaited || n.sendQueue.Len() > 0 }

// sent is the end of an insertion for the main loop. The actor notes it.
func (n *NIC) sent(now sim.Time, r *Record, again bool, actor waits.ID) {
	if n.noticed(r) {
		n.awaited = false
		ev := n.queue(srcSent)
		ev.record, ev.again, ev.actor = r, again, actor
		n.raise(now, srcSent, ev)
	} else if n.pending != 0 || n.probe != nil && n.probe.Deferred() {
		n.schedule(now) // the processor is idle from now on
	}
}

// Accept reports whether the receive ring has room for a packet whose head
// has arrived.
func (n *NIC) Accept(p *fabric.Packet) bool {
	n.settled()
	if n.buffers < n.room(p) {
		n.refused = true
		n.stats.Refused++
		return false
	}
	n.admit(n.room(p))
	n.shareSRAM()
	n.shared()
	if n.preview != nil && p.Header.Meta.Kind.CarriesRequest() {
		n.awaitHead(p)
	}
	return true
}

// cellBytes is the unit in which a card of pipelines gives out its receive pool.
const cellBytes = 64

// room returns what a packet takes of the receive ring: a buffer, or cells of the pool of a card of pipelines.
func (n *NIC) room(p *fabric.Packet) int {
	if !n.spec.Pipelined {
		return 1
	}
	return cells(min(p.WireBytes, n.spec.BufferBytes))
}

func cells(bytes int) int { return (bytes + cellBytes - 1) / cellBytes }

// admit takes room for a packet whose head has come.
func (n *NIC) admit(room int) {
	n.buffers -= room
	n.receiving += room
}

// awaitHead schedules the event of a packet's first bytes.
func (n *NIC) awaitHead(p *fabric.Packet) {
	if n.heads == nil {
		n.heads = map[uint64]*fabric.Packet{}
	}
	n.headed++
	n.heads[n.headed] = p
	at := n.net.HeadIn(p, n.engine.Now(), min(n.preview.HeadBytes(), p.WireBytes))
	n.engine.At(at, n, opHead, n.headed)
}

// Arrived is the end of reception by the hardware.
func (n *NIC) Arrived(p *fabric.Packet) {
	n.settled()
	n.receiving -= n.room(p)
	n.shareSRAM()
	if n.log != nil {
		n.arrived(p)
	}
	src := srcReceived
	switch k := p.Header.Meta.Kind; {
	case k.CarriesRequest():
		n.stats.Diagnostics.Arrived++
		n.stats.Diagnostics.EndToArrival += p.T5.Sub(p.T4)
	case k == trace.Ack || k == trace.Nack:
		src = srcControl
	case n.spec.Loop.ClockFirst && n.serves(p):
		src = srcService
	}
	n.publish()
	ev := n.queue(src)
	ev.packet = p
	n.raise(n.engine.Now(), src, ev)
}

// Drop frees a packet and its receive buffer.
func (n *NIC) Drop(p *fabric.Packet) {
	if n.log != nil {
		n.dropped(p)
	}
	room := n.room(p)
	n.net.Free(p)
	n.release(room)
}

// Crowded reports whether less than a quarter of the receive ring is free.
func (n *NIC) Crowded() bool { return 4*n.buffers < n.ring }

// Release frees a receive buffer. A card of pipelines frees what Drop gives it.
func (n *NIC) Release() { n.release(1) }

func (n *NIC) release(room int) {
	n.settled()
	n.buffers += room
	if n.refused || n.buffers > n.ring {
		n.resume()
	}
}

// resume makes the network offer refused packets again once there is room.
func (n *NIC) resume() {
	if n.buffers > n.ring {
		panic(fmt.Sprintf("%s: %d of %d receive buffers are free at %v", n.name, n.buffers, n.ring, n.engine.Now()))
	}
	if n.refused && !n.flushing {
		n.refused = false
		n.net.Resume(n.id)
	}
}

// Reset handles a forward reset: all packets waiting in the receive ring are
// lost.
func (n *NIC) Reset() {
	n.settled()
	n.flushing = true // accept no packet meanwhile, because it would count as lost
	lost := n.program.Flush()
	n.buffers += n.receiving // accepted, and will not arrive
	n.receiving = 0
	clear(n.heads)
	for _, s := range []source{srcReceived, srcControl, srcService} {
		q := &n.queues[s]
		for q.Len() > 0 {
			ev := q.Pop()
			if ev.head {
				continue // its buffer is free, or the event of its end follows
			}
			if n.log != nil {
				n.dropped(ev.packet)
			}
			n.buffers += n.room(ev.packet)
			n.net.Free(ev.packet)
			lost++
		}
		n.pending &^= 1 << s
	}
	n.stats.Flushed += uint64(lost)
	n.flushing = false
	n.resume()
}
