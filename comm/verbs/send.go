package verbs

import (
	"math/bits"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Words of a packet's header; the probe has the rest.
const (
	wordPair   = iota // the receiver's
	wordRegion        // and, of a message, its length
	wordOffset
	wordOperand // compare and swap, or add; the old value in a reply
	wordOld     // of a compare and swap; length of a read

	wordCame = wordRegion // of opMissing: the packet that has come
	wordKept = wordOffset // and 1 if it is kept
)

// Flags of a packet's header.
const (
	flagLast   = ni.FirstProgramFlag << iota // of its message
	flagAsk                                  // wants an acknowledgement
	flagNotify                               // the receiver's process is told
)

// Ready reports that doorbells are taken as they come.
func (n *Node) Ready() bool { return true }

// Request takes the oldest doorbell, or an entry that the CPU has stored into the card (BlueFlame).
func (n *Node) Request() {
	q := n.doorbells.Pop()
	posted := n.nic.TakeArrived()
	if q.err != nil {
		return
	}
	w := q.work(q.announced)
	w.posted = posted
	n.nic.Take(&w.posted)
	q.announced++
	if n.nic.Logs() && q.next+1 < q.announced {
		n.nic.Awaits(n.nic.Coming(&w.posted), waits.Order, 0)
	}
	// A BlueFlame entry is of use only if all before it are in the card: otherwise it is fetched in its turn.
	if w.blue && q.present == q.announced-1 {
		q.present = q.announced
		n.stats.BlueFlames++
	}
	q.fetch()
	q.serve()
}

// work returns entry i of the send queue, counted from the pair's first. Invariant: done <= i <
// posted.
func (q *Pair) work(i uint64) *work { return *q.works.At(int(i - q.done)) }

// fetch reads announced entries from the send queue in host memory, at most FetchEntries at a time.
func (q *Pair) fetch() {
	if q.fetching || q.present >= q.announced {
		return
	}
	k := min(q.announced-q.present, uint64(q.node.spec.FetchEntries))
	bytes := 0
	for i := range k {
		bytes += q.node.spec.entry(q.work(q.present + i))
	}
	q.fetching = true
	n := q.node
	n.stats.Doorbells += k
	n.fetch(errand{kind: fetchEntries, pair: q, count: k}, bytes, n.nic.Coming(&q.work(q.present).posted), waits.Request)
}

// serve queues the pair at its transmit unit if it has a packet to send.
func (q *Pair) serve() {
	if q.ready {
		return
	}
	s := q.node.senders[q.unit]
	may, logs := q.canSend(), q.node.nic.Logs() && s.pair != q
	if logs && !may {
		q.holdsBack()
	}
	if !may {
		return
	}
	if logs {
		q.node.nic.Awaits(q.coming(), waits.Pipeline, s.last)
	}
	q.ready = true
	s.ready.Push(q)
	s.next()
}

// coming returns the actor of the pair's next packet, 0 without a log or if there is none.
func (q *Pair) coming() waits.ID {
	switch {
	case q.replies.Len() > 0:
		return q.node.nic.Coming(&q.replies.At(0).posted)
	case q.err == nil:
		if w, _ := q.upcoming(); w != nil {
			return q.node.nic.Coming(&w.posted)
		}
	}
	return 0
}

// upcoming returns the entry whose packet is next, and which of the entry's packets it is: one that is lost, or else a new
// one. It returns nil if there is none.
func (q *Pair) upcoming() (*work, uint32) {
	if w, k := q.again(); w != nil {
		return w, k
	}
	if q.next < q.present {
		w := q.work(q.next)
		return w, w.sent
	}
	return nil, 0
}

// holdsBack records for what the pair's next packet waits that may not be sent yet.
func (q *Pair) holdsBack() {
	s, now := &q.node.spec, q.node.nic.Engine().Now()
	why := waits.Window
	switch {
	case q.err != nil:
		return
	case q.out >= s.Packets:
		why = waits.Slot
	case q.turn > now:
		why = waits.Pace
	case q.resume > now:
		why = waits.Ring
	}
	q.node.nic.Awaits(q.coming(), why, 0)
}

// canSend reports whether the pair has a packet and may send it now: it is paced and has not
// failed, and at most Window reads and atomic operations are outstanding.
func (q *Pair) canSend() bool {
	s := &q.node.spec
	now := q.node.nic.Engine().Now()
	switch {
	case q.err != nil || q.out >= s.Packets || q.turn > now:
		return false
	// Answers go before requests. A receiver without buffers, and Window, hold back requests only.
	case q.replies.Len() > 0:
		return true
	case q.resume > now:
		return false
	}
	w, _ := q.upcoming()
	return w != nil && (!w.op.replied() || w.sent > 0 || q.reads < s.Window)
}

// next serves the next pair: one whose state has been read, or the first of the list. A pair whose state is not in the
// cache stands aside until it has been read.
func (s *sender) next() {
	for s.pair == nil && s.come.Len()+s.ready.Len() > 0 {
		q, has := (*Pair)(nil), s.come.Len() > 0
		if has {
			q = s.come.Pop()
		} else {
			q = s.ready.Pop()
		}
		q.ready = false
		switch {
		case !q.canSend():
		case has || q.cached():
			s.pair = q
			s.begin()
		default:
			q.ready = true
			q.node.lacks(fetchToSend, q, q.coming())
		}
	}
}

// readied serves a pair whose state has been read.
func (s *sender) readied(q *Pair) {
	if q.canSend() {
		q.node.brought(q, q.page())
	}
	s.come.Push(q)
	s.next()
}

// begin spends the unit's time on a packet, and on an entry of which it is the first.
func (s *sender) begin() {
	q := s.pair
	t := &q.node.spec.Card
	d := t.Packet
	if q.canSend() && q.replies.Len() == 0 {
		if _, k := q.upcoming(); k == 0 {
			d += t.Entry
		}
	}
	if n := q.node.nic; n.Logs() {
		s.last = q.coming()
		n.Passes(s.last, waits.Pipeline, n.Engine().Now())
	}
	s.unit.Do(d, 0, 0)
}

// Worked makes the packet when the unit's time is over.
func (s *sender) Worked(uint32, uint64) {
	q := s.pair
	s.pair = nil
	if q.canSend() { // else it has failed, or is to begin again
		q.paced(q.cut())
	}
	q.serve()
	s.next()
}

// cached reports whether the pair's state and the translation of the next page to read are in the
// card.
func (q *Pair) cached() bool {
	hit := q.node.contexts.lookup(&q.context)
	page := q.page()
	return (page == nil || q.node.pages.lookup(page)) && hit
}

// page returns the page whose data the pair's next packet has, or nil.
func (q *Pair) page() *cached {
	if q.replies.Len() > 0 {
		if r := q.replies.At(0); r.op != opAtomicReply {
			return r.region.process.page(uint64(r.region.at) + uint64(r.offset))
		}
		return nil
	}
	if w, k := q.upcoming(); w != nil && !w.inEntry && !w.op.replied() {
		return q.process.page(uint64(w.at) + uint64(k)*uint64(q.node.spec.MTU))
	}
	return nil
}

// page returns the process's page at an address. Pages of processes at the same address belong to different sets.
func (p *Process) page(at uint64) *cached {
	number := at >> bits.TrailingZeros(uint(p.node.spec.PageBytes))
	e := p.pages[number]
	if e == nil {
		e = &cached{number: number + uint64(p.number)}
		p.pages[number] = e
	}
	return e
}

// brought notes that the card has read the state of a pair, and the translation of a page unless it is nil.
func (n *Node) brought(q *Pair, page *cached) {
	n.contexts.insert(&q.context)
	if page != nil {
		n.pages.insert(page)
	}
}

// paced delays the pair's next packet by the time of these bytes at its DCQCN rate.
func (q *Pair) paced(bytes int) {
	if q.congestion == nil {
		return
	}
	e := q.node.nic.Engine()
	pace := &q.congestion.pace
	rate := pace.Rate(e.Now())
	pace.Sent(e.Now(), bytes)
	if rate >= q.node.nic.Net().Spec().LinkRate {
		return
	}
	// The next packet waits for the time of this one at the rate, counted from its own turn: no drift.
	q.turn = max(q.turn, e.Now()).Add(rate.Time(bytes))
	e.At(q.turn, (*later)(q), 0, 0)
}

// cut makes the pair's next packet, of an answer if one waits. It returns its bytes on the wire.
func (q *Pair) cut() int {
	if q.replies.Len() > 0 {
		return q.cutReply()
	}
	n := q.node
	w, k := q.upcoming()
	o := n.claim(q)
	h := &o.header
	h.Op, h.Meta = uint8(w.op), w.meta
	h.Words[wordPair], h.Words[wordRegion] = uint64(w.to.pair), uint64(w.region)
	// Numbers are given once: a repeated packet keeps its number. A read takes those of its answer.
	if !w.numbered {
		w.numbered, w.first = true, q.psn
		q.psn += w.packets
		if q.tracks() {
			for range w.packets {
				q.selective.shots.Push(shot{})
			}
		}
	}
	start := int(k) * n.spec.MTU
	size := min(n.spec.MTU, w.bytes-start)
	h.Seq = w.first + k
	h.Words[wordOffset] = uint64(w.offset + start)
	whole := false
	switch {
	case w.op.replied():
		h.Words[wordOperand], h.Words[wordOld] = w.operand[0], w.operand[1]
		if w.op == opRead {
			h.Words[wordOld] = uint64(w.bytes)
		}
		h.Meta.Kind = trace.Request
		if w.sent == 0 {
			q.reads++
		}
		n.senders[q.unit].unit.Hold(n.spec.Card.Answered)
		size, whole = 0, true
	case w.op == opSend || w.op == opDatagram:
		h.Words[wordRegion], h.Words[wordOffset] = uint64(w.bytes), uint64(start)
	}
	o.Record = ni.Record{Arg: o.Arg, Meta: h.Meta, Peer: w.to.node, Bytes: int32(size), First: k == 0}
	if o.First {
		h.Flags |= ni.FlagFirst
	}
	if k++; k == w.packets || whole {
		h.Flags |= flagLast | flagAsk
		if w.notify {
			h.Flags |= flagNotify
		}
	} else if int(k)%n.spec.AckEvery == 0 {
		h.Flags |= flagAsk
	}
	if h.Seq == w.first+w.sent {
		w.sent = k
		q.skip()
	} else { // it is lost
		n.nic.Again(&w.posted)
	}
	q.left(h.Seq)
	again := int32(h.Seq-q.top) < 0
	if again {
		h.Flags |= ni.FlagRepeated
		o.Record.Anew = true
	} else if q.top = h.Seq + 1; whole {
		q.top = w.first + w.packets
	}
	q.sends(w.meta.Tag, w.to, size, again)
	o.wire = n.spec.wire(w.op, o.First)
	n.nic.Next(&w.posted)
	n.nic.Begin(&o.Record, &w.posted)
	o.described = content.Part{}
	if w.inEntry || size == 0 {
		copy(o.room(size), w.inline[min(start, len(w.inline)):])
		n.nic.Loaded(&o.Record)
		o.come()
		return o.wire + size
	}
	o.space, o.at, o.frame = q.process.Space(), w.at, nil
	o.at += hostAddr(start)
	if w.frame != nil {
		o.frame = w.frame[start : start+size]
	}
	o.load(size)
	return o.wire + size
}

// cutReply makes the next packet of the oldest answer and returns its bytes on the wire.
func (q *Pair) cutReply() int {
	n, r := q.node, q.replies.At(0)
	o := n.claim(q)
	h := &o.header
	h.Op, h.Meta, h.Seq = uint8(r.op), r.meta, r.psn
	h.Words[wordPair], h.Words[wordOperand] = uint64(q.other), r.value
	size := min(n.spec.MTU, r.left)
	if r.op == opAtomicReply {
		size = 0
	}
	o.Record = ni.Record{Arg: o.Arg, Meta: h.Meta, Peer: q.peer, Bytes: int32(size), First: r.first}
	if r.first {
		h.Flags |= ni.FlagFirst
	}
	if r.first {
		n.senders[q.unit].unit.Hold(n.spec.Card.Answered)
	}
	o.wire = n.spec.wire(r.op, r.op == opAtomicReply)
	q.sends(r.meta.Tag, q.far(), size, false)
	n.nic.Next(&r.posted)
	n.nic.Begin(&o.Record, &r.posted)
	o.described = content.Part{}
	space, at := r.region.process.Space(), r.region.at+hostAddr(r.offset)
	r.first, r.left, r.offset, r.psn = false, r.left-size, r.offset+size, r.psn+1
	if r.left <= 0 || r.op == opAtomicReply {
		h.Flags |= flagLast
		q.replies.Drop()
	}
	if size == 0 {
		o.room(0)
		n.nic.Loaded(&o.Record)
		o.come()
		return o.wire
	}
	o.space, o.at, o.frame = space, at, nil
	o.load(size)
	return o.wire + size
}

// room returns the memory of n bytes for a packet's data.
func (o *outgoing) room(n int) []byte {
	o.data = grown(o.data, n)
	return o.data
}

func grown(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, 1<<bits.Len(uint(n-1)))[:n]
	}
	return b[:n]
}

