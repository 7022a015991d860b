package graph

import (
	"cmp"
	"math"
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// clock is the time of a piece whose speed changes: a transfer slows while others use the buses,
// and a process stands still while a handler has its processor.
type clock struct {
	at      int64   // ps: of the last change
	own     float64 // ps of the piece that have passed by then
	speed   float64
	next    int64   // number of the event that is to come; others are of speeds that it no longer has
	todo    []event // at times of the piece, in their order; the last is its end
	done    int     // of todo
	node    int32
	user    user
	stops   bool // while a handler works
	flowing bool // a transfer of a free engine, after its set-up
}

// clocks are those of the pieces that go on.
type clocks struct {
	list    []clock
	idle    []int32            // of the list
	nodes   map[int32][]int32  // by node: of the list
	handler map[int32]waits.ID // by node: who has its processor
	shares  map[int32]*sharing // by node, of all its buses
}

// newClocks returns the clocks of a rerun in which some buses may be free.
func (r *rerun) newClocks() clocks {
	c := clocks{nodes: map[int32][]int32{}, handler: map[int32]waits.ID{}, shares: map[int32]*sharing{}}
	for bus, shares := range r.buses {
		at := c.shares[bus.Instance]
		if at == nil {
			at = &sharing{}
			c.shares[bus.Instance] = at
		}
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

// clock returns the clock of a piece that begins, false if its speed does not change.
func (r *rerun) clock(i int32) (c clock, changes bool) {
	p, id := &r.Pieces[i], r.Owner[i]
	c = clock{node: p.Instance, user: userOf(r.grants.Graph.Account, i, id), stops: r.stops(i)}
	if c.stops {
		c.node = r.Actors[id].Node
	}
	sharing := c.user != noUser && (r.shares[c.node] != nil || r.free[waits.HostDMA])
	return c, c.stops || sharing
}

// run begins a piece with a clock.
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

// tick makes what is due by a clock happen.
func (r *rerun) tick(k int32, number int64) {
	c := &r.clocks.list[k]
	if c.next != number {
		return
	}
	e := c.todo[c.done]
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

// regulate gives the clocks of a node their speeds.
func (r *rerun) regulate(node int32) {
	var users [numUsers]float64
	flowing := 0.0
	for _, k := range r.nodes[node] {
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

// speed returns that of a clock while so many use the buses of its node, and so many transfers
// share them equally.
func (r *rerun) speed(c *clock, users *[numUsers]float64, flowing float64) float64 {
	if r.stopped(c) {
		return 0
	}
	others := 0.0
	if shares := r.shares[c.node]; shares != nil && c.user != noUser {
		others -= shares[c.user][c.user]
		for v, n := range users {
			others += float64(n * shares[c.user][v])
		}
	}
	if c.flowing {
		others += flowing - 1
	}
	return 1 / (1 + max(others, 0))
}

// await makes the event of what is due next by a clock.
func (r *rerun) await(k int32) {
	c := &r.clocks.list[k]
	if c.next = 0; c.speed > 0 {
		r.add(event{at: c.at + int64(math.Ceil(max(float64(c.todo[c.done].at)-c.own, 0)/c.speed)), what: ticks, index: k})
		c.next = r.number
	}
}
