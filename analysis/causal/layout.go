package causal

import (
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// layout is what a rerun needs of a graph beside its grants.
type layout struct {
	edges    []edge   // by watch: the instant that is watched
	watch    []int32  // by piece: the first watch of its instants; -1: none
	then     []int32  // by watch: the next one of the same piece; -1: none
	began    []edge   // by actor: what began it
	episodes []served // of all handlers
	handlers []handler
	endsFor  []int32 // by piece: the episode that begins when it ends; -1: none
	resting  []bool  // by piece: a handler rests from its begin on
	hosted   map[int32][]waits.ID
	setup    int64 // ps: of a transfer
	phase    int64 // ps: until a processor that polls finds something
	pieces   int32
	actors   int32
	count    int32 // of grants
}

// served is an episode and whether it has begun.
type served struct {
	episode
	of   waits.ID
	done bool
	came int64 // ps
}

// handler is an actor with episodes.
type handler struct {
	from, to, next int32 // episodes; next: the first that has not begun
	resting        bool
}

// Watches are of the ends of waits, by piece, of the begins of actors, of the ends of grants,
// of the making of the last packet of a message, and of the stretch of interest: its end and its
// begin.
type watching uint8

const (
	endOfWait watching = iota
	beginOfActor
	endOfGrant
	makingOfLast
	endOfStretch
	beginOfStretch
)

func (l *layout) goal() int32 { return l.pieces + l.actors + 2*l.count }

// watched returns what a watch is of.
func (l *layout) watched(w int32) (watching, int32) {
	for kind, n := range []int32{l.pieces, l.actors, l.count, l.count} {
		if w < n {
			return watching(kind), w
		}
		w -= n
	}
	return endOfStretch + watching(w), 0
}

func newLayout(s *grants) *layout {
	n, a, g := len(s.Pieces), len(s.Actors), len(s.list)
	l := &layout{
		edges: make([]edge, n+a+2*g+2), then: make([]int32, n+a+2*g+2), watch: slices.Repeat([]int32{-1}, n),
		began: slices.Clone(s.origin), handlers: make([]handler, a), endsFor: slices.Repeat([]int32{-1}, n), resting: make([]bool, n),
		hosted: map[int32][]waits.ID{}, pieces: int32(n), actors: int32(a), count: int32(g),
	}
	for id := range s.Actors {
		if x := &s.Actors[id]; x.Type == waits.Task && x.Cause != 0 && s.first[x.Cause] < s.first[x.Cause+1] {
			l.began[id] = s.anchored(x.Cause, x.Begin)
		}
	}
	l.times(s)
	l.host(s)
	l.serve(s)
	for i := range n - 1 { // the last part of a wait says how long it is
		p, q := &s.Pieces[i], &s.Pieces[i+1]
		if s.letGo[i] >= 0 && s.letGo[i+1] >= 0 && s.owner[i] == s.owner[i+1] && p.Resource == q.Resource {
			s.queued[i] = true
		}
	}
	for i := range n {
		if !s.queued[i] {
			l.look(s, int32(i), s.release(int32(i)))
		}
	}
	for id := range a {
		if s.first[id] < s.first[id+1] {
			l.look(s, int32(n+id), l.began[id])
		}
	}
	for k := range s.list {
		l.look(s, int32(n+a+k), s.list[k].until)
		l.look(s, int32(n+a+g+k), s.list[k].made)
	}
	return l
}

// look adds a watch.
func (l *layout) look(s *grants, w int32, e edge) {
	if e.piece < 0 {
		l.edges[w] = none
		return
	}
	e = s.place(e)
	l.edges[w], l.then[w] = e, l.watch[e.piece]
	l.watch[e.piece] = w
}

// forget removes the watch that was added last.
func (l *layout) forget(w int32) {
	if e := l.edges[w]; e.piece >= 0 {
		l.watch[e.piece] = l.then[w]
	}
}

// place returns an instant within a wait for a place as so long before the begin of what the
// actor waits for.
func (s *grants) place(e edge) edge {
	if e = s.flowing(e); s.Pieces[e.piece].lost() {
		return e
	}
	if !s.queued[e.piece] || e.after <= 0 {
		return e
	}
	t, i := s.time(e), e.piece
	for s.queued[i] && i+1 < s.first[s.owner[e.piece]+1] {
		i++
	}
	return edge{i, t - s.Pieces[i].Begin}
}

// times finds the set-up of transfers, which is at most the shortest transfer, and the mean time
// until a processor that polls finds something.
func (l *layout) times(s *grants) {
	idles := int64(0)
	shortest := Unbound
	for i := range s.Pieces {
		switch p := &s.Pieces[i]; {
		case p.serves(waits.HostDMA):
			shortest = min(shortest, p.Length())
		case p.Resource == waits.Processor && p.What == waits.Idle && !s.queued[i]:
			l.phase += p.Length()
			idles++
		}
	}
	l.setup, l.phase = shortest, l.phase/max(idles, 1)
}

// host finds the processes that handlers interrupt, by node. Their interruptions are not kept.
func (l *layout) host(s *grants) {
	for i := range s.Pieces {
		p, id := &s.Pieces[i], s.owner[i]
		if p.Resource != waits.CPU || p.What != waits.Waiting || s.Actors[id].Type != waits.Process || s.Actors[p.Holder].Type != waits.Handler {
			continue
		}
		s.queued[i] = true
		if list := l.hosted[p.Instance]; !slices.Contains(list, id) {
			l.hosted[p.Instance] = append(list, id)
		}
	}
}

// serve notes the episodes of handlers, and where handlers rest.
func (l *layout) serve(s *grants) {
	all := s.episodesByHandler()
	for id := range s.Actors {
		list := all[waits.ID(id)]
		h := &l.handlers[id]
		h.from = int32(len(l.episodes))
		for _, e := range list {
			l.endsFor[e.wait] = int32(len(l.episodes))
			l.resting[s.restsFrom(e.wait)] = true
			l.episodes = append(l.episodes, served{episode: e, of: waits.ID(id)})
		}
		h.to = int32(len(l.episodes))
		if last := s.first[id+1] - 1; len(list) > 0 && s.rests(last) {
			l.resting[s.restsFrom(last)] = true
		}
	}
}