// claim returns an unused packet for a pair, last in the pair's order.
func (n *Node) claim(q *Pair) *outgoing {
	var o *outgoing
	if k := len(n.outFree); k > 0 {
		o = n.outs[n.outFree[k-1]]
		n.outFree = n.outFree[:k-1]
	} else {
		o = &outgoing{node: n}
		o.Arg = uint64(len(n.outs))
		n.outs = append(n.outs, o)
	}
	o.pair, o.header, o.loaded, o.dead = q, fabric.Header{}, false, false
	q.out++
	q.order.Push(uint32(o.Arg))
	return o
}

// load fetches a packet's data from host memory.
func (o *outgoing) load(size int) {
	o.dma = ni.DMA{Dir: ni.ToNI, Bytes: size, Record: &o.Record, Owner: o}
	o.node.nic.HostDMA(&o.dma)
}

// Transferred moves the data of a packet, or its description.
func (o *outgoing) Transferred(d *ni.DMA) {
	if o.frame != nil {
		copy(o.room(d.Bytes), o.frame)
	} else if part, ok := o.space.Described(o.at, d.Bytes); ok {
		o.described, o.data = part, o.data[:0]
	} else {
		o.space.ReadAt(o.at, o.room(d.Bytes))
	}
}

// HostDone passes the packet on.
func (o *outgoing) HostDone(*ni.DMA, sim.Time) { o.come() }

