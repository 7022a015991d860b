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
	Rules     *Rules // nil: they are learned from these records
}

// Partial returns how many packets are left out: they lack the record of one end, and no operation tells when they arrived.
func (t Trace) Partial() (n int) {
	steps := t.sendings()
	for i := range t.Packets {
		if r := &t.Packets[i]; !whole(r) && lostUntil(r, steps) == 0 {
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
func (l *Learner) Add(r *trace.PacketRow) {
	if whole(r) {
		l.b.packets = append(l.b.packets, packetOf(r))
	}
}

// Rules returns the rules of the records that have been added.
func (l *Learner) Rules() *Rules {
	b := l.b
	b.infer(Trace{})
	return &Rules{timing: b.timing, fetches: b.fetches.all(), deposits: b.deposits.all(), ways: b.ways}
}

// newBuilder returns a builder of the log of records.
func newBuilder(t Trace) *builder {
	return &builder{
		signature: t.Signature, cards: t.Cards, rules: t.Rules, ways: map[int]way{}, packets: t.known(),
		programs: map[seat]waits.ID{}, services: map[seat]waits.ID{},
	}
}

// sending is a step of an operation that lasts until a message has arrived, in ns.
type sending struct {
	begin, end int64
	noticed    int64 // when the step after it ends, in which the message waits to be noticed; 0: there is none
}

// sendings returns the steps of operations that last until a message has arrived, by who sends it, of a run that has sent packets
// again. If other packets of a message had all arrived by then, the lost ones had when it was noticed.
func (t Trace) sendings() map[call][]sending {
	out := map[call][]sending{}
	if !t.Repeats {
		return out
	}
	type arrival struct {
		call
		at int64
	}
	arrived := map[arrival]bool{}
	for i := range t.Packets {
		if r := &t.Packets[i]; whole(r) {
			arrived[arrival{call{seat{r.Tag, r.Sender}, r.Span}, r.T6Ns.Value}] = true
		}
	}
	for i, x := range t.Steps {
		if !sends(x.Step) {
			continue
		}
		k := call{seat{x.Tag, x.Node}, x.Span}
		s := sending{begin: x.BeginNs, end: x.BeginNs + x.DurationNs}
		if i+1 < len(t.Steps) && arrived[arrival{k, s.end}] {
			if next := t.Steps[i+1]; next.Tag == x.Tag && next.Span == x.Span && next.Step == string(trace.StepNotice) {
				s.noticed = next.BeginNs + next.DurationNs
			}
		}
		out[k] = append(out[k], s)
	}
	return out
}

// lostUntil returns when a packet arrived, in ns, which has the record of its sender only because it was lost and sent again: when the
// step of its operation ended in which it was sent, or the message was noticed. It returns 0 if no operation tells.
func lostUntil(r *trace.PacketRow, steps map[call][]sending) int64 {
	if !r.TakenNs.OK {
		return 0
	}
	for _, x := range steps[call{seat{r.Tag, r.Sender}, r.Span}] {
		if x.begin <= r.T1Ns.Value && r.T4Ns.Value < x.end {
			return max(x.end, x.noticed)
		}
	}
	return 0
}

// known returns the packets of which it is known when they were sent and when they arrived.
func (t Trace) known() []*packet {
	steps, all := t.sendings(), make([]*packet, 0, len(t.Packets))
	for i := range t.Packets {
		r := &t.Packets[i]
		p := packetOf(r)
		if !whole(r) {
			at := lostUntil(r, steps)
			if at == 0 {
				continue
			}
			p.t5, p.t6, p.lost = ns*at, ns*at, true
		}
		all = append(all, p)
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
	if b.rules != nil {
		b.timing = b.rules.timing
	} else {
		b.inserts = b.insertions()
	}
	if b.cards {
		b.pipelines()
	} else {
		b.firmware()
	}
	return operations
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
	}
	for _, slow := range [...]bool{false, true} { // the slow ones by what the others show
		for i := range b.nodes {
			if b.paces[i] > 0 == slow {
				b.arrive(b.nodes[i].received)
			}
		}
	}
	b.host()
}

// write writes the actors: packets first, then processes, then the tasks of interfaces, in the order of their IDs.
func (b *builder) write(operations []operation) {
	for _, p := range b.packets {
		if b.cards {
			b.card(p)
		} else {
			b.packet(p)
		}
	}
	b.processes(operations)
	for i := 0; i < len(b.packets) && !b.cards; i++ {
		b.note(b.packets[i])
	}
}
