package nx

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// track returns the completion that counts one more send of the request.
func (r *request) track() *deposit.Completion {
	r.poll = true
	return &r.done
}

func (r *request) sent() bool { return r.left == 0 && r.done.Pending() == 0 }

func (r *request) complete() bool {
	if r.recv != nil {
		return r.recv.done
	}
	return r.sent()
}

func (p *Process) newRequest() (int, *request) {
	if k := len(p.spare); k > 0 {
		n := p.spare[k-1]
		p.spare = p.spare[:k-1]
		*p.requests[n] = request{number: n, used: true, done: deposit.Completion{Watch: &p.watch}}
		return n, p.requests[n]
	}
	n := len(p.requests)
	p.requests = append(p.requests, &request{number: n, used: true, done: deposit.Completion{Watch: &p.watch}})
	return n, p.requests[n]
}

func (p *Process) dropRequest(r *request) {
	r.used, r.recv, r.slot = false, nil, nil
	p.spare = append(p.spare, r.number)
}

// submit queues a message to a node or to all others and returns the number of
// its request.
func (p *Process) submit(typ int, buf host.Addr, bytes, node int, flags uint8) (int, error) {
	if err := p.checkMessage(typ, buf, bytes); err != nil {
		return 0, err
	}
	if node < Any || node >= len(p.peers) {
		return 0, fmt.Errorf("nx: node %d sends to node %d, want 0 to %d, or -1 for all others", p.me, node, len(p.peers)-1)
	}
	id, req := p.newRequest()
	s := send{req: req, op: opAsk, flags: flags, origin: p.me, typ: typ, buf: buf, bytes: bytes}
	switch {
	case bytes <= shortBytes:
		s.op = opShort
		s.body = make([]byte, bytes)
		p.space.ReadAt(buf, s.body)
	case bytes <= p.sys.spec.EagerBytes:
		s.op = opSlot
	}
	if node == p.me {
		p.toSelf(&s)
		return id, nil
	}
	if node != Any {
		req.left = 1
		p.enqueue(s, p.peer(node))
		return id, nil
	}
	p.toAll(s)
	return id, nil
}

func (p *Process) checkMessage(typ int, buf host.Addr, bytes int) error {
	switch {
	case typ < 0 || typ > maxType:
		return fmt.Errorf("nx: node %d: a message of type %d, want 0 to %d", p.me, typ, maxType)
	case bytes < 0 || bytes > 0 && !p.space.Valid(buf, bytes):
		return fmt.Errorf("nx: node %d: a message of %d B at %#x, which is not memory of the process", p.me, bytes, buf)
	}
	return nil
}

// enqueue queues a message to one node.
func (p *Process) enqueue(s send, q *peer) {
	if p.sys.spec.Broadcast == Tree && s.flags&flagSystem == 0 {
		s.after = p.trees
		p.direct = true
	}
	if s.op == opAsk {
		p.long++
		s.number = p.long
	}
	q.push(&q.queue, &s)
}

// toAll queues a broadcast.
func (p *Process) toAll(s send) {
	s.broadcast = true
	s.span = p.numbers.Next()
	s.req.span = s.span
	p.reportBegin(s.span)
	mode := p.sys.spec.Broadcast
	if s.op == opAsk || mode == Firmware && s.bytes > p.multicaster.MulticastBytes() {
		mode = Separate
	}
	switch mode {
	case Separate:
		s.req.left = len(p.peers) - 1
		for q := range p.others(true) {
			p.enqueue(s, q)
		}
	case Firmware:
		s.req.left, s.multi = 1, true
		for q := range p.others(true) {
			q.push(&q.queue, &s)
		}
	case Tree:
		s.flags |= flagTree
		p.mark()
		s.after = p.marks
		p.trees++
		to := children(p.me, p.me, len(p.peers))
		s.req.left = len(to)
		for _, node := range to {
			copied := s
			q := p.peer(node)
			q.push(&q.queue, &copied)
		}
	}
}

// mark queues the mark of a broadcast by tree, which orders it among separate messages, if any have
// been sent since the last mark.
func (p *Process) mark() {
	if !p.direct {
		return
	}
	p.direct = false
	p.marks++
	for q := range p.others(true) {
		q.push(&q.queue, &send{op: opMark, origin: p.me, after: p.trees})
	}
}

// toSelf delivers a message to its own sender.
func (p *Process) toSelf(s *send) {
	m := &message{node: p.me, typ: s.typ, bytes: s.bytes, from: p.me, body: s.body}
	if s.op != opShort {
		m.memory = p.sysAlloc(s.bytes)
		p.move(m.memory, s.buf, s.bytes)
	}
	p.context.Copy(s.bytes, s.op == opShort)
	p.deliver(m)
}

// pump posts all entries and messages that have room, and reports whether there
// were any.
func (p *Process) pump() bool {
	did := false
	if p.queued == 0 {
		return false
	}
	for q := range p.others(false) {
		for p.sys.err == nil && p.post(q) {
			did = true
		}
	}
	return did
}

