package fabric

import "github.com/sigview/sigview/sim"

// STOP and GO. An input port whose front packet does not move fills at the rate
// of its channel. pressure computes when it will hold StopBytes, relieve when
// it will have drained to GoBytes. A signal can be cancelled only before its
// due time.

// pressure records that the front packet of in does not move.
func (n *Net) pressure(in *channel) {
	n.yield(in)
	in.blocked = true
	now := n.engine.Now()
	switch in.signal {
	case going:
		n.recallGo(in)
		return
	case clear:
	default:
		return
	}
	// The byte of the holder that makes StopBytes together with what earlier
	// packets have in the buffer or in flight to it.
	x := int64(n.spec.StopBytes) - (in.carried - in.out)
	if in.holder != nil {
		x += int64(in.bytes)
	}
	if out := n.fed(in); out != nil {
		x -= int64(out.bytes) - out.started(now)
	}
	at := sim.Time(0)
	switch {
	case x <= 0:
		at = in.startOfEarlier(-x)
	case in.holder == nil || !in.flowing || x > int64(in.bytes):
		return // hold or move calls again when more bytes come
	default:
		at = in.startOf(x)
	}
	in.signal = stopping
	in.crowd.due = max(now, at.Add(n.hop))
	n.engine.At(in.crowd.due.Add(n.spec.WireDelay), n, opStop, in.flowRef())
}

// recallGo cancels a GO that has not been sent.
func (n *Net) recallGo(in *channel) {
	if in.signal == going && in.crowd.due > n.engine.Now() {
		in.signal = stopped
		in.crowd.flowGen++
	}
}

func (c *channel) flowRef() uint64 { return uint64(c.crowd.flowGen)<<32 | uint64(c.id) }

// relieve records that the front packet of in moves.
func (n *Net) relieve(in *channel) {
	in.blocked = false
	switch in.signal {
	case stopping:
		if in.crowd.due > n.engine.Now() {
			in.signal = clear
			in.crowd.flowGen++
		}
	case stopped:
		n.promiseGo(in)
	}
}

// promiseGo schedules GO for the time at which GoBytes are left in the buffer
// of in, whose channel is stopped and whose front packet moves. If the front
// packet ends first, the next one schedules GO again.
func (n *Net) promiseGo(in *channel) {
	now := n.engine.Now()
	in.crowd.due = now
	if out := n.fed(in); out != nil {
		left := in.carried - in.out + int64(out.bytes)
		if in.holder != nil {
			left += in.started(now) - int64(in.bytes)
		}
		x := left - int64(n.spec.GoBytes)
		if x > int64(out.bytes) {
			return
		}
		in.crowd.due = out.startOf(x)
	}
	in.signal = going
	n.engine.At(max(now, in.crowd.due.Add(n.spec.WireDelay)), n, opGo, in.flowRef())
}

// stopArrives halts the channel c.
func (n *Net) stopArrives(c *channel) {
	now := n.engine.Now()
	c.signal = stopped
	c.crowd.stats.Stops++
	if c.holder != nil && c.flowing {
		if sent := int32(c.started(now)); sent < c.bytes {
			n.slow(c.holder)
			c.mark = c.mark.Add(c.rate.Time(int(sent - c.sent)))
			c.sent = sent
			n.halt(c, now)
			if sent == 0 { // the head has not even started
				c.headDue = true
				c.holder.route.headAt = sim.Never
				n.logWait(c.holder, c, c, now)
			}
			if c.from != noChannel {
				n.pressure(&n.ch[c.from])
			} else {
				c.holder.T4 = sim.Never
				n.halted(int(c.holder.Src), now)
			}
		}
	}
	if !c.blocked {
		n.promiseGo(c)
	}
}

// goArrives restarts the channel c.
func (n *Net) goArrives(c *channel) {
	c.signal = clear
	if c.holder != nil && !c.flowing { // never a last channel: no STOP comes from a node
		p := c.holder
		n.move(c)
		if c.headDue {
			c.headDue = false
			n.logMove(p, c, c.mark)
			n.sendHead(p, c.mark)
		}
	}
	if c.blocked {
		n.pressure(c)
	}
}

// move starts or restarts the flow on c at the present time.
func (n *Net) move(c *channel) {
	now := n.engine.Now()
	c.crowd.stats.Halted += now.Sub(c.crowd.halt)
	c.mark = max(c.mark, now)
	c.flowing = true
	n.setEnd(c, c.mark.Add(c.rate.Time(int(c.bytes-c.sent))))
	c.held += c.end.Sub(c.start)
	if c.from != noChannel {
		in := &n.ch[c.from]
		if in.backed || c.queued {
			n.arm(c)
		}
		n.relieve(in)
	} else {
		c.holder.T4 = c.end
		if c.want {
			n.arm(c)
		}
	}
	if c.blocked {
		n.pressure(c)
	}
}
