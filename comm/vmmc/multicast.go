package vmmc

import (
	"fmt"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// targetWords is how many words each additional receiver takes in a request:
// its import and the offset.
const targetWords = 2

// track makes a message report to done, unless its data is inline.
func (ep *Endpoint) track(m *message, done *Completion) {
	if done == nil || ep.node.inline(m) {
		return
	}
	m.rare().done = done
	done.Add()
}

// Multicast sends the same bytes to several receivers with one request. The
// interface fetches each packet from host memory once and injects it from the
// same send buffer for one receiver after the other, in the order of to. Each
// receiver is named once. All offsets have the same page offset, unless the bytes
// cross no page.
//
// If the whole message fits into the windows of all receivers and into the send
// buffers, one receiver gets all packets and the tail before the next receiver. A
// message with a tail must fit. Otherwise each packet is sent to all receivers
// before the next packet. The request takes as many queue entries as its words
// fill. Tail and done may be nil; it reports to done when the data has been
// fetched.
func (ep *Endpoint) Multicast(c *host.Context, local host.Addr, to []Target, bytes int, meta trace.Meta, tail *Tail, done *Completion) error {
	if len(to) == 0 {
		return fmt.Errorf("vmmc: multicast to 0 receivers, want at least 1")
	}
	m, err := ep.message(local, to[0].To, to[0].Offset, bytes, meta, false)
	if err != nil {
		return err
	}
	if err := ep.addReceivers(m, to, tail); err != nil {
		ep.node.msgFree = append(ep.node.msgFree, m)
		return err
	}
	ep.track(m, done)
	ep.postFrom(c, local, m)
	return nil
}

// addReceivers completes the message of a multicast.
func (ep *Endpoint) addReceivers(m *message, to []Target, tail *Tail) error {
	for i, t := range to[1:] {
		if err := ep.addCopy(m, t); err != nil {
			return fmt.Errorf("%w (receiver %d of %d)", err, i+2, len(to))
		}
	}
	if tail != nil {
		if err := ep.addTail(m, to, tail); err != nil {
			return err
		}
	}
	if err := ep.node.plan(m); err != nil {
		return err
	}
	slots := ep.node.entries(m)
	if most := ep.node.RequestSlots(); slots > most {
		return fmt.Errorf("vmmc: multicast to %d receivers takes %d entries of the request queue, which has %d", len(to), slots, most)
	}
	m.slots = uint16(slots)
	return nil
}

// addTail adds a tail to a message with its receivers.
func (ep *Endpoint) addTail(m *message, to []Target, tail *Tail) error {
	switch {
	case len(tail.To) != len(to):
		return fmt.Errorf("vmmc: multicast to %d receivers with a tail for %d", len(to), len(tail.To))
	case tail.Bytes < 1 || tail.Bytes > ep.node.spec.InlineBytes:
		return fmt.Errorf("vmmc: multicast with a tail of %d B, want 1 to %d", tail.Bytes, ep.node.spec.InlineBytes)
	case !ep.space.Valid(tail.Local, tail.Bytes):
		return fmt.Errorf("vmmc: multicast with a tail of %d B from %#x, which is not all allocated", tail.Bytes, tail.Local)
	}
	w := &whole{tail: make([]byte, tail.Bytes), meta: tail.Meta}
	w.meta.Tag = ep.tag
	for i, t := range tail.To {
		at := ep.own(t.To)
		switch {
		case at == nil || t.To.Peer() != to[i].To.Peer():
			return fmt.Errorf("vmmc: multicast with a tail through an import of another endpoint or node (receiver %d of %d)", i+1, len(to))
		case t.Offset < 0 || tail.Bytes > at.bytes-t.Offset:
			return fmt.Errorf("vmmc: multicast with a tail of %d B at offset %d into an import of %d B", tail.Bytes, t.Offset, at.bytes)
		case crosses(int(at.skew)+t.Offset, tail.Bytes):
			return fmt.Errorf("vmmc: multicast with a tail of %d B at offset %d, want it within a page", tail.Bytes, t.Offset)
		}
		w.tails = append(w.tails, target{at.peer, at.id, t.Offset})
	}
	ep.space.ReadAt(tail.Local, w.tail)
	m.rare().whole = w
	return nil
}

// addCopy adds a receiver to a message.
func (ep *Endpoint) addCopy(m *message, t Target) error {
	at := ep.own(t.To)
	switch {
	case at == nil:
		return fmt.Errorf("vmmc: multicast through an import that is not this endpoint's")
	case t.Offset < 0 || int(m.bytes) > at.bytes-t.Offset:
		return fmt.Errorf("vmmc: multicast of %d B at offset %d into an import of %d B", m.bytes, t.Offset, at.bytes)
	case (int(at.skew)+t.Offset-int(m.skew)-m.offset)%pageBytes != 0 && (crosses(int(m.skew)+m.offset, int(m.bytes)) || crosses(int(at.skew)+t.Offset, int(m.bytes))):
		return fmt.Errorf("vmmc: multicast of %d B to offsets %d and %d, want them equal within their pages", m.bytes, m.offset, t.Offset)
	case at.peer == m.peer:
		return fmt.Errorf("vmmc: multicast names node %d twice", at.peer)
	}
	for _, c := range m.copies() {
		if c.peer == at.peer {
			return fmt.Errorf("vmmc: multicast names node %d twice", at.peer)
		}
	}
	x := m.rare()
	x.copies = append(x.copies, target{at.peer, at.id, t.Offset})
	return nil
}

// crosses reports whether n bytes at an offset lie in more than one page.
func crosses(offset, n int) bool { return offset%pageBytes+n > pageBytes }

// words returns how many words a request takes.
func (n *Node) words(m *message) int {
	words := n.spec.RequestWords + len(m.copies())*targetWords
	if n.inline(m) {
		words += (int(m.bytes) + 3) / 4
	}
	if w := m.whole(); w != nil {
		words += len(w.tails)*targetWords + (len(w.tail)+3)/4
	}
	return words
}

// entries returns how many entries of the request queue the message takes.
func (n *Node) entries(m *message) int {
	size := n.nic.Spec().RequestBytes
	return max(1, (4*n.words(m)+size-1)/size)
}

// plan decides the order in which a multicast is sent.
func (n *Node) plan(m *message) error {
	packets := 0
	for ; m.sent < m.bytes; packets++ {
		m.sent += int32(n.pieceOf(m))
	}
	m.sent = 0
	most := min(n.spec.Window, n.spec.SendBuffers)
	w := m.whole()
	switch {
	case w != nil && packets+1 > most:
		return fmt.Errorf("vmmc: multicast of %d packets and a tail, want at most %d with it", packets, most)
	case w != nil:
		w.packets = packets + 1
	case packets <= most:
		m.rare().whole = &whole{packets: packets}
	}
	return nil
}

// MulticastBytes returns the longest multicast with a tail, if source and
// targets have the same page offset.
func (ep *Endpoint) MulticastBytes() int {
	s := ep.node.spec
	return max(0, min(s.Window, s.SendBuffers)-3) * s.PacketBytes
}

// reserve takes send buffers and room in all windows for all packets of m, and
// makes the packets of its tail, whose data is inline.
func (n *Node) reserve(m *message) {
	w := m.whole()
	n.held += int32(w.packets)
	n.link(m.peer).claimed += uint16(w.packets)
	for _, c := range m.copies() {
		n.link(c.peer).claimed += uint16(w.packets)
	}
	if w.tails == nil {
		return
	}
	o := n.claim()
	first := &w.tails[0]
	o.Record = ni.Record{Arg: uint64(o.slot), Meta: w.meta, Peer: first.peer, Bytes: int32(len(w.tail)), First: true}
	o.msg, o.handle, o.offset, o.last = m, first.handle, first.offset, true
	o.again, o.flags = false, flagLast|ni.FlagFirst
	copy(o.data(), w.tail)
	n.copyTo(m, o, w.tails[1:], first.offset)
	n.nic.Spend(n.cost.InlineData)
	w.ends = o
	at := m.posted.Tail()
	for c := o; c != nil; c = c.next {
		n.nic.Begin(&c.Record, at)
		n.nic.Loaded(&c.Record)
	}
}

// ahead is how many packets of a multicast are passed to the S engine at a
// time: one in progress and one queued.
const ahead = 2

// pass passes the next packets of a whole multicast to the S engine: all to one
// receiver, then all to the next. It reports whether all are there.
func (n *Node) pass(m *message) bool {
	w := m.whole()
	data := w.packets
	if w.tails != nil {
		data--
	}
	for w.turn <= len(m.copies()) && w.queued < ahead {
		var head **outgoing
		switch {
		case w.next < len(m.rare().fetched):
			head = &m.more.fetched[w.next]
		case w.next < data:
			return false // it is being fetched
		default:
			head = &w.ends
		}
		o := *head
		*head, o.next = o.next, nil
		if w.turn > 0 || w.next == data {
			n.nic.Spend(n.cost.BuildHeader)
		}
		w.queued++
		if w.next++; w.next == w.packets {
			w.next = 0
			w.turn++
		}
		n.transmit(o, false)
	}
	return w.turn > len(m.copies())
}

// copyTo makes copies of a packet for other receivers, which share its buffer;
// base is the offset in the message from which its part begins.
func (n *Node) copyTo(m *message, o *outgoing, to []target, base int) {
	o.next = nil
	if len(to) == 0 {
		return
	}
	o.users = uint16(1 + len(to))
	n.shared.Add(o.slot)
	end := o
	for i := range to {
		t := &to[i]
		c := n.claim()
		n.shared.Add(c.slot)
		c.Record = o.Record
		c.Arg, c.Peer = uint64(c.slot), t.peer
		c.msg, c.last, c.flags, c.again = m, o.last, o.flags, false
		c.handle, c.offset = t.handle, t.offset+o.offset-base
		c.lender, c.next = o, nil
		n.stats.Copies++
		end.next = c
		end = c
	}
}

// spread passes a packet whose data is in SRAM to the S engine, followed by its
// copies.
func (n *Node) spread(o *outgoing) {
	for c := o; c != nil; {
		next := c.next
		c.next = nil
		if c != o {
			n.nic.Spend(n.cost.BuildHeader)
		}
		n.transmit(c, false)
		c = next
	}
}

// release releases an acknowledged packet that has copies or is one. The shared
// buffer is free when the last of them has been acknowledged.
func (n *Node) release(slot uint32) {
	o := n.outs[slot]
	owner := o
	if o.lender != nil {
		owner, o.lender = o.lender, nil
		n.shared.Remove(slot)
		n.outFree = append(n.outFree, slot)
	}
	if owner.users--; owner.users == 0 {
		n.held--
		n.shared.Remove(owner.slot)
		n.outFree = append(n.outFree, owner.slot)
	}
}
