package trace

import (
	"cmp"
	"iter"
	"slices"
)

// Act is the type of a Mark.
type Act uint8

// Acts.
const (
	ActBegin Act = iota
	ActStep
	ActEnd
	ActPhase
)

// Mark is one call of Spans as its node recorded it.
type Mark struct {
	Node      int
	Tag       Tag
	Act       Act
	Span      Span
	Parent    Span      // begin
	Operation Operation // begin
	Step      Step      // begin, step
	Name      string    // phase
	AtNs      int64     // global time
	BoundNs   int64     // of the error of AtNs
}

// Assemble makes the rows of operations and steps from the nodes' marks, each
// node's in the order of its calls. Packets, in the order of T3, separate transfers
// from the waiting after them; they may be nil. Open is the number of operations
// without a begin or an end, because recording began or ended within them; they
// have no row.
func Assemble(nodes [][]Mark, packets iter.Seq[PacketRow]) (spans []SpanRow, steps []StepRow, open int) {
	operations, unbegun := operationsOf(marksOf(nodes), parcelsOf(packets))
	phases, unended := phasesOf(nodes)
	open = unbegun + unended
	spans, steps = []SpanRow{}, []StepRow{}
	for _, o := range operations {
		row, parts, ok := o.rows()
		if !ok {
			open++
			continue
		}
		spans, steps = append(spans, row), append(steps, parts...)
	}
	spans = append(spans, phases...) // phases have no steps
	slices.SortStableFunc(spans, func(a, b SpanRow) int {
		return cmp.Or(cmp.Compare(a.BeginNs, b.BeginNs), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Span, b.Span))
	})
	return spans, steps, open
}

// member is a mark or a packet of an operation.
type member[T any] struct {
	operation uint64 // program, number
	place     int    // in the order given
	of        T
}

func memberOf[T any](tag Tag, s Span, place int, of T) member[T] {
	return member[T]{uint64(tag)<<32 | uint64(s), place, of}
}

// byOperation groups members by operation and keeps their order.
func byOperation[T any](all []member[T]) {
	slices.SortFunc(all, func(a, b member[T]) int {
		if a.operation != b.operation {
			return cmp.Compare(a.operation, b.operation)
		}
		return cmp.Compare(a.place, b.place)
	})
}

func marksOf(nodes [][]Mark) (out []member[*Mark]) {
	for _, marks := range nodes {
		out = slices.Grow(out, len(marks))
		for i := range marks {
			if m := &marks[i]; m.Act != ActPhase {
				out = append(out, memberOf(m.Tag, m.Span, len(out), m))
			}
		}
	}
	byOperation(out)
	return out
}

// parcel holds the fields of a packet that its operation needs.
type parcel struct {
	kind             Kind
	arrived          bool // t6 and bound are known
	sender, receiver int32
	t3, t6, bound    int64
}

func parcelsOf(packets iter.Seq[PacketRow]) (out []member[parcel]) {
	if packets == nil {
		return nil
	}
	for p := range packets {
		kind, err := ParseKind(p.Kind)
		if err != nil || p.Span == 0 {
			continue
		}
		out = append(out, memberOf(p.Tag, Span(p.Span), len(out), parcel{
			kind, p.T6Ns.OK, int32(p.Sender), int32(p.Receiver), p.T3Ns.Value, p.T6Ns.Value, p.BoundNs.Value,
		}))
	}
	byOperation(out)
	return out
}

// operation is the marks and packets of an operation.
type operation struct {
	begin   *Mark
	marks   []member[*Mark]
	packets []member[parcel]
}

// operationsOf returns the operations in the order of their begins, and counts
// those without a begin.
func operationsOf(marks []member[*Mark], packets []member[parcel]) (all []operation, unbegun int) {
	for len(marks) > 0 {
		key := marks[0].operation
		o := operation{}
		o.marks, marks = cut(marks, key)
		for len(packets) > 0 && packets[0].operation < key {
			packets = packets[1:] // of an operation without marks
		}
		o.packets, packets = cut(packets, key)
		i := slices.IndexFunc(o.marks, func(m member[*Mark]) bool { return m.of.Act == ActBegin })
		if i < 0 {
			unbegun++
			continue
		}
		o.begin = o.marks[i].of
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b operation) int {
		x, y := a.begin, b.begin
		return cmp.Or(cmp.Compare(x.AtNs, y.AtNs), cmp.Compare(x.Node, y.Node), cmp.Compare(x.Tag, y.Tag), cmp.Compare(x.Span, y.Span))
	})
	return all, unbegun
}

