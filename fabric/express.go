package fabric

import "github.com/sigview/sigview/sim"

// A head that meets only idle channels has no events on its way. At its injection the
// packet takes each of them from the time at which its head will ask for it, and the
// head's next event is at the switch before the first channel that is not idle, or before the
// last one, whose receiver must be asked. A packet, STOP or a reset that comes to
// one of these channels before the head makes the head go step by step from where it is.

// express lets p, which has just begun to enter its first channel, take the idle channels of its
// path in advance.
func (n *Net) express(p *Packet) {
	r := &p.route
	in := &n.ch[r.path[0]]
	at := p.T3
	for _, id := range r.path[1 : len(r.path)-1] {
		c := &n.ch[id]
		if !n.passes(in) || !n.idle(c) {
			break
		}
		at = at.Add(n.hop)
		r.head++
		in.feeding = c.id
		c.last = in.id
		n.hold(c, p, in.id, at)
		in = c
	}
	r.ahead = r.head > 0
	n.sendHead(p, at)
}

// passes reports whether nothing is in the buffer at the end of in, and no signal under way.
func (n *Net) passes(in *channel) bool {
	if in.feeding != noChannel {
		if out := &n.ch[in.feeding]; out.end <= n.engine.Now() {
			n.finish(out)
		}
	}
	return in.feeding == noChannel && in.first == nil && !in.backed && in.signal == clear && !in.blocked
}

// idle reports whether c has no holder and no packet waits for it.
func (n *Net) idle(c *channel) bool {
	if c.holder != nil && c.end <= n.engine.Now() {
		n.finish(c)
	}
	return c.holder == nil && !c.queued && c.signal == clear && !c.blocked
}

// yield takes c from a packet whose head has not come to it.
func (n *Net) yield(c *channel) {
	if c.holder != nil && c.start > n.engine.Now() {
		n.slow(c.holder)
	}
}

// slow makes the head of p go step by step from where it is.
func (n *Net) slow(p *Packet) {
	r := &p.route
	if !r.ahead {
		return
	}
	r.ahead = false
	now := n.engine.Now()
	had := r.head
	for ; r.head > 0; r.head-- {
		c := &n.ch[r.path[r.head]]
		if c.holder != p || c.start <= now {
			break
		}
		c.holder = nil
		n.ch[c.from].feeding = noChannel
	}
	if r.head < had {
		n.sendHead(p, p.T3.Add(n.hop*sim.Duration(r.head)))
	}
}
