package history

import (
	"math/rand/v2"
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
)

// action is what a step of a node does.
type action uint8

const (
	send action = iota
	gather
	multicast
	receive
	request
	store
	get
	fetch // and the rest: on memory of a peer
	add
	swap
)

// step is one call of a node. Steps with the same number are the two ends of one operation.
type step struct {
	do     action
	number int
	peer   int // or comm.Anyone
	bytes  int
	pause  sim.Duration // before it
	copied bool         // a receive into own memory, though the layer could leave the message where it is
	post   bool         // the receive is posted before the node's step before it
	poll   bool         // before it
}

// plan is what every node does. The numbers of the operations order them. Every node
// carries out its steps in this order, but receives may come later than that.
type plan struct {
	steps  [][]step // by node
	most   int      // bytes of the longest message
	total  int      // operations
	strict bool     // an operation starts when all before it have ended
}

// drawn is the state of drawing a plan.
type drawn struct {
	plan
	rng    *rand.Rand
	traits *comm.Traits
	anyone []bool // by node: it receives from anyone
}

// actions returns what the layer can do.
func (d *drawn) actions() []action {
	can := []action{send, send, gather}
	if d.traits.Multicasts {
		can = append(can, multicast)
	}
	if d.traits.Requests {
		can = append(can, request, store, get)
	}
	return can
}

// draw returns a random plan for a number of nodes with a layer of given traits.
func draw(rng *rand.Rand, nodes int, t *comm.Traits) plan {
	d := &drawn{rng: rng, traits: t, anyone: make([]bool, nodes)}
	d.steps = make([][]step, nodes)
	d.most = max(t.MinBytes, []int{64, 1500, 5000, 20000}[rng.IntN(4)])
	if t.MaxBytes > 0 {
		d.most = min(d.most, t.MaxBytes)
	}
	// What overwrites or loses messages under load is also driven one by one.
	d.strict = !t.Consumes || !t.Promises.Reliable && rng.IntN(2) == 0
	if !d.strict && t.PostFrom > 0 { // a long one that is not expected holds up all others
		d.most = min(d.most, t.PostFrom-1)
	}
	for i := range d.anyone {
		d.anyone[i] = t.Anyone && t.PostFrom == 0 && rng.IntN(3) == 0
	}
	can := d.actions()
	hurry := rng.IntN(2) == 0 // few pauses
	for range 5 + rng.IntN(40) {
		from := rng.IntN(nodes)
		d.add(can[rng.IntN(len(can))], from, d.other(from), d.size(), hurry)
	}
	// The last message of every pair shows what the layer has kept back or delivered again.
	for from := range nodes {
		for to := range nodes {
			if from != to {
				d.add(send, from, to, min(d.most, max(t.MinBytes, 16)), hurry)
			}
		}
	}
	if !d.strict && t.PostFrom == 0 && !t.Posts {
		for i := range d.steps {
			d.late(i)
		}
	}
	return d.plan
}

// other returns another node.
func (d *drawn) other(node int) int {
	n := d.rng.IntN(len(d.steps) - 1)
	if n >= node {
		n++
	}
	return n
}

// size returns a random number of bytes, more often a small one.
func (d *drawn) size() int {
	least := d.traits.MinBytes
	most := []int{16, 300, d.most, d.most}[d.rng.IntN(4)]
	return least + d.rng.IntN(max(1, min(most, d.most)-least+1))
}

// add appends one operation to the steps of the nodes that take part in it.
func (d *drawn) add(do action, from, to, bytes int, hurry bool) {
	first := step{do: do, number: d.total, peer: to, bytes: bytes, pause: d.pause(hurry), poll: d.rng.IntN(4) == 0}
	d.total++
	switch do {
	case multicast: // told from messages by their bytes
		first.bytes = min(d.most, max(16, bytes))
	case store, get:
		first.bytes = max(1, bytes)
	}
	d.steps[from] = append(d.steps[from], first)
	switch do {
	case send, gather:
		d.addReceive(from, to, first, hurry)
	case multicast:
		for i := range d.steps {
			if i != from {
				d.addReceive(from, i, first, hurry)
			}
		}
	}
}

func (d *drawn) addReceive(from, to int, s step, hurry bool) {
	s.do, s.peer, s.pause, s.copied = receive, from, d.pause(hurry), d.rng.IntN(2) == 0
	s.post = d.rng.IntN(2) == 0
	if d.anyone[to] {
		s.peer = comm.Anyone
	}
	d.steps[to] = append(d.steps[to], s)
}

func (d *drawn) pause(hurry bool) sim.Duration {
	if d.rng.IntN(2) == 0 || hurry && d.rng.IntN(8) > 0 {
		return 0
	}
	return sim.Microsecond + sim.Duration(d.rng.Int64N(int64(200*sim.Microsecond)))
}

// late moves receives of a node behind some of its sends. The order of the receives, and
// that of the others, stays.
func (d *drawn) late(node int) {
	var ordered, waiting []step
	lag := d.rng.IntN(6)
	for _, s := range d.steps[node] {
		if s.do == receive {
			waiting = append(waiting, s)
			continue
		}
		for len(waiting) > lag || len(waiting) > 0 && d.rng.IntN(3) == 0 {
			ordered, waiting = append(ordered, waiting[0]), waiting[1:]
		}
		ordered = append(ordered, s)
	}
	d.steps[node] = slices.Concat(ordered, waiting)
}

// weave adds operations on memory of peers to a plan.
func (p *plan) weave(rng *rand.Rand) {
	nodes := len(p.steps)
	for range rng.IntN(24) {
		node := rng.IntN(nodes)
		s := step{do: []action{fetch, add, swap}[rng.IntN(3)], number: p.total, peer: (node + 1 + rng.IntN(nodes-1)) % nodes, bytes: 1 + rng.IntN(p.most)}
		p.total++
		p.steps[node] = slices.Insert(p.steps[node], rng.IntN(len(p.steps[node])), s)
	}
}
