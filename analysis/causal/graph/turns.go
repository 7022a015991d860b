package graph

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// kindOf returns the kind of handler in which a processor serves an actor from piece i on, by what the
// actor did before it waited for the processor.
func (s *grants) kindOf(i int32) kind {
	id := s.Owner[i]
	control := s.Actors[id].Type == waits.Control
	if s.Actors[id].Type == waits.Task {
		return inserted
	}
	if s.unmade(i) {
		return other
	}
	for k := i - 1; k >= s.First[id]; k-- {
		switch p := &s.Pieces[k]; {
		case s.pausing(k) && p.Resource == waits.SEngine:
			return inserted
		case s.pausing(k):
		case p.Resource == waits.HostDMA || p.Resource.Shared():
			return moved
		case p.Resource == waits.Port && control:
			return answered
		case p.Resource == waits.Port:
			return arrived
		default:
			return other
		}
	}
	if s.Actors[id].Type == waits.Packet {
		return asked
	}
	return other
}

// unmade reports whether piece i makes a packet that waited in the line of the S engine before.
func (s *grants) unmade(i int32) bool {
	before := i - 1
	return before == s.First[s.Owner[i]] && s.Pieces[before].Resource == waits.SEngine
}

// orders puts the grants of each place in their recorded order. It does processors last: their
// grants are ready only when the grants that the piece needs before them are given.
func (s *grants) orders() {
	for _, processors := range []bool{false, true} {
		for k := range s.places {
			if (s.places[k].Resource == waits.Processor) == processors {
				s.inOrder(&s.places[k])
			}
		}
	}
}

// inOrder sorts the grants of a place by their recorded begins and ends each where the next begins. It
// sets the rank, the lag and, at processors, the kind of each.
func (s *grants) inOrder(p *granted) {
	slices.SortStableFunc(p.order, func(a, b int32) int { return cmp.Compare(s.begun(a), s.begun(b)) })
	ends := make([]int64, len(p.order))
	for k, g := range p.order {
		x := &s.list[g]
		x.rank = int32(k)
		// A place has one holder at a time: a grant ends where the next begins.
		if ends[k] = s.time(s.until[g]); k+1 < len(p.order) {
			if next := s.begun(p.order[k+1]); ends[k] > next {
				s.until[g], ends[k] = s.instantOf(g, next), next
			}
		}
		// got is when the actor could have had the place: it is ready, and the grant before has ended.
		got := x.ready
		if k > 0 {
			got = min(max(got, ends[k-1]), s.begun(g))
		}
		// A piece has a lag after its last grant only. The time before that is a wait for the next grant.
		if x.next < 0 {
			x.lag = s.begun(g) - got
		} else {
			s.list[x.next].ready = max(s.list[x.next].ready, got)
		}
	}
	for k, g := range p.order {
		x := &s.list[g]
		if p.Resource == waits.Processor {
			x.kind, x.continues = s.kindOf(x.piece), s.goesOn(p, ends, k)
		}
	}
}

// goesOn reports whether the k-th grant of a processor continues what that did before: its actor became
// ready at the end of an earlier grant, and all grants between follow without a pause and continue
// that one too. ends are the ends of the grants in ps.
func (s *grants) goesOn(p *granted, ends []int64, k int) bool {
	x := &s.list[p.order[k]]
	// A packet that asks for a slot opens a message, and continues nothing.
	if s.unmade(x.piece) || s.places[s.list[s.need[x.piece]].place].Resource == waits.Slot {
		return false
	}
	for j := k - 1; j >= 0 && ends[j] >= x.ready && ends[j] == s.begun(p.order[j+1]); j-- {
		if ends[j] == x.ready {
			return true
		}
		if !s.list[p.order[j]].continues {
			return false
		}
	}
	return false
}

// instantOf returns time t, in ps, as an instant of the actor of grant g.
func (s *grants) instantOf(g int32, t int64) edge {
	until, x := s.until[g].piece, &s.list[g]
	if begin := s.Pieces[until].Begin; begin <= t {
		return edge{until, t - begin}
	}
	id := s.Owner[x.piece]
	i := s.At(id, t)
	if i < 0 {
		i = x.piece
	}
	return edge{i, t - s.Pieces[i].Begin}
}

// levels ranks kinds by the priority that processors give them. A kind a gains a level, and b loses
// one, for each kind b that a overtakes more often than not when both are ready and b was ready first.
func (s *grants) levels() (level [numKinds]int) {
	var before, after [numKinds][numKinds]int
	for k := range s.places {
		if s.places[k].Resource == waits.Processor {
			s.compare(s.places[k].order, &before, &after)
		}
	}
	for a := range numKinds {
		for b := range numKinds {
			if before[a][b] > after[a][b] {
				level[a]++
				level[b]--
			}
		}
	}
	return level
}

// compare counts, for the grants of one processor, how often one of kind a was ready later than one of
// kind b and was given before it (before[a][b]), or while that waited was given after it (after[a][b]).
func (s *grants) compare(order []int32, before, after *[numKinds][numKinds]int) {
	byReady := slices.Clone(order)
	slices.SortStableFunc(byReady, func(a, b int32) int { return cmp.Compare(s.list[a].ready, s.list[b].ready) })
	var line []int32 // grants that are ready and not yet given
	for _, g := range order {
		x := &s.list[g]
		for len(byReady) > 0 && s.list[byReady[0]].ready < s.begun(g) {
			line = append(line, byReady[0])
			byReady = byReady[1:]
		}
		// Who has had its turn is in the line no more.
		line = slices.DeleteFunc(line, func(h int32) bool { return s.list[h].rank <= x.rank })
		for _, h := range line {
			switch y := &s.list[h]; {
			case x.continues || y.continues:
			case y.ready < x.ready:
				before[x.kind][y.kind]++
			default:
				after[y.kind][x.kind]++
			}
		}
	}
}
