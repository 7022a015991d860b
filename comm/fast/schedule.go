package fast

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/goal"
)

// Schedule is a GOAL schedule as a program. A rank has one processor: computations follow
// each other, whatever CPU the schedule gives them.
type Schedule struct {
	ranks       []scheduled
	tags        map[int64]int32
	done, total int64
}

// scheduled is the program of a rank.
type scheduled struct {
	ops     []goal.Op
	order   *goal.Order
	ready   ring.Ring[int32]
	waiting int // receives
}

// NewSchedule returns a schedule, for as many ranks as it has.
func NewSchedule(s *goal.Schedule) (*Schedule, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	out := &Schedule{tags: map[int64]int32{goal.Any: wildcard}}
	for rank, ops := range s.Ranks {
		for _, o := range ops {
			if o.Kind != goal.Calc && o.Size > math.MaxInt32 {
				return nil, fmt.Errorf("rank %d, line %d: message of %d B, wanted at most %d", rank, o.Line, o.Size, math.MaxInt32)
			}
			if _, ok := out.tags[o.Tag]; !ok {
				out.tags[o.Tag] = int32(len(out.tags))
			}
		}
		r := scheduled{ops: ops, order: goal.NewOrder(ops)}
		r.queue(r.order.First())
		out.ranks = append(out.ranks, r)
		out.total += int64(len(ops))
	}
	return out, nil
}

func (r *scheduled) queue(ops []int32) {
	for _, op := range ops {
		r.ready.Push(op)
	}
}

// Progress returns how many operations have ended, and of how many.
func (s *Schedule) Progress() (done, total int64) { return s.done, s.total }

// Next returns the next operation of a rank.
func (s *Schedule) Next(rank int, got *Message) Op {
	r := &s.ranks[rank]
	if got != nil {
		r.waiting--
		s.end(r, got.ID)
	}
	if r.ready.Len() == 0 {
		if r.waiting > 0 {
			return Op{Kind: Wait}
		}
		return Op{Kind: End}
	}
	id := r.ready.Pop()
	o := &r.ops[id]
	r.queue(r.order.Began(id))
	if o.Kind == goal.Recv {
		r.waiting++
		return Op{Kind: Post, Peer: int32(o.Peer), Tag: s.tags[o.Tag], ID: id}
	}
	s.end(r, id)
	if o.Kind == goal.Send {
		return Op{Kind: Send, Peer: int32(o.Peer), Tag: s.tags[o.Tag], Bytes: int32(o.Size)}
	}
	return Op{Kind: Compute, Time: sim.Duration(o.Size) * sim.Nanosecond}
}

func (s *Schedule) end(r *scheduled, id int32) {
	s.done++
	r.queue(r.order.Ended(id))
}
