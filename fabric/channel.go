package fabric

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

func (c *channel) reset(id int32) {
	*c = channel{id: id, from: noChannel, feeding: noChannel, last: noChannel}
}

// started returns how many bytes of the holder have started by t.
func (c *channel) started(t sim.Time) int64 {
	if !c.flowing || t <= c.mark {
		return c.sent
	}
	return min(c.bytes, c.sent+bytesIn(c.rate, t.Sub(c.mark)))
}

// startOf returns when byte number x of the holder, counted from 1, starts if
// the channel keeps moving.
func (c *channel) startOf(x int64) sim.Time {
	if x <= c.sent {
		return c.mark
	}
	return c.mark.Add(c.rate.Time(int(x - 1 - c.sent)))
}

// startOfEarlier returns when the byte that is back bytes before the last byte of the
// earlier holders started. For bytes long past it returns zero.
func (c *channel) startOfEarlier(back int64) sim.Time {
	for i := range uint8(len(c.past)) {
		p := &c.past[(c.newest-i)%uint8(len(c.past))]
		if back < p.bytes {
			return p.end.Add(-p.rate.Time(int(back + 1)))
		}
		back -= p.bytes
	}
	return 0
}

// hold gives the channel to p, fed by the input port from, at time at.
func (n *Net) hold(c *channel, p *Packet, from int32, at sim.Time) {
	c.holder = p
	c.gen++
	c.from = from
	c.bytes = int64(p.WireBytes)
	c.rate = p.route.rate
	c.sent = 0
	c.mark, c.start = at, at
	c.armed = false
	if n.log != nil {
		c.actor = p.Actor
	}
	c.want = p.WantSent && from == noChannel
	if c.signal == stopped || c.signal == going {
		c.flowing, c.headDue = false, true
		c.halt, c.end = at, sim.Never
		return
	}
	c.flowing, c.headDue = true, false
	c.end = at.Add(p.route.dur)
	if c.blocked {
		n.pressure(c)
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
	n.release(c, c.end)
	if len(c.queue) > 0 {
		n.grantNext(c)
	}
	if from != noChannel {
		n.next(&n.ch[from])
	}
	if want {
		n.nodes[p.Src].port.Sent(p)
	}
}

// release takes c from its holder at time end and updates its statistics. It
// does not access the holder, which may have been freed.
func (n *Net) release(c *channel, end sim.Time) {
	n.logHold(c, end)
	c.holder = nil
	c.base += c.bytes
	c.newest = (c.newest + 1) % uint8(len(c.past))
	c.past[c.newest] = past{end, c.bytes, c.rate}
	c.stats.Packets++
	c.stats.Bytes += uint64(c.bytes)
	c.stats.Held += end.Sub(c.start)
	if c.from != noChannel {
		in := &n.ch[c.from]
		in.out += c.bytes
		in.feeding = noChannel
	}
}

// grantNext gives c to one of the input ports in its queue.
func (n *Net) grantNext(c *channel) {
	pick := 0
	if n.spec.Arbitration == RoundRobin {
		for i, id := range c.queue {
			if cyclic(id, c.last) < cyclic(c.queue[pick], c.last) {
				pick = i
			}
		}
	}
	id := c.queue[pick]
	c.queue = append(c.queue[:pick], c.queue[pick+1:]...)
	in := &n.ch[id]
	n.grant(c, in, in.first)
}

// cyclic returns the distance from last to id in cyclic order.
func cyclic(id, last int32) uint32 { return uint32(id - last - 1) }

// next makes the next packet of the input port in request its channel.
func (n *Net) next(in *channel) {
	if in.first != nil || in.feeding != noChannel || len(in.behind) == 0 {
		return
	}
	p := in.behind[0]
	in.behind = append(in.behind[:0], in.behind[1:]...)
	n.request(in, p)
}

func (n *Net) fail(format string, args ...any) {
	panic(fmt.Sprintf("fabric at %v: ", n.engine.Now()) + fmt.Sprintf(format, args...))
}
