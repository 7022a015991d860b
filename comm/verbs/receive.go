package verbs

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Received gives a packet to the receive unit of its pair. Damaged packets and those of no pair
// are dropped.
func (n *Node) Received(p *fabric.Packet) {
	number := p.Header.Words[wordPair]
	if p.CRCError {
		n.stats.Damaged++
		n.nic.Drop(p)
		return
	}
	if number >= uint64(len(n.pairs)) || !n.pairs[number].takes(p) {
		n.stats.Refused++
		n.nic.Drop(p)
		return
	}
	q := n.pairs[number]
	n.receivers[q.unit].take(n.incoming(p, q))
}

// takes reports whether a packet comes from the pair's peer and is of a type that the pair handles.
func (q *Pair) takes(p *fabric.Packet) bool {
	o := op(p.Header.Op)
	if q.peer == anyone {
		return o == opDatagram
	}
	return q.peer == p.Src && o < opDatagram
}

// take takes a packet, unless the state of its pair or an address has to be read for it or for one before it.
func (r *receiver) take(in *incoming) {
	q, n := in.pair, in.node
	switch {
	case q.held.Len() > 0:
		if n.nic.Logs() {
			n.nic.Awaits(in.packet.Actor, waits.Order, (*q.held.At(q.held.Len() - 1)).packet.Actor)
		}
		q.held.Push(in)
	case in.cached():
		r.begin(in)
	default:
		q.held.Push(in)
		n.lacks(fetchToReceive, q, in.packet.Actor)
	}
}

// readied takes the oldest held packet of a pair, for which all has been read, and those behind it.
func (r *receiver) readied(q *Pair) {
	in := *q.held.At(0)
	q.node.brought(q, in.page())
	for {
		r.begin(q.held.Pop())
		if q.held.Len() == 0 {
			return
		}
		if in := *q.held.At(0); !in.cached() {
			q.node.lacks(fetchToReceive, q, in.packet.Actor)
			return
		}
	}
}

// begin spends the unit's time on a packet, which is handled when it has passed the pipeline.
func (r *receiver) begin(in *incoming) {
	n := in.node
	// The unit takes a packet each Receive; the pipeline behind it adds latency, not occupancy.
	from := max(r.free, n.nic.Engine().Now())
	if n.nic.Logs() {
		n.nic.Awaits(in.packet.Actor, waits.Pipeline, r.last)
		n.nic.Passes(in.packet.Actor, waits.Pipeline, from)
		r.last = in.packet.Actor
	}
	r.free = from.Add(n.spec.Card.Receive)
	n.nic.Engine().At(r.free.Add(n.spec.Card.Pipeline), in, 0, 0)
}

// incoming returns the state of a packet that has arrived.
func (n *Node) incoming(p *fabric.Packet, q *Pair) *incoming {
	var in *incoming
	if k := len(n.inFree); k > 0 {
		in = n.ins[n.inFree[k-1]]
		n.inFree = n.inFree[:k-1]
	} else {
		in = &incoming{node: n, slot: uint32(len(n.ins))}
		n.ins = append(n.ins, in)
	}
	*in = incoming{node: n, slot: in.slot, packet: p, pair: q}
	return in
}

// leave frees a packet.
func (in *incoming) leave() {
	in.node.nic.Drop(in.packet)
	in.done()
}

func (in *incoming) done() {
	in.packet = nil
	in.node.inFree = append(in.node.inFree, in.slot)
}

// Act handles a packet that has passed the card's pipeline.
func (in *incoming) Act(uint32, uint64) {
	n := in.node
	n.nic.Step()
	n.nic.Serves(in.packet.Actor)
	in.pair.handle(in)
	n.nic.End()
}

// cached reports whether the pair's state and the translation of the target page are in the card.
func (in *incoming) cached() bool {
	hit, page := in.node.contexts.lookup(&in.pair.context), in.page()
	return (page == nil || in.node.pages.lookup(page)) && hit
}

