package graph

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// attend notes that a handler begins a piece: whether it needs a processor.
func (r *rerun) attend(i int32) {
	p, id := &r.Pieces[i], r.Owner[i]
	if x := &r.Actors[id]; x.Type != waits.Handler {
		return
	} else if p.Resource == waits.Event || p.Resource == waits.Timer {
		r.dismiss(id)
	} else if r.handler[x.Node] == 0 && len(r.hosted[x.Node]) > 0 && !r.free[waits.CPU] {
		r.handler[x.Node] = id
		r.regulate(x.Node)
	}
}

// dismiss notes that a handler needs no processor.
func (r *rerun) dismiss(id waits.ID) {
	if node := r.Actors[id].Node; r.handler[node] == id {
		r.handler[node] = 0
		r.regulate(node)
	}
}

// stops reports whether a handler that works stops a process in a piece.
func (r *rerun) stops(i int32) bool {
	p, id := &r.Pieces[i], r.Owner[i]
	x := &r.Actors[id]
	needs := p.Resource != waits.Event && p.Resource != waits.Timer || p.What == waits.Idle
	return x.Type == waits.Process && needs && !r.free[waits.CPU] && slices.Contains(r.hosted[x.Node], id)
}

// call notes that what an episode waits for has come.
func (r *rerun) call(k int32) {
	e := &r.episodes[k]
	e.came = r.now
	if r.handlers[e.of].resting {
		r.rest(e.of)
	}
}

// rest begins the next episode of a handler: of those whose packets have come, the one whose has
// come first. One that does more than answer comes after those that do and were before it. One
// that has come before the rest needs no interrupt.
func (r *rerun) rest(id waits.ID) {
	r.dismiss(id)
	h := &r.handlers[id]
	best, held := int32(-1), false
	for k := h.next; k < h.to; k++ {
		e := &r.episodes[k]
		switch {
		case e.done && k == h.next:
			h.next++
		case e.done:
		default:
			if r.come[e.wait] && (e.answers || !held) && (best < 0 || e.came < r.episodes[best].came) {
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
	for i := e.wait; i >= r.First[id] && r.rests(i); i-- {
		r.end(i)
	}
	start := e.start
	for !waited && start+1 < e.end && r.idles(start) {
		r.end(start)
		start++
	}
	r.enter(start)
}

func (r *rerun) idles(i int32) bool { return r.Pieces[i].What == waits.Idle }

// waitsIn returns the episode that begins when a handler's wait ends, -1 if none does.
func (r *rerun) waitsIn(i int32) int32 {
	if h := &r.handlers[r.Owner[i]]; h.from < h.to {
		k, ok := slices.BinarySearchFunc(r.episodes[h.from:h.to], i, func(e served, i int32) int { return cmp.Compare(e.wait, i) })
		if ok {
			return h.from + int32(k)
		}
	}
	return -1
}
