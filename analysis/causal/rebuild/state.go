package rebuild

import (
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// row is what is used of a packet's record, beside its stamps. Records of many packets are large.
type row struct {
	tag           trace.Tag
	kind          trace.Kind
	first, inline bool
	size          int // bytes
	span, number  int64
}

// packet is a packet with its stamps and the instants that are inferred from those of others, all in ps.
type packet struct {
	row
	id                     waits.ID
	sender, receiver       int
	t1, t2, t3, t4, t5, t6 int64          // stamps
	take                   int64          // the processor takes up its request
	fetch                  int64          // its own service from the request to T2 begins
	feed                   int64          // the S engine is free for it
	grant                  int64          // the receiver's link is free for it
	flow                   int64          // it flows into the receiver
	in                     int64          // it is in the receiver's SRAM
	land                   int64          // the receiver's H engine is free for it
	lost                   bool           // it was sent again until it flowed
	room                   *packet        // it has left the receiver's interface before this one could flow; nil: there was room
	slot                   *packet        // it has left the sender's card before this one was taken up; nil: it was as soon as it could
	before, head           *packet        // the one before and the first of the same message
	turns                  [events]window // by event: when its handler runs
	// Of cards.
	spells [numStages]spell
	states [2]int64 // ps in which the state of its queue pair is fetched, at the sender and at the receiver
	entry  bool     // its data is fetched, while that of others of its size comes with the request
}

// window is the time in ps in which a program waits, or a handler runs.
type window struct{ from, to int64 }

// seat is a program on a node.
type seat struct {
	tag  trace.Tag
	node int64
}

// event is what a handler of the interface processor is for.
type event uint8

const (
	taken     event = iota // a request is taken up: the handler begins at its stamp
	fetched                // data is in SRAM: it begins at its stamp, or later
	left                   // an insertion has ended: likewise
	arrived                // a packet has arrived: the stamp is within
	delivered              // data is in host memory: as for fetched

	events = iota
)

// stamp is an instant that a processor recorded in a handler for an event of a packet.
type stamp struct {
	at     int64 // ps
	packet *packet
	event  event
}

// node returns the node whose processor recorded the stamp.
func (s stamp) node() int {
	if s.event < arrived {
		return s.packet.sender
	}
	return s.packet.receiver
}

// turn is a run of a handler: the time in which a processor works for a packet.
type turn struct {
	begin, end int64 // ps
	packet     *packet
	event      event
}

// anySize is in place of a class of sizes.
const anySize = -1 << 20

// handler is what handlers that take equally long have in common: the event and the size of the packet,
// or its class of sizes.
type handler struct {
	event event
	size  int // bytes; negative: a class, see about and anySize
}

// sorts returns the sorts of handlers to which a stamp's belongs, the most special first.
func (s stamp) sorts() [3]handler {
	size := s.packet.size
	if s.event == taken { // it does not touch the data
		return [...]handler{{s.event, anySize}, {s.event, anySize}, {s.event, anySize}}
	}
	return [...]handler{{s.event, size}, {s.event, about(size)}, {s.event, anySize}}
}

// lasting is how long handlers take, in ps.
type lasting map[handler]int64

// of returns the time of a stamp's handler by the most special sort that is known, in ps; 0 if none is.
func (l lasting) of(s stamp) int64 {
	for _, h := range s.sorts() {
		if t, ok := l[h]; ok {
			return t
		}
	}
	return 0
}

// spell is a packet's time at a stage: when its own service begins, in ps, and for whom it waits before.
type spell struct {
	begin int64
	by    waits.ID
}

// stages of a card: what the sender's has before the injection, that, and what the receiver's does with a packet.
const (
	fetching = iota
	injecting
	depositing
	numStages
)
