package vmmc

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/bitset"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Node is VMMC-2's control program on one interface.
type Node struct {
	// What every packet uses comes first and is close together: with many nodes each cache line
	// is a miss.
	nic     *ni.NIC
	active  int32      // messages taken up and not yet injected
	most    int32      // of them
	slots   int32      // queue entries that are taken
	held    int32      // SRAM send buffers that packets hold
	order   []*message // messages taken up whose packets are not all with the S engine
	stalled []*message // messages that wait for a buffer or the peer's window

	throttle throttle
	cost     *Cycles
	spec     *Spec
	links    []*[linkBlock]link // by peer, see link
	outs     []*outgoing        // packets from their DMA to their acknowledgement
	outFree  []uint32
	queue    ring.Ring[*message] // requests of the queue, in order
	msgFree  []*message
	wire     bitset.Set // slots of packets handed to the S engine and not yet injected
	live     []int32    // peers with unacknowledged packets, checked by the timer
	acksDue  []ackDue   // when the S engine is free
	shared   bitset.Set // slots of packets that share a buffer with copies
	timing   bool

	stats    Stats
	exports  []*Export
	inbound  []*incoming
	inFree   []uint32
	deposits tlb
	early    []early

	room      host.Watch // the library waits here for a free entry
	fetches   tlb
	idle      []*ni.DMA  // that fetched packets
	slotted   []*message // messages taken up and not injected, for the log
	processes []*Endpoint
	nodes     int
}

// Endpoint is a user process's access to VMMC-2 on its node.
type Endpoint struct {
	node  *Node
	space *host.Space
	id    uint32
	tag   trace.Tag

	imports []Import // not in use
}

// importBlock is how many imports are allocated at a time.
const importBlock = 16

// message is a send request, in the queue and then in progress. It has two cache lines.
type message struct {
	peer   int32
	handle uint32 // of the import
	bytes  int32  // in all
	sent   int32  // handed to packets
	offset int    // within the export
	meta   trace.Meta
	posted ni.Posted
	more   *more           // what few messages have, or nil
	skew   uint16          // of the export from a page border
	slots  uint16          // entries of the request queue that it takes
	left   uint16          // last packets that have not been injected
	notify bool            // when the last byte has arrived
	body   [inlineMax]byte // the data if it is inline, else where it is, see source
}

// more is what few messages have.
type more struct {
	whole   *whole      // if all of it is in SRAM before the second receiver's turn
	frame   []byte      // the data, if it is not read from memory
	copies  []target    // additional receivers of the data
	fetched []*outgoing // packets in SRAM that are not with the S engine; of a whole multicast, what is left of their receivers
	done    *Completion // reported to when the data has been fetched, or nil
}

// outgoing is a packet from its DMA to its acknowledgement, with its own SRAM
// send buffer or a shared one. What the end of its insertion needs is in the cache lines of the
// record.
type outgoing struct {
	ni.Record
	msg       *message // until injected
	after     uint32   // slot of the next unacknowledged packet to the same peer, if there is one
	seq       uint32
	handle    uint32
	flags     uint8
	last      bool // of its message
	again     bool // has been sent before
	slot      uint32
	users     uint16 // users of its buffer, if there are copies: itself and the copies
	sentAt    sim.Time
	offset    int
	lender    *outgoing       // whose buffer it uses, or nil
	next      *outgoing       // copy of the same packet for another receiver, until handed to the S engine
	buffer    []byte          // its own for more bytes than the small one has, kept from packet to packet
	described content.Part    // of more bytes than the small one has, in place of them
	small     [inlineMax]byte // its own
}

// incoming is a packet between its acceptance and the end of its deposit.
type incoming struct {
	dma    ni.DMA // with the packet
	export *Export
	slot   uint32
	moved  bool // by a redirection
}

