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
	Packets   []trace.PacketRow
	Spans     []trace.SpanRow // with their steps, in the same order
	Steps     []trace.StepRow
	Rules     *Rules // nil: they are learned from these records
}

// Partial returns how many packets lack the record of one end.
func (t Trace) Partial() (n int) {
	for i := range t.Packets {
		if !whole(&t.Packets[i]) {
			n++
		}
	}
	return n
}

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
	b := newBuilder(t)
	b.log = waits.NewLog()
	// About as many as there will be: lists that grow are in memory twice.
	n := len(b.packets)
	b.log.Actors = slices.Grow(b.log.Actors, 2*n)
	b.log.Intervals = slices.Grow(b.log.Intervals, 12*n)
	b.log.Holds = slices.Grow(b.log.Holds, 8*n)
	b.write(b.infer(t))
	return b.log
}

// Learner learns the rules of records, which need not be kept.
type Learner struct{ b *builder }

// NewLearner returns a learner of no records yet; signature is that of the run, as in Trace.
func NewLearner(signature []trace.SignatureRow) *Learner {
	return &Learner{newBuilder(Trace{Signature: signature})}
}

// Add adds a record of a packet.
func (l *Learner) Add(r *trace.PacketRow) { l.b.add(r) }

// Rules returns the rules of the records that have been added.
func (l *Learner) Rules() *Rules {
	b := l.b
	b.infer(Trace{})
	return &Rules{timing: b.timing, fetches: b.fetches.all(), deposits: b.deposits.all(), ways: b.ways}
}

// newBuilder returns a builder of the log of records.
func newBuilder(t Trace) *builder {
	b := &builder{signature: t.Signature, rules: t.Rules, ways: map[int]way{}, programs: map[seat]waits.ID{}, services: map[seat]waits.ID{}}
	for i := range t.Packets {
		b.add(&t.Packets[i])
	}
	return b
}

// add adds a packet if both of its ends have a record.
func (b *builder) add(r *trace.PacketRow) {
	if whole(r) {
		b.packets = append(b.packets, packetOf(r))
	}
}

// packetOf returns a packet with its stamps in ps.
func packetOf(r *trace.PacketRow) *packet {
	kind, _ := trace.ParseKind(r.Kind)
	return &packet{
		row: row{r.Tag, kind, r.First, r.Inline.Value, int(r.SizeBytes), r.Span, r.Number}, sender: int(r.Sender), receiver: int(r.Receiver),
		t1: ns * r.T1Ns.Value, take: ns * r.TakenNs.Value, t2: ns * r.T2Ns.Value, t3: ns * r.T3Ns.Value, t4: ns * r.T4Ns.Value, t5: ns * r.T5Ns.Value, t6: ns * r.T6Ns.Value,
	}
}

// infer infers one thing after another, each from those before: operations, messages, handlers, slots, engines, links,
// transfers. It returns the operations.
func (b *builder) infer(t Trace) []operation {
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
	return operations
}

// write writes the actors: packets first, then processes, then the tasks of interfaces, in the order of their IDs.
func (b *builder) write(operations []operation) {
	for _, p := range b.packets {
		b.packet(p)
	}
	b.processes(operations)
	for _, p := range b.packets {
		b.note(p)
	}
}
