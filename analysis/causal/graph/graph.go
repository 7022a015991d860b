package graph

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Graph is an account with what each piece depends on. A piece begins when the actor's piece before
// ends; the first one, at an instant of the actor's cause. A wait ends when its holder lets go.
//
// Invariant: a piece comes in order after all pieces on whose ends it depends.
type Graph struct {
	*account.Account
	Owner   []waits.ID     // by piece
	origin  []edge         // by actor: what began it
	endedBy []int32        // by piece: the one of its holder that ended it if it is a wait; -1: none
	before  []int32        // by piece: the service before it at a place that serves one at a time; -1: none
	room    map[int32]room // by piece by which a packet comes into a receive ring
	Depth   map[int32]int  // by node that refuses packets: how many its receive ring takes
	order   []int32        // all pieces, each after those that it depends on
}

// edge is an instant of an actor, given by a piece and the time since its begin, so that it moves with
// the piece. It may lie after the actor's last piece. The piece is -1 if there is no such instant.
type edge struct {
	piece int32
	after int64 // ps since the begin of the piece
}

// none is no instant.
var none = edge{piece: -1}

// room is what the end of a packet's flight into a receive ring depends on: it is not before the
// packet that makes room has left, and the rest of the flight has passed.
type room struct {
	piece int32 // the last one of the packet that leaves
	rest  int64 // ps of the flight after that
}

// ChainLimit is the number of actors in a chain beyond which the chain counts as endless.
const ChainLimit = 1 << 12

// New finds what the pieces of an account depend on. It takes time in n log n of the pieces.
func New(a *account.Account) *Graph {
	g := &Graph{
		Account: a, Owner: make([]waits.ID, len(a.Pieces)), endedBy: make([]int32, len(a.Pieces)),
		origin: make([]edge, len(a.Actors)),
	}
	for id := range a.Actors {
		actor := &a.Actors[id]
		g.origin[id] = none
		if !g.isCut(waits.ID(id)) {
			g.origin[id] = originOf(a, actor.Cause, actor.Begin)
		}
		for i := a.First[id]; i < a.First[id+1]; i++ {
			g.Owner[i] = waits.ID(id)
			g.endedBy[i] = none.piece
			if endedByHolder(a, i) {
				p := &a.Pieces[i]
				g.endedBy[i] = edgeTo(a, p.Holder, p.End).piece
			}
		}
	}
	// queue goes through the order that sort makes.
	g.sort()
	g.queue()
	g.rooms()
	return g
}

// endedByHolder reports whether piece i is a wait that its holder ended by letting go, so that what
// the holder did explains when it ended. Other waits only delay the actor: those at a bus, which
// serves all at once; those for a task of the interface that works at times of its own, or for a
// packet that one has made; and preemptions of a process.
func endedByHolder(a *account.Account, i int32) bool {
	p := &a.Pieces[i]
	if p.What != waits.Waiting || p.Holder == 0 || p.Resource.Shared() || p.Resource == waits.Timer ||
		untimely(a, p.Holder) {
		return false
	}
	return p.Resource != waits.CPU || !interrupted(a, i)
}

// untimely reports whether an actor is a task at a time of its own, or its chain of causes begins with
// one, as that of a packet does which a timer sends again although it has arrived.
func untimely(a *account.Account, id waits.ID) bool {
	for range ChainLimit {
		x := &a.Actors[id]
		if x.Cause == 0 || !x.Type.IsPacket() && x.Type != waits.Task {
			return x.Type == waits.Task
		}
		id = x.Cause
	}
	return false
}

// interrupted reports whether a process was preempted: it had the CPU before it waits for it in piece i.
func interrupted(a *account.Account, i int32) bool {
	for i > 0 && a.Pieces[i-1].End == a.Pieces[i].Begin {
		i--
		if a.Pieces[i].Resource != waits.CPU {
			return false
		}
		if a.Pieces[i].What != waits.Waiting {
			return true
		}
	}
	return false
}

