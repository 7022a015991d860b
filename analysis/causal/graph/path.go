package graph

import "github.com/sigview/sigview/trace/waits"

// Segment is a part of the critical path: what one actor does meanwhile.
type Segment struct {
	Begin, End int64 // ps
	Actor      waits.ID
	Piece      int32 // of the actor; -1: nothing in the log explains the time
	// Queue and Event are pieces of waiting that the path has bridged by going to their
	// holders, for a resource or for what another did. Had they not waited, the path would
	// have been shorter by this segment at the most. -1: none.
	Queue, Event int32
}

// Length returns the segment's duration in ps.
func (s Segment) Length() int64 { return s.End - s.Begin }

// CriticalPath walks back from the actor end at the time to until from, and calls visit
// for each part, the latest first. From a wait it goes on to the holder at the instant at
// which that let go, and from the begin of an actor to its cause. The parts follow each
// other without a gap, so their lengths sum to the time between.
func (g *Graph) CriticalPath(end waits.ID, from, to int64, visit func(Segment)) {
	w := walk{Graph: g, from: from, t: to, queue: -1, event: -1, visit: visit}
	e := edgeTo(g.Account, end, to)
	for w.t > from && e.piece >= 0 {
		e = w.step(e)
	}
	if w.t > from {
		w.spend(-1, from)
	}
}

// walk is a critical path in the making.
type walk struct {
	*Graph
	from, t      int64
	queue, event int32 // waits that are bridged
	visit        func(Segment)
}

// step goes from an instant of a piece, which is w.t, to what it depended on.
func (w *walk) step(e edge) edge {
	p := &w.Pieces[e.piece]
	if w.t > p.End { // its actor had ended
		w.spend(-1, p.End)
	}
	next := w.release(e.piece)
	if w.t == p.End && next.piece >= 0 {
		w.bridge(e.piece)
		return next
	}
	w.spend(e.piece, p.Begin)
	if w.opens(e.piece) {
		return w.origin[w.Owner[e.piece]]
	}
	return edge{e.piece - 1, 0}
}

// bridge notes that the path leaves out a wait, unless it is within another one.
func (w *walk) bridge(i int32) {
	if p := &w.Pieces[i]; p.Resource == waits.Event {
		if w.event < 0 {
			w.event = i
		}
	} else if w.queue < 0 {
		w.queue = i
	}
}

// spend adds the time from an instant to w.t, cut where bridged waits begin.
func (w *walk) spend(piece int32, begin int64) {
	for begin = max(begin, w.from); w.t > begin; {
		at := begin
		for _, i := range []int32{w.queue, w.event} {
			if i >= 0 {
				at = max(at, min(w.Pieces[i].Begin, w.t))
			}
		}
		if at < w.t {
			s := Segment{Begin: at, End: w.t, Piece: piece, Queue: w.queue, Event: w.event}
			if piece >= 0 {
				s.Actor = w.Owner[piece]
			}
			w.visit(s)
			w.t = at
		}
		w.queue, w.event = w.earlier(w.queue), w.earlier(w.event)
	}
}

// earlier returns the part of a bridged wait that lies before w.t, -1 if none is left.
func (w *walk) earlier(i int32) int32 {
	for i >= 0 && w.Pieces[i].Begin >= w.t {
		same := !w.opens(i) && handed(w.Graph.Account, i-1) && (w.Pieces[i-1].Resource == waits.Event) == (w.Pieces[i].Resource == waits.Event)
		if !same {
			return -1
		}
		i--
	}
	return i
}

// Path is CriticalPath from the begin of a run to the process that was served last before an
// instant.
func (g *Graph) Path(until int64, visit func(Segment)) {
	end, to := g.Last(until)
	g.CriticalPath(end, 0, to, visit)
}

// Last returns the process that was served last before an instant, and until when. What others
// cost it at a bus is part of the service.
func (g *Graph) Last(until int64) (end waits.ID, to int64) {
	for id := range g.Actors {
		if g.Actors[id].Type != waits.Process {
			continue
		}
		own := g.Of(waits.ID(id))
		for i := len(own) - 1; i >= 0; i-- {
			if (own[i].What == waits.Service || own[i].Resource.Shared()) && own[i].Begin < until {
				if at := min(own[i].End, until); at > to {
					end, to = waits.ID(id), at
				}
				break
			}
		}
	}
	return end, to
}