// Export is a region of a process's memory that other nodes may deposit into.
type Export struct {
	node     *Node
	id       uint32
	space    *host.Space
	spaceID  uint32
	addr     host.Addr
	bytes    int
	redirect host.Addr // target of deposits between lo and hi
	lo, hi   int
	place    func(offset, n int) []byte // of an export of frames
	written  func(Deposit)
	notify   func(Deposit)
}

// Import is a handle on an export of another node: the right to send into it.
type Import struct {
	owner *Endpoint
	bytes int
	peer  int32
	id    uint32
	skew  uint16 // of the export from a page border
}

// target is an additional receiver of a message in a request.
type target struct {
	peer   int32
	handle uint32
	offset int
}

// whole is a multicast whose packets are all in SRAM before the second
// receiver's turn.
type whole struct {
	tail    []byte
	tails   []target // where it goes, by receiver
	meta    trace.Meta
	packets int       // with the tail
	ends    *outgoing // the same of the tail
	turn    int       // receiver
	next    int       // its next packet
	queued  int       // packets handed to the S engine and not injected
	left    int       // packets of all receivers that have not been injected
}

// Target is the destination of a send.
type Target = deposit.Target

// Tail is a short message that follows the data of a multicast to each of its
// receivers, as part of the same request: at most Spec.InlineBytes.
type Tail = deposit.Tail

// Completion counts the sends whose data the interface has not fetched. A host
// reads it from a word in the interface's memory.
type Completion = deposit.Completion

// link is the data-link protocol's state for one peer, both directions. It is
// go-back-N: the receiver takes packets in sequence only, acknowledges
// cumulatively, and asks once for the first packet of a gap.
type link struct {
	// Sender. Unacknowledged packets are consecutive, up to next, and linked from the oldest
	// on. An entry is small: a node has one for every other node.
	first       uint32 // slot of the oldest unacknowledged packet, if there is one
	last        uint32 // slot of the latest
	unacked     uint16 // how many there are
	claimed     uint16 // send buffers held and not yet given a sequence number
	ackedBehind uint16 // behind the oldest, which is being repeated: packets that are acknowledged and not yet freed
	live        uint16 // position in Node.live, while there are unacknowledged ones
	next        uint32 // sequence number of the next packet
	silent      uint8  // timeouts since the last acknowledgement
	dead        bool   // given up
	asked       bool   // a gap has been reported
	ackDue      bool   // an acknowledgement waits for the S engine

	// Receiver.
	expected uint32 // first sequence number that has not been accepted
	done     uint32 // first sequence number that has not been deposited
}

// Stats counts events of the control program.
type Stats struct {
	Messages      uint64
	Packets       uint64 // data packets injected, retransmissions not counted
	Delivered     uint64 // data packets deposited
	Acks          uint64 // acknowledgements sent
	Nacks         uint64 // negative acknowledgements sent
	Retransmitted uint64
	Timeouts      uint64
	GivenUp       uint64 // links whose peer stopped answering
	Corrupt       uint64 // packets that CRC-8 rejected
	Malformed     uint64 // packets that CRC-8 accepted with fields out of range
	OutOfOrder    uint64 // packets after a gap
	Duplicates    uint64 // packets received before
	Protection    uint64 // packets for a region that is not exported
	TranslateHits uint64
	TranslateMiss uint64
	WindowStalls  uint64 // messages that waited for a buffer or the window
	Rerouted      uint64 // links whose old route was dead
	Copies        uint64 // packets sent from the shared buffer of another one
	Notifications uint64
}

// Deposit describes an arrived packet of a message.
type Deposit = deposit.Arrival

// linkBlock is how many links are allocated at a time, because one node of a
// thousand rarely communicates with all others.
const linkBlock = 16

// ackDue is an acknowledgement that waits for the S engine.
type ackDue struct {
	peer  int32
	actor waits.ID
}

// early is a packet deposited before an earlier one of its sender, which
// happens only if host DMAs are uncontended.
type early struct {
	peer int32
	seq  uint32
}
