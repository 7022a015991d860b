package graph

import "github.com/sigview/sigview/trace/waits"

// Slack returns for each piece by how much it could end later, in ps, before the instant
// at of an actor would be later. It is Unbound for pieces on which that does not depend.
func (g *Graph) Slack(actor waits.ID, at int64) []int64 {
	return g.slack(make([]int64, len(g.Pieces)), actor, at)
}

// slack is Slack that writes into late, which has an entry for each piece. It goes backward through
// the order of the graph: when it comes to a piece, all that depend on it have set its latest end.
func (g *Graph) slack(late []int64, actor waits.ID, at int64) []int64 {
	return g.slackOf(late, func(s slack) { s.instant(edgeTo(g.Account, actor, at), at) })
}

// SlackBefore is Slack in a part of a log that ends at an instant, in ps, from the slack of actors there.
func (g *Graph) SlackBefore(at int64, of map[waits.ID]int64) []int64 {
	return g.slackOf(make([]int64, len(g.Pieces)), func(s slack) {
		for id, ps := range of {
			if i := g.At(id, at); i >= 0 {
				s.late[i] = g.Pieces[i].End + ps
			}
		}
	})
}

// slackOf finds the slack of all pieces from that of those which demand sets.
func (g *Graph) slackOf(late []int64, demand func(slack)) []int64 {
	s := slack{g, late}
	for i := range s.late {
		s.late[i] = unbound
	}
	demand(s)
	for n := len(g.order) - 1; n >= 0; n-- {
		i := g.order[n]
		end := s.late[i]
		if end == unbound {
			continue
		}
		if before, ok := g.room[i]; ok {
			s.late[before.piece] = min(s.late[before.piece], end-before.rest)
		}
		if g.endedBy[i] >= 0 {
			s.instant(g.release(i), end)
			s.start(i, end)
		} else {
			s.start(i, end-g.Pieces[i].Length())
		}
		s.late[i] -= g.Pieces[i].End
	}
	return s.late
}

// Unbound is the slack in ps of pieces on which nothing depends.
const Unbound = int64(1<<63 - 1)

const unbound = Unbound

type slack struct {
	*Graph
	late []int64 // by piece: the latest end in ps; once that has been passed on, the slack
}

// instant demands that instant e is not after t, in ps: it lowers the latest end of what e depends on.
func (s *slack) instant(e edge, t int64) {
	if e.piece < 0 {
		return
	}
	// The reverse of replay.instant.
	if length := s.Pieces[e.piece].Length(); e.after >= length {
		s.late[e.piece] = min(s.late[e.piece], t-(e.after-length))
	} else {
		s.start(e.piece, t-e.after)
	}
}

// start demands that piece i begins not after t, in ps: so what begins the actor or the piece before
// it, and the service before it at the same place, have to end by then.
func (s *slack) start(i int32, t int64) {
	if s.isFirst(i) {
		s.instant(s.origin[s.Owner[i]], t)
	} else {
		s.late[i-1] = min(s.late[i-1], t)
	}
	if k := s.before[i]; k >= 0 {
		s.late[k] = min(s.late[k], t)
	}
}
