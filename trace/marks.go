package trace

import (
	"cmp"
	"iter"

	"github.com/sigview/sigview/internal/spill"
)

// roomMarks is how many marks are in memory, the others in a temporary file.
const roomMarks = 1 << 16

// Marks takes the marks of all nodes while a run goes on, in memory that does not grow with
// their number, but for those of phases.
type Marks struct {
	room   int
	notes  *spill.Sorter[note]
	texts  []string // of operations and steps
	index  map[string]uint16
	added  []int64 // by node: marks so far
	from   []int64 // by node: of these, how many are forgotten
	phases [][]Mark
}

// note is a mark without pointers.
type note struct {
	operation       uint64 // program, number
	at, bound       int64
	place           int64 // among those of the node
	parent          Span
	node            int32
	operates, steps uint16 // as texts
	act             Act
}

// NewMarks returns a collection without marks.
func NewMarks() *Marks { return newMarks(roomMarks) }

func newMarks(room int) *Marks {
	return &Marks{
		room:  room,
		index: map[string]uint16{},
		notes: spill.New(room, func(a, b *note) int {
			return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.node, b.node), cmp.Compare(a.place, b.place))
		}),
	}
}

// MarksOf returns a collection of marks: of each node in the order of its calls.
func MarksOf(all ...Mark) *Marks {
	m := NewMarks()
	for _, k := range all {
		m.Add(k)
	}
	return m
}

// Add takes a mark: of each node in the order of its calls.
func (m *Marks) Add(k Mark) {
	for len(m.added) <= k.Node {
		m.added, m.from, m.phases = append(m.added, 0), append(m.from, 0), append(m.phases, nil)
	}
	if k.Act == ActPhase {
		m.phases[k.Node] = append(m.phases[k.Node], k)
		return
	}
	m.notes.Add(note{
		operation: uint64(k.Tag)<<32 | uint64(k.Span), at: k.AtNs, bound: k.BoundNs, place: m.added[k.Node], parent: k.Parent,
		node: int32(k.Node), operates: m.text(string(k.Operation)), steps: m.text(string(k.Step)), act: k.Act,
	})
	m.added[k.Node]++
}

// text returns the number of a text. There are no more than layers have names.
func (m *Marks) text(s string) uint16 {
	n, ok := m.index[s]
	if !ok {
		n = uint16(len(m.texts))
		m.texts, m.index[s] = append(m.texts, s), n
	}
	return n
}

// Forget discards the marks of a node so far.
func (m *Marks) Forget(node int) {
	if node < len(m.added) {
		m.from[node], m.phases[node] = m.added[node], nil
	}
}

// Err returns the error of the temporary file, if one has occurred.
func (m *Marks) Err() error { return m.notes.Err() }

// operations returns the marks of each operation, by node in the order of its calls. They
// are valid until the next.
func (m *Marks) operations() iter.Seq2[uint64, []Mark] {
	return func(yield func(uint64, []Mark) bool) {
		var marks []Mark
		var key uint64
		for n := range m.notes.All() {
			if n.place < m.from[n.node] {
				continue
			}
			if len(marks) > 0 && n.operation != key {
				if !yield(key, marks) {
					return
				}
				marks = marks[:0]
			}
			key = n.operation
			marks = append(marks, Mark{
				Node: int(n.node), Tag: Tag(n.operation >> 32), Act: n.act, Span: Span(n.operation), Parent: n.parent,
				Operation: Operation(m.texts[n.operates]), Step: Step(m.texts[n.steps]), AtNs: n.at, BoundNs: n.bound,
			})
		}
		if len(marks) > 0 {
			yield(key, marks)
		}
	}
}

// Assembled is the operations of a run: their rows, in the order of begin, and those of their steps
// in the order of operations. What there is no room for is in temporary files.
type Assembled struct {
	Open  int // operations without a begin or an end: they have no row
	texts []string
	spans *spill.Sorter[spanNote]
	steps *spill.Sorter[stepNote]
}

