package nx

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// creditBytes is two words: entries read, slots freed.
const creditBytes = 8

// share returns the bytes of memory for a peer: entries, credit and slots, each in pages
// of its own.
func (s *Spec) share() int64 {
	return s.entries() + pageBytes + int64(s.Slots)*s.slotBytes()
}

func (s *Spec) entries() int64 {
	return (int64(s.Entries)*entryBytes + pageBytes - 1) / pageBytes * pageBytes
}

// slotBytes is the memory of a slot: a message starts at its offset within the sender's page.
func (s *Spec) slotBytes() int64 { return int64(s.EagerBytes) + pageBytes }

// init lays out and exports the memory for a peer.
func (q *peer) init(p *Process, node int, s *deposit.Setup) {
	spec := &p.sys.spec
	q.p, q.node = p, node
	q.present = make([]uint16, spec.Entries)
	q.slots = make([]slot, spec.Slots)
	place := node
	if node > p.me {
		place-- // a node has no place for itself
	}
	q.inbox = p.rings + host.Addr(int64(place)*spec.share())
	q.ringFor = s.Export(q.inbox, spec.Entries*entryBytes, nil, q.entered)
	q.creditWord = q.inbox + host.Addr(spec.entries())
	q.creditFor = s.Export(q.creditWord, creditBytes, nil, q.credited)
	for i := range q.slots {
		x := &q.slots[i]
		x.q = q
		x.memory = q.creditWord + host.Addr(pageBytes+int64(i)*spec.slotBytes())
		x.export = s.Export(x.memory, int(spec.slotBytes()), nil, x.deposited)
	}
}

// connect imports what the peer has for this process.
func (q *peer) connect(s *deposit.Setup, other *peer, heap deposit.Export) {
	q.ring, q.credit, q.heap = s.Import(other.ringFor), s.Import(other.creditFor), s.Import(heap)
	for i := range other.slots {
		q.toSlots = append(q.toSlots, s.Import(other.slots[i].export))
	}
}

// push appends to one of the peer's queues.
func (q *peer) push(to *ring.Ring[*send], s *send) {
	to.Push(s)
	q.p.queued++
}

// pop takes the first of one of the peer's queues.
func (q *peer) pop(from *ring.Ring[*send]) *send {
	q.p.queued--
	return from.Pop()
}

// entered records an entry; it runs when the bytes are in memory.
func (q *peer) entered(d deposit.Arrival) {
	p := q.p
	at := d.Offset / entryBytes
	if d.Offset%entryBytes != 0 || !d.First || !d.Last || q.present[at] != 0 {
		p.sys.fail(fmt.Errorf("nx: node %d: an entry of %d B at offset %d of node %d's ring", p.me, d.Bytes, d.Offset, q.node))
		return
	}
	q.present[at] = uint16(d.Bytes)
	p.arrived.Push(q.node)
	p.watch.Fire()
}

// credited reads the receiver's credit: the entries and slots that it has read.
func (q *peer) credited(deposit.Arrival) {
	entries, slots := q.p.space.Load32(q.creditWord), q.p.space.Load32(q.creditWord+4)
	if entries-q.entriesRead > q.entriesSent-q.entriesRead || slots-q.slotsFree > q.slotsSent-q.slotsFree {
		if int32(entries-q.entriesRead) <= 0 && int32(slots-q.slotsFree) <= 0 {
			return // an older credit, overtaken by a later one
		}
		q.p.sys.fail(fmt.Errorf("nx: node %d: node %d returns credit for %d entries and %d slots of %d and %d",
			q.p.me, q.node, entries, slots, q.entriesSent, q.slotsSent))
		return
	}
	q.entriesRead, q.slotsFree = entries, slots
	q.p.watch.Fire()
}

// takeNext processes the next arrival and reports whether there was one.
func (p *Process) takeNext() bool {
	if p.arrived.Len() == 0 {
		return false
	}
	q := p.peer(p.arrived.Pop())
	for p.sys.err == nil && q.present[q.next%uint32(len(q.present))] != 0 && p.take(q) {
		continue
	}
	return true
}

// take processes the next entry of a ring and reports whether it did. It leaves
// an entry whose data has not arrived. Data precedes its envelope except in
// experiments that let packets overtake one another.
func (p *Process) take(q *peer) bool {
	at := int(q.next) % len(q.present)
	var b [entryBytes]byte
	n := min(int(q.present[at]), entryBytes)
	p.space.ReadAt(q.inbox+host.Addr(at*entryBytes), b[:n])
	r, body, err := parse(b[:n], len(p.peers), p.sys.spec.EagerBytes)
	if err == nil {
		err = p.plausible(q, r)
	}
	if err != nil {
		p.sys.fail(fmt.Errorf("nx: node %d: node %d sends %w", p.me, q.node, err))
		return false
	}
	if q.held = !p.complete(q, r); q.held {
		return false
	}
	q.present[at] = 0
	q.next++
	p.context.Compute(host.Work{Time: p.sys.spec.Costs.Record, Read: entryBytes})
	p.handle(q, r, body)
	p.owe(q)
	return true
}

// plausible rejects an entry that the peer cannot have sent now.
func (p *Process) plausible(q *peer, r record) error {
	switch {
	case r.flags&flagTree == 0 && int(r.origin) != q.node:
		return fmt.Errorf("a message of node %d", r.origin)
	case r.flags&flagTree != 0 && (r.op != opShort && r.op != opSlot || int(r.origin) == p.me):
		return fmt.Errorf("a broadcast of node %d in an entry of kind %d", r.origin, r.op)
	case r.op == opSlot && q.announced-q.freed == uint32(len(q.slots)):
		return fmt.Errorf("an envelope with no slot in use")
	}
	return nil
}

// complete reports whether the data of an entry has arrived.
func (p *Process) complete(q *peer, r record) bool {
	switch r.op {
	case opSlot:
		return q.slots[q.announced%uint32(len(q.slots))].received >= int(r.bytes)
	case opDone:
		if l := p.landing(q.node, r.aux); l != nil {
			return l.received >= l.bytes
		}
	}
	return true
}

// retry queues a ring again if its next entry may have been waiting for data that has now come.
func (q *peer) retry() {
	if q.held {
		q.held = false
		q.p.arrived.Push(q.node)
		q.p.watch.Fire()
	}
}

// owe schedules a credit for a sender when enough entries or slots of it have been read since the
// last.
func (p *Process) owe(q *peer) {
	spec := &p.sys.spec
	if q.creditDue || q.next-q.creditedEntries < uint32(spec.Entries/4) && q.freed-q.creditedSlots < uint32(spec.Slots/2) {
		return
	}
	q.creditDue = true
	p.owing.Push(q.node)
}

// returnCredits sends the scheduled credits, and reports whether there were any.
func (p *Process) returnCredits() bool {
	if p.owing.Len() == 0 {
		return false
	}
	for p.owing.Len() > 0 {
		q := p.peer(p.owing.Pop())
		q.creditDue, q.creditedEntries, q.creditedSlots = false, q.next, q.freed
		p.stats.Credits++
		p.space.Store32(p.scratch, q.next)
		p.space.Store32(p.scratch+4, q.freed)
		p.check(p.port.Send(p.context, p.scratch, q.credit, 0, creditBytes, trace.Meta{Kind: trace.Credit}, false))
	}
	return true
}

// check stops the program if a send was refused.
func (p *Process) check(err error) {
	if err != nil {
		p.sys.fail(fmt.Errorf("nx: node %d: %w", p.me, err))
	}
}
