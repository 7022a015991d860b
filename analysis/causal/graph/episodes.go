package graph

import (
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// episode is what a handler does for a packet that interrupted its idle wait: pieces start to end,
// without end. Invariant: wait < start < end.
type episode struct {
	wait       int32 // the last piece of the wait that the packet ends
	start, end int32
	answers    bool // it only answers the packet, so that it may overtake other episodes
}

// episodesByHandler cuts the time of handlers at the interrupts that are delivered to them.
func (g *Graph) episodesByHandler() map[waits.ID][]episode {
	out := map[waits.ID][]episode{}
	for id := range g.Actors {
		if g.Actors[id].Type == waits.Handler {
			if list := g.episodesOf(waits.ID(id)); list != nil {
				out[waits.ID(id)] = list
			}
		}
	}
	for id := range g.Actors {
		g.judge(out[g.Actors[id].Cause], &g.Actors[id])
	}
	return out
}

// idleIn reports whether the actor of piece i waits in it for what others do.
func (g *Graph) idleIn(i int32) bool {
	return g.Pieces[i].Resource == waits.Event && g.Pieces[i].What == waits.Waiting
}

// idleFrom returns the first piece of the idle wait that ends with piece i.
func (g *Graph) idleFrom(i int32) int32 {
	for i > g.First[g.Owner[i]] && g.idleIn(i-1) {
		i--
	}
	return i
}

// episodesOf returns the episodes of a handler in the order of time, whose answers are not judged yet.
func (g *Graph) episodesOf(id waits.ID) (list []episode) {
	for i := g.First[id]; i+1 < g.First[id+1]; i++ {
		next := &g.Pieces[i+1]
		// An interrupt: what a packet does ends the wait for an event, and idle time at the event follows.
		if !g.idleIn(i) || g.endedBy[i] < 0 || next.Resource != waits.Event || next.What != waits.Idle {
			continue
		}
		// The episode before lasts until the handler begins to wait again.
		if len(list) > 0 {
			list[len(list)-1].end = g.idleFrom(i)
		}
		list = append(list, episode{wait: i, start: i + 1, end: g.First[id+1], answers: true})
	}
	return list
}

// judge clears answers of the episode in which actor x begins, unless x is an answer: of the same span
// as the packet of the episode, and sent to its sender.
func (g *Graph) judge(list []episode, x *waits.Actor) {
	// The episode in which x begins: list is in the order of time, and its episodes do not overlap.
	k, ok := slices.BinarySearchFunc(list, x.Begin, func(e episode, t int64) int {
		switch {
		case g.Pieces[e.start].Begin > t:
			return 1
		case g.Pieces[e.end-1].End < t:
			return -1
		}
		return 0
	})
	if !ok {
		return
	}
	if by := &g.Actors[g.Pieces[list[k].wait].Holder]; by.Span != x.Span || by.Span == 0 || by.Node != x.Peer {
		list[k].answers = false
	}
}
