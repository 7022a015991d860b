package rebuild

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// messages finds which packets are of the same message.
func messages(sent []*packet) {
	for i, p := range sent {
		p.head = p
		// Packets of one message are sent one after the other.
		if i > 0 && p.continues(sent[i-1]) {
			p.before, p.head = sent[i-1], sent[i-1].head
		}
	}
}

// slots finds who had the send slot of a node: a message from when it is taken up until its
// last packet has left, by the packet of it that is being made or sent. The next one of a
// message is made by the handler of the data of the one before.
func (b *builder) slots(sent []*packet) {
	for _, p := range sent {
		if x := p.before; x != nil {
			p.take = max(p.take, min(b.until(stamp{x.t2, x, fetched}, max(x.t2, x.take)), p.t2))
		}
	}
	for i, p := range sent {
		end := p.t4
		switch {
		// The slot is held until the packet has left or, within a message, until the next packet is taken up.
		case i+1 == len(sent):
		case sent[i+1].before == p:
			end = sent[i+1].take
		default:
			end = min(end, sent[i+1].take)
		}
		b.hold(waits.Slot, p.sender, p, p.take, end)
	}
}

// continues reports whether p is of the same message as the packet before it.
func (p *packet) continues(before *packet) bool {
	return !p.first && p.tag == before.tag && p.kind == before.kind && p.span == before.span && p.receiver == before.receiver
}

// feed finds when the S engine of a node was free for each packet.
func (b *builder) feed(sent []*packet) {
	free := int64(0)
	for _, p := range sent {
		// Its data is there at T2; the engine begins to send at T3 at the latest.
		p.feed = min(max(p.t2, free), p.t3)
		b.hold(waits.SEngine, p.sender, p, p.feed, p.t4)
		free = p.t4
	}
}

// arrive finds, of the packets of a receiver, when its link was free, when they flowed in and
// when they had: in the order of their stamps, as fast as alone, and not before the
// processor was busy until it handled them.
func (b *builder) arrive(received []*packet) {
	slices.SortStableFunc(received, func(x, y *packet) int { return cmp.Compare(x.t5, y.t5) })
	way := usualOf(b.signature, trace.Net)
	for _, p := range received {
		if !p.lost {
			way.add(p.size, p.t5-p.t3-b.longer(p), false)
		}
	}
	sent, here := func(p *packet) int64 { return p.t3 }, func(p *packet) int64 { return p.t5 }
	routes, sizes := quickest(received, (*packet).route, sent, here), quickest(received, (*packet).bytes, sent, here)
	latency := b.travels(received, way)
	if len(received) > 0 && b.paces[received[0].receiver] > 0 { // what is longer there is no way
		routes, sizes = nil, nil
	}
	free := int64(0)
	for _, p := range received {
		before := b.ahead(stamp{p.t5, p, arrived})
		handled := p.t5 - before
		// Net ends at T5, which the handler stamps: the packet was there before that.
		usual := way.of(p.size)
		alone := max(max(usual+b.longer(p), routes[p.route()], sizes[p.size])-before, ns) // so that it is seen to flow
		length := usual - latency
		p.in = max(p.t3+alone, free+length)
		if b.paces[p.receiver] == 0 { // a slow processor notices late what has come while it is idle
			p.in = max(p.in, b.idleBefore(p.receiver, handled))
		}
		// It is in SRAM when its handler begins, at the latest.
		p.in = min(p.in, max(handled, p.t3))
		p.flow = max(p.t3, p.in-alone)
		// It has the link from when that is free, and may wait there before it flows.
		p.grant = min(max(p.t3, free), p.flow)
		if p.lost { // it went before those that came before it
			p.grant = p.t3
		}
		if free = max(p.grant, p.in); p.lost { // it did not have the link meanwhile
			b.hold(waits.Port, p.receiver, p, p.flow, p.in)
		} else {
			b.hold(waits.Port, p.receiver, p, p.grant, free)
		}
	}
	crowded(received)
}

// route is how packets of a size come to a receiver.
type route struct{ sender, size int }

func (p *packet) route() route { return route{p.sender, p.size} }

func (p *packet) bytes() int { return p.size }

// transfer is one use of a node's H engine.
type transfer struct {
	packet *packet
	// In ps. The engine can begin at ready, or when the transfer before has ended, and writes it to begin.
	ready, end int64
	begin      *int64
}

// host finds when the H engines began to work for each packet.
func (b *builder) host() {
	for i := range b.nodes {
		n := &b.nodes[i]
		var all []transfer
		for _, p := range n.sent {
			if p.fetch = p.take; !p.inline {
				all = append(all, transfer{p, min(max(p.take, p.turns[taken].to), p.t2), p.t2, &p.fetch})
			}
		}
		for _, p := range n.received {
			all = append(all, transfer{p, p.t5, p.t6, &p.land})
		}
		slices.SortStableFunc(all, func(x, y transfer) int { return cmp.Compare(x.end, y.end) })
		// An engine does one transfer at a time, in the order in which they end.
		free := int64(0)
		for _, t := range all {
			*t.begin = max(t.ready, free)
			b.hold(waits.HostDMA, i, t.packet, *t.begin, t.end)
			free = max(free, t.end)
		}
	}
	b.fetches, b.deposits = usualOf(b.signature, trace.Source), usualOf(b.signature, trace.Dest)
	b.fetches.less = b.after[handler{taken, anySize}]
	b.transfers()
	for _, p := range b.packets {
		if !p.inline {
			b.fetches.add(p.size, p.t2-p.fetch, b.quiet(p.sender, p.fetch, p.t2, p))
		}
		b.deposits.add(p.size, p.t6-p.land, b.quiet(p.receiver, p.land, p.t6, p))
	}
	b.slowed = b.slowdown()
}