// edgeTo returns the instant t of an actor, in ps. If the actor has not begun, it is the instant of its
// cause; if it waits for a holder, that of the holder; and so on. It returns none if no actor is left.
func edgeTo(a *account.Account, id waits.ID, t int64) edge {
	for range ChainLimit {
		if id == 0 {
			return none
		}
		if a.First[id] == a.First[id+1] || t <= a.Actors[id].Begin {
			id = a.Actors[id].Cause
			continue
		}
		i := a.At(id, t)
		// t is after the actor's end: it is given by the last piece.
		if i < 0 {
			if i = a.First[id+1] - 1; a.Pieces[i].End > t { // it is before the part of the log that the account is
				return none
			}
		}
		p := &a.Pieces[i]
		// Within a wait the actor does nothing: what its holder does then decides.
		if endedByHolder(a, i) && t < p.End {
			if by := a.Holder(i, t); by != 0 {
				id = by
				continue
			}
		}
		return edge{i, t - p.Begin}
	}
	return none
}

// originOf returns the instant at which a cause made an actor begin at time t, in ps. A process that waits by then has
// done it before: its stores have crossed the bus meanwhile.
func originOf(a *account.Account, cause waits.ID, t int64) edge {
	if i := a.At(cause, t); i >= 0 && !a.Actors[cause].Type.IsPacket() && t < a.Pieces[i].End && endedByHolder(a, i) {
		for i > a.First[cause] && endedByHolder(a, i) {
			i--
		}
		return edge{i, t - a.Pieces[i].Begin}
	}
	return edgeTo(a, cause, t)
}

// sort puts the pieces in topological order: by their ends, and at equal ends each after the piece
// that ended it. An edge that closes a circle is dropped, so that the wait keeps its recorded length.
func (g *Graph) sort() {
	byEnd := make([]int32, len(g.Pieces))
	for i := range byEnd {
		byEnd[i] = int32(i)
	}
	slices.SortFunc(byEnd, func(a, b int32) int {
		return cmp.Or(cmp.Compare(g.Pieces[a].End, g.Pieces[b].End), cmp.Compare(a, b))
	})
	const active, done = 1, 2
	state := make([]uint8, len(g.Pieces))
	g.order = make([]int32, 0, len(byEnd))
	var visit func(i int32)
	visit = func(i int32) {
		state[i] = active
		// A piece that ended earlier is before this one anyway.
		if k := g.endedBy[i]; k >= 0 && g.Pieces[k].End == g.Pieces[i].End {
			switch state[k] {
			case 0:
				visit(k)
			// They wait for each other at one instant: one of the two edges has to go.
			case active:
				g.endedBy[i] = none.piece
			}
		}
		state[i] = done
		g.order = append(g.order, i)
	}
	for _, i := range byEnd {
		if state[i] == 0 {
			visit(i)
		}
	}
}

// release returns the instant of its holder at which the wait in piece i ended, none for others.
func (g *Graph) release(i int32) edge {
	k := g.endedBy[i]
	if k < 0 {
		return none
	}
	return edge{k, g.Pieces[i].End - g.Pieces[k].Begin}
}

// queue finds for each service the one before it at the same place, if the place serves one at a
// time and that one had ended by then. Tasks of the interface have no place in the order: they delay
// the service that they interrupt.
func (g *Graph) queue() {
	g.before = make([]int32, len(g.Pieces))
	last := map[account.Place]int32{}
	for i := range g.before {
		g.before[i] = -1
	}
	for _, i := range g.order {
		p := &g.Pieces[i]
		if p.What != waits.Service || !p.Resource.Single() || g.Actors[g.Owner[i]].Type == waits.Task {
			continue
		}
		at := account.Place{Resource: p.Resource, Instance: p.Instance}
		// A service that had not ended by then did not delay this one.
		if k, ok := last[at]; ok && g.Pieces[k].End <= p.Begin {
			g.before[i] = k
		}
		last[at] = i
	}
}

// isCut reports whether an actor has begun before its first piece, in an account that is a part of a log.
func (g *Graph) isCut(id waits.ID) bool {
	i := g.First[id]
	return i < g.First[id+1] && g.Actors[id].Begin < g.Pieces[i].Begin
}

// isFirst reports whether a piece is its actor's first.
func (g *Graph) isFirst(i int32) bool { return i == g.First[g.Owner[i]] }
