package patterns

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Pattern is a program on all nodes.
type Pattern struct {
	spec    Spec
	slots   int // of the spec
	stride  int // of the spec
	engine  *sim.Engine
	members []*member
	choice  choice
	items   queue  // of node 0, for CentralQueue
	scratch []byte // the right bytes of an item
	begun   sim.Time
	ended   sim.Time
	running int
	done    func()

	messages uint64 // compared
	credits  uint64
	faults   uint64
	fault    error // the first one
}

// member is one node's end of the pattern: its inbox, its buffers, and its state for each other
// node.
type member struct {
	p       *Pattern
	id      int
	space   *host.Space
	port    deposit.Port
	inbox   host.Addr // a ring for each sender
	rooms   host.Addr // a word from each receiver: messages that it has read
	outs    host.Addr // buffers to send from, used in turn
	next    int
	box     deposit.Export
	credits deposit.Export
	peers   []*[block]peer    // by node, see peer
	others  []*[block]imports // the same
	ready   ring.Ring[int32]  // senders of messages that have come and are not read, in order
	parts   map[int]int       // bytes that have come of messages of several packets, by place in the inbox
	wake    host.Watch
	ctx     *host.Context
	pauses  sim.Stream

	read uint32  // messages read
	got  message // the last one
}

// block is how many peers are allocated together, when one of them is first used: patterns walk the
// nodes in their order, and memory with them.
const block = 16

// imports are a member's imports of another node's memory.
type imports struct {
	to   deposit.Import
	back deposit.Import // its credit word for this node
}

// peer is a member's state for another node. Invariant: credited <= read <= come.
type peer struct {
	sent uint32 // messages sent to it
	room uint32 // messages that it has read, by its latest credit

	come     uint32 // messages from it that have arrived in order
	early    uint32 // bit mask of later slots that have arrived out of order
	read     uint32 // messages from it that have been read
	credited uint32 // messages in the latest credit to it
}

// item is an entry of the central queue. Its first two words name it.
type item []byte

// queue is the central one: items and nodes that wait for one.
type queue struct {
	items []item
	free  []item
	taken [][]bool // by producer and number, for the check
}
