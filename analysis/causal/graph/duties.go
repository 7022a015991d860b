package graph

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// attend gives a handler the processor of its node when it begins piece i, if that needs one and
// processes run there. A handler that waits for an event or a timer gives it back.
func (r *rerun) attend(i int32) {
	p, id := &r.Pieces[i], r.Owner[i]
	if x := &r.Actors[id]; x.Type != waits.Handler {
		return
	} else if p.Resource == waits.Event || p.Resource == waits.Timer {
		r.dismiss(id)
	} else if r.handler[x.Node] == 0 && len(r.hosted[x.Node]) > 0 && !r.free[waits.CPU] {
		// It stops the processes of the node. Where it would stop none, nobody needs to know who has the
		// processor.
		r.handler[x.Node] = id
		r.regulate(x.Node)
	}
}

// dismiss gives the processor of a node back to its processes, if the handler has it.
func (r *rerun) dismiss(id waits.ID) {
	if node := r.Actors[id].Node; r.handler[node] == id {
		r.handler[node] = 0
		r.regulate(node)
	}
}

// stops reports whether piece i is of a process that stands still while a handler of its node works:
// it is not a wait for others, and the process shares its processor with handlers.
func (r *rerun) stops(i int32) bool {
	p, id := &r.Pieces[i], r.Owner[i]
	x := &r.Actors[id]
	needs := p.Resource != waits.Event && p.Resource != waits.Timer || p.What == waits.Idle
	return x.Type == waits.Process && needs && !r.free[waits.CPU] && slices.Contains(r.hosted[x.Node], id)
}

// wake notes that the packet of episode k has arrived, and begins it if its handler is idle.
func (r *rerun) wake(k int32) {
	e := &r.episodes[k]
	e.came = r.now
	if r.handlers[e.of].resting {
		r.rest(e.of)
	}
}

// rest ends an episode of a handler and begins the next one: of those whose packets have arrived,
// the one whose packet arrived first. Episodes that only answer may overtake others; one that does
// more stays after all that were before it in the recorded run. A packet that arrived before
// the rest began needs no interrupt, so the pieces of its delivery are skipped.
func (r *rerun) rest(id waits.ID) {
	r.dismiss(id)
	h := &r.handlers[id]
	// held says that an episode before k, which has not begun, does more than answer.
	best, held := int32(-1), false
	for k := h.next; k < h.to; k++ {
		e := &r.episodes[k]
		switch {
		// Episodes that have begun are skipped once for all.
		case e.done && k == h.next:
			h.next++
		case e.done:
		default:
			if r.happened[e.wait] && (e.answers || !held) && (best < 0 || e.came < r.episodes[best].came) {
				best = k
			}
			held = held || !e.answers
		}
	}
	waited := h.resting
	if h.resting = best < 0; h.resting {
		return
	}
	e := &r.episodes[best]
	e.done = true
	// The recorded wait may be in several pieces, which all end now.
	for i := e.wait; i >= r.First[id] && r.idleIn(i); i-- {
		r.end(i)
	}
	start := e.start
	for !waited && start+1 < e.end && r.idles(start) {
		r.end(start)
		start++
	}
	r.enter(start)
}

// idles reports whether a piece is idle time, as the delivery of an interrupt is.
func (r *rerun) idles(i int32) bool { return r.Pieces[i].What == waits.Idle }

// waitsIn returns the index of the episode that begins when the wait in piece i ends, -1 if none does.
func (r *rerun) waitsIn(i int32) int32 {
	if h := &r.handlers[r.Owner[i]]; h.from < h.to {
		k, ok := slices.BinarySearchFunc(r.episodes[h.from:h.to], i, func(e served, i int32) int { return cmp.Compare(e.wait, i) })
		if ok {
			return h.from + int32(k)
		}
	}
	return -1
}
