package nx

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func (r *posted) wants(m *message) bool {
	return r.system == m.system && (r.typ == Any || r.typ == m.typ) && (r.from == Any || r.from == m.node)
}

// handle processes an entry.
func (p *Process) handle(q *peer, r record, body []byte) {
	m := &message{
		node: int(r.origin), typ: int(r.typ), bytes: int(r.bytes), after: r.after, span: trace.Span(r.span), from: q.node,
		system: r.flags&flagSystem != 0, tree: r.flags&flagTree != 0,
	}
	switch r.op {
	case opShort:
		m.body = append([]byte(nil), body...)
		p.forward(m, r)
	case opSlot:
		m.slot, m.offset = &q.slots[q.announced%uint32(len(q.slots))], int(r.aux)
		m.slot.users = 1
		q.announced++
		p.forward(m, r)
	case opAsk:
		m.asked, m.number = true, r.aux
	case opMark:
		m.mark = true
	case opGrant:
		p.granted(q, r.aux, binary.LittleEndian.Uint64(body))
		return
	case opDone:
		p.arrivedLong(q, r.aux)
		return
	}
	p.route(m)
	if r.op == opSlot {
		p.drain(q)
	}
}

// deliver gives a message to the first receive that matches it, or queues it.
func (p *Process) deliver(m *message) {
	for i, r := range p.posted {
		if r.wants(m) {
			p.posted = append(p.posted[:i], p.posted[i+1:]...)
			p.bind(r, m)
			return
		}
	}
	if !m.system {
		p.stats.Unexpected++
	}
	p.unexpected = append(p.unexpected, m)
	if m.slot != nil && m.slot.guess != nil {
		r := m.slot.guess
		p.restore(m.slot, true)
		p.guess(r)
	}
}

// bind gives a message to a receive; both have been removed from their lists.
func (p *Process) bind(r *posted, m *message) {
	if r.slot != nil && r.slot != m.slot {
		p.restore(r.slot, true)
	}
	r.info = messageInfo{m.typ, m.bytes, m.node}
	switch {
	case m.bytes > r.max:
		r.err = fmt.Errorf("nx: a message of type %d from node %d has %d B, the receive only %d", m.typ, m.node, m.bytes, r.max)
		p.discard(m)
		r.done = true
	case m.asked:
		p.grant(m, r.buf, r)
	case m.coming:
		m.recv = r
	default:
		p.copyOut(m, r)
		r.done = true
		p.reportReceived(m.span)
	}
}

// copyOut copies an arrived message into the buffer of its receive.
func (p *Process) copyOut(m *message, r *posted) {
	switch {
	case m.slot != nil:
		p.copySlot(m, r)
	case m.memory != 0:
		p.move(r.buf, m.memory, m.bytes)
		p.sysFree(m.memory, m.bytes)
		p.context.Copy(m.bytes, false)
	default:
		p.space.WriteAt(r.buf, m.body)
		p.context.Copy(m.bytes, true)
	}
}

// copySlot copies the bytes that are not in the buffer yet.
func (p *Process) copySlot(m *message, r *posted) {
	x := m.slot
	in := x.inPlace(r, m.offset)
	if in < m.bytes {
		p.stats.Copied++
		p.space.WriteAt(r.buf, x.gather(p.space, m.offset, m.bytes))
		p.context.Copy(m.bytes-in, false)
	} else {
		p.stats.InPlace++
	}
	other := x.guess
	p.restore(x, false)
	p.release(x)
	if other != nil && other != r {
		p.guess(other)
	}
}

// discard drops a message that cannot be received.
func (p *Process) discard(m *message) {
	switch {
	case m.slot != nil:
		p.restore(m.slot, false)
		p.release(m.slot)
	case m.asked:
		m.dropped = true
		p.grantSystem(m)
	case m.coming:
		m.dropped = true
	case m.memory != 0:
		p.sysFree(m.memory, m.bytes)
	}
}

// grant answers the envelope of a long message with an address for its data.
func (p *Process) grant(m *message, at host.Addr, r *posted) {
	m.asked, m.coming = false, true
	p.landings = append(p.landings, &landing{from: m.from, number: m.number, at: at, bytes: m.bytes, m: m, recv: r})
	q := p.peer(m.from)
	body := binary.LittleEndian.AppendUint64(nil, uint64(at-p.heap.base))
	q.push(&q.control, &send{op: opGrant, origin: p.me, number: m.number, body: body})
}

// grantSystem grants a long message system memory.
func (p *Process) grantSystem(m *message) {
	m.memory = p.sysAlloc(m.bytes)
	p.grant(m, m.memory, nil)
}

// acceptLong grants system memory to long messages without a receive, because
// this process waits, possibly for their senders. It reports whether there were
// any.
func (p *Process) acceptLong() bool {
	did := false
	for _, m := range p.unexpected {
		if m.asked {
			p.grantSystem(m)
			did = true
		}
	}
	return did
}

// landed records a packet of a long message; it runs when the bytes are in
// memory.
func (p *Process) landed(d deposit.Arrival) {
	at := p.heap.base + host.Addr(d.Offset)
	for _, l := range p.landings {
		if l.from == d.From && at >= l.at && at+host.Addr(d.Bytes) <= l.at+host.Addr(l.bytes) {
			l.received += d.Bytes
			p.peer(d.From).retry()
			return
		}
	}
	p.sys.fail(fmt.Errorf("nx: node %d: node %d sends %d B to %#x, which was not granted", p.me, d.From, d.Bytes, at))
}

// landing returns the memory granted to a long message, or nil.
func (p *Process) landing(from int, number uint32) *landing {
	for _, l := range p.landings {
		if l.from == from && l.number == number {
			return l
		}
	}
	return nil
}

// arrivedLong completes a long message.
func (p *Process) arrivedLong(q *peer, number uint32) {
	l := p.landing(q.node, number)
	if l == nil {
		p.sys.fail(fmt.Errorf("nx: node %d: node %d has sent message %d, which was not granted", p.me, q.node, number))
		return
	}
	p.landings = slices.DeleteFunc(p.landings, func(other *landing) bool { return other == l })
	m := l.m
	m.coming = false
	switch {
	case l.recv != nil:
		l.recv.done = true
		p.reportReceived(m.span)
	case m.dropped:
		p.sysFree(m.memory, m.bytes)
	case m.recv != nil:
		p.copyOut(m, m.recv)
		m.recv.done = true
		p.reportReceived(m.span)
	}
}