// spanNote is a row of an operation or a phase without pointers.
type spanNote struct {
	begin, end, bound, span, parent, packets, place int64
	node                                            int32
	operation, name                                 uint16 // as texts
	tag                                             Tag
}

// stepNote is a row of a step without pointers.
type stepNote struct {
	of              spanNote // begin, node, tag and span of its operation
	begin, duration int64
	node, order     int32
	step            uint16
}

// Assemble makes the rows of operations and steps. Packets, in the order of T3, separate
// transfers from the waiting after them; they may be nil. Operations in which recording began
// or ended are open.
func (m *Marks) Assemble(packets iter.Seq[PacketRow]) (*Assembled, error) {
	out := &Assembled{
		spans: spill.New((m.room+1)/2, byBegin),
		steps: spill.New((m.room+1)/2, func(a, b *stepNote) int { return cmp.Or(byBegin(&a.of, &b.of), cmp.Compare(a.order, b.order)) }),
	}
	parcels := parcelsOf(packets)
	next, stop := iter.Pull(parcels.All())
	defer stop()
	p, more := next()
	var own []parcel
	for key, marks := range m.operations() {
		for own = own[:0]; more && p.operation <= key; p, more = next() {
			if p.operation == key { // not of an operation without marks
				own = append(own, p)
			}
		}
		o := operation{marks, own}
		row, steps, ok := o.rows()
		if !ok {
			out.Open++
			continue
		}
		out.add(m, row, steps)
	}
	phases, unended := phasesOf(m.phases)
	for _, row := range phases {
		out.add(m, row, nil)
	}
	out.Open += unended
	out.texts = m.texts
	return out, cmp.Or(m.Err(), parcels.Err(), out.Err())
}

func (a *Assembled) add(m *Marks, r SpanRow, steps []StepRow) {
	of := spanNote{
		begin: r.BeginNs, end: r.EndNs, bound: r.BoundNs, span: r.Span, parent: r.Parent, packets: r.Packets, place: a.spans.Len(),
		node: int32(r.Node), tag: r.Tag, operation: m.text(r.Operation), name: m.text(r.Name),
	}
	a.spans.Add(of)
	for _, s := range steps {
		a.steps.Add(stepNote{of: of, begin: s.BeginNs, duration: s.DurationNs, node: int32(s.Node), order: int32(s.Order), step: m.text(s.Step)})
	}
}

func byBegin(a, b *spanNote) int {
	return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.node, b.node), cmp.Compare(a.tag, b.tag), cmp.Compare(a.span, b.span), cmp.Compare(a.place, b.place))
}

// Spans returns the rows of operations and phases. Err tells whether some are missing.
func (a *Assembled) Spans() iter.Seq[SpanRow] {
	rows := a.spans.All()
	return func(yield func(SpanRow) bool) {
		for n := range rows {
			if !yield(SpanRow{
				Tag: n.tag, Span: n.span, Operation: a.texts[n.operation], Name: a.texts[n.name], Parent: n.parent, Node: int64(n.node),
				BeginNs: n.begin, EndNs: n.end, DurationNs: n.end - n.begin, BoundNs: n.bound, Packets: n.packets,
			}) {
				return
			}
		}
	}
}

// Steps returns the rows of steps. Err tells whether some are missing.
func (a *Assembled) Steps() iter.Seq[StepRow] {
	rows := a.steps.All()
	return func(yield func(StepRow) bool) {
		for n := range rows {
			if !yield(StepRow{
				Tag: n.of.tag, Span: n.of.span, Operation: a.texts[n.of.operation], Order: int64(n.order), Step: a.texts[n.step], Node: int64(n.node),
				BeginNs: n.begin, DurationNs: n.duration,
			}) {
				return
			}
		}
	}
}

// Err returns the error of the temporary files, if one has occurred.
func (a *Assembled) Err() error { return cmp.Or(a.spans.Err(), a.steps.Err()) }
