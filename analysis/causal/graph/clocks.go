package graph

import (
	"cmp"
	"math"
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// clock measures the progress of a piece whose speed changes: a transfer slows while others use
// the buses, and a process stands still while a handler has its processor.
//
// At time t >= at the progress is own + speed*(t-at). Invariant: 0 <= done < len(todo) while the
// piece goes on.
type clock struct {
	at      int64   // ps: of the last change of speed
	own     float64 // ps of the piece that have passed at that time
	speed   float64 // ps of the piece per ps, 0 to 1
	next    int64   // number of the event that is valid; those made at earlier speeds are ignored
	todo    []event // with at as ps of the piece, in their order; the last is its end
	done    int     // events of todo that have happened
	node    int32   // whose buses or processor it uses
	user    user    // noUser: it uses no bus
	stops   bool    // stands still while a handler of the node works
	flowing bool    // a transfer of an engine that is free in the what-if, after its set-up
}

// clocks are those of the pieces that have begun and not ended.
type clocks struct {
	list    []clock
	idle    []int32            // indices of the list that can be used again
	nodes   map[int32][]int32  // by node: indices of its clocks
	handler map[int32]waits.ID // by node: the handler that has its processor; 0: none
	shares  map[int32]*sharing // by node: the sum over its buses that are not free
}

// newClocks returns no clocks yet, with the sharing of the buses that are not free in the what-if.
func (r *rerun) newClocks() clocks {
	c := clocks{nodes: map[int32][]int32{}, handler: map[int32]waits.ID{}, shares: map[int32]*sharing{}}
	for bus, shares := range r.buses {
		at := c.shares[bus.Instance]
		if at == nil {
			at = &sharing{}
			c.shares[bus.Instance] = at
		}
		// What is lost at the buses of one node adds up.
		for u := range shares {
			for v := range shares[u] {
				if !r.free[bus.Resource] {
					at[u][v] += shares[u][v]
				}
			}
		}
	}
	return c
}

// clock returns the clock of piece i, and false if nothing can change its speed.
func (r *rerun) clock(i int32) (c clock, changes bool) {
	p, id := &r.Pieces[i], r.Owner[i]
	c = clock{node: p.Instance, user: userOf(r.grants.Graph.Account, i, id), stops: r.stops(i)}
	// Handlers interrupt an actor at its own node, wherever the resource of the piece is.
	if c.stops {
		c.node = r.Actors[id].Node
	}
	// With a free H engine the transfers of a node share its buses; see speed.
	sharing := c.user != noUser && (r.shares[c.node] != nil || r.free[waits.HostDMA])
	return c, c.stops || sharing
}

// run starts a clock with its events, whose times are ps of the piece.
func (r *rerun) run(c clock, todo []event) {
	if len(r.idle) == 0 {
		r.idle = append(r.idle, int32(len(r.clocks.list)))
		r.clocks.list = append(r.clocks.list, clock{})
	}
	k := r.idle[len(r.idle)-1]
	r.idle = r.idle[:len(r.idle)-1]
	c.at, c.todo = r.now, append(r.clocks.list[k].todo[:0], todo...)
	slices.SortStableFunc(c.todo, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	r.clocks.list[k] = c
	r.nodes[c.node] = append(r.nodes[c.node], k)
	r.regulate(c.node)
}

// tick makes the next event of clock k happen, unless the speed has changed since the tick was
// scheduled: then number is not the valid one.
func (r *rerun) tick(k int32, number int64) {
	c := &r.clocks.list[k]
	if c.next != number {
		return
	}
	e := c.todo[c.done]
	// await has rounded up to whole ps. The progress becomes that of the event, so that rounding does not add
	// up.
	c.own, c.at = float64(e.at), r.now
	if c.done++; c.done == len(c.todo) {
		c.next = 0
		r.nodes[c.node] = slices.DeleteFunc(r.nodes[c.node], func(j int32) bool { return j == k })
		r.idle = append(r.idle, k)
		r.regulate(c.node)
		r.happen(e)
		return
	}
	if e.what == flows {
		c.flowing = true
		r.regulate(c.node)
	} else {
		r.happen(e)
	}
	r.await(k)
}

// regulate sets the speeds of a node's clocks by who uses its buses and its processor now. Where
// a speed changes, it notes the progress so far and schedules the next tick again.
func (r *rerun) regulate(node int32) {
	var users [numUsers]float64
	flowing := 0.0
	for _, k := range r.nodes[node] {
		// A clock that stands still slows nobody.
		if c := &r.clocks.list[k]; !r.stopped(c) {
			if c.user != noUser {
				users[c.user]++
			}
			if c.flowing {
				flowing++
			}
		}
	}
	for _, k := range r.nodes[node] {
		c := &r.clocks.list[k]
		if speed := r.speed(c, &users, flowing); speed != c.speed {
			c.own += float64(c.speed * float64(r.now-c.at))
			c.at, c.speed = r.now, speed
			r.await(k)
		}
	}
}

// stopped reports whether a handler has the processor of a process.
func (r *rerun) stopped(c *clock) bool { return c.stops && r.handler[c.node] != 0 }

// speed returns the speed of a clock: 1/(1+others), where others is the time lost to each service
// per ps of progress. users counts the services by sort, this one included; flowing counts the
// transfers that share the buses equally.
func (r *rerun) speed(c *clock, users *[numUsers]float64, flowing float64) float64 {
	if r.stopped(c) {
		return 0
	}
	others := 0.0
	if shares := r.shares[c.node]; shares != nil && c.user != noUser {
		// users counts this service too, which does not slow itself.
		others -= shares[c.user][c.user]
		for v, n := range users {
			others += float64(n * shares[c.user][v])
		}
	}
	if c.flowing {
		// n transfers at the full rate of the buses each get 1/n of it.
		others += flowing - 1
	}
	return 1 / (1 + max(others, 0))
}

// await schedules the tick at which clock k reaches its next event, rounded up to whole ps. A
// clock that stands still has none.
func (r *rerun) await(k int32) {
	c := &r.clocks.list[k]
	// add gives the tick the number that is valid from now on.
	if c.next = 0; c.speed > 0 {
		r.add(event{at: c.at + int64(math.Ceil(max(float64(c.todo[c.done].at)-c.own, 0)/c.speed)), what: ticks, index: k})
		c.next = r.number
	}
}
