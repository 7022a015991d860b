package vmmc

import (
	"math/bits"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

const pageBytes = host.PageBytes

// inlineMax is the largest Spec.InlineBytes; it avoids an allocation per
// message.
const inlineMax = 64

// Ready reports whether the control program takes up another message: a slot is free,
// and the last packet of the message before is on its way from host memory.
func (n *Node) Ready() bool {
	if n.active >= n.most || len(n.stalled) > 0 {
		return false
	}
	last := len(n.order) - 1
	return (last < 0 || n.order[last].sent == n.order[last].bytes) && (n.throttle.limited == 0 || n.eligible() >= 0)
}

// Request takes up the oldest request, or the oldest to a peer that is not swamped.
func (n *Node) Request() {
	passed := n.eligible()
	m := n.queue.Take(passed)
	n.slots -= int32(m.slots)
	if int(n.slots) <= n.nic.Spec().RequestSlots*3/4 {
		n.room.Fire()
	}
	n.active++
	n.stats.Messages++
	m.left = uint16(1 + len(m.copies()))
	if w := m.whole(); w != nil {
		w.left = int(m.left) * w.packets
	}
	n.order = append(n.order, m)
	n.nic.Take(&m.posted)
	n.slotTaken(m)
	n.nic.Spend(n.cost.TakeRequest + scanCycles*passed)
	n.advance(m)
}

// advance makes and fetches the next packet of m. Without a send buffer or room in the window m
// stalls.
func (n *Node) advance(m *message) {
	if !n.hasRoom(m) {
		n.nic.NoRoom(&m.posted)
		n.stalled = append(n.stalled, m)
		n.stats.WindowStalls++
		return
	}
	n.nic.Next(&m.posted)
	w := m.whole()
	if w != nil && m.sent == 0 {
		n.reserve(m)
	}
	size := n.pieceOf(m)
	o := n.claim()
	o.Record = ni.Record{Arg: uint64(o.slot), Meta: m.meta, Peer: m.peer, Bytes: int32(size), First: m.sent == 0}
	o.msg, o.handle, o.offset = m, m.handle, m.offset+int(m.sent)
	o.again = false
	start := m.sent
	m.sent += int32(size)
	o.last = m.sent == m.bytes
	o.flags = 0
	if o.last {
		o.flags |= flagLast
	}
	if m.notify && o.last {
		o.flags |= flagNotify
	}
	if o.First {
		o.flags |= ni.FlagFirst
	}
	n.copyTo(m, o, m.copies(), m.offset)
	if w == nil {
		n.held++
		for c := o; c != nil; c = c.next {
			n.link(c.Peer).claimed++
		}
	}
	for c := o; c != nil; c = c.next {
		n.nic.Begin(&c.Record, &m.posted)
		if c.next != nil {
			c.Copy = &c.next.Record
		}
	}
	n.nic.Spend(n.cost.BuildHeader)
	if n.inline(m) {
		copy(o.data(), m.body[start:m.sent])
		n.nic.Spend(n.cost.InlineData)
		n.nic.Loaded(&o.Record)
		n.fetched(o)
		return
	}
	from, local := n.source(m)
	n.translate(&n.fetches, from.id, local+host.Addr(start))
	d := n.claimDMA()
	d.Dir, d.Bytes, d.Record = ni.ToNI, size, &o.Record
	n.nic.HostDMA(d)
}

// pieceOf returns the size of the next packet of m: packets end at the page
// borders of both sides, because each needs one translation per side.
func (n *Node) pieceOf(m *message) int {
	size := min(int(m.bytes-m.sent), n.spec.PacketBytes)
	if !n.inline(m) {
		_, local := n.source(m)
		size = min(size, pageBytes-int(local+host.Addr(m.sent))%pageBytes)
	}
	return min(size, pageBytes-(int(m.skew)+m.offset+int(m.sent))%pageBytes)
}

// fetched continues when a packet's data is in SRAM: it passes the packet to the S
// engine when its turn has come, and starts the next packet of the message, whose
// DMA does not wait for this one's injection.
func (n *Node) fetched(o *outgoing) {
	m, last := o.msg, o.last
	n.nic.InOrder(&o.Record)
	if n.order[0] == m && m.more == nil {
		n.spread(o)
		if last {
			n.order = rest(n.order, 1)
			n.hand()
		}
	} else {
		x := m.rare()
		x.fetched = append(x.fetched, o)
		n.hand()
	}
	if !last {
		n.nic.Next(&m.posted)
		n.nic.Spend(n.cost.NextPacket)
		n.advance(m)
	} else if m.more != nil && m.more.done != nil {
		m.more.done.Done()
	}
}

// hand passes packets whose data is in SRAM to the S engine, in the order of their
// requests.
func (n *Node) hand() {
	for len(n.order) > 0 && n.handed(n.order[0]) {
		n.order = rest(n.order, 1)
	}
}

// rest removes the first n elements of a short queue.
func rest[T any](q []T, n int) []T {
	if n == len(q) {
		return q[:0]
	}
	return q[:copy(q, q[n:])]
}

// handed passes what is fetched of m to the S engine and reports whether that is the
// rest of it.
func (n *Node) handed(m *message) bool {
	if m.whole() != nil {
		return n.pass(m)
	}
	all := false
	if x := m.more; x != nil {
		for _, o := range x.fetched {
			all = o.last
			n.spread(o)
		}
		x.fetched = x.fetched[:0]
	}
	return all
}

// Sent ends a packet's insertion.
func (n *Node) Sent(r *ni.Record, _ sim.Time) {
	o := n.outs[r.Arg]
	n.nic.Spend(n.cost.Injected)
	n.wire.Remove(uint32(r.Arg))
	if m := o.msg; m != nil {
		o.msg = nil
		if w := m.whole(); w != nil {
			w.queued--
			n.hand()
			if w.left--; w.left == 0 {
				n.injected(m)
			}
		} else if o.last {
			if m.left--; m.left == 0 {
				n.injected(m)
			}
		}
	}
	// Last, because the packet may become another one.
	if o.again {
		if l := n.link(o.Peer); l.ackedBehind > 0 {
			n.free(l, o.Peer, l.oldest()+uint32(l.ackedBehind)) // it was acknowledged while it was sent again
		}
	}
	if len(n.acksDue) > 0 {
		n.SendIdle()
	}
}

// Private implements ni.Discreet: no acknowledgement has waited, and the packet is neither sent again
// nor of a multicast.
func (n *Node) Private(r *ni.Record) bool {
	o := n.outs[r.Arg]
	return len(n.acksDue) == 0 && !o.again && o.msg != nil && o.msg.whole() == nil
}

// SendIdle sends the acknowledgements that waited for the S engine.
func (n *Node) SendIdle() {
	if len(n.acksDue) > 0 && !n.nic.Sending() {
		due := n.acksDue[0]
		n.acksDue = rest(n.acksDue, 1)
		l := n.link(due.peer)
		l.ackDue = false
		n.acknowledge(l, due)
	}
	if len(n.acksDue) > 0 {
		n.nic.AwaitSend()
	}
}

// resume continues stalled messages as far as there is room.
func (n *Node) resume() {
	for len(n.stalled) > 0 {
		m := n.stalled[0]
		if !n.hasRoom(m) {
			return
		}
		before := len(n.stalled)
		n.stalled = rest(n.stalled, 1)
		n.advance(m)
		if len(n.stalled) == before { // put back at the end: no room for its next packet
			copy(n.stalled[1:], n.stalled)
			n.stalled[0] = m
			n.stats.WindowStalls--
			return
		}
	}
}

// injected ends a message.
func (n *Node) injected(m *message) {
	n.active--
	n.slotFreed(m)
	n.msgFree = append(n.msgFree, m)
}

// hasRoom reports whether there is a send buffer for the next packet of m, and
// room in the window of every receiver.
func (n *Node) hasRoom(m *message) bool {
	need := 1
	if w := m.whole(); w != nil {
		if m.sent > 0 {
			return true // reserved
		}
		need = w.packets
	}
	if int(n.held)+need > n.spec.SendBuffers || n.link(m.peer).inFlight()+need > n.window(m.peer) {
		return false
	}
	for _, c := range m.copies() {
		if n.link(c.peer).inFlight()+need > n.spec.Window {
			return false
		}
	}
	return true
}

// claimDMA returns a transfer that nothing uses.
func (n *Node) claimDMA() *ni.DMA {
	if k := len(n.idle); k > 0 {
		d := n.idle[k-1]
		n.idle = n.idle[:k-1]
		return d
	}
	return &ni.DMA{}
}

// owner returns the packet that has the data.
func (o *outgoing) owner() *outgoing {
	if o.lender != nil {
		return o.lender
	}
	return o
}

// data returns the bytes that a packet carries, unless they are described.
func (o *outgoing) data() []byte {
	own, size := o.owner(), int(o.Bytes)
	if size <= len(own.small) {
		return own.small[:size]
	}
	if cap(own.buffer) < size {
		own.buffer = make([]byte, 1<<bits.Len(uint(size-1)))
	}
	return own.buffer[:size]
}

// claim returns a packet that nothing uses.
func (n *Node) claim() *outgoing {
	if k := len(n.outFree); k > 0 {
		o := n.outs[n.outFree[k-1]]
		n.outFree = n.outFree[:k-1]
		return o
	}
	o := &outgoing{slot: uint32(len(n.outs))}
	n.outs = append(n.outs, o)
	if len(n.outs) > 64*len(n.wire) {
		n.wire, n.shared = append(n.wire, 0), append(n.shared, 0)
	}
	return o
}
