package graph

import (
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// layout is what a rerun needs of a graph beside its grants. It is the same for all changes.
type layout struct {
	watches  []watch
	watch    []int32              // by piece: the first watch of its instants; -1: none
	episodes []served             // of all handlers, by the pieces that they wait in
	handlers []handler            // by actor
	resting  []bool               // by piece: a handler rests from its begin on
	hosted   map[int32][]waits.ID // by node: processes that its handlers interrupt
	setup    int64                // ps: of a transfer
	phase    int64                // ps: until a processor that polls finds something
}

// watch is an instant of a piece at which something else happens. Watches of one piece are linked.
type watch struct {
	after int64 // ps since the begin of the piece; negative: before it
	of    int32 // index of the wait, the actor or the grant to which it happens
	then  int32 // the next watch of the same piece; -1: none
	what  watching
}

// served is an episode in a rerun.
type served struct {
	episode
	of   waits.ID // the handler
	done bool     // it has begun
	came int64    // ps: when its packet arrived
}

// handler is the state of an actor with episodes. Invariant: from <= next <= to.
type handler struct {
	from, to, next int32 // indices of episodes; next: all before have begun
	resting        bool  // no packet that has arrived waits for it
}

// watching is what happens at a watched instant.
type watching uint8

const (
	endOfWait watching = iota
	beginOfActor
	endOfGrant
	makingOfLast // packet of a message
	endOfStretch
	beginOfStretch
)

// newLayout prepares a graph for reruns. It drops what of the grants is needed no more.
func newLayout(s *grants) *layout {
	n := len(s.Pieces)
	l := &layout{
		watch: slices.Repeat([]int32{-1}, n), handlers: make([]handler, len(s.Actors)), resting: make([]bool, n),
		hosted: map[int32][]waits.ID{},
	}
	l.times(s)
	l.host(s)
	l.serve(s)
	for i := range n - 1 { // the last part of a wait says how long it is
		p, q := &s.Pieces[i], &s.Pieces[i+1]
		if s.endedBy[i] >= 0 && s.endedBy[i+1] >= 0 && s.Owner[i] == s.Owner[i+1] && p.Resource == q.Resource {
			s.queued[i] = true
		}
	}
	watched := len(s.Actors) + len(s.list) + len(s.made)
	for i := range n {
		if !s.queued[i] && s.endedBy[i] >= 0 {
			watched++
		}
	}
	// A stretch adds two, for its begin and its end.
	l.watches = make([]watch, 0, watched+2)
	for i := range n {
		if !s.queued[i] {
			l.addWatch(s, endOfWait, int32(i), s.release(int32(i)))
		}
	}
	for id := range s.Actors {
		if s.First[id] < s.First[id+1] {
			l.addWatch(s, beginOfActor, int32(id), s.began(waits.ID(id)))
		}
	}
	for k := range s.list {
		l.addWatch(s, endOfGrant, int32(k), s.until[k])
		if made, ok := s.made[int32(k)]; ok {
			l.addWatch(s, makingOfLast, int32(k), made)
		}
	}
	// From here on the ranks of grants tell the recorded order.
	for k := range s.places {
		s.places[k].order = nil
	}
	s.draft = nil
	return l
}

// began returns the instant at which an actor begins in a rerun. Tasks begin so long after the
// begin of a service of their cause, whatever that waited for since.
func (s *grants) began(id waits.ID) edge {
	if x := &s.Actors[id]; x.Type == waits.Task && x.Cause != 0 && !s.isCut(id) && s.First[x.Cause] < s.First[x.Cause+1] {
		return s.anchored(x.Cause, x.Begin)
	}
	return s.origin[id]
}

// addWatch adds a watch of instant e, at which what happens to the wait, actor or grant of. It
// does nothing if there is no such instant.
func (l *layout) addWatch(s *grants, what watching, of int32, e edge) {
	if e.piece < 0 {
		return
	}
	e = s.fromService(e)
	l.watches = append(l.watches, watch{e.after, of, l.watch[e.piece], what})
	l.watch[e.piece] = int32(len(l.watches)) - 1
}

// removeWatch removes the watch that was added last, which has to be of this piece.
func (l *layout) removeWatch(piece int32) {
	last := len(l.watches) - 1
	l.watch[piece], l.watches = l.watches[last].then, l.watches[:last]
}

// fromService expresses e relative to the begin of the service that a wait for a place ends with,
// if e lies within such a wait: the offset is then negative. A rerun does not know how long the
// wait will be, but knows some time ahead when its service begins. Other instants stay as they are.
func (s *grants) fromService(e edge) edge {
	if e = s.flowing(e); slowedAtBus(&s.Pieces[e.piece]) {
		return e
	}
	if !s.queued[e.piece] || e.after <= 0 {
		return e
	}
	t, i := s.time(e), e.piece
	// The service that ends the wait is the first piece after it.
	for s.queued[i] && i+1 < s.First[s.Owner[e.piece]+1] {
		i++
	}
	return edge{i, t - s.Pieces[i].Begin}
}

// times sets setup to the shortest transfer, which the set-up of one cannot exceed, and phase to the
// mean time until a processor that polls finds something.
func (l *layout) times(s *grants) {
	idles := int64(0)
	shortest := unbound
	for i := range s.Pieces {
		switch p := &s.Pieces[i]; {
		case p.Serves(waits.HostDMA):
			shortest = min(shortest, p.Length())
		// A processor that idles and is asked for nothing polls.
		case p.Resource == waits.Processor && p.What == waits.Idle && !s.queued[i]:
			l.phase += p.Length()
			idles++
		}
	}
	l.setup, l.phase = shortest, l.phase/max(idles, 1)
}

// host finds the processes that handlers interrupt, by node. Their recorded interruptions take no
// time in a rerun: clocks make new ones.
func (l *layout) host(s *grants) {
	for i := range s.Pieces {
		p, id := &s.Pieces[i], s.Owner[i]
		if p.Resource != waits.CPU || p.What != waits.Waiting || s.Actors[id].Type != waits.Process || s.Actors[p.Holder].Type != waits.Handler {
			continue
		}
		s.queued[i] = true
		if list := l.hosted[p.Instance]; !slices.Contains(list, id) {
			l.hosted[p.Instance] = append(list, id)
		}
	}
}

// serve fills in the episodes of handlers, and the pieces from whose begin on handlers rest.
func (l *layout) serve(s *grants) {
	all := s.episodesByHandler()
	for id := range s.Actors {
		list := all[waits.ID(id)]
		h := &l.handlers[id]
		h.from = int32(len(l.episodes))
		for _, e := range list {
			l.resting[s.idleFrom(e.wait)] = true
			l.episodes = append(l.episodes, served{episode: e, of: waits.ID(id)})
		}
		h.to = int32(len(l.episodes))
		// After its last episode it may wait until the log ends.
		if last := s.First[id+1] - 1; len(list) > 0 && s.idleIn(last) {
			l.resting[s.idleFrom(last)] = true
		}
	}
}
