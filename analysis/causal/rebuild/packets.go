package rebuild

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// takeUp finds who had the send slot of a node: a message from when it is taken up until
// its last packet has left, by the packet of it that is being made or sent. From then on
// the processor works for others, or for that packet, until the next message is taken up.
func (b *builder) takeUp(sent []*packet) {
	for i, p := range sent {
		p.head = p
		if i > 0 && p.continues(sent[i-1]) {
			p.before, p.head = sent[i-1], sent[i-1].head
		}
		if i+1 == len(sent) {
			b.hold(waits.Slot, p.sender, p, p.take, p.t4)
			continue
		}
		next := sent[i+1]
		if next.continues(p) {
			b.hold(waits.Slot, p.sender, p, p.take, next.take)
			continue
		}
		b.hold(waits.Slot, p.sender, p, p.take, min(p.t4, next.take))
		b.busy(p, next)
	}
}

// busy adds the holds of a sender's processor while the next request waits for it to be
// taken up, after the insertion of p. Stamps name the packets for which it works; until the
// first one it works for p, or for the packet of the stamp before.
func (b *builder) busy(p, next *packet) {
	from, last := p.t4, p
	if next.t1 > from {
		from, last = next.t1, b.latest(p.sender, next.t1)
	}
	b.each(p.sender, from, next.take, nil, func(other *packet, begin, end int64) {
		b.hold(waits.Processor, p.sender, last, from, begin)
		b.hold(waits.Processor, p.sender, other, begin, end)
		last, from = other, end
	})
	b.hold(waits.Processor, p.sender, last, from, next.take)
}

// continues reports whether p is of the same message as the packet before it.
func (p *packet) continues(before *packet) bool {
	x, y := p.row, before.row
	return !x.First && x.Tag == y.Tag && x.Kind == y.Kind && x.Span == y.Span && p.receiver == before.receiver
}

// feed finds when the S engine of a node was free for each packet.
func (b *builder) feed(sent []*packet) {
	free := int64(0)
	for _, p := range sent {
		p.feed = min(max(p.t2, free), p.t3)
		b.hold(waits.SEngine, p.sender, p, p.feed, p.t4)
		free = p.t4
	}
}

// arrive finds, of the packets of a receiver, when its link was free and when they flowed
// in.
func (b *builder) arrive(received []*packet) {
	slices.SortStableFunc(received, func(x, y *packet) int { return cmp.Compare(x.t5, y.t5) })
	way := usualOf(b.signature, trace.Net)
	for _, p := range received {
		way.add(p.size(), p.t5-p.t3, false)
	}
	latency := way.least()
	free := int64(0)
	for _, p := range received {
		p.flow = max(p.t3, p.t5-way.of(p.size()))
		p.grant = min(max(p.t3, free), p.flow)
		free = max(p.grant, p.t5-latency)
		b.hold(waits.Port, p.receiver, p, p.grant, free)
	}
}

// transfer is one use of a node's H engine.
type transfer struct {
	packet     *packet
	ready, end int64
	begin      *int64
}

// host finds when the H engines began to work for each packet.
func (b *builder) host() {
	for i := range b.nodes {
		n := &b.nodes[i]
		var all []transfer
		for _, p := range n.sent {
			if p.fetch = p.take; !p.inline() {
				all = append(all, transfer{p, p.take, p.t2, &p.fetch})
			}
		}
		for _, p := range n.received {
			all = append(all, transfer{p, p.t5, p.t6, &p.land})
		}
		slices.SortStableFunc(all, func(x, y transfer) int { return cmp.Compare(x.end, y.end) })
		free := int64(0)
		for _, t := range all {
			*t.begin = max(t.ready, free)
			b.hold(waits.HostDMA, i, t.packet, *t.begin, t.end)
			free = max(free, t.end)
		}
	}
	b.fetches, b.deposits = usualOf(b.signature, trace.Source), usualOf(b.signature, trace.Dest)
	for _, p := range b.packets {
		if !p.inline() {
			b.fetches.add(p.size(), p.t2-p.fetch, b.quiet(p.sender, p.fetch, p.t2, p))
		}
		b.deposits.add(p.size(), p.t6-p.land, b.quiet(p.receiver, p.land, p.t6, p))
	}
}