// page returns the page into which a packet's data goes, or nil.
func (in *incoming) page() *cached {
	if p := in.packet; op(p.Header.Op) == opWrite {
		if r, offset, ok := in.node.target(p, p.Bytes()); ok {
			return r.process.page(uint64(r.at) + uint64(offset))
		}
	}
	return nil
}

// target returns the region that a packet names and the offset in it. It returns false unless so
// many bytes lie in the region.
func (n *Node) target(p *fabric.Packet, bytes int) (*Region, int, bool) {
	number, offset := p.Header.Words[wordRegion], p.Header.Words[wordOffset]
	if number >= uint64(len(n.regions)) {
		return nil, 0, false
	}
	r := n.regions[number]
	if size := uint64(r.bytes); offset > size || uint64(bytes) > size-offset {
		return nil, 0, false
	}
	return r, int(offset), true
}

// handle dispatches a packet: acknowledgements and answers go to the requester's side of the pair,
// requests to the responder's.
func (q *Pair) handle(in *incoming) {
	if q.peer == anyone {
		q.datagram(in)
		return
	}
	h := &in.packet.Header
	if d := q.node.spec.DCQCN; in.packet.Marked && d != nil {
		q.node.stats.Marked++
		if q.congestion.marks.Marked(d, q.node.nic.Engine().Now()) {
			q.node.stats.Notices++
			q.answer(opCongested, q.expected)
		}
	}
	switch o := op(h.Op); o {
	case opCongested:
		in.leave()
		if q.node.spec.DCQCN != nil {
			q.congestion.pace.Notified(q.node.nic.Engine().Now())
		}
	case opMissing:
		about := *h
		in.leave()
		q.missing(about)
	case opAck, opNak, opNotReady, opRefused:
		seq := h.Seq
		in.leave()
		q.answered(o, seq)
	case opReadReply, opAtomicReply:
		q.replied(in)
	default:
		q.respond(in)
	}
}

// respond handles a request in the order of packet numbers. A gap is reported once, by a NAK, and once more if the
// requester has gone back and its first packet is missing again; with selective repeat each packet behind a gap is
// answered. Duplicates are acknowledged again, or answered again if the answer is data.
func (q *Pair) respond(in *incoming) {
	p := in.packet
	h := &p.Header
	if int32(h.Seq-q.request) <= 0 { // the requester has gone back, to a missing packet at the latest
		q.nacked = false
	}
	q.request = h.Seq
	switch ahead := int32(h.Seq - q.expected); {
	case q.err != nil:
		in.leave()
		return
	case ahead > 0: // once for a gap
		q.gap(in, int(ahead))
		return
	case ahead < 0:
		q.node.stats.Duplicates++
		if o := op(h.Op); o.replied() {
			q.operate(in)
			return
		}
		in.leave()
		q.answer(opAck, q.expected)
		return
	}
	before := q.expected
	switch op(h.Op) {
	case opWrite:
		q.written(in)
	case opSend:
		q.message(in)
	default:
		q.operate(in)
	}
	q.follows(q.expected - before)
}

// gap answers a packet that is so far from the expected one.
func (q *Pair) gap(in *incoming, ahead int) {
	q.node.stats.OutOfOrder++
	if q.node.spec.Selective > 0 {
		seq := in.packet.Header.Seq
		if kept := q.keeps(in, ahead); !q.nacked {
			q.reports(seq, kept)
		}
		return
	}
	in.leave()
	if !q.nacked {
		q.nacked = true
		q.answer(opNak, q.expected)
	}
}

// accept advances the expected number by the packets of a request, and acknowledges it if asked.
func (q *Pair) accept(h *fabric.Header, packets uint32) {
	q.expected += packets
	if h.Flags&flagAsk != 0 && !op(h.Op).replied() {
		q.answer(opAck, q.expected)
	}
}

