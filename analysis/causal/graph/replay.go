package graph

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Change is what is different in a what-if. The zero value changes nothing.
type Change struct {
	// Free holds resources at which nobody waits any more. They serve as fast as before.
	Free []waits.Resource
	// Factor scales the service of resources; those that it lacks stay as they are.
	Factor map[waits.Resource]float64
	Places map[account.Place]float64 // the same for single instances; multiplies the resource's factor
}

// Stretch is the time between an instant of one actor and one of another. If First is 0, it begins
// at From of the log's time.
type Stretch struct {
	First waits.ID // at whose instant it begins
	From  int64    // ps
	Last  waits.ID // at whose instant it ends
	To    int64    // ps
}

// Prediction is the outcome of a what-if.
type Prediction struct {
	Length int64 // ps: of the stretch of interest
	// Grants counts services at places that serve one at a time, and Moved those in another
	// order than recorded. If all orders are kept, Moved counts those whose actor is ready before
	// the one that is kept before it.
	Grants, Moved int64
	Kept          bool // all orders were kept
}

// WhatIf replays the graph with a change, and predicts how long a stretch would be. Each
// resource serves in the order in which it did. Times for which nothing in the log is
// responsible stay as long as they were.
func (r *replay) WhatIf(c Change, s Stretch) Prediction {
	r.change(c)
	for _, i := range r.order {
		r.end[i] = r.finish(i)
	}
	r.Length = r.when(s.Last, s.To) - r.when(s.First, s.From)
	r.Kept = true
	return r.Prediction
}

// when returns the time in the present replay, in ps, of what an actor did at the recorded time at.
func (r *replay) when(actor waits.ID, at int64) int64 {
	if e := edgeTo(r.Graph.Account, actor, at); e.piece >= 0 {
		return r.instant(e)
	}
	return at
}

// unknown is the begin of a piece that is not computed yet.
const unknown = -1 << 62

// replay computes when pieces end under a change if each resource serves in the recorded order. It
// goes through the pieces in the order of the graph, so that all on which one depends are known.
type replay struct {
	*Graph
	Prediction
	changed
	begin, end []int64 // by piece, ps
}

// changed is a Change with an entry for each resource.
type changed struct {
	free   [waits.NumResources]bool    // nobody waits
	factor [waits.NumResources]float64 // of service; 1: as recorded
	slow   map[account.Place]float64   // further factor of single instances
}

func newChanged(c Change) changed {
	out := changed{slow: c.Places}
	for i := range out.factor {
		out.factor[i] = 1
	}
	for _, resource := range c.Free {
		out.free[resource] = true
	}
	for resource, f := range c.Factor {
		out.factor[resource] = f
	}
	return out
}

func newReplay(g *Graph) *replay {
	// NewRerun has dropped the order.
	if g.order == nil {
		g.sort()
		g.queue()
	}
	return &replay{Graph: g, begin: make([]int64, len(g.Pieces)), end: make([]int64, len(g.Pieces))}
}

// change resets the replay for a change.
func (r *replay) change(c Change) {
	r.Prediction, r.changed = Prediction{}, newChanged(c)
	for i := range r.begin {
		r.begin[i] = unknown
	}
}

// finish returns when piece i ends, in ps. The ends of all pieces before it in the order are known.
// A wait ends with its holder, service takes as long as scaled says, and a packet enters a
// receive ring no earlier than there is room.
func (r *replay) finish(i int32) int64 {
	p, begin := &r.Pieces[i], r.start(i)
	switch {
	// Nobody waits, and no processor turns from one process to another.
	case r.free[p.Resource] && (p.What == waits.Waiting || Switching(r.Graph.Account, i, r.Owner[i])):
		return begin
	case r.endedBy[i] >= 0:
		// The holder may let go before the actor comes to wait.
		return max(begin, r.instant(r.release(i)))
	}
	end := begin + r.scaled(p, p.Length())
	// A full ring holds the packet up until another has left it.
	if before, ok := r.room[i]; ok && !r.free[waits.Ring] {
		end = max(end, r.end[before.piece]+before.rest)
	}
	return end
}

// Switching reports whether a host processor turns to the process of a piece, which it does not
// have to if every process has its own. A handler has to be entered then too.
func Switching(a *account.Account, i int32, of waits.ID) bool {
	p := &a.Pieces[i]
	return p.Resource == waits.CPU && p.What == waits.Idle && a.Actors[of].Type == waits.Process
}

// start returns when piece i begins, in ps: at the end of the actor's piece before or, for the first
// one, at what begins the actor; and not before the service before it at the same place has ended.
// It counts that grant once, and as moved if the actor is ready before the service before begins.
func (r *replay) start(i int32) int64 {
	if r.begin[i] != unknown {
		return r.begin[i]
	}
	id := r.Owner[i]
	at := r.Actors[id].Begin
	switch {
	case !r.isFirst(i):
		at = r.end[i-1]
	case r.origin[id].piece >= 0:
		at = r.instant(r.origin[id])
	}
	if k := r.before[i]; k >= 0 && !r.free[r.Pieces[i].Resource] {
		r.Grants++
		if at < r.begin[k] {
			r.Moved++
		}
		at = max(at, r.end[k])
	}
	r.begin[i] = at
	return at
}

// instant returns the time of an instant in ps. Within service it moves in proportion to the service.
func (r *replay) instant(e edge) int64 {
	p := &r.Pieces[e.piece]
	// Behind the end of the piece the distance stays as recorded.
	if e.after >= p.Length() {
		return r.end[e.piece] + e.after - p.Length()
	}
	return r.start(e.piece) + r.scaled(p, e.after)
}

// scaled returns how long a part of a piece takes, whose recorded length is given in ps: only service
// changes, by the factors of its resource and of its place.
func (r *changed) scaled(p *account.Piece, length int64) int64 {
	if p.What != waits.Service {
		return length
	}
	f := r.factor[p.Resource]
	if len(r.slow) > 0 {
		if own, ok := r.slow[account.Place{Resource: p.Resource, Instance: p.Instance}]; ok {
			f *= own
		}
	}
	if f != 1 {
		return int64(f * float64(length))
	}
	return length
}