// cut separates the members of an operation from those of later ones.
func cut[T any](all []member[T], operation uint64) (of, rest []member[T]) {
	n := slices.IndexFunc(all, func(m member[T]) bool { return m.operation != operation })
	if n < 0 {
		return all, nil
	}
	return all[:n], all[n:]
}

// rows makes the rows of one operation, if its marks are complete.
func (o *operation) rows() (row SpanRow, steps []StepRow, ok bool) {
	begin, packets := o.begin, o.packets
	var end *Mark
	var inner []Mark
	for _, m := range o.marks {
		switch m.of.Act {
		case ActBegin:
			if m.of != begin {
				return row, nil, false // the number was used again
			}
		case ActEnd:
			end = m.of
		default:
			inner = append(inner, *m.of)
		}
	}
	if end == nil {
		return row, nil, false
	}
	byTime := func(a, b Mark) int { return cmp.Compare(a.AtNs, b.AtNs) }
	slices.SortStableFunc(inner, byTime)
	inner = append(arrivals(packets, append(slices.Clone(inner), *end)), inner...)
	slices.SortStableFunc(inner, byTime)
	row = SpanRow{
		Tag: begin.Tag, Span: int64(begin.Span), Operation: string(begin.Operation), Parent: int64(begin.Parent), Node: int64(begin.Node),
		BeginNs: begin.AtNs, EndNs: end.AtNs, DurationNs: end.AtNs - begin.AtNs, BoundNs: max(begin.BoundNs, end.BoundNs), Packets: int64(len(packets)),
	}
	chain := append([]Mark{*begin}, inner...)
	for i, m := range chain {
		until := end.AtNs
		if i+1 < len(chain) {
			until = chain[i+1].AtNs
		}
		row.BoundNs = max(row.BoundNs, m.BoundNs)
		steps = append(steps, StepRow{
			Tag: row.Tag, Span: row.Span, Operation: row.Operation, Order: int64(i),
			Step: string(m.Step), Node: int64(m.Node), BeginNs: m.AtNs, DurationNs: until - m.AtNs,
		})
	}
	return row, steps, true
}

// arrivals returns marks for the arrivals of an operation's messages in their receivers'
// memory: those of the last packets of one kind from one node to another. The interface
// stamps an arrival slightly late, so the receiver's next mark is its upper bound. Marks
// are in order of time.
func arrivals(packets []member[parcel], marks []Mark) []Mark {
	var out []Mark
	for i, m := range packets {
		p := &m.of
		step, ok := onArrival(p.kind)
		if !ok || !p.arrived {
			continue
		}
		later := slices.ContainsFunc(packets[i+1:], func(m member[parcel]) bool {
			q := &m.of
			return q.kind == p.kind && q.sender == p.sender && q.receiver == p.receiver && q.arrived
		})
		next := slices.IndexFunc(marks, func(m Mark) bool { return m.Node == int(p.receiver) && m.AtNs > p.t3 })
		if later || next < 0 {
			continue
		}
		out = append(out, Mark{
			Node: int(p.receiver), Step: step, AtNs: min(p.t6, marks[next].AtNs), BoundNs: p.bound,
		})
	}
	return out
}

// phasesOf makes rows of the phases. A phase ends where its node's next one of
// the same program begins.
func phasesOf(nodes [][]Mark) (rows []SpanRow, open int) {
	type place struct {
		node int
		tag  Tag
	}
	last := map[place]*Mark{}
	for _, marks := range nodes {
		for i := range marks {
			m := &marks[i]
			if m.Act != ActPhase {
				continue
			}
			at := place{m.Node, m.Tag}
			if b := last[at]; b != nil && b.Name != "" {
				rows = append(rows, SpanRow{
					Tag: m.Tag, Operation: string(OpPhase), Name: b.Name, Node: int64(m.Node), BeginNs: b.AtNs, EndNs: m.AtNs,
					DurationNs: m.AtNs - b.AtNs, BoundNs: max(b.BoundNs, m.BoundNs),
				})
				open--
			}
			if m.Name != "" {
				open++
			}
			last[at] = m
		}
	}
	return rows, open
}