// refuse answers a request that names memory which is not there. The requester's end then fails.
func (q *Pair) refuse(in *incoming) {
	q.node.stats.Refused++
	in.leave()
	q.answer(opRefused, q.expected)
}

// written deposits a packet of a write, and notifies the owner of the region if the packet says so.
func (q *Pair) written(in *incoming) {
	n, p := q.node, in.packet
	r, offset, ok := n.target(p, p.Bytes())
	if !ok {
		q.refuse(in)
		return
	}
	in.region, in.space, in.at = r, r.process.Space(), r.at+hostAddr(offset)
	q.accept(&p.Header, 1)
	if p.Header.Flags&(flagNotify|flagLast) == flagNotify|flagLast && r.notify != nil {
		defer n.tell(errand{kind: tellWritten, region: r, arrival: q.arrival(p.Header.Flags, offset, p.Bytes())}, p)
	}
	in.deposit()
}

// arrival describes a part of a write.
func (q *Pair) arrival(f uint8, offset, bytes int) deposit.Arrival {
	return deposit.Arrival{From: int(q.peer), Offset: offset, Bytes: bytes, First: f&ni.FlagFirst != 0, Last: f&flagLast != 0}
}

// message deposits a packet of a message in the receive buffer that its first packet took. Without
// a free buffer it answers RNR ("receiver not ready"), and the sender tries again later.
func (q *Pair) message(in *incoming) {
	n, p := q.node, in.packet
	h := &p.Header
	length, offset, pool := h.Words[wordRegion], h.Words[wordOffset], q.process.pool
	switch {
	case pool == nil || length > uint64(n.spec.MessageBytes) || offset > length || uint64(p.Bytes()) > length-offset:
		q.refuse(in)
		return
	case h.Flags&ni.FlagFirst != 0 && q.into < 0:
		if pool.Free() == 0 {
			n.stats.NotReady++
			in.leave()
			// Packets behind it are gaps from now on: they need no NAK of their own.
			q.nacked = true
			q.answer(opNotReady, q.expected)
			return
		}
		q.into, q.filled = pool.Take(), 0
	case q.into < 0 || int(offset) != q.filled:
		q.refuse(in)
		return
	}
	in.space, in.at = q.process.Space(), pool.At(q.into)+hostAddr(int(offset))
	q.filled += p.Bytes()
	q.accept(h, 1)
	if h.Flags&flagLast == 0 {
		in.deposit()
		return
	}
	into := q.into
	q.into = -1
	in.arrived(into, q.filled)
}

// arrived deposits the last packet of a message and notifies the receiver's process.
func (in *incoming) arrived(buffer, bytes int) {
	n, p := in.node, in.packet
	e := errand{kind: tellReceiver, pair: in.pair, from: int(p.Src), buffer: buffer, bytes: bytes}
	in.deposit()
	n.tell(e, p)
}

// deposit writes a packet's data to memory.
func (in *incoming) deposit() {
	n := in.node
	if in.packet.Bytes() == 0 {
		n.nic.Stored(in.packet)
		in.leave()
		return
	}
	in.stage = toMemory
	in.dma = ni.DMA{Dir: ni.ToHost, Bytes: in.packet.Bytes(), Packet: in.packet, Owner: in}
	n.nic.HostDMA(&in.dma)
}

// Transferred moves the bytes of a DMA: data to memory, or the word of an atomic operation to the
// card.
func (in *incoming) Transferred(*ni.DMA) {
	switch in.stage {
	case toMemory:
		x := in.landing()
		x.land(in.pair)
	case atomicRead:
		var b [8]byte
		in.space.ReadAt(in.at, b[:])
		in.value = binary.LittleEndian.Uint64(b[:])
	}
}

// landing returns a packet's data, which is the packet's.
func (in *incoming) landing() landing {
	p := in.packet
	x := landing{region: in.region, space: in.space, at: in.at, flags: p.Header.Flags, bytes: p.Bytes(), part: p.Described()}
	if x.part.Bytes == 0 || x.region != nil && x.region.place != nil {
		x.data, x.part = p.Data(), content.Part{}
	}
	return x
}