// come notes that a packet's data is in the card. Packets of a pair enter the pipeline in their
// order.
func (o *outgoing) come() {
	o.loaded = true
	q := o.pair
	for q.order.Len() > 0 {
		f := o.node.outs[*q.order.At(0)]
		if !f.loaded {
			return
		}
		q.order.Drop()
		if f.dead {
			o.node.vacate(f)
			continue
		}
		n := o.node.nic
		if n.Logs() {
			n.Passes(f.Actor, waits.Pipeline, n.Engine().Now())
		}
		n.Engine().After(o.node.spec.Card.Pipeline, f, 0, 0)
	}
}

// Act injects a packet that has passed the card's pipeline.
func (o *outgoing) Act(uint32, uint64) {
	n := o.node
	n.nic.Step()
	p := n.nic.Net().NewPacket()
	p.Src, p.Dst = int32(n.nic.ID()), o.Peer
	p.Header = o.header
	p.Flow = o.pair.flow(uint32(o.header.Words[wordPair]))
	o.data = p.Give(o.data)
	p.Describe(o.described)
	p.WireBytes = o.wire + p.Bytes()
	n.nic.Send(p, &o.Record)
	n.nic.End()
}

// flow returns the number by which switches choose among equal routes (ECMP).
func (q *Pair) flow(other uint32) uint32 { return q.number<<16 ^ other + 1 }

// Sent ends a packet's injection.
func (n *Node) Sent(r *ni.Record, at sim.Time) {
	o := n.outs[r.Arg]
	q := o.pair
	n.vacate(o)
	if q.peer == anyone {
		q.acknowledge(o.header.Seq + 1) // nobody else does
	} else {
		q.watch(at)
	}
	q.serve()
}

// vacate frees a packet's slot.
func (n *Node) vacate(o *outgoing) {
	o.pair.out--
	n.outFree = append(n.outFree, uint32(o.Arg))
}

// datagramBytes is how much longer a datagram's header is than a message's: the sender's pair, and a key.
const datagramBytes = 8

// wire returns the header bytes of a packet on the wire. The first packet of an operation on remote
// memory has the extended header, and so has the answer to an atomic one.
func (s *Spec) wire(op op, first bool) int {
	switch {
	case op == opDatagram:
		return s.HeaderBytes + datagramBytes
	case first && op != opSend:
		return s.HeaderBytes + s.ExtendedBytes
	}
	return s.HeaderBytes
}