// post posts the next entry or message for a peer to the interface, if there is
// one and the peer has room for it. It reports whether it did.
func (p *Process) post(q *peer) bool {
	if !q.hasEntry() {
		return false
	}
	if q.control.Len() > 0 {
		s := q.pop(&q.control)
		p.entry(q, s, s.number)
		return true
	}
	if q.queue.Len() == 0 {
		return false
	}
	s := *q.queue.At(0)
	if s.multi {
		return p.postMulti(s)
	}
	if s.op == opSlot && !q.hasSlot() {
		return false
	}
	q.pop(&q.queue)
	switch s.op {
	case opShort:
		p.stats.Short++
		p.notePosted(s.req)
	case opSlot:
		p.stats.Eager++
		to, offset := q.toSlots[q.slotsSent%uint32(len(q.toSlots))], s.buf.Offset()
		q.slotsSent++
		p.check(p.port.SendTracked(p.context, s.buf, to, offset, s.bytes, s.meta(), s.req.track()))
		p.entry(q, s, uint32(offset))
		p.notePosted(s.req)
		return true
	case opAsk:
		q.asked = append(q.asked, s)
	}
	p.entry(q, s, s.number)
	return true
}

func (q *peer) hasEntry() bool { return q.entriesSent-q.entriesRead < uint32(len(q.present)) }
func (q *peer) hasSlot() bool  { return q.slotsSent-q.slotsFree < uint32(len(q.toSlots)) }

func (s *send) meta() trace.Meta {
	kind := trace.Message
	if s.broadcast {
		kind = trace.Broadcast
	}
	return trace.Meta{Kind: kind, Span: s.span}
}

// entry sends one entry.
func (p *Process) entry(q *peer, s *send, aux uint32) {
	at := int(q.entriesSent) % len(q.present) * entryBytes
	q.entriesSent++
	n, meta := p.stage(s, aux)
	p.check(p.port.Send(p.context, p.scratch, q.ring, at, n, meta, false))
}

// stage writes an entry to scratch memory, from which the port sends it. It
// returns the entry's length.
func (p *Process) stage(s *send, aux uint32) (int, trace.Meta) {
	meta := s.meta()
	if s.op != opShort {
		meta.Kind = trace.Envelope
	}
	var b [entryBytes]byte
	r := record{op: s.op, flags: s.flags, origin: uint16(s.origin), typ: int32(s.typ), bytes: uint32(s.bytes), aux: aux, after: s.after, span: uint32(s.span)}
	r.put(b[:])
	n := headerBytes + copy(b[headerBytes:], s.body)
	p.space.WriteAt(p.scratch, b[:n])
	return n, meta
}

// postMulti posts a broadcast to the interface once every peer has room and
// nothing queued. The order of receivers is that of separate sends.
func (p *Process) postMulti(s *send) bool {
	for q := range p.others(false) {
		if q.control.Len() > 0 || q.queue.Len() == 0 || *q.queue.At(0) != s || !q.hasEntry() || s.op == opSlot && !q.hasSlot() {
			return false
		}
	}
	var data, entries []deposit.Target
	offset := 0
	for q := range p.others(false) {
		q.pop(&q.queue)
		if s.op == opSlot {
			offset = s.buf.Offset()
			data = append(data, deposit.Target{To: q.toSlots[q.slotsSent%uint32(len(q.toSlots))], Offset: offset})
			q.slotsSent++
			p.stats.Eager++
		} else {
			p.stats.Short++
		}
		entries = append(entries, deposit.Target{To: q.ring, Offset: int(q.entriesSent) % len(q.present) * entryBytes})
		q.entriesSent++
	}
	p.stats.Multicasts++
	n, meta := p.stage(s, uint32(offset))
	if s.op == opSlot {
		tail := &deposit.Tail{To: entries, Local: p.scratch, Bytes: n, Meta: meta}
		p.check(p.multicaster.Multicast(p.context, s.buf, data, s.bytes, s.meta(), tail, s.req.track()))
	} else {
		p.check(p.multicaster.Multicast(p.context, p.scratch, entries, n, meta, nil, nil))
	}
	p.notePosted(s.req)
	return true
}

// granted sends a long message to the address that its receiver has granted.
func (p *Process) granted(q *peer, number uint32, offset uint64) {
	for i, s := range q.asked {
		if s.number != number {
			continue
		}
		q.asked = append(q.asked[:i], q.asked[i+1:]...)
		p.stats.Long++
		p.check(p.port.SendTracked(p.context, s.buf, q.heap, int(offset), s.bytes, s.meta(), s.req.track()))
		p.notePosted(s.req)
		q.push(&q.control, &send{op: opDone, origin: p.me, number: number, span: s.span})
		return
	}
	p.sys.fail(fmt.Errorf("nx: node %d: node %d grants an address to message %d, which needs none", p.me, q.node, number))
}