// land stores data and reports it to the region's owner page by page.
func (x *landing) land(q *Pair) {
	r := x.region
	if r == nil || r.place == nil && r.written == nil {
		x.store(0, x.bytes)
		return
	}
	for from, n := 0, 0; from < x.bytes; from += n {
		at := x.at + host.Addr(from)
		n = min(x.bytes-from, host.PageBytes-at.Offset())
		offset := int(at - r.at)
		if r.place == nil {
			x.store(from, from+n)
		} else if into := r.place(offset, n); into != nil {
			copy(into, x.data[from:from+n])
		} else {
			q.node.stats.Refused++
			continue
		}
		if r.written != nil {
			a := q.arrival(x.flags, offset, n)
			a.First, a.Last = from == 0 && a.First, from+n == x.bytes && a.Last
			r.written(a)
		}
	}
}

// store writes data between two offsets to memory, or its description.
func (x *landing) store(from, to int) {
	at := x.at + host.Addr(from)
	if x.part.Bytes > 0 {
		x.space.Describe(at, x.part.Slice(from, to))
	} else {
		x.space.WriteAt(at, x.data[from:to])
	}
}

// HostDone continues after a DMA.
func (in *incoming) HostDone(*ni.DMA, sim.Time) {
	switch q := in.pair; in.stage {
	case toMemory:
		w, final := in.work, in.final
		in.leave()
		if final {
			w.landed = true
			q.advance()
		}
	case aside:
		in.leave()
	case atomicRead:
		in.modify()
	case atomicWrite:
		in.done()
	}
}

// operate handles a request for a read or an atomic operation. A repeated read is read again; a
// repeated atomic operation is answered with the kept result and not done again.
func (q *Pair) operate(in *incoming) {
	n, h := q.node, &in.packet.Header
	again := int32(h.Seq-q.expected) < 0
	bytes := 8
	if op(h.Op) == opRead {
		bytes = int(min(h.Words[wordOld], 1<<40))
	}
	r, offset, ok := n.target(in.packet, bytes)
	if !ok || bytes == 0 {
		q.refuse(in)
		return
	}
	if op(h.Op) == opRead {
		packets := uint32((bytes + n.spec.MTU - 1) / n.spec.MTU)
		// The requester has given the answer's packets numbers of its own: expected passes over all.
		if !again {
			q.expected += packets
		}
		meta := h.Meta
		meta.Kind = trace.Reply
		q.replies.Push(reply{op: opReadReply, psn: h.Seq, left: bytes, region: r, offset: offset, first: true, meta: meta, posted: n.ownRequest()})
		n.nic.Stored(in.packet)
		in.leave()
		q.serve()
		return
	}
	if again {
		for i := range q.results.Len() {
			if done := q.results.At(i); done.psn == h.Seq {
				in.region = r
				q.replyAtomic(in, done.old)
			}
		}
		in.leave()
		return
	}
	q.expected++
	in.region, in.space, in.at, in.value = r, r.process.Space(), r.at+hostAddr(offset), 0
	key := word{r.number, uint64(offset)}
	waiting := n.atomics[key]
	if waiting == nil {
		waiting = &ring.Ring[*incoming]{}
		n.atomics[key] = waiting
	}
	// Atomic operations on a word are serialized over all pairs of the card.
	n.nic.Stored(in.packet)
	if k := waiting.Len(); k > 0 && n.nic.Logs() {
		n.nic.Awaits(in.packet.Actor, waits.Order, (*waiting.At(k - 1)).packet.Actor)
	}
	waiting.Push(in)
	if waiting.Len() == 1 {
		in.load()
	}
}

// ownRequest returns a request as the host would have posted it, for the packets of an answer.
func (n *Node) ownRequest() ni.Posted { return n.nic.Own() }

