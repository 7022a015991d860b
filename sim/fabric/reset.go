package fabric

import (
	"slices"

	"github.com/sigview/sigview/sim"
)

// halted notes that a node's injection is halted from time at on, and makes sure that the block
// limit is checked. A node has at most one pending check, which postpones itself if a later halt is
// younger.
func (n *Net) halted(id int, at sim.Time) {
	d := &n.nodes[id]
	d.since = at
	if c := &n.ch[id]; c.holder.WantHalted {
		c.want = true
	}
	if !d.limitSet {
		d.limitSet = true
		n.engine.At(at.Add(n.spec.BlockLimit), n, opLimit, uint64(id))
	}
}

// limit performs a forward reset if the node has been halted for the whole
// block limit.
func (n *Net) limit(id int) {
	d := &n.nodes[id]
	d.limitSet = false
	c := &n.ch[id]
	if c.holder == nil || c.flowing {
		return
	}
	if due := d.since.Add(n.spec.BlockLimit); due > n.engine.Now() {
		d.limitSet = true
		n.engine.At(due, n, opLimit, uint64(id))
		return
	}
	n.forwardReset(c.holder)
}

// forwardReset clears the way of p. It removes p, the packet that its head
// waits for, and so on to the root of the chain, and then resets the receiver
// of the root packet. All these packets, and the one being received, are lost.
func (n *Net) forwardReset(p *Packet) {
	n.stats.Resets++
	for i := range n.made {
		n.slow(n.packet(i))
	}
	n.chain = n.chain[:0]
	root := p.Dst
	for q := p; q != nil; q = n.blocker(q) {
		n.chain = append(n.chain, q)
		root = q.Dst
		if len(n.chain) > len(n.ch) {
			n.fail("packets of a reset by node %d wait for each other in a cycle", p.Src)
		}
	}
	for _, q := range n.chain {
		q.Lost = true
	}
	for i := range n.made {
		if q := n.packet(i); q.route.used && !q.Lost && !q.route.drop && q.route.where == arriving && q.Dst == root {
			q.Lost = true
			n.chain = append(n.chain, q)
		}
	}
	chain := n.chain
	n.chain = nil // in use until the end
	for _, q := range chain {
		if n.cut(q) {
			q.T4 = n.engine.Now()
			q.WantSent = true
		} else {
			q.WantSent = false
		}
	}
	// This comes first: packets that the receiver accepts from now on arrive.
	n.nodes[root].port.Reset()
	for _, q := range chain {
		for _, id := range q.route.path {
			n.kick(&n.ch[id])
		}
	}
	for i, q := range chain {
		n.stats.ResetLost++
		n.nodes[q.Src].resetLost++
		n.inFlight--
		n.logLost(q)
		n.faults.forget(q)
		if q.WantSent {
			n.nodes[q.Src].port.Sent(q)
		}
		n.Free(q)
		chain[i] = nil
	}
	n.chain = chain[:0]
}

// blocker returns the packet that the head of p waits for, or nil.
func (n *Net) blocker(p *Packet) *Packet {
	r := &p.route
	c := &n.ch[r.path[r.head]]
	switch r.where {
	case behind:
		return n.front(&n.ch[r.path[r.head-1]])
	case waiting:
		return n.live(c)
	case travelling:
		if c.holder == p && c.headDue {
			return n.front(c)
		}
	}
	return nil
}

// front returns the packet at the front of the input port in, or nil.
func (n *Net) front(in *channel) *Packet {
	switch {
	case in.first != nil:
		return in.first
	case n.fed(in) != nil:
		return n.live(n.fed(in))
	}
	return nil
}

// live returns the holder of c, or nil if its tail has left, because it may
// have been freed.
func (n *Net) live(c *channel) *Packet {
	if c.holder == nil || c.end <= n.engine.Now() {
		return nil
	}
	return c.holder
}

// cut removes p from every channel and port. It reports whether the sender still waits for the
// report that p has left.
func (n *Net) cut(p *Packet) (toReport bool) {
	r := &p.route
	now := n.engine.Now()
	bytes := int64(p.WireBytes)
	at := r.path[r.head] // the channel that holds the head or that it waits for
	switch r.where {
	case behind:
		in := &n.ch[r.path[r.head-1]]
		in.unback(slices.Index(in.crowd.behind, p))
		in.out += bytes
	case waiting:
		in := &n.ch[r.path[r.head-1]]
		in.first = nil
		in.out += bytes
		c := &n.ch[at]
		c.unqueue(slices.Index(c.crowd.queue, in.id))
	case travelling: // its bytes count as arrived at the port ahead
		n.ch[at].out += bytes
	case refused:
		n.nodes[p.Dst].refused = nil
	}
	for _, id := range r.path[:r.head+1] {
		c := &n.ch[id]
		if c.holder != p {
			continue
		}
		if c.end > now {
			c.crowd.stats.Cut++
			c.held += now.Sub(c.start)
			if c.flowing {
				c.held -= c.end.Sub(c.start)
			} else {
				c.crowd.stats.Halted += now.Sub(c.crowd.halt)
			}
		}
		if c.from == noChannel && (c.want || c.end > now) {
			toReport = true
		}
		end := min(now, c.end)
		n.logHold(c, end)
		n.release(c, end)
		n.setEnd(c, end)
	}
	return toReport
}

// kick serves the packets that wait at c after others were cut.
func (n *Net) kick(c *channel) {
	if c.holder == nil && c.queued {
		n.grantNext(c)
	}
	n.recallGo(c) // it was computed with the packets that were cut
	if c.backed {
		n.next(c)
	}
	if c.first == nil && n.fed(c) == nil {
		c.blocked = false
	}
	if c.signal == stopped && !c.blocked {
		n.promiseGo(c)
	}
}
