package fabric

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/sim"
)

// started returns how many bytes of the holder have started by t.
func (c *channel) started(t sim.Time) int64 {
	if !c.flowing || t <= c.mark {
		return int64(c.sent)
	}
	return min(int64(c.bytes), int64(c.sent)+bytesIn(c.rate, t.Sub(c.mark)))
}

// startOf returns when byte number x of the holder, counted from 1, starts if
// the channel keeps moving.
func (c *channel) startOf(x int64) sim.Time {
	if x <= int64(c.sent) {
		return c.mark
	}
	return c.mark.Add(c.rate.Time(int(x - 1 - int64(c.sent))))
}

// startOfEarlier returns when the byte started that is back bytes before the end of the previous
// holders' packets. It returns zero for bytes whose packets have been forgotten.
func (c *channel) startOfEarlier(back int64) sim.Time {
	w := c.crowd
	for i := range uint8(len(w.past)) {
		p := &w.past[(w.newest-i)%uint8(len(w.past))]
		if back < p.bytes {
			return p.end.Add(-p.rate.Time(int(back + 1)))
		}
		back -= p.bytes
	}
	return 0
}

// take makes p the holder of the channel from time at on, fed by the input port from. The channel
// must not be halted.
func (c *channel) take(p *Packet, from int32, at sim.Time) {
	c.holder = p
	c.end, c.start, c.mark = at.Add(p.route.dur), at, at
	c.rate = p.route.rate
	c.bytes, c.sent = int32(p.WireBytes), 0
	if c.signal == open {
		c.rate, c.end = sim.Infinite, at
	}
	c.gen++
	c.from = from
	c.flowing, c.armed, c.headDue, c.want = true, false, false, false
	c.packets++
	c.carried += int64(c.bytes)
	c.held += c.end.Sub(at)
}

// untake reverts take, before anything has used it.
func (c *channel) untake() {
	c.holder = nil
	c.packets--
	c.carried -= int64(c.bytes)
	c.held -= c.end.Sub(c.start)
}

// feed records that the front packet of in goes on into c, which it has just taken.
func (in *channel) feed(c *channel) {
	in.feeding = c.id
	in.until = c.end
	in.out += int64(c.bytes)
}

// fed returns the channel into which the front packet of in flows, or nil. Its tail may have left.
func (n *Net) fed(in *channel) *channel {
	if in.feeding == noChannel {
		return nil
	}
	if c := &n.ch[in.feeding]; c.holder != nil && c.from == in.id {
		return c
	}
	return nil
}

// hold is take for a channel that may be halted: by STOP, or because its input port is blocked.
func (n *Net) hold(c *channel, p *Packet, from int32, at sim.Time) {
	c.take(p, from, at)
	if n.log != nil {
		c.crowd.actor = p.Actor
	}
	c.want = p.WantSent && from == noChannel
	if c.signal == stopped || c.signal == going {
		c.headDue = true
		n.halt(c, at)
		return
	}
	if c.blocked {
		n.pressure(c)
	}
}

// halt stops the flow on c at a time.
func (n *Net) halt(c *channel, at sim.Time) {
	c.held -= c.end.Sub(c.start) // move and cut know how long it is
	c.flowing, c.crowd.halt = false, at
	n.setEnd(c, sim.Never)
}

// setEnd changes when the holder's tail leaves c.
func (n *Net) setEnd(c *channel, end sim.Time) {
	c.end = end
	if c.from == noChannel {
		return
	}
	if in := &n.ch[c.from]; in.feeding == c.id {
		in.until = end
	}
}

// arm schedules the event that ends the holder's time on c, if the end is known and no
// such event is pending. A channel that no packet waits for is not armed; the next
// packet finds it free.
func (n *Net) arm(c *channel) {
	if c.armed || c.end == sim.Never || c.holder == nil {
		return
	}
	c.armed = true
	n.engine.At(max(c.end, n.engine.Now()), n, opTail, c.ref())
}

func (c *channel) ref() uint64 { return uint64(c.gen)<<32 | uint64(c.id) }

// tail ends the holder's time on c, or waits longer if it was halted meanwhile.
func (n *Net) tail(c *channel) {
	c.armed = false
	switch {
	case c.holder == nil:
	case c.end <= n.engine.Now():
		n.finish(c)
	default:
		n.arm(c)
	}
}

// finish releases c, whose holder's tail has left it, and serves waiting
// packets.
func (n *Net) finish(c *channel) {
	p, want, from := c.holder, c.want, c.from
	n.logHold(c, c.end)
	n.release(c, c.end)
	if c.queued {
		n.grantNext(c)
	}
	if from != noChannel {
		if in := &n.ch[from]; in.backed && in.feeding == c.id {
			n.next(in)
		}
	}
	if want {
		n.nodes[p.Src].port.Sent(p)
	}
}

// release takes c from its holder, whose tail has left it at time end. It
// does not access the holder, which may have been freed.
func (n *Net) release(c *channel, end sim.Time) {
	c.holder = nil
	if end.Add(n.hop) > n.engine.Now() { // else pressure has no use for it
		w := c.crowd
		w.newest = (w.newest + 1) % uint8(len(w.past))
		w.past[w.newest] = past{end, int64(c.bytes), c.rate}
	}
}

// grantNext gives c to one of the input ports in its queue.
func (n *Net) grantNext(c *channel) {
	queue, pick := c.crowd.queue, 0
	if n.spec.Arbitration == RoundRobin {
		for i, id := range queue {
			if cyclic(id, c.crowd.last) < cyclic(queue[pick], c.crowd.last) {
				pick = i
			}
		}
	}
	id := queue[pick]
	c.unqueue(pick)
	in := &n.ch[id]
	n.grant(c, in, in.first)
}

// unqueue takes the i-th input port out of the queue for c.
func (c *channel) unqueue(i int) {
	w := c.crowd
	w.queue = slices.Delete(w.queue, i, i+1)
	c.queued = len(w.queue) > 0
}

// unback takes the i-th packet out of those behind the front packet of in.
func (in *channel) unback(i int) {
	w := in.crowd
	w.behind = slices.Delete(w.behind, i, i+1)
	in.backed = len(w.behind) > 0
}

// cyclic returns the distance from last to id in cyclic order.
func cyclic(id, last int32) uint32 { return uint32(id - last - 1) }

// next makes the next packet of the input port in, which has one, request its channel.
func (n *Net) next(in *channel) {
	if in.first != nil || n.fed(in) != nil {
		return
	}
	p := in.crowd.behind[0]
	in.unback(0)
	n.request(in, p)
}

func (n *Net) fail(format string, args ...any) {
	panic(fmt.Sprintf("fabric at %v: ", n.engine.Now()) + fmt.Sprintf(format, args...))
}
