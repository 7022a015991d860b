package goal

import "fmt"

// Check returns an error if the schedule cannot end, whatever the times: if a receive has no
// send, or operations wait for each other. A send ends by itself. Where a receive takes any
// sender or any tag, messages come in one of their possible orders.
func (s *Schedule) Check() error {
	r := replay{s: s, left: make([]int, len(s.Ranks)), ranks: make([]rankState, len(s.Ranks))}
	for i, ops := range s.Ranks {
		r.left[i] = len(ops)
		r.ranks[i].Order = NewOrder(ops)
		r.queue(i, r.ranks[i].First())
	}
	for len(r.todo) > 0 {
		next := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		r.run(next.rank, next.op)
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

// replay executes a schedule without times.
type replay struct {
	s     *Schedule
	todo  []id
	left  []int // by rank: operations that have not ended
	ranks []rankState
}

// rankState is what has happened on a rank.
type rankState struct {
	*Order
	posted  []int32 // receives without a message
	arrived []id    // sends without a receive
}

// queue adds operations that may begin.
func (r *replay) queue(rank int, ops []int32) {
	for _, op := range ops {
		r.todo = append(r.todo, id{rank, op})
	}
}

func (r *replay) run(rank int, op int32) {
	r.queue(rank, r.ranks[rank].Began(op))
	o := &r.s.Ranks[rank][op]
	switch o.Kind {
	case Calc:
		r.end(rank, op)
	case Send:
		r.end(rank, op)
		to := &r.ranks[o.Peer]
		for i, p := range to.posted {
			if r.s.Ranks[o.Peer][p].takes(rank, o.Tag) {
				to.posted = append(to.posted[:i], to.posted[i+1:]...)
				r.end(o.Peer, p)
				return
			}
		}
		to.arrived = append(to.arrived, id{rank, op})
	case Recv:
		st := &r.ranks[rank]
		for i, m := range st.arrived {
			if o.takes(m.rank, r.s.Ranks[m.rank][m.op].Tag) {
				st.arrived = append(st.arrived[:i], st.arrived[i+1:]...)
				r.end(rank, op)
				return
			}
		}
		st.posted = append(st.posted, op)
	}
}

// takes reports whether a receive takes a message.
func (o *Op) takes(from int, tag int64) bool {
	return (o.Peer == Any || o.Peer == from) && (o.Tag == Any || o.Tag == tag)
}

func (r *replay) end(rank int, op int32) {
	r.left[rank]--
	r.queue(rank, r.ranks[rank].Ended(op))
}

// stuck says why a rank does not end.
func (r *replay) stuck(rank, left int) error {
	if p := r.ranks[rank].posted; len(p) > 0 {
		o := &r.s.Ranks[rank][p[0]]
		return fmt.Errorf("rank %d%s: recv of %d B from rank %d tag %d: no send comes to it", rank, place(o), o.Size, o.Peer, o.Tag)
	}
	for i, n := range r.ranks[rank].left {
		if n > 0 {
			return fmt.Errorf("rank %d%s: %d operations require each other, this one among them", rank, place(&r.s.Ranks[rank][i]), left)
		}
	}
	panic("goal: a rank that is stuck at nothing")
}

func place(o *Op) string {
	if o.Line == 0 {
		return ""
	}
	return fmt.Sprintf(", line %d", o.Line)
}
