package vmmc

import (
	"fmt"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Target is a place that a send goes to.
type Target struct {
	To     *Import
	Offset int // within it
}

// target is a further receiver of a message, as the request names it.
type target struct {
	peer   int32
	handle uint32
	offset int
}

// targetWords is what each further receiver takes in a request: its import
// and the offset.
const targetWords = 2

// Completion counts the sends whose data the interface has still to fetch.
// A host learns of it from a word in the interface's memory.
type Completion struct {
	Watch   *host.Watch // fires when the last one has been fetched
	pending int
}

// Pending returns how many sends still need their buffers.
func (d *Completion) Pending() int { return d.pending }

func (d *Completion) fetched() {
	if d.pending--; d.pending == 0 && d.Watch != nil {
		d.Watch.Fire()
	}
}

// track makes a message report to done, unless its data rides in the request.
func (m *message) track(done *Completion) {
	if done == nil || m.bytes <= m.from.node.spec.InlineBytes {
		return
	}
	m.done = done
	done.pending++
}

// Multicast sends the same bytes to several receivers with one request: the
// interface fetches each packet from host memory once and injects it for one
// receiver after the other out of the same send buffer, in the order of to,
// which must name every receiver once, at offsets that lie equally in their
// pages unless the bytes cross no page anywhere. The request takes as many
// entries of the queue as its words fill. Done, which may be nil, is told when
// the data has been fetched.
func (ep *Endpoint) Multicast(c *host.Context, local host.Addr, to []Target, bytes int, meta trace.Meta, done *Completion) error {
	if len(to) == 0 {
		return fmt.Errorf("vmmc: multicast to nobody")
	}
	m, err := ep.message(local, to[0].To, to[0].Offset, bytes, meta, false)
	if err != nil {
		return err
	}
	for i, t := range to[1:] {
		if err := ep.addCopy(m, t); err != nil {
			ep.node.msgFree = append(ep.node.msgFree, m)
			return fmt.Errorf("%w (receiver %d of %d)", err, i+2, len(to))
		}
	}
	if slots, most := m.entries(), ep.node.RequestSlots(); slots > most {
		ep.node.msgFree = append(ep.node.msgFree, m)
		return fmt.Errorf("vmmc: multicast to %d receivers takes %d entries of the request queue, which has %d", len(to), slots, most)
	}
	m.slots = m.entries()
	m.track(done)
	ep.postFrom(c, local, m)
	return nil
}

// addCopy adds a receiver to a message.
func (ep *Endpoint) addCopy(m *message, t Target) error {
	switch {
	case t.To == nil || t.To.owner != ep:
		return fmt.Errorf("vmmc: multicast through an import that is not this endpoint's")
	case t.Offset < 0 || m.bytes > t.To.bytes-t.Offset:
		return fmt.Errorf("vmmc: multicast of %d B at offset %d into an import of %d B", m.bytes, t.Offset, t.To.bytes)
	case (t.To.skew+t.Offset-m.skew-m.offset)%pageBytes != 0 && (crosses(m.skew+m.offset, m.bytes) || crosses(t.To.skew+t.Offset, m.bytes)):
		return fmt.Errorf("vmmc: multicast of %d B to offsets %d and %d, want them equal within their pages", m.bytes, m.offset, t.Offset)
	case t.To.peer == m.peer:
		return fmt.Errorf("vmmc: multicast names node %d twice", t.To.peer)
	}
	for i := range m.copies {
		if m.copies[i].peer == t.To.peer {
			return fmt.Errorf("vmmc: multicast names node %d twice", t.To.peer)
		}
	}
	m.copies = append(m.copies, target{t.To.peer, t.To.id, t.Offset})
	return nil
}

// crosses reports whether n bytes at an offset lie in more than one page.
func crosses(offset, n int) bool { return offset%pageBytes+n > pageBytes }

// entries returns how many entries of the request queue the message takes.
func (m *message) entries() int {
	n := m.from.node
	words := n.spec.RequestWords + len(m.copies)*targetWords
	if m.bytes <= n.spec.InlineBytes {
		words += (m.bytes + 3) / 4
	}
	size := n.nic.Spec().RequestBytes
	return max(1, (4*words+size-1)/size)
}

// multiply makes the copies of a packet that go to the further receivers of
// its message. They use its buffer.
func (n *Node) multiply(m *message, o *outgoing) {
	o.next = nil
	if len(m.copies) == 0 {
		return
	}
	o.users = 1 + len(m.copies)
	n.shared.add(o.slot)
	tail := o
	for i := range m.copies {
		t := &m.copies[i]
		c := n.entry()
		n.shared.add(c.slot)
		c.Record = o.Record
		c.Peer = t.peer
		c.msg, c.last, c.flags, c.tries = m, o.last, o.flags, 0
		c.handle, c.offset = t.handle, t.offset+o.offset-m.offset
		c.data, c.lender, c.next = o.data, o, nil
		n.link(t.peer).claimed++
		n.stats.Copies++
		tail.next = c
		tail = c
	}
}

// spread hands a packet whose data is in SRAM to the S engine, and its copies
// after it.
func (n *Node) spread(o *outgoing, at sim.Time) {
	probe := n.nic.Probe()
	if probe != nil {
		for c := o; c != nil; c = c.next {
			probe.Fetched(&c.Record, at)
		}
	}
	ready := o.Ready
	for c := o; c != nil; {
		next := c.next
		c.next = nil
		if c != o {
			n.nic.Spend(n.cost.BuildHeader)
			c.Ready = ready
		}
		n.transmit(c, false)
		c = next
	}
}

// release gives up a packet that has been acknowledged and has copies or is
// one. Their buffer is free when the last of them has been acknowledged.
func (n *Node) release(slot uint32) {
	o := n.outs[slot]
	owner := o
	if o.lender != nil {
		owner, o.lender = o.lender, nil
		n.shared.remove(slot)
		n.outFree = append(n.outFree, slot)
	}
	if owner.users--; owner.users == 0 {
		n.held--
		n.shared.remove(owner.slot)
		n.outFree = append(n.outFree, owner.slot)
	}
}
