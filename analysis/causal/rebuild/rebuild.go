package rebuild

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Trace is what the monitors of all nodes have recorded. Packets without the record of
// one end are left out.
type Trace struct {
	Signature []trace.SignatureRow // with baselines, or nil
	Cards     bool                 // interfaces are cards of pipelines
	Repeats   bool                 // packets were sent again, of which the records tell nothing else
	Packets   []trace.PacketRow
	Spans     []trace.SpanRow // with their steps, in the same order
	Steps     []trace.StepRow
}

// Partial returns how many packets are left out: they lack the record of one end, and no operation tells when they arrived.
func (t Trace) Partial() (n int) { return len(t.Packets) - len(t.known()) }

// HasWaits reports whether the steps of operations tell when processes wait. Without that the
// log has processes that always compute.
func (t Trace) HasWaits() bool {
	return slices.ContainsFunc(t.Steps, func(x trace.StepRow) bool {
		return x.Step == string(trace.StepNotice) || x.Step == string(trace.StepResume)
	})
}

// whole reports whether both ends of a packet have a record.
func whole(r *trace.PacketRow) bool { return r.TakenNs.OK && r.T6Ns.OK }

// Log rebuilds a log of waiting from what monitors recorded: what the records do not show is inferred from
// the order of stamps and the shortest times between them.
func Log(t Trace) *waits.Log {
	b := builder{signature: t.Signature, repeats: t.Repeats, cards: t.Cards, log: waits.NewLog(), programs: map[seat]waits.ID{}, services: map[seat]waits.ID{}}
	b.packets = t.known()
	b.rebuild(t)
	return b.log
}

// known returns the packets of which it is known when they were sent and when they arrived. One that was lost and sent again has
// the record of its sender only: it arrived when the step of its operation ended in which it was sent.
func (t Trace) known() (all []*packet) {
	steps := map[call][]trace.StepRow{}
	for _, x := range t.Steps {
		if t.Repeats && sends(x.Step) {
			k := call{seat{x.Tag, x.Node}, x.Span}
			steps[k] = append(steps[k], x)
		}
	}
	for i := range t.Packets {
		r := &t.Packets[i]
		p := packetOf(r)
		if whole(r) {
			all = append(all, p)
			continue
		}
		for _, x := range steps[call{seat{r.Tag, r.Sender}, r.Span}] {
			if end := ns * (x.BeginNs + x.DurationNs); r.TakenNs.OK && ns*x.BeginNs <= p.t1 && p.t4 < end {
				p.t5, p.t6, p.lost = end, end, true
				all = append(all, p)
				break
			}
		}
	}
	return all
}

// call is an operation of a program, at a node that sends for it.
type call struct {
	seat
	span int64
}

// packetOf returns a packet with its stamps in ps.
func packetOf(r *trace.PacketRow) *packet {
	return &packet{
		row: r, sender: int(r.Sender), receiver: int(r.Receiver),
		t1: ns * r.T1Ns.Value, take: ns * r.TakenNs.Value, t2: ns * r.T2Ns.Value, t3: ns * r.T3Ns.Value, t4: ns * r.T4Ns.Value, t5: ns * r.T5Ns.Value, t6: ns * r.T6Ns.Value,
	}
}

// rebuild infers one thing after another, each from those before: operations, messages, handlers, slots,
// engines, links, transfers. It then writes the actors: packets first, then processes, then the tasks of
// interfaces, in the order of their IDs.
func (b *builder) rebuild(t Trace) {
	slices.SortStableFunc(b.packets, func(x, y *packet) int { return cmp.Compare(x.t3, y.t3) })
	for i, p := range b.packets {
		p.id = waits.ID(i + 1)
		b.last, b.end = p.id, max(b.end, p.t6)
		n := b.node(p.sender)
		n.sent = append(n.sent, p)
		n = b.node(p.receiver)
		n.received = append(n.received, p)
	}
	for i := range t.Spans {
		b.end = max(b.end, ns*t.Spans[i].EndNs)
	}
	operations := b.operations(t.Spans, t.Steps)
	b.house(operations)
	b.usages(t.Steps)
	for i := range b.nodes {
		messages(b.nodes[i].sent)
	}
	if b.cards {
		b.pipelines()
		for _, p := range b.packets {
			b.writeCard(p)
		}
		b.processes(operations)
		return
	}
	b.firmware()
	for _, p := range b.packets {
		b.write(p)
	}
	b.processes(operations)
	for _, p := range b.packets {
		b.note(p)
	}
}

// firmware finds what the processors of interfaces did, and where packets waited for them and for engines.
func (b *builder) firmware() {
	b.stamp()
	b.handlers()
	for i := range b.nodes {
		n := &b.nodes[i]
		b.slots(n.sent)
		b.schedule(n)
		b.feed(n.sent)
		b.arrive(n.received)
	}
	b.host()
}