// packet appends a packet's intervals to the log.
func (b *builder) packet(p *packet) {
	s := scribe{log: b.log}
	s.begin(p.actor(), p.t1)
	b.requested(&s, p)
	if p.inline {
		s.serve(waits.Processor, p.sender, p.t2)
	} else {
		s.serve(waits.Processor, p.sender, min(p.turns[taken].to, p.fetch))
		s.wait(waits.HostDMA, p.sender, p.fetch, 0)
		b.transferred(&s, p, p.sender, p.t2, b.fetches)
		b.handled(&s, p.sender, p.turns[fetched], p.t3)
	}
	s.wait(waits.SEngine, p.sender, p.feed, 0)
	b.work(&s, p, p.sender, p.t3)
	b.crossed(&s, p)
	if b.paces[p.receiver] > 0 {
		b.work(&s, p, p.receiver, p.turns[arrived].from)
	}
	b.handled(&s, p.receiver, window{p.turns[arrived].from, p.t5}, p.t5)
	s.serve(waits.Processor, p.receiver, min(p.t5+b.paced(p.receiver, brief/2), p.land))
	s.wait(waits.HostDMA, p.receiver, p.land, 0)
	b.transferred(&s, p, p.receiver, p.t6, b.deposits)
	last := p.turns[delivered]
	s.wait(waits.Processor, p.receiver, last.from, 0)
	s.serve(waits.Processor, p.receiver, max(last.to, s.at+1))
	s.end()
}

// work writes that the processor of a node works for a packet until a time, except while it does for others.
func (b *builder) work(s *scribe, p *packet, node int, until int64) {
	b.each(node, s.at, until, p, func(other *packet, from, to int64) {
		s.serve(waits.Processor, node, from)
		s.wait(waits.Processor, node, to, other.id)
	})
	s.serve(waits.Processor, node, until)
}

// actor returns a packet as the log has it.
func (p *packet) actor() waits.Actor {
	return waits.Actor{
		Tag: p.tag, Kind: p.kind, Span: trace.Span(p.span), Node: int32(p.sender), Peer: int32(p.receiver), Size: int32(p.size), Number: p.number,
	}
}

// requested writes that a packet waits in the request queue, for the packet of its message before it, or until a card has sent
// another one.
func (b *builder) requested(s *scribe, p *packet) {
	switch {
	case p.slot != nil:
		s.wait(waits.Slot, p.sender, p.take, p.slot.id)
		return
	case p.before == nil:
		s.wait(waits.Request, p.sender, p.take-p.states[0], 0)
		s.serve(waits.Cache, p.sender, p.take)
		return
	}
	s.wait(waits.Request, p.sender, p.head.take, 0)
	s.wait(waits.Order, p.sender, p.take, p.before.id)
}

// crossed writes a packet's way through the network: it waits for the receiver's link, then for room or until it is sent again if
// it was lost, and flows.
func (b *builder) crossed(s *scribe, p *packet) {
	s.wait(waits.Port, p.receiver, p.grant, 0)
	if p.refused() {
		s.serve(waits.Port, p.receiver, s.at+p.in-p.flow)
		s.wait(waits.Ring, p.receiver, p.in, 0)
		return
	}
	if p.lost {
		s.wait(waits.Timer, p.sender, p.flow, 0)
	}
	if p.room != nil {
		s.wait(waits.Ring, p.receiver, p.flow, p.room.id)
	}
	s.wait(waits.Port, p.receiver, p.flow, 0)
	s.serve(waits.Port, p.receiver, p.in)
}

// refused reports whether a packet was lost because its receiver did not take it: at first it blocked its sender's link, for a tenth of
// the time and ten times as long as it is on its way.
func (p *packet) refused() bool { return p.lost && 10*(p.t4-p.t3) >= max(p.in-p.t3, 100*(p.in-p.flow)) }

// handled writes that a packet waits for the processor and is served by it, up to a time.
func (b *builder) handled(s *scribe, node int, by window, until int64) {
	s.wait(waits.Processor, node, min(by.from, until), 0)
	s.serve(waits.Processor, node, min(by.to, until))
}

// note writes the work of the sender's processor after a packet has left, while the packet
// itself is on its way: a task of its own.
func (b *builder) note(p *packet) {
	a := b.log.Actors[p.id]
	// The cause gives the work to the packet; see worker.
	a.Type, a.Name, a.Cause = waits.Task, "insertion noted", p.id
	s := scribe{log: b.log}
	s.begin(a, p.t4)
	s.wait(waits.Processor, p.sender, p.turns[left].from, 0)
	s.serve(waits.Processor, p.sender, p.turns[left].to)
	s.end()
	b.log.Hold(waits.Hold{Resource: waits.Processor, Instance: int32(p.sender), Actor: s.id, Begin: p.turns[left].from, End: p.turns[left].to})
}
