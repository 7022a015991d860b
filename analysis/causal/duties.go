package causal

import (
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// duty is which handlers have the processors of their nodes, and what that does to processes.
type duty struct {
	handler map[int32]waits.ID // by node
	working []bool             // by process: it needs its processor
	pausing []bool             // by process
	since   []int64            // by process: of its pause, ps
	paused  []int64            // by process: all its pauses that have ended, ps
	held    map[waits.ID][]event
}

func newDuty(actors int) duty {
	return duty{
		handler: map[int32]waits.ID{}, working: make([]bool, actors), pausing: make([]bool, actors),
		since: make([]int64, actors), paused: make([]int64, actors), held: map[waits.ID][]event{},
	}
}

// due reports whether an event of a process is due. If it is not, because the process has
// paused, it comes later.
func (r *rerun) due(e event) bool {
	d := &r.duty
	if d.pausing[e.of] {
		d.held[e.of] = append(d.held[e.of], e)
		return false
	}
	if at := e.own + d.paused[e.of]; at > r.now {
		e.at = at
		r.add(e)
		return false
	}
	return true
}

// attend notes that an actor begins a piece. It returns the process whose pauses put off its end,
// 0 if none do.
func (r *rerun) attend(i int32) waits.ID {
	p, id, d := &r.Pieces[i], r.owner[i], &r.duty
	x := &r.Actors[id]
	list := r.hosted[x.Node]
	if len(list) == 0 || r.free[waits.CPU] {
		return 0
	}
	needs := p.Resource != waits.Event && p.Resource != waits.Timer
	switch {
	case x.Type == waits.Handler && needs && d.handler[x.Node] == 0:
		d.handler[x.Node] = id
		for _, process := range list {
			if d.working[process] {
				r.pause(process)
			}
		}
	case x.Type == waits.Handler && !needs:
		r.dismiss(id)
	case x.Type == waits.Process && slices.Contains(list, id):
		d.working[id] = needs || p.What == waits.Idle
		switch {
		case !d.working[id]:
			r.resume(id)
			return 0
		case d.handler[x.Node] != 0:
			r.pause(id)
		}
		return id
	}
	return 0
}

// dismiss notes that a handler needs no processor.
func (r *rerun) dismiss(id waits.ID) {
	if node := r.Actors[id].Node; r.duty.handler[node] == id {
		r.duty.handler[node] = 0
		for _, process := range r.hosted[node] {
			r.resume(process)
		}
	}
}

func (r *rerun) pause(id waits.ID) {
	if d := &r.duty; !d.pausing[id] {
		d.pausing[id], d.since[id] = true, r.now
	}
}

func (r *rerun) resume(id waits.ID) {
	d := &r.duty
	if !d.pausing[id] {
		return
	}
	d.pausing[id] = false
	d.paused[id] += r.now - d.since[id]
	for _, e := range d.held[id] {
		e.at = e.own + d.paused[id]
		r.add(e)
	}
	d.held[id] = d.held[id][:0]
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
	for i := e.wait; i >= r.first[id] && r.rests(i); i-- {
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
