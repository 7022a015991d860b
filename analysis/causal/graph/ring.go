package graph

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// blocks reports whether a packet that a full receive ring refuses keeps a resource from others: its
// channels, the engine that sends it, the slot of its message, and the order within the message.
func blocks(r waits.Resource) bool {
	return r == waits.Port || r == waits.SEngine || r == waits.Slot || r == waits.Order
}

// Refusal returns the piece that decides how long the wait in piece i for a holder lasts. That is the
// wait of a refused packet for room in the receive ring, if the chain of holders at an instant, in
// ps, leads to one through resources that it blocks; and piece i itself otherwise.
func Refusal(a *account.Account, i int32, holder waits.ID, at int64) int32 {
	k := i
	for range ChainLimit {
		p := &a.Pieces[k]
		switch {
		case p.What != waits.Waiting || holder == 0:
			return i
		case p.Resource == waits.Ring:
			return k
		case !blocks(p.Resource):
			return i
		}
		if k = a.At(holder, at+1); k < 0 {
			return i
		}
		holder = a.Holder(k, at+1)
	}
	return i
}

// entering is the last service of a packet at a port, by which it comes into a receive ring.
type entering struct {
	piece   int32
	at      int64 // ps: when it begins; for packets that were not refused, later the time of the decision
	refused bool
}

// rooms finds, for the packets to each node that refuses some, the packet that has to leave the
// receive ring before each can enter.
func (g *Graph) rooms() {
	g.room, g.Depth = map[int32]room{}, map[int32]int{}
	entries := map[int32][]entering{} // by receiver
	lead := map[int32]int64{}         // by receiver that refuses packets: the shortest flight, ps
	for id := range g.Actors {
		x := &g.Actors[id]
		if !x.Type.IsPacket() {
			continue
		}
		e, flight := g.entering(waits.ID(id))
		if e.refused {
			if least, ok := lead[x.Peer]; !ok || flight < least {
				lead[x.Peer] = flight
			}
		}
		if e.piece >= 0 {
			entries[x.Peer] = append(entries[x.Peer], e)
		}
	}
	for to, flight := range lead {
		g.roomsOf(entries[to], flight)
	}
}

// entering returns the entry of a packet into the ring and, if it was refused, how long it flew before,
// in ps. The piece is -1 if it was not sent.
func (g *Graph) entering(id waits.ID) (e entering, flight int64) {
	e.piece = -1
	for i := g.First[id+1] - 1; i >= g.First[id]; i-- {
		p := &g.Pieces[i]
		switch {
		case p.Resource == waits.Port && p.What == waits.Service && e.piece < 0:
			e = entering{piece: i, at: p.Begin}
		case p.Resource == waits.Ring && p.Holder != 0 && e.piece == i+1: // a ring refuses without a holder too if its node has stopped
			e.refused = true
		case p.Resource == waits.Port && p.What == waits.Service && e.refused:
			return e, p.Length()
		}
	}
	return e, 0
}

// roomsOf does so for one node. Its ring is as deep as the least number of packets that it held when
// it refused one. A packet leaves it with the begin of its last service. With depth d, the n-th entry
// needs the end of the (n-d)-th leaving, where entries are counted in the order in which they are
// decided: lead ps after the begin of the flight for packets that were not refused.
func (g *Graph) roomsOf(entries []entering, lead int64) {
	ends := make([]int32, len(entries)) // last pieces in the ring
	for n := range entries {
		e := &entries[n]
		if !e.refused {
			e.at += lead
		}
		// The last but one piece ends where the last service begins.
		ends[n] = max(g.First[g.Owner[e.piece]+1]-2, e.piece)
	}
	slices.SortFunc(entries, func(a, b entering) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.piece, b.piece)) })
	slices.SortFunc(ends, func(a, b int32) int { return cmp.Or(cmp.Compare(g.Pieces[a].End, g.Pieces[b].End), cmp.Compare(a, b)) })
	depth, left := len(entries), 0
	for n, e := range entries {
		// Of the n entries before this one, left packets have gone by now: the ring has n - left.
		for left < len(ends) && g.Pieces[ends[left]].End < e.at {
			left++
		}
		if e.refused {
			depth = min(depth, max(n-left, 1))
		}
	}
	g.Depth[g.Actors[g.Owner[entries[0].piece]].Peer] = depth
	for n, e := range entries[depth:] {
		k, end := ends[n], g.Pieces[e.piece].End
		// A refused packet has a wait of its own for room.
		if made := g.Pieces[k].End; !e.refused && made <= e.at && made < end {
			g.room[e.piece] = room{k, end - e.at}
		}
	}
}
