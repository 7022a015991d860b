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
// which that let go, and from the begin of an actor to its cause. From the begin of a wait for an
// engine or a processor it goes on with who waits: had that come earlier, it would have been served
// before, while without the holder it would have waited less and no more than that. What came before
// the holder does not matter then.
// The parts follow each other without a gap, so their lengths sum to the time between. It returns where the path is at from.
func (g *Graph) CriticalPath(end waits.ID, from, to int64, visit func(Segment)) Point {
	w := walk{Graph: g, from: from, t: to, queue: -1, event: -1, left: -1, visit: visit}
	return w.back(edgeTo(g.Account, end, to))
}

// Point is where a critical path is at an instant: at an actor, and in waits of actors that it bridges. 0: none.
type Point struct{ Actor, Queue, Event waits.ID }

// GoOn is CriticalPath from where a path is at the time to.
func (g *Graph) GoOn(p Point, from, to int64, visit func(Segment)) Point {
	w := walk{Graph: g, from: from, t: to, queue: g.at(p.Queue, to), event: g.at(p.Event, to), left: -1, visit: visit}
	return w.back(edge{g.at(p.Actor, to), 0})
}

// at returns the piece in which an actor is up to t, in ps, or the last one of an actor that has ended; -1 if there is none.
func (g *Graph) at(id waits.ID, t int64) int32 {
	i := g.At(id, t)
	if last := g.First[id+1] - 1; i < 0 && last >= g.First[id] && g.Pieces[last].End <= t {
		return last
	}
	return i
}

// back walks from instant e, whose time is w.t, to w.from, and returns where it arrives.
func (w *walk) back(e edge) Point {
	for w.t > w.from {
		last := e
		if e.piece < 0 { // no edge leads further back
			w.spend(-1, w.from)
		} else {
			e = w.step(e)
		}
		switch {
		case w.left >= 0:
			e, w.left = w.precedes(w.left), -1
		case w.t == w.from && last.piece >= 0 && w.Pieces[last.piece].Begin < w.from:
			e = last // it is in the middle of a piece
		}
	}
	return Point{w.ownerOf(e.piece), w.ownerOf(w.queue), w.ownerOf(w.event)}
}

// ownerOf returns the actor of a piece, 0 of none (-1).
func (w *walk) ownerOf(i int32) waits.ID {
	if i < 0 {
		return 0
	}
	return w.Owner[i]
}

// walk is a critical path that is found from its end to its begin. Invariant: t decreases to from;
// the segments visited so far cover the time from t on.
type walk struct {
	*Graph
	from, t      int64 // ps: where the path begins, and how far back it is known
	queue, event int32 // waits that the path bridges at t, as in Segment; -1: none
	left         int32 // wait at whose begin t is, from which the path goes on with who waits; -1: none
	visit        func(Segment)
}

// step goes from instant e, whose time is w.t, to the instant that it depended on.
func (w *walk) step(e edge) edge {
	p := &w.Pieces[e.piece]
	if w.t > p.End { // its actor had ended
		if w.spend(-1, p.End); w.left >= 0 {
			return e
		}
	}
	next := w.release(e.piece)
	// The wait was over at w.t because of its holder: the path goes on there.
	if w.t == p.End && next.piece >= 0 {
		w.bridge(e.piece)
		return next
	}
	w.spend(e.piece, p.Begin)
	return w.precedes(e.piece)
}

// precedes returns the instant that the begin of piece i depends on. The time is in w.t, so that after does not matter.
func (g *Graph) precedes(i int32) edge {
	if g.isFirst(i) {
		return g.origin[g.Owner[i]]
	}
	return edge{i - 1, 0}
}

// bridge notes that the path leaves out the wait in piece i, unless it bridges one of the sort already.
func (w *walk) bridge(i int32) {
	if p := &w.Pieces[i]; p.Resource == waits.Event {
		if w.event < 0 {
			w.event = i
		}
	} else if w.queue < 0 {
		w.queue = i
	}
}

// spend visits the time from begin to w.t, in ps, as segments of a piece, cut where bridged waits
// begin. The piece is -1 if nothing in the log explains the time. It stops where the path leaves the holder of a wait.
func (w *walk) spend(piece int32, begin int64) {
	for begin = max(begin, w.from); w.t > begin; {
		// A bridged wait covers the path back to its begin, and no further.
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
		queue := w.queue
		if w.queue, w.event = w.earlier(queue), w.earlier(w.event); queue >= 0 && w.queue != queue && w.leaves(queue) {
			w.queue, w.left = -1, queue
			return
		}
	}
}

// leaves reports whether at the begin of the wait in piece i, at which the path is, it goes on with who waits: before, that does
// not wait there for another.
func (w *walk) leaves(i int32) bool {
	r := w.Pieces[i].Resource
	return (r.Single() || r == waits.CPU) && (w.queue < 0 || w.Pieces[w.queue].Resource != r)
}

// earlier returns the piece of a bridged wait, which may be of several, that begins before w.t; -1 if
// the wait has no such piece.
func (w *walk) earlier(i int32) int32 {
	for i >= 0 && w.Pieces[i].Begin >= w.t {
		// A wait may be in pieces by holder, which are bridged one after another.
		same := !w.isFirst(i) && endedByHolder(w.Graph.Account, i-1) && (w.Pieces[i-1].Resource == waits.Event) == (w.Pieces[i].Resource == waits.Event)
		if !same {
			return -1
		}
		i--
	}
	return i
}

// Path is CriticalPath from the begin of the log to the process that was served last before until,
// in ps.
func (g *Graph) Path(until int64, visit func(Segment)) {
	end, to := g.Last(until)
	g.CriticalPath(end, 0, to, visit)
}

// Last returns the process that was served last before until, and the end of that service, both in
// ps. What others cost it at a bus is part of the service. It returns 0 if no process was served.
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
