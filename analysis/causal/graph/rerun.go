package graph

import (
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// rerun is a discrete-event simulation of a graph. Places serve in the order in which actors become
// ready, handlers answer in the order in which requests arrive, processes pause while handlers
// have their processor. Any other wait ends when the instant of its holder comes that ended it.
//
// Invariant: a place is held by one actor at a time; now never decreases.
type rerun struct {
	*grants
	*layout
	moment
	of        Stretch // whose length is predicted
	unchanged int64   // ps: length of the stretch in a rerun without a change
	kept      *replay // for what a rerun cannot predict; nil until it is needed
	buses     map[account.Place]*sharing
}

// moment is the state of a rerun at one time.
type moment struct {
	changed
	now      int64     // ps
	next     agenda    // events at now and after
	number   int64     // of the latest event
	present  []int32   // by actor: the piece that it is in; -1: it has not begun or has ended
	happened []bool    // by piece: what ends the wait has happened
	waiting  []bool    // by piece: the actor is in the wait and what ends it has not happened
	busy     []int32   // by place: grants that are held, 0 or 1
	latest   []int32   // by place: highest rank of its grants so far
	lines    [][]int32 // by place: grants that are asked for and not given
	keys     []int64   // by grant: the time at which it was asked for; the least is given first
	turned   []int32   // places that were released or asked for since grants were last given
	turning  []bool    // by place: it is in turned
	polled   []bool    // by grant: a free processor has found it
	todo     []event   // of the clock that begins; kept for its memory
	found    bool      // the end of the stretch has come
	from, to int64     // ps: the stretch as it is now
	grants   int64     // given so far
	moved    int64     // of these, given after one with a higher rank
	clocks
}

// maxError is the share of the recorded length by which a rerun without a change may miss it. If it
// misses by more, the log does not tell enough, and all orders are kept.
const maxError = 0.02

// NewRerun prepares what-ifs about the length of a stretch. It takes the graph over: the graph's
// slack cannot be asked for afterwards.
func NewRerun(g *Graph, s Stretch) *rerun {
	g.order, g.before = nil, nil // only the replay that keeps all orders needs them
	all := newGrants(g)
	r := &rerun{grants: all, buses: all.shared(), of: s}
	r.layout = newLayout(all)
	r.unchanged = s.To - s.From
	if len(g.room) > 0 { // only the replay knows how many packets a receive ring takes
		r.layout = nil
		return r
	}
	p, ok := r.try(Change{})
	if !ok || math.Abs(float64(p.Length-r.unchanged)) > maxError*float64(r.unchanged) {
		r.layout = nil
		return r
	}
	r.unchanged = p.Length
	return r
}

// WhatIf predicts how long the stretch of interest would be. If the rerun comes to a
// standstill, all orders are kept.
func (r *rerun) WhatIf(c Change) Prediction {
	if r.layout != nil {
		if p, ok := r.try(c); ok {
			p.Length += r.of.To - r.of.From - r.unchanged
			return p
		}
	}
	if r.kept == nil {
		r.kept = newReplay(r.Graph)
	}
	return r.kept.WhatIf(c, r.of)
}

// try reruns with a change. It returns false at a standstill: nothing is to happen any more, and
// the end of the stretch has not come.
func (r *rerun) try(c Change) (Prediction, bool) {
	r.begin(c)
	first, last := edgeTo(r.grants.Graph.Account, r.of.First, r.of.From), edgeTo(r.grants.Graph.Account, r.of.Last, r.of.To)
	if last.piece < 0 {
		return Prediction{Length: r.of.To - r.of.From}, true
	}
	r.from = r.of.From
	for k, e := range []edge{last, first} {
		// k = 0 is the end of the stretch, k = 1 its begin.
		if e.piece >= 0 {
			r.addWatch(r.grants, endOfStretch+watching(k), 0, e)
			// Watches go in the reverse order, as removeWatch wants.
			defer r.removeWatch(r.fromService(e).piece)
		}
	}
	for !r.found {
		// Places give after all events of one time, so that all who are ready by then compete.
		for len(r.next) > 0 && r.next[0].at <= r.now && !r.found {
			r.happen(r.next.take())
		}
		switch {
		case r.found || r.give():
		case len(r.next) == 0:
			return Prediction{}, false
		default:
			r.now = r.next[0].at
		}
	}
	return Prediction{Length: r.to - r.from, Grants: r.moment.grants, Moved: r.moved}, true
}

// begin resets the state for a change and schedules the actors that nothing in the log begins.
func (r *rerun) begin(c Change) {
	n := len(r.places)
	r.moment = moment{
		changed: newChanged(c), present: slices.Repeat([]int32{-1}, len(r.Actors)),
		happened: make([]bool, len(r.Pieces)), waiting: make([]bool, len(r.Pieces)),
		busy: make([]int32, n), latest: make([]int32, n), lines: make([][]int32, n), keys: make([]int64, len(r.list)),
		turning: make([]bool, n), polled: make([]bool, len(r.list)),
	}
	r.clocks = r.newClocks()
	for id := range r.Actors {
		// Other actors begin at a watch of their cause.
		if r.First[id] < r.First[id+1] && r.began(waits.ID(id)).piece < 0 {
			r.add(event{at: r.Pieces[r.First[id]].Begin, what: starts, index: int32(id)})
		}
	}
	for k := range r.episodes {
		r.episodes[k].done = false
	}
	for id := range r.handlers {
		h := &r.handlers[id]
		h.next, h.resting = h.from, false
	}
}

// add schedules an event. Events of one time happen in the order in which they are added.
func (r *rerun) add(e event) {
	r.number++
	e.number = r.number
	r.next.add(e)
}

// happen makes an event happen.
func (r *rerun) happen(e event) {
	switch e.what {
	case ends:
		r.leave(e.index)
	case starts:
		r.enter(r.First[e.index])
	case occurs:
		r.comes(e.index)
	case has:
		r.got(e.index)
	case ticks:
		r.tick(e.index, e.number)
	}
}

// comes acts on an instant for which something waits: watch w.
func (r *rerun) comes(w int32) {
	switch k := r.watches[w].of; r.watches[w].what {
	case endOfWait:
		r.happened[k] = true
		if e := r.waitsIn(k); e >= 0 {
			r.wake(e)
		} else if r.waiting[k] {
			r.waiting[k] = false
			r.leave(k)
		}
	case beginOfActor:
		r.enter(r.First[k])
	case endOfGrant:
		if at := r.list[k].place; !r.free[r.places[at].Resource] {
			r.release(at)
		}
	case makingOfLast:
		if at := r.list[k].place; r.free[r.places[at].Resource] {
			r.release(at)
		}
	case beginOfStretch:
		r.from = r.now
	default:
		r.to, r.found = r.now, true
	}
}

// enter makes piece i its actor's present one. It begins once it has all grants that it needs.
func (r *rerun) enter(i int32) {
	r.present[r.Owner[i]] = i
	if r.resting[i] {
		r.rest(r.Owner[i])
		return
	}
	if r.need[i] < 0 {
		r.scheduleBefore(i, 0)
	}
	r.acquire(i, r.need[i])
}

// scheduleBefore schedules the watched instants that lie before the begin of piece i, when it
// becomes known that it begins lag ps from now. Those that would be past happen now.
func (r *rerun) scheduleBefore(i int32, lag int64) {
	for w := r.watch[i]; w >= 0; w = r.watches[w].then {
		if after := r.watches[w].after; after < 0 {
			r.add(event{at: r.now + max(lag+after, 0), what: occurs, index: w})
		}
	}
}

// start begins a piece that has all grants. It schedules its end, unless the end is what its holder
// does, and the watched instants within it. A piece whose speed changes gets a clock for them.
func (r *rerun) start(i int32) {
	r.attend(i)
	p := &r.Pieces[i]
	length, known := r.length(i)
	c, changes := r.clock(i)
	changes = changes && length > 0
	todo := r.todo[:0]
	for w := r.watch[i]; w >= 0; w = r.watches[w].then {
		if after := r.watches[w].after; after >= 0 && after < p.Length() {
			at := int64(0)
			if known { // the instant keeps its share of a length that may have changed
				at = int64(float64(after) * (float64(length) / float64(p.Length())))
			}
			todo = append(todo, event{at: at, what: occurs, index: w})
		}
	}
	switch {
	// Nobody knows yet when it ends: comes does, when its holder lets go.
	case !known && !r.happened[i]:
		r.waiting[i] = true
	default:
		if changes && p.Serves(waits.HostDMA) && r.free[waits.HostDMA] {
			// The set-up ends before the transfer, however short that is.
			todo = append(todo, event{at: min(r.setup, length-1), what: flows})
		}
		todo = append(todo, event{at: length, what: ends, index: i})
	}
	r.todo = todo
	if changes {
		r.run(c, todo)
		return
	}
	for _, e := range todo {
		e.at += r.now
		r.add(e)
	}
}

// length returns how long a piece takes at full speed, in ps, and false if it lasts until its holder
// lets go. Waits for a place take no time of their own: their grants delay the piece after them.
func (r *rerun) length(i int32) (int64, bool) {
	p := &r.Pieces[i]
	switch {
	case r.free[p.Resource] && p.What == waits.Waiting:
		return 0, true
	case r.free[p.Resource] && Switching(r.grants.Graph.Account, i, r.Owner[i]):
		return 0, true
	case r.queued[i] && p.What == waits.Service && r.free[p.Resource]: // nobody else does it
		return r.scaled(p, p.Length()), true
	case r.queued[i]:
		return 0, true
	case r.endedBy[i] >= 0:
		return 0, false
	}
	return r.scaled(p, p.Length()), true
}

// leave ends piece i and enters the next one of its actor.
func (r *rerun) leave(i int32) {
	r.end(i)
	switch id := r.Owner[i]; {
	case i+1 < r.First[id+1]:
		r.enter(i + 1)
	case r.handlers[id].from < r.handlers[id].to:
		r.rest(id)
	default:
		r.present[id] = -1
	}
}

// end schedules the watched instants at the end of a piece and after it.
func (r *rerun) end(i int32) {
	length := r.Pieces[i].Length()
	for w := r.watch[i]; w >= 0; w = r.watches[w].then {
		if after := r.watches[w].after; after >= length {
			r.add(event{at: r.now + after - length, what: occurs, index: w})
		}
	}
}
