package causal

import "github.com/sigview/sigview/trace/waits"

// Change is what is different in a what-if.
type Change struct {
	// Free holds resources at which nobody waits any more. They serve as fast as before.
	Free []waits.Resource
	// Factor scales the service of resources; those that it lacks stay as they are.
	Factor map[waits.Resource]float64
	places map[place]float64 // the same for single instances
}

// Prediction is the outcome of a what-if.
type Prediction struct {
	// At is the predicted time of the instant of interest, in ps.
	At int64
	// Grants counts services at places that serve one at a time, and Moved those whose
	// actor is ready before the one that is kept before it. There the order of grants may
	// change, which the prediction does not know.
	Grants, Moved int64
}

// WhatIf replays the graph with a change, and predicts when the instant at of an actor
// would be. Each resource serves in the order in which it did. Times for which nothing in
// the log is responsible stay as long as they were.
func (g *Graph) WhatIf(c Change, actor waits.ID, at int64) Prediction {
	return newReplay(g).whatIf(c, actor, at)
}

// whatIf is WhatIf in memory that is used again.
func (r *replay) whatIf(c Change, actor waits.ID, at int64) Prediction {
	r.change(c)
	for _, i := range r.order {
		r.end[i] = r.finish(i)
	}
	r.At = r.when(actor, at)
	return r.Prediction
}

// when returns when the instant at of an actor is in the present replay.
func (r *replay) when(actor waits.ID, at int64) int64 {
	if e := r.edgeTo(actor, at); e.piece >= 0 {
		return r.instant(e)
	}
	return at
}

const unknown = -1 << 62

type replay struct {
	*Graph
	Prediction
	begin, end []int64 // by piece, ps
	free       [waits.NumResources]bool
	factor     [waits.NumResources]float64
	places     map[place]float64
}

func newReplay(g *Graph) *replay {
	return &replay{Graph: g, begin: make([]int64, len(g.Pieces)), end: make([]int64, len(g.Pieces))}
}

// change makes the replay ready for a change.
func (r *replay) change(c Change) {
	r.Prediction, r.free = Prediction{}, [waits.NumResources]bool{}
	for i := range r.factor {
		r.factor[i] = 1
	}
	for _, resource := range c.Free {
		r.free[resource] = true
	}
	r.places = c.places
	for resource, f := range c.Factor {
		r.factor[resource] = f
	}
	for i := range r.begin {
		r.begin[i] = unknown
	}
}

// finish returns when a piece ends whose dependencies are known.
func (r *replay) finish(i int32) int64 {
	p, begin := &r.Pieces[i], r.start(i)
	switch {
	case r.free[p.Resource] && (p.What == waits.Waiting || p.switching()):
		return begin
	case r.letGo[i] >= 0:
		return max(begin, r.instant(r.release(i)))
	}
	return begin + r.scaled(p, p.Length())
}

// switching reports whether a host processor turns to the actor, which it does not have to
// if every process has its own.
func (p *Piece) switching() bool { return p.Resource == waits.CPU && p.What == waits.Idle }

// start returns when a piece begins.
func (r *replay) start(i int32) int64 {
	if r.begin[i] != unknown {
		return r.begin[i]
	}
	id := r.owner[i]
	at := r.Actors[id].Begin
	switch {
	case !r.opens(i):
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

// instant returns when an instant of another actor is.
func (r *replay) instant(e edge) int64 {
	p := &r.Pieces[e.piece]
	if e.after >= p.Length() {
		return r.end[e.piece] + e.after - p.Length()
	}
	return r.start(e.piece) + r.scaled(p, e.after)
}

// scaled returns how long the given part of a piece takes.
func (r *replay) scaled(p *Piece, length int64) int64 {
	if p.What != waits.Service {
		return length
	}
	f := r.factor[p.Resource]
	if len(r.places) > 0 {
		if own, ok := r.places[place{p.Resource, p.Instance}]; ok {
			f *= own
		}
	}
	if f != 1 {
		return int64(f * float64(length))
	}
	return length
}
