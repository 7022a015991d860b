package causal

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Spent is time by what actors did in it.
type Spent struct{ Service, Waiting, Idle int64 } // ps

// add adds length ps.
func (s *Spent) add(what waits.What, length int64) {
	// The order is that of waits.What.
	*[]*int64{&s.Service, &s.Waiting, &s.Idle}[what] += length
}

// Length returns the whole time.
func (s Spent) Length() int64 { return s.Service + s.Waiting + s.Idle }

// Use is the time on the critical path at one resource.
type Use struct {
	Resource waits.Resource
	Unknown  bool // nothing in the log explains the time; without a resource
	Spent
}

// Queue is the waiting for one resource.
//
// Invariant: Unknown + Elsewhere <= Waited, and Switching <= OnPath.
type Queue struct {
	Resource waits.Resource
	Waited   int64 // ps: of all actors
	Unknown  int64 // ps: the part without a holder
	// OnPath is the time of the critical path while an actor on it waits here, or while a
	// host processor turns from one process to another.
	OnPath int64 // ps
	// Own is such time for work that the waiting one's own chain of messages makes.
	Own       int64 // ps
	Switching int64 // ps: the second part of it
	// Elsewhere is the part of Waited in which a packet waits at the root for one to
	// another receiver.
	Elsewhere int64 // ps
	// Saved is by how much the run would be shorter if nobody waited here, as the replay
	// predicts. Moved is the share of grants that have another order there.
	Saved   int64 // ps
	Moved   float64
	Depth   int       // of the receive ring that has most of the queue: packets that it takes; 0: not known
	At      []Spot    // where, the largest first; none of the network
	Through []Through // for which ports, in a log with lines; the largest first
	Holders []Share   // who had the resource, the largest first
	Roots   []Share   // at whom the chains of holders ended
	Worst   []Wait    // the longest waits, those on the path first

	replayed int64 // ps: of the windows that Moved is of
}

// Share is the part of a queue that one sort of actor on one node is responsible for. The shares of all holders
// sum to the waiting with a holder.
type Share struct {
	account.Who
	Resource       waits.Resource // of a root: what served it
	Waited, OnPath int64          // ps
}

// Through is the part of a queue at one place in which a port serves the root.
type Through struct {
	At, Port          int32 // the place's instance and the port's channel
	Waited, Elsewhere int64 // ps; the second as in Queue
}

// Spot is the part of a queue at the resource of one node. The spots of a queue sum to Waited and OnPath.
type Spot struct {
	Node           int
	Waited, OnPath int64 // ps
}

// Wait is one actor's wait for one resource, however many holders it has meanwhile.
type Wait struct {
	Actor, Holder waits.ID // the holder that let go at its end
	Begin, End    int64    // ps
	Cost          int64    // ps: the part of it that counts
}

// worstKept is how many single waits are kept as evidence.
const worstKept = 3

// worst adds a wait to those that cost most.
func worst(list []Wait, w Wait) []Wait {
	if len(list) == worstKept && w.Cost <= list[worstKept-1].Cost {
		return list
	}
	list = append(list, w)
	slices.SortStableFunc(list, func(a, b Wait) int { return cmp.Compare(b.Cost, a.Cost) })
	return list[:min(len(list), worstKept)]
}
