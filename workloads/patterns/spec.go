package patterns

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Shape is who sends to whom.
type Shape uint8

// The patterns.
const (
	PingPong         Shape = iota // neighbours in pairs, one message back and forth
	Stream                        // neighbours in pairs, one way
	AllToAll                      // all nodes to all others, staggered
	Random                        // all nodes to random others
	HotSpot                       // all nodes to random others, but a share to node 0
	Broadcast                     // node 0 to all others, one send for each
	ProducerConsumer              // the first half to the second, which uses what it gets
	Incast                        // many nodes to node 0 at the same time
	CentralQueue                  // node 0 keeps a queue that all others put into and take from
	numShapes
)

var shapes = [numShapes]struct {
	name        string
	slots       int     // of a ring
	count       int     // messages, when none are given
	countOf     string  // what Count counts
	minBytes    int     // of a message
	skew, limit float64 // skew when none is given, and the largest
	skewOf      string  // what Skew is; "": the pattern has none
}{
	PingPong:         {"pingpong", 2, 200, "round trips of each pair", 4, 0, 0, ""},
	Stream:           {"stream", 32, 1000, "messages of each pair", 4, 0, 0, ""},
	AllToAll:         {"alltoall", 8, 1, "messages from each node to each other one", 4, 0, 0, ""},
	Random:           {"random", 8, 200, "messages of each node", 4, 0, 3, "exponent of a Zipf law over the receivers"},
	HotSpot:          {"hotspot", 8, 200, "messages of each node", 4, 0.5, 1, "share of messages that go to node 0"},
	Broadcast:        {"broadcast", 8, 50, "broadcasts of node 0", 4, 0, 0, ""},
	ProducerConsumer: {"prodcons", 4, 500, "items of each producer", 4, 0, 0, ""},
	Incast:           {"incast", maxBurst, 200, "messages of each sender", 8, 0, 0, ""},
	CentralQueue:     {"queue", 4, 50, "items that each node puts in and takes out", 16, 0, 0, ""},
}

func (s Shape) String() string {
	if s < numShapes {
		return shapes[s].name
	}
	return fmt.Sprintf("shape(%d)", uint8(s))
}

// Shapes lists all patterns.
func Shapes() []Shape {
	out := make([]Shape, numShapes)
	for i := range out {
		out[i] = Shape(i)
	}
	return out
}

// CountOf describes what Spec.Count counts.
func (s Shape) CountOf() string { return shapes[s].countOf }

// DefaultCount returns the count that stands for none.
func (s Shape) DefaultCount() int { return shapes[s].count }

// Spec describes a pattern.
type Spec struct {
	Shape Shape
	Nodes int
	Seed  uint64 // of the messages' bytes
	Options
}

// Options say how much a pattern sends. The zero value of a field means the
// pattern's own choice.
type Options struct {
	Bytes int `json:"message_bytes" range:"0.." flag:"message-size" help:"for a pattern: bytes of a message, a multiple of 4 (default: 1024)"`
	// Count has its meaning from Shape.CountOf.
	Count int `json:"count" range:"0..10000000" flag:"count" help:"for a pattern: number of messages, rounds or items, see its description (default: its own)"`
	// GapUs is drawn evenly up to twice as much by random and hotspot.
	GapUs float64 `json:"gap_us" range:"0..1e6" flag:"gap" help:"for a pattern: a sender's pause before each message"`
	Skew  float64 `json:"skew" range:"0.." flag:"skew" help:"for random: exponent of a Zipf law over the receivers; for hotspot: share of messages to node 0"`

	Senders int `json:"senders,omitempty" range:"0..1023" flag:"senders" help:"for incast: nodes that send (default: all but one)"`
	Burst   int `json:"burst,omitempty" range:"0..32" flag:"burst" help:"for incast: messages of a sender that the receiver asks for at a time (default: all, unasked)"`
}

// gap is a sender's pause before each message.
func (o *Options) gap() sim.Duration { return sim.Microseconds(o.GapUs) }

// Limits of a Spec.
const (
	DefaultBytes = 1024
	MaxBytes     = 1 << 20

	maxBurst = 32 // as many as there are slots, so that a burst leaves at once

	// maxMemory bounds what all inboxes together may take.
	maxMemory = 2 << 30
)

