package rebuild

import (
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// packet is a packet with its instants in ps, and when its services began.
type packet struct {
	row                    *trace.PacketRow
	id                     waits.ID
	sender, receiver       int
	t1, t2, t3, t4, t5, t6 int64
	take                   int64   // the processor takes up its request
	fetch                  int64   // its own service from the request to T2 begins
	feed                   int64   // the S engine is free for it
	grant                  int64   // the receiver's link is free for it
	flow                   int64   // it flows into the receiver
	land                   int64   // the receiver's H engine is free for it
	before, head           *packet // the one before and the first of the same message
}

// builder rebuilds one log.
type builder struct {
	log       *waits.Log
	signature []trace.SignatureRow
	packets   []*packet
	nodes     []node
	last      waits.ID // of the packets
	end       int64    // of the records
	// How long the handler of an arrival takes, by size, and the longest of them.
	handler map[int]int64
	longest int64
	// What the H engine takes to fetch and to deposit packets.
	fetches, deposits usual
	// The processes.
	programs, services map[seat]waits.ID
}

// node is what the records show of one node.
type node struct {
	sent, received []*packet // in the order of T3
	stamps         []stamp   // of the processor, in order of time
	posts          []int64   // when its programs have used the I/O bus
}

func (b *builder) node(i int) *node {
	for len(b.nodes) <= i {
		b.nodes = append(b.nodes, node{})
	}
	return &b.nodes[i]
}

// hold adds the time in which a packet has a resource; p may be nil.
func (b *builder) hold(r waits.Resource, node int, p *packet, begin, end int64) {
	if p != nil {
		b.log.Hold(waits.Hold{Resource: r, Instance: int32(node), Actor: p.id, Begin: begin, End: end})
	}
}

// stamp is an instant at which a node's processor has worked for a packet.
type stamp struct {
	at     int64
	packet *packet
	sort   instant
}

// instant is one of those that a processor stamps when it handles an event.
type instant uint8

const (
	fetched instant = iota
	left
	arrived
	delivered
)

// window is a time in which a program waits.
type window struct{ from, to int64 }

// seat is a program on a node.
type seat struct {
	tag  trace.Tag
	node int64
}
