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

// express reserves idle channels behind path[head], which the head of p enters at a time, so that
// the packet needs no event at each switch.
func (n *Net) express(p *Packet, at sim.Time) {
	r := &p.route
	if n.log != nil {
		n.logEnded(r.path[r.head+1:])
	}
	first, last := int(r.head), len(r.path)-1
	reach := n.reach(r.path, first)
	if reach == last && !n.expected(p, at.Add(n.hop*sim.Duration(last-first))) {
		reach--
	}
	in := &n.ch[r.path[first]]
	for _, id := range r.path[first+1 : reach+1] {
		at = at.Add(n.hop)
		c := &n.ch[id]
		c.take(p, in.id, at)
		in.feed(c)
		if n.log != nil {
			c.crowd.actor = p.Actor
		}
		in = c
	}
	r.head, r.ahead = int16(reach), reach > first
	if reach < last {
		n.sendHead(p, at)
		return
	}
	r.headAt = at.Add(n.hop) // for back
	n.flowIn(p, in, at)
}

// reach returns the index in path of the farthest channel, from path[i] on, that a head may take in
// advance. Channels that the tail of their last packet has left are released for it.
func (n *Net) reach(path []int32, i int) int {
	now := n.engine.Now()
	c := &n.ch[path[i]]
	if c.first != nil || c.signal != clear || c.blocked {
		return i
	}
	for i+1 < len(path) && !c.backed && (c.feeding == noChannel || c.until <= now) {
		c = &n.ch[path[i+1]]
		if c.holder != nil {
			if c.end > now || c.armed {
				break
			}
			n.release(c, c.end)
		}
		if c.queued || c.signal != clear || c.blocked {
			break
		}
		i++
	}
	return i
}

// logEnded records that the tails of packets have left channels.
func (n *Net) logEnded(path []int32) {
	for _, id := range path {
		if c := &n.ch[id]; c.holder != nil && c.end <= n.engine.Now() && !c.armed {
			n.logHold(c, c.end)
			n.release(c, c.end)
		}
	}
}

// expected reports whether the receiver of p expects its head.
func (n *Net) expected(p *Packet, at sim.Time) bool {
	d := &n.nodes[p.Dst]
	return d.expecter != nil && !p.route.drop && d.deafTill <= n.engine.Now() && d.expecter.Expect(p, at)
}

// yield takes a reserved channel from a packet whose head has not come to it, for another packet.
func (n *Net) yield(c *channel) {
	if c.holder != nil && c.start > n.engine.Now() {
		n.slow(c.holder)
	}
}

// slow cancels the reservations ahead of p's head, which from then on needs an event at each
// switch.
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

// back takes path[head] from p, unless its head is there already.
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

// ask takes back that a node's port expects a head, so that the network calls Accept when it comes.
func (n *Net) ask(node int) {
	c := n.into(node)
	if c == nil || c.holder == nil || c.start <= n.engine.Now() {
		return
	}
	p := c.holder
	if n.back(p) {
		n.sendHead(p, p.route.headAt.Add(-n.hop))
	}
}

// into returns the channel into a node, or nil if the layout has none (a cable).
func (n *Net) into(node int) *channel {
	if i := len(n.nodes) + node; i < len(n.ch) {
		return &n.ch[i]
	}
	return nil
}
