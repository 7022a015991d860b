package trace

import (
	"cmp"
	"iter"
	"slices"
)

// Act is what a Mark says.
type Act uint8

// Acts.
const (
	ActBegin Act = iota
	ActStage
	ActEnd
	ActPhase
)

// Mark is one call of Spans as a node took it down.
type Mark struct {
	Node      int
	Tag       Tag
	Span      Span
	Act       Act
	Operation Operation // begin
	Step      Step      // begin, stage
	Parent    Span      // begin
	Name      string    // phase
	AtNs      int64     // global time
	BoundNs   int64     // of the error of AtNs
}

// spanKey names an operation.
type spanKey struct {
	tag  Tag
	span Span
}

// Assemble makes operations and their stages of the nodes' marks, each node's in
// the order of its calls, and divides transfers from what follows by the packets, in the order
// of T3, which may be missing. It returns how many operations lack their begin or end, because
// recording began or ended in the middle; those have no row.
func Assemble(marks []Mark, packets iter.Seq[PacketRow]) (spans []SpanRow, stages []StepRow, open int) {
	groups := map[spanKey][]Mark{}
	var keys []spanKey
	var phases []Mark
	for _, m := range marks {
		if m.Act == ActPhase {
			phases = append(phases, m)
			continue
		}
		k := spanKey{m.Tag, m.Span}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], m)
	}
	carried := byOperation(packets)
	type operation struct {
		row   SpanRow
		steps []StepRow
	}
	var all []operation
	for _, k := range keys {
		row, steps, ok := operationOf(groups[k], carried[k])
		if !ok {
			open++
			continue
		}
		all = append(all, operation{row, steps})
	}
	rows, unended := phasesOf(phases)
	open += unended
	for _, r := range rows {
		all = append(all, operation{row: r})
	}
	slices.SortStableFunc(all, func(a, b operation) int {
		return cmp.Or(cmp.Compare(a.row.BeginNs, b.row.BeginNs), cmp.Compare(a.row.Node, b.row.Node),
			cmp.Compare(a.row.Tag, b.row.Tag), cmp.Compare(a.row.Span, b.row.Span))
	})
	spans, stages = []SpanRow{}, []StepRow{}
	for _, o := range all {
		spans = append(spans, o.row)
		stages = append(stages, o.steps...)
	}
	return spans, stages, open
}

// parcel is what an operation has to know of one of its packets.
type parcel struct {
	kind             Kind
	arrived          bool // t6 and bound are there
	sender, receiver int32
	t3, t6, bound    int64
}

func byOperation(packets iter.Seq[PacketRow]) map[spanKey][]parcel {
	out := map[spanKey][]parcel{}
	if packets == nil {
		return out
	}
	for p := range packets {
		kind, err := ParseKind(p.Kind)
		if err != nil || p.Span == 0 {
			continue
		}
		k := spanKey{p.Tag, Span(p.Span)}
		out[k] = append(out[k], parcel{kind, p.T6Ns.OK, int32(p.Sender), int32(p.Receiver), p.T3Ns.Value, p.T6Ns.Value, p.BoundNs.Value})
	}
	return out
}

// operationOf makes one operation of its marks and packets.
func operationOf(marks []Mark, packets []parcel) (row SpanRow, steps []StepRow, ok bool) {
	var begin, end *Mark
	var inner []Mark
	for i := range marks {
		switch m := &marks[i]; m.Act {
		case ActBegin:
			if begin != nil {
				return row, nil, false // the number came again
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
			Stage: string(m.Step), Node: int64(m.Node), BeginNs: m.AtNs, DurationNs: until - m.AtNs,
		})
	}
	return row, steps, true
}

// arrivals are the instants at which an operation's messages came into their
// receivers' memory: of the packets of one kind from one node to another, the
// last. The interface notes an instant somewhat late, so the receiver's own next mark
// bounds it from above. Marks are in the order of time.
func arrivals(packets []parcel, marks []Mark) []Mark {
	var out []Mark
	flagged := slices.ContainsFunc(packets, func(p parcel) bool { return p.kind == Flag })
	for i, p := range packets {
		step, ok := onArrival(p.kind)
		if !ok || !p.arrived || p.kind == PageReply && flagged {
			continue // the flag behind a page says that it is complete
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
func phasesOf(marks []Mark) (rows []SpanRow, open int) {
	type place struct {
		node int
		tag  Tag
	}
	last := map[place]*Mark{}
	for i := range marks {
		m := &marks[i]
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
	return rows, open
}
