package fabric

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// Log makes the network record in l, from now on, what packets with an Actor wait for.
func (n *Net) Log(l *waits.Log) { n.log = l }

// logMove records that p flows into channel c from time at on.
func (n *Net) logMove(p *Packet, c *channel, at sim.Time) {
	if n.log != nil && p.Actor != 0 {
		n.moves(p, c, at)
	}
}

func (n *Net) moves(p *Packet, c *channel, at sim.Time) {
	now := n.log.Present(p.Actor)
	if now.Resource == waits.Port && now.What == waits.Service {
		return
	}
	by := waits.ID(0)
	if now.Resource == waits.Ring {
		by = n.log.Acting() // it has made room
	}
	n.log.Turn(p.Actor, waits.Interval{Resource: waits.Port, Instance: c.id, Begin: int64(at)}, by)
}

// logWait records that p waits for channel c from time at on: for the last packet ahead of it in
// input port in, or for the holders of the channel if in is nil.
func (n *Net) logWait(p *Packet, c, in *channel, at sim.Time) {
	if n.log == nil {
		return
	}
	i := waits.Interval{Resource: waits.Port, What: waits.Waiting, Instance: c.id, Begin: int64(at)}
	if in != nil {
		ahead := n.front(in)
		if k := len(in.crowd.behind); k > 0 {
			ahead = in.crowd.behind[k-1]
		}
		if ahead != nil {
			i.By = ahead.Actor
		}
	}
	n.log.Turn(p.Actor, i, 0)
}

// logRefused records that the receiver has no room for p.
func (n *Net) logRefused(p *Packet) {
	n.log.Turn(p.Actor, waits.Interval{Resource: waits.Ring, What: waits.Waiting, Instance: p.Dst, Begin: int64(n.engine.Now())}, 0)
}

// logLost records that p is lost: it waits until it is sent again, if it is.
func (n *Net) logLost(p *Packet) {
	n.log.Lose(p.Actor, int64(n.engine.Now()), p.Src)
}

// logHold records that the holder of c has had it until end.
func (n *Net) logHold(c *channel, end sim.Time) {
	if n.log == nil {
		return
	}
	n.log.Hold(waits.Hold{Resource: waits.Port, Instance: c.id, Actor: c.crowd.actor, Begin: int64(c.start), End: int64(end)})
}

// Close records what packets hold at the end of the log.
func (n *Net) Close() {
	for i := range n.ch {
		if c := &n.ch[i]; c.holder != nil {
			n.logHold(c, min(c.end, n.engine.Now()))
		}
		if n.buffers != nil {
			n.buffers.logBarrier(int32(i), 0)
		}
	}
}

// logQueued records that p waits in an output queue for the packets ahead, and for what halts the
// output.
func (b *buffers) logQueued(p *Packet, id int32) {
	if n := b.net; n.log != nil && n.log.Present(p.Actor).Resource != waits.Ring {
		n.log.Turn(p.Actor, waits.Interval{Resource: waits.Port, What: waits.Waiting, Instance: id, Line: true, Begin: int64(p.route.since)}, 0)
	}
}

// logHalted records what halts an output, other than packets: its receiver, or the packets that
// came through the channel and fill the next buffer.
func (b *buffers) logHalted(id int32) {
	n, out := b.net, &b.ports[id]
	if n.log == nil {
		return
	}
	if out.to != noSwitch {
		b.logBarrier(id, b.filling(id))
		return
	}
	front := *out.queue.At(0)
	b.logBarrier(id, front.Actor)
	if n.log.Present(front.Actor).Resource != waits.Ring {
		n.logRefused(front)
	}
}

// logBarrier records for whom an output is halted from now on, as if that actor held the channel; 0
// ends the halt.
func (b *buffers) logBarrier(id int32, by waits.ID) {
	n, out := b.net, &b.ports[id]
	if by == out.barrier {
		return
	}
	n.log.Hold(waits.Hold{Resource: waits.Port, Instance: id, Actor: out.barrier, Begin: int64(out.barred), End: int64(n.engine.Now())})
	out.barrier, out.barred = by, n.engine.Now()
}

// logKept records that the node of p keeps it from time at on.
func (b *buffers) logKept(c *channel, p *Packet, at sim.Time) {
	switch {
	case b.net.log == nil:
	case b.ports[c.id].to == noSwitch:
		b.net.logRefused(p)
	default:
		b.net.log.Turn(p.Actor, waits.Interval{Resource: waits.Port, What: waits.Waiting, Instance: c.id, By: b.filling(c.id), Begin: int64(at)}, 0)
	}
}

// filling returns the packet that fills the buffer behind a channel: the first in the queue with
// most of the channel's packets, else one that is leaving, else 0.
func (b *buffers) filling(id int32) waits.ID {
	through := b.crowded(id)
	if through < 0 {
		return 0
	}
	for q, i := &b.ports[through].queue, 0; i < q.Len(); i++ {
		if p := *q.At(i); p.route.path[p.route.head-1] == id {
			return p.Actor
		}
	}
	return b.net.ch[through].crowd.actor
}
