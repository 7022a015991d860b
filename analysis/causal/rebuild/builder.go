package rebuild

import (
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// builder rebuilds one log.
type builder struct {
	log       *waits.Log
	signature []trace.SignatureRow
	cards     bool   // without one processor
	rules     *Rules // nil: they are learned
	// In the order of T3. Packet i has the ID i+1.
	packets []*packet
	nodes   []node
	last    waits.ID // of the packets
	end     int64    // ps: of the records
	timing
	// What the H engine takes to fetch and to deposit packets.
	fetches, deposits *usual
	ways              map[int]way // by receiver
	household
	// The processes.
	programs, services map[seat]waits.ID
}

// timing is how long handlers and transfers take.
type timing struct {
	before, after lasting // of handlers, before and after their stamps
	noting        int64   // ps that the handler of the end of an insertion takes
	checks        bool    // handlers stamp what happens while they run
	longest       int64   // ps: of after
	slowed        float64 // ps a byte by which programs that compute slow the H engine
	paces         paces   // of processors
	inserts       paces   // of send engines, whose processors are not slow
}

// Rules are what Log learns from records: how long handlers and transfers take. Those of a long trace are learned from a
// part of it, for all others.
type Rules struct {
	timing
	fetches, deposits map[int]int64 // usual times by size in bytes, ps
	ways              map[int]way   // by receiver
}

// way is the usual time in the network to a receiver.
type way struct {
	times map[int]int64 // by size in bytes, ps
	least int64         // ps: of the quickest size
}

// node is what the records show of one node.
type node struct {
	sent, received []*packet // in the order of T3
	stamps         []stamp   // of the processor, in order of time
	turns          []turn
	id             int
	usage
}

// node returns a node by its number, a new one at first.
func (b *builder) node(i int) *node {
	for len(b.nodes) <= i {
		b.nodes = append(b.nodes, node{id: len(b.nodes)})
	}
	return &b.nodes[i]
}

// hold records that a packet has a node's instance of a resource from begin to end, in ps.
func (b *builder) hold(r waits.Resource, node int, p *packet, begin, end int64) {
	b.log.Hold(waits.Hold{Resource: r, Instance: int32(node), Actor: p.id, Begin: begin, End: end})
}

// operation is an operation with its steps and packets.
type operation struct {
	row     *trace.SpanRow
	steps   []trace.StepRow
	packets []*packet // in the order of T3
}

// task is what the service process of a node does for a message.
type task struct {
	packet *packet // that asked for it
	// In ps. Invariant: begin <= end; equal if it waits for another process.
	begin, end int64
}

// household is what the processes of all seats did.
type household struct {
	// By tag, then by node. The programs have the IDs from last+1 on, the services those after them.
	seats  []seat
	own    map[seat][]*operation // of its program
	tasks  map[seat][]task
	waited map[seat][]window // when its program waits in operations
}

// usage is what the processes of a node have done to its buses.
type usage struct {
	// In ps.
	accesses []int64 // of the I/O bus, in order of time: a request posted, the clock read for a step
	seats    []seat  // of programs whose operations are known
}