// inline reports whether a packet's data came with its request.
func (p *packet) inline() bool { return p.row.Inline.Value }

// size returns a packet's payload in bytes.
func (p *packet) size() int { return int(p.row.SizeBytes) }

// write appends a packet's intervals to the log.
func (b *builder) write(p *packet) {
	r := p.row
	kind, _ := kindOf(r.Kind)
	s := scribe{log: b.log}
	s.begin(waits.Actor{
		Tag: r.Tag, Kind: kind, Span: spanOf(r), Node: int32(p.sender), Peer: int32(p.receiver), Size: int32(r.SizeBytes), Number: r.Number,
	}, p.t1)
	if p.before == nil {
		s.wait(waits.Request, p.sender, p.take, 0)
	} else {
		s.wait(waits.Request, p.sender, p.head.take, 0)
		s.wait(waits.Order, p.sender, p.take, p.before.id)
	}
	if p.inline() {
		s.serve(waits.Processor, p.sender, p.t2)
	} else {
		s.wait(waits.HostDMA, p.sender, p.fetch, 0)
		b.transferred(&s, p, p.sender, p.t2, b.fetches)
	}
	s.wait(waits.SEngine, p.sender, p.feed, 0)
	s.serve(waits.Processor, p.sender, p.t3)
	s.wait(waits.Port, p.receiver, p.grant, 0)
	s.serve(waits.Port, p.receiver, p.t5-(p.flow-p.grant))
	b.kept(&s, p, p.receiver, p.t5)
	s.wait(waits.HostDMA, p.receiver, p.land, 0)
	b.transferred(&s, p, p.receiver, p.t6, b.deposits)
	s.serve(waits.Processor, p.receiver, max(p.t6, s.at)+max(b.handler[p.size()], 1)) // the handler of its delivery
	s.end()
}

// transferred writes a transfer of the H engine until its end is stamped: its usual time,
// then the time by which a process of the host slowed it on a bus, then that until the
// processor had done other work.
func (b *builder) transferred(s *scribe, p *packet, node int, stamp int64, times usual) {
	begin := s.at
	s.serve(waits.HostDMA, node, min(stamp, s.at+times.of(p.size())))
	b.noticed(s, p, node, begin, stamp)
}

// noticed writes the time until the processor stamped the end of a transfer: it has worked
// for others, and a process of the host has slowed the transfer in the rest.
func (b *builder) noticed(s *scribe, p *packet, node int, begin, stamp int64) {
	program, bus := b.programs[seat{p.row.Tag, int64(node)}], waits.MemBus
	if n := b.accessed(node, begin, stamp); n > 0 && stamp-s.at < n*b.longest { // a program uses it for no longer than a handler takes
		bus = waits.IOBus
	}
	b.each(node, s.at, stamp, p, func(other *packet, from, to int64) {
		s.wait(bus, node, from, program)
		s.wait(waits.Processor, node, to, other.id)
	})
	s.wait(bus, node, stamp, program)
}

// kept writes the time until the processor stamped an arrival: it has worked for others, of
// which each stamp names one.
func (b *builder) kept(s *scribe, p *packet, node int, stamp int64) {
	var last waits.ID
	b.each(node, s.at, stamp, p, func(other *packet, from, to int64) {
		s.wait(waits.Processor, node, from, cmp.Or(last, other.id))
		s.wait(waits.Processor, node, to, other.id)
		last = other.id
	})
	if last != 0 {
		s.wait(waits.Processor, node, stamp, last)
	}
	s.serve(waits.Processor, node, stamp)
}