// resolve replaces zero values by the pattern's own and checks the others.
func (s Spec) resolve() (Spec, error) {
	if s.Shape >= numShapes {
		return s, bounds.Wrong("shape", s.Shape, "one of %v", Shapes())
	}
	if err := bounds.Check("pattern", s.Options); err != nil {
		return s, err
	}
	k := &shapes[s.Shape]
	s.Bytes = cmp.Or(s.Bytes, DefaultBytes)
	s.Count = cmp.Or(s.Count, k.count)
	s.Skew = cmp.Or(s.Skew, k.skew)
	switch {
	case s.Nodes < 2:
		return s, bounds.Wrong("nodes", s.Nodes, "at least 2")
	case s.Bytes < k.minBytes || s.Bytes > MaxBytes || s.Bytes%4 != 0:
		return s, bounds.Wrong("pattern.message_bytes", s.Bytes, "a multiple of 4 from %d to %d for %v", k.minBytes, MaxBytes, s.Shape)
	case k.skewOf == "" && s.Skew != 0:
		return s, bounds.Wrong("pattern.skew", s.Skew, "none: %v treats all nodes alike", s.Shape)
	case s.Skew > k.limit:
		return s, bounds.Wrong("pattern.skew", s.Skew, "0 to %v, the %s", k.limit, k.skewOf)
	}
	if s.Shape == Incast {
		s.Senders = cmp.Or(s.Senders, s.Nodes-1)
	}
	switch {
	case s.Shape != Incast && s.Senders+s.Burst > 0:
		return s, bounds.Wrong(map[bool]string{true: "pattern.senders", false: "pattern.burst"}[s.Senders > 0], max(s.Senders, s.Burst), "none: only incast has it")
	case s.Senders >= s.Nodes:
		return s, bounds.Wrong("pattern.senders", s.Senders, "fewer than the %d nodes: node 0 receives", s.Nodes)
	}
	if need := s.memory(); need > maxMemory {
		return s, bounds.Wrong("pattern.message_bytes", s.Bytes, "less: the inboxes of %d nodes would take %d MB of at most %d", s.Nodes, need>>20, maxMemory>>20)
	}
	return s, nil
}

// slots is the length of the ring that a receiver keeps for one sender.
func (s Spec) slots() int {
	if s.fixed() {
		return min(shapes[s.Shape].slots, s.Count)
	}
	return shapes[s.Shape].slots
}

// fixed reports whether each sender has exactly Count messages for each of
// its receivers.
func (s Spec) fixed() bool {
	switch s.Shape {
	case Random, HotSpot, CentralQueue:
		return false
	}
	return true
}

// answered reports whether a message from a node implies that it has read all messages sent to it,
// so that it is credit itself.
func (s Spec) answered() bool {
	return s.Shape == PingPong || s.Shape == CentralQueue || s.Shape == Incast && s.Burst > 0
}

// size returns the bytes of a sender's message of that number to a node: for the
// central queue, items and wishes for one by turns; for an incast, items and the wishes of node 0.
func (s Spec) size(to int, number uint32) int {
	if s.Shape == CentralQueue && to == 0 && number%2 == 1 || s.Shape == Incast && to != 0 {
		return wishBytes
	}
	return s.Bytes
}

// stride is the distance of two messages in memory: none crosses a page that
// need not.
func (s Spec) stride() int {
	n := min(max(8, 1<<bits.Len(uint(s.Bytes-1))), pageBytes)
	return (s.Bytes + n - 1) / n * n
}

// memory estimates the bytes of all inboxes that are ever written.
func (s Spec) memory() int64 {
	nodes, slots := int64(s.Nodes), int64(s.slots())
	links := nodes // of senders to receivers
	switch s.Shape {
	case AllToAll:
		links = nodes * (nodes - 1)
	case Random, HotSpot:
		links = min(nodes*(nodes-1), nodes*int64(s.Count))
		slots = min(slots, max(1, nodes*int64(s.Count)/links))
	case CentralQueue:
		links = 2 * nodes
	}
	return links * slots * int64(s.stride())
}

// wishBytes is the message that asks the central queue for an item, or senders of an incast for a burst.
const wishBytes = 8

const pageBytes = host.PageBytes
