package trace

import (
	"cmp"
	"iter"
	"slices"

	"github.com/sigview/sigview/internal/spill"
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

// operation is the marks and packets of an operation.
type operation struct {
	marks   []Mark
	packets []parcel
}

// rows makes the rows of one operation, if its marks are complete.
func (o *operation) rows() (row SpanRow, steps []StepRow, ok bool) {
	packets := o.packets
	var begin, end *Mark
	var inner []Mark
	for i := range o.marks {
		switch m := &o.marks[i]; m.Act {
		case ActBegin:
			if begin != nil {
				return row, nil, false // the number was used again
			}
			begin = m
		case ActEnd:
			end = m
		default:
			inner = append(inner, *m)
		}
	}
	if begin == nil || end == nil {
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
func arrivals(packets []parcel, marks []Mark) []Mark {
	var out []Mark
	for i := range packets {
		p := &packets[i]
		step, ok := onArrival(p.kind)
		if !ok || !p.arrived {
			continue
		}
		later := slices.ContainsFunc(packets[i+1:], func(q parcel) bool {
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

// parcel holds the fields of a packet that its operation needs.
type parcel struct {
	operation        uint64
	place            int64 // among all packets
	kind             Kind
	arrived          bool // t6 and bound are known
	sender, receiver int32
	t3, t6, bound    int64
}

// roomParcels is how many packets are in memory while they are put in the order of
// operations.
const roomParcels = 1 << 16

// parcelsOf returns the packets of operations in the order of these.
func parcelsOf(packets iter.Seq[PacketRow]) *spill.Sorter[parcel] {
	out := spill.New(roomParcels, func(a, b *parcel) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.place, b.place))
	})
	if packets == nil {
		return out
	}
	for p := range packets {
		kind, err := ParseKind(p.Kind)
		if err != nil || p.Span == 0 {
			continue
		}
		out.Add(parcel{
			uint64(p.Tag)<<32 | uint64(p.Span), out.Len(), kind, p.T6Ns.OK, int32(p.Sender), int32(p.Receiver),
			p.T3Ns.Value, p.T6Ns.Value, p.BoundNs.Value,
		})
	}
	return out
}
