package trace

import (
	"cmp"
	"iter"
	"slices"

	"github.com/sigview/sigview/internal/spill"
)

// roomMarks is how many marks are in memory, the others in a temporary file.
const roomMarks = 1 << 16

// Marks takes the marks of all nodes while a run goes on, in memory that does not grow with
// their number, but for those of phases.
type Marks struct {
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

// Assemble makes the rows of operations and steps. Packets, in the order of T3, separate
// transfers from the waiting after them; they may be nil. Open is the number of operations
// without a begin or an end, because recording began or ended within them; they have no
// row. Err tells whether rows are missing.
func (m *Marks) Assemble(packets iter.Seq[PacketRow]) (spans []SpanRow, steps []StepRow, open int, err error) {
	type made struct {
		row      SpanRow
		from, to int // its steps
	}
	var all []made
	var parts []StepRow
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
		row, list, ok := o.rows()
		if !ok {
			open++
			continue
		}
		all = append(all, made{row, len(parts), len(parts) + len(list)})
		parts = append(parts, list...)
	}
	slices.SortFunc(all, func(a, b made) int { return byBegin(&a.row, &b.row) })
	phases, unended := phasesOf(m.phases)
	spans, steps = make([]SpanRow, 0, len(all)+len(phases)), make([]StepRow, 0, len(parts))
	for _, x := range all {
		spans, steps = append(spans, x.row), append(steps, parts[x.from:x.to]...)
	}
	spans = append(spans, phases...) // phases have no steps
	slices.SortStableFunc(spans, func(a, b SpanRow) int { return byBegin(&a, &b) })
	return spans, steps, open + unended, cmp.Or(m.Err(), parcels.Err())
}

func byBegin(a, b *SpanRow) int {
	return cmp.Or(cmp.Compare(a.BeginNs, b.BeginNs), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Span, b.Span))
}
