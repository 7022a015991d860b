package goal

import (
	"cmp"
	"container/heap"
	"fmt"
)

// Check returns an error if the schedule cannot end: if a receive has no send, or operations
// wait for each other. A send ends by itself. Where equal tags, or receives from any sender or of any
// tag, leave open which message a receive gets, messages come in the order of computation, in
// no time.
func (s *Schedule) Check() error {
	r := replay{s: s, left: make([]int, len(s.Ranks)), ranks: make([]rankState, len(s.Ranks)), byAny: map[id]id{}}
	for i, ops := range s.Ranks {
		r.left[i] = len(ops)
		r.ranks[i].Order = NewOrder(ops)
		r.queue(0, i, r.ranks[i].First())
	}
	for len(r.todo) > 0 {
		r.run(heap.Pop(&r.todo).(event))
	}
	for rank, left := range r.left {
		if left > 0 {
			return r.stuck(rank, left)
		}
	}
	for rank := range r.ranks {
		for _, m := range r.ranks[rank].arrived {
			o := &s.Ranks[m.rank][m.op]
			return fmt.Errorf("rank %d%s: send of %d B to rank %d tag %d: no receive takes it", m.rank, place(o), o.Size, o.Peer, o.Tag)
		}
	}
	return nil
}

// id is an operation of a rank.
type id struct {
	rank int
	op   int32
}

// event is the begin of an operation, or the end of a computation.
type event struct {
	id
	at     int64 // ns
	number int   // of events that were queued before
	ends   bool
}

// events is a heap of events by time.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(e[i].at, e[j].at), cmp.Compare(e[i].number, e[j].number)) < 0
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push implements heap.Interface.
func (e *events) Push(x any) { *e = append(*e, x.(event)) }

// Pop implements heap.Interface.
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// replay executes a schedule on processors without limit and a network that takes no time.
type replay struct {
	s     *Schedule
	todo  events
	count int   // of events
	left  []int // by rank: operations that have not ended
	ranks []rankState
	byAny map[id]id // sends that receives from any, or of any tag, have taken
}

// rankState is what has happened on a rank.
type rankState struct {
	*Order
	posted  []int32 // receives without a message
	arrived []id    // sends without a receive
}

// queue adds operations that may begin at a time.
func (r *replay) queue(at int64, rank int, ops []int32) {
	for _, op := range ops {
		r.push(event{id: id{rank, op}, at: at})
	}
}

func (r *replay) push(e event) {
	r.count++
	e.number = r.count
	heap.Push(&r.todo, e)
}

func (r *replay) run(e event) {
	o := &r.s.Ranks[e.rank][e.op]
	if e.ends {
		r.end(e.at, e.id)
		return
	}
	r.queue(e.at, e.rank, r.ranks[e.rank].Began(e.op))
	switch o.Kind {
	case Calc:
		r.push(event{id: e.id, at: e.at + o.Size, ends: true})
	case Send:
		r.end(e.at, e.id)
		to := &r.ranks[o.Peer]
		for i, p := range to.posted {
			if r.s.Ranks[o.Peer][p].takes(e.rank, o.Tag) {
				to.posted = append(to.posted[:i], to.posted[i+1:]...)
				r.received(e.at, e.id, id{o.Peer, p})
				return
			}
		}
		to.arrived = append(to.arrived, e.id)
	case Recv:
		st := &r.ranks[e.rank]
		for i, m := range st.arrived {
			if o.takes(m.rank, r.s.Ranks[m.rank][m.op].Tag) {
				st.arrived = append(st.arrived[:i], st.arrived[i+1:]...)
				r.received(e.at, m, e.id)
				return
			}
		}
		st.posted = append(st.posted, e.op)
	}
}

// received ends a receive with the message of a send.
func (r *replay) received(at int64, send, receive id) {
	if o := &r.s.Ranks[receive.rank][receive.op]; o.Peer == Any || o.Tag == Any {
		r.byAny[send] = receive
	}
	r.end(at, receive)
}

// takes reports whether a receive takes a message.
func (o *Op) takes(from int, tag int64) bool {
	return (o.Peer == Any || o.Peer == from) && (o.Tag == Any || o.Tag == tag)
}

func (r *replay) end(at int64, x id) {
	r.left[x.rank]--
	r.queue(at, x.rank, r.ranks[x.rank].Ended(x.op))
}

// stuck says why a rank does not end.
func (r *replay) stuck(rank, left int) error {
	if p := r.ranks[rank].posted; len(p) > 0 {
		o := &r.s.Ranks[rank][p[0]]
		return fmt.Errorf("rank %d%s: recv of %d B from %s: %s", rank, place(o), o.Size, o.source(), r.missing(rank, o))
	}
	for i, n := range r.ranks[rank].left {
		if n > 0 {
			return fmt.Errorf("rank %d%s: %d operations require each other, this one among them", rank, place(&r.s.Ranks[rank][i]), left)
		}
	}
	panic("goal: a rank that is stuck at nothing")
}

// missing says why no message is left for a receive: none was sent, or one from any took it. In what
// order they come does not depend on the network here; see Check.
func (r *replay) missing(rank int, o *Op) string {
	for from, ops := range r.s.Ranks {
		for i := range ops {
			send := id{from, int32(i)}
			if by, taken := r.byAny[send]; taken && by.rank == rank && o.takes(from, ops[i].Tag) {
				other := &r.s.Ranks[rank][by.op]
				return fmt.Sprintf("no send is left for it, because the recv from %s%s takes the one of rank %d%s",
					other.source(), place(other), from, place(&ops[i]))
			}
		}
	}
	return "no send comes to it"
}

// source names from whom a receive takes messages, and of which tag.
func (o *Op) source() string {
	from, tag := "any rank", "any tag"
	if o.Peer != Any {
		from = fmt.Sprintf("rank %d", o.Peer)
	}
	if o.Tag != Any {
		tag = fmt.Sprintf("tag %d", o.Tag)
	}
	return from + " " + tag
}

func place(o *Op) string {
	if o.Line == 0 {
		return ""
	}
	return fmt.Sprintf(", line %d", o.Line)
}
