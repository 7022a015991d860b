package fabric

import "github.com/sigview/sigview/sim"

// A head that meets only idle channels has no events on its way. A packet takes each of them
// in advance, from the time at which its head will ask for it. The head's next event is at the switch
// before the first channel that is not idle. If all are idle, and the receiver expects the head,
// the next event is the packet's arrival. A packet, STOP or a reset that comes to
// one of these channels before the head makes the head go step by step from where it is.

// Expecter is a Port that can make room for a packet without being asked when its head comes.
type Expecter interface {
	// Expect announces p, whose head comes at a time that is not before now. True reserves the room
	// at that time, as Accept does then.
	Expect(p *Packet, at sim.Time) bool
	// Unexpect takes an announcement back. Accept is called if the head comes.
	Unexpect(p *Packet)
}

// express lets p, whose head enters path[head] at a time, take the idle channels behind it.
func (n *Net) express(p *Packet, at sim.Time) {
	r := &p.route
	now := n.engine.Now()
	in, last := &n.ch[r.path[r.head]], int16(len(r.path)-1)
	for r.head < last {
		c := &n.ch[r.path[r.head+1]]
		if !n.passes(in, now) || !n.idle(c, now) {
			break
		}
		if r.head+1 == last && !n.expected(p, at.Add(n.hop)) {
			break
		}
		at = at.Add(n.hop)
		r.head++
		r.ahead = true
		n.take(c, p, in.id, at)
		in.feed(c)
		in = c
	}
	if r.head < last {
		n.sendHead(p, at)
		return
	}
	r.headAt = at.Add(n.hop) // for back
	n.flowIn(p, in, at)
}

// passes reports whether nothing is in the buffer at the end of in, and no signal under way.
func (n *Net) passes(in *channel, now sim.Time) bool {
	return (in.feeding == noChannel || in.until <= now) && in.first == nil && !in.backed && in.signal == clear && !in.blocked
}

// idle reports whether c has no holder and no packet waits for it.
func (n *Net) idle(c *channel, now sim.Time) bool {
	if c.holder != nil {
		if c.end > now || c.armed {
			return false
		}
		n.logHold(c, c.end)
		n.release(c, c.end)
	}
	return !c.queued && c.signal == clear && !c.blocked
}

// expected reports whether the receiver of p expects its head.
func (n *Net) expected(p *Packet, at sim.Time) bool {
	d := &n.nodes[p.Dst]
	return d.expecter != nil && !p.route.drop && d.deafTill <= n.engine.Now() && d.expecter.Expect(p, at)
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
	had := r.head
	for r.head > 0 && n.back(p) {
	}
	if r.head < had {
		n.sendHead(p, r.headAt.Add(-n.hop))
	}
}

// back takes path[head] from p, unless its head has come to it.
func (n *Net) back(p *Packet) bool {
	r := &p.route
	c := &n.ch[r.path[r.head]]
	if c.holder != p || c.start <= n.engine.Now() {
		return false
	}
	if r.where == arriving {
		r.where = travelling
		n.nodes[p.Dst].expecter.Unexpect(p)
	}
	c.untake()
	in := &n.ch[c.from]
	in.feeding = noChannel
	in.out -= int64(c.bytes)
	r.head--
	r.headAt = r.headAt.Add(-n.hop)
	return true
}

// Meet makes the network ask a node's port again when the head comes that the port expects.
func (n *Net) Meet(node int) {
	c := n.into(node)
	if c == nil || c.holder == nil || c.start <= n.engine.Now() {
		return
	}
	p := c.holder
	if n.back(p) {
		n.sendHead(p, p.route.headAt.Add(-n.hop))
	}
}

// into returns the channel into a node, or nil.
func (n *Net) into(node int) *channel {
	if i := len(n.nodes) + node; i < len(n.ch) {
		return &n.ch[i]
	}
	return nil
}