// load reads the word of an atomic operation.
func (in *incoming) load() {
	in.stage = atomicRead
	in.dma = ni.DMA{Dir: ni.ToNI, Bytes: 8, Owner: in, For: in.packet.Actor, Of: waits.HostDMA}
	in.node.nic.HostDMA(&in.dma)
}

// modify writes the word back and answers. The next operation on the word reads after Card.Atomic,
// behind the write on the bus.
func (in *incoming) modify() {
	n, h := in.node, &in.packet.Header
	old := in.value
	value, write := old+h.Words[wordOperand], true
	if op(h.Op) == opCompareSwap {
		value, write = h.Words[wordOperand], old == h.Words[wordOld]
	}
	if write {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], value)
		in.space.WriteAt(in.at, b[:])
	}
	q := in.pair
	q.keep(h.Seq, old)
	q.replyAtomic(in, old)
	key := word{in.region.number, uint64(in.at - in.region.at)}
	in.stage = atomicWrite
	n.nic.Drop(in.packet)
	in.packet = nil
	in.dma = ni.DMA{Dir: ni.ToHost, Bytes: 8, Owner: in, For: n.nic.Served(), Of: waits.HostDMA}
	n.nic.HostDMA(&in.dma)
	waiting := n.atomics[key]
	waiting.Drop()
	if waiting.Len() > 0 {
		n.nic.Engine().After(n.spec.Card.Atomic, (*turn)(*waiting.At(0)), 0, 0)
	} else {
		delete(n.atomics, key)
	}
}

// turn is the Actor of an atomic operation that has waited for its word.
type turn incoming

// Act begins the operation.
func (t *turn) Act(uint32, uint64) {
	in := (*incoming)(t)
	in.node.nic.Step()
	in.load()
	in.node.nic.End()
}

// keep stores the result of an atomic operation for repeated requests. A requester has at most
// Window operations outstanding, so the last results by number suffice; operations on several words end in any order.
func (q *Pair) keep(psn uint32, old uint64) {
	q.results.Push(result{psn, old})
	for i := q.results.Len() - 1; i > 0 && int32(psn-q.results.At(i-1).psn) < 0; i-- {
		a, b := q.results.At(i-1), q.results.At(i)
		*a, *b = *b, *a
	}
	if q.results.Len() > q.node.spec.Window {
		q.results.Drop()
	}
}

// replyAtomic sends the result of an atomic operation.
func (q *Pair) replyAtomic(in *incoming, old uint64) {
	meta := in.packet.Header.Meta
	meta.Kind = trace.Reply
	q.replies.Push(reply{op: opAtomicReply, psn: in.packet.Header.Seq, region: in.region, value: old, first: true, meta: meta, posted: q.node.ownRequest()})
	q.serve()
}

// answer sends an acknowledgement, a NAK or a congestion notice; all packets before seq are
// accepted.
func (q *Pair) answer(o op, seq uint32) {
	q.node.nic.Send(q.answering(o, seq), nil)
}

// answering makes an answer.
func (q *Pair) answering(o op, seq uint32) *fabric.Packet {
	n := q.node
	p := n.nic.Net().NewPacket()
	p.Src, p.Dst = int32(n.nic.ID()), q.peer
	h := &p.Header
	h.Op, h.Seq, h.Words[wordPair] = uint8(o), seq, uint64(q.other)
	h.Meta.Kind = trace.Ack
	switch o {
	case opAck:
		n.stats.Acks++
	case opCongested:
	default:
		h.Meta.Kind = trace.Nack
		n.stats.Naks++
	}
	p.Actor = n.nic.Answer(h.Meta.Kind, q.peer)
	p.WireBytes = n.spec.AckBytes
	n.senders[q.unit].unit.Hold(n.spec.Card.Ack)
	return p
}

// Flush keeps what is in the receive pool at a forward reset: it is whole.
func (n *Node) Flush() int { return 0 }
