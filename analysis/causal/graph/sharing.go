package graph

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// user is a sort of service that uses the buses of a host, an index of sharing.
type user int8

// Sorts of service.
const (
	program  user = iota // of a processor for a process
	handling             // of a processor for a handler
	incoming             // a transfer of a packet that has come
	outgoing             // another transfer
	numUsers
	noUser user = -1
)

// userOf returns the sort of service at which an actor uses the buses of a node in piece i, also while it
// loses time there; noUser if it does not.
func userOf(a *account.Account, i int32, of waits.ID) user {
	p, x := &a.Pieces[i], &a.Actors[of]
	switch {
	case p.Serves(waits.HostDMA):
		return transferOf(x, p.Instance)
	case x.Type == waits.Process && (p.Serves(waits.CPU) || slowedAtBus(p)):
		return program
	case x.Type == waits.Handler && (p.Serves(waits.CPU) || slowedAtBus(p)):
		return handling
	}
	return noUser
}

// transferOf returns the sort of the transfers of an actor at a node.
func transferOf(x *waits.Actor, node int32) user {
	if x.Type.IsPacket() && x.Peer == node {
		return incoming
	}
	return outgoing
}

// slowedAtBus reports whether a piece is time that a transfer or a processor lost to others at a bus.
func slowedAtBus(p *account.Piece) bool { return p.What == waits.Waiting && p.Resource.Shared() }

// sharing says how much services slow each other at a bus: sharing[u][v] is the time in ps that a
// service of sort u loses to one of sort v per ps in which it moves while both go on.
type sharing [numUsers][numUsers]float64

// usage is a service that uses buses, together with the time that it loses there, which the log has
// in pieces after it.
type usage struct {
	begin, end int64 // ps
	user       user
	moving     float64 // share of the time in which it moves, 0 to 1
}

// shared returns by bus how much transfers are slowed: the recorded time lost, divided by the time of
// overlap. It marks the pieces in which they lost time to services of the log as queued, so that they
// take no time of their own in a rerun: clocks slow the transfers instead.
func (s *grants) shared() map[account.Place]*sharing {
	lost, nodes := map[account.Place]*sharing{}, map[int32][]usage{}
	for i := int32(0); i < int32(len(s.Pieces)); i++ {
		id := s.Owner[i]
		u := userOf(s.Graph.Account, i, id)
		if u == noUser {
			continue
		}
		p := &s.Pieces[i]
		x := usage{begin: p.Begin, end: p.End, user: u}
		slowed := int64(0)
		// Only transfers count: what processors lose keeps its recorded length.
		for k := i + 1; k < s.First[id+1] && u >= incoming && slowedAtBus(&s.Pieces[k]); k++ {
			q := &s.Pieces[k]
			if x.end = q.End; q.Resource == waits.SRAM || q.Holder == 0 {
				continue
			}
			slowed += q.Length()
			at := account.Place{Resource: q.Resource, Instance: q.Instance}
			if lost[at] == nil {
				lost[at] = &sharing{}
			}
			lost[at][u][s.slows(q)] += float64(q.Length())
			s.queued[k] = true
		}
		x.moving = 1 - float64(slowed)/float64(x.end-x.begin)
		nodes[p.Instance] = append(nodes[p.Instance], x)
	}
	moved := map[int32]*sharing{}
	for at, bus := range lost {
		if moved[at.Instance] == nil {
			moved[at.Instance] = overlap(nodes[at.Instance])
		}
		for u := range bus {
			for v := range bus[u] {
				// At least 1 ps, so that services that never met do not divide by zero.
				bus[u][v] /= max(moved[at.Instance][u][v], 1)
			}
		}
	}
	return lost
}

// slows returns the sort of the service that holds up a transfer in piece p.
func (s *grants) slows(p *account.Piece) user {
	switch x := &s.Actors[p.Holder]; x.Type {
	case waits.Process:
		return program
	case waits.Handler:
		return handling
	default:
		return transferOf(x, p.Instance)
	}
}

// overlap returns for each two sorts of service of a node how long the first moves while the second
// goes on, in ps. It sorts list by begin.
func overlap(list []usage) *sharing {
	var moved sharing
	slices.SortFunc(list, func(a, b usage) int { return cmp.Compare(a.begin, b.begin) })
	var active []*usage
	for i := range list {
		x := &list[i]
		active = slices.DeleteFunc(active, func(y *usage) bool { return y.end <= x.begin })
		for _, y := range active {
			// x is the last to begin, so they overlap from then on.
			both := float64(min(x.end, y.end) - x.begin)
			moved[x.user][y.user] += float64(both * x.moving)
			moved[y.user][x.user] += float64(both * y.moving)
		}
		active = append(active, x)
	}
	return &moved
}

// flowing expresses e relative to the time in which its transfer moves, if e lies within a transfer
// that others slow: at half of the whole time it has moved half of the data. Other instants stay.
func (s *grants) flowing(e edge) edge {
	i, t := e.piece, s.time(e)
	for i > s.First[s.Owner[i]] && slowedAtBus(&s.Pieces[i]) {
		i--
	}
	p, end, slowed := &s.Pieces[i], s.Pieces[i].End, false
	for k := i + 1; k < s.First[s.Owner[i]+1] && slowedAtBus(&s.Pieces[k]); k++ {
		end, slowed = s.Pieces[k].End, slowed || s.queued[k]
	}
	if !slowed || t <= p.Begin || t >= end {
		return e
	}
	return edge{i, int64(float64(t-p.Begin) / float64(end-p.Begin) * float64(p.Length()))}
}
