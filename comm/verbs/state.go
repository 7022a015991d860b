package verbs

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/comm/verbs/dcqcn"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Node is the layer on one node: the card's program, and what the library shares with it.
type Node struct {
	ni.Bare
	nic    *ni.NIC
	spec   Spec
	traits *comm.Traits
	nodes  int

	pairs     []*Pair // by number
	processes []*Process
	regions   []*Region        // by number
	doorbells ring.Ring[*Pair] // whose doorbells are on their way

	senders   []*sender
	receivers []*receiver
	outs      []*outgoing // by slot
	outFree   []uint32
	ins       []*incoming
	inFree    []uint32
	errands   library.Spares[errand]
	works     []*work // that have completed
	contexts  cache
	pages     cache
	reading   int                            // items that the caches lack, from host memory
	lacking   ring.Ring[errand]              // others, which wait for that
	atomics   map[word]*ring.Ring[*incoming] // operations on a word that wait for the one in progress, which is first
	stats     Stats
}

// Stats counts packets and events of a node.
type Stats struct {
	Packets                 uint64 // of messages, not sent again
	Repeated                uint64
	Acks, Naks              uint64 // sent
	Marked                  uint64 // packets that came marked
	Notices                 uint64 // of that, sent
	NotReady                uint64 // messages for which there was no receive buffer
	Damaged                 uint64
	Duplicates              uint64
	OutOfOrder              uint64
	Refused                 uint64 // packets to memory or a queue pair that there is not
	Lost                    uint64 // datagrams for which there was no receive buffer
	Timeouts                uint64
	Failed                  uint64 // queue pairs
	Flushed                 uint64 // entries of queue pairs that have failed
	Doorbells               uint64 // of entries that the card has fetched
	BlueFlames              uint64 // entries that the CPU has stored into the card
	ContextHit, ContextMiss uint64 // of a packet's pair
	PageHit, PageMiss       uint64 // of the address of its data
}

// Process is a process that uses the layer.
type Process struct {
	library.Process
	library.Bell // rings at a completion and when a message arrives
	node         *Node
	number       int
	regions      []*Region
	peers        []*Pair            // by node: the one of deposits and messages
	recent       ring.Ring[recent]  // deposits, the oldest first
	pages        map[uint64]*cached // by number
	completions  ring.Ring[Completion]
	pool         *library.Pool // of receive buffers, once there are messages
}

// Completion is the end of an operation as the completion queue tells it.
type Completion struct {
	Pair *Pair
	ID   uint64
	Err  error
}

// Region is memory that peers may write, read and change.
type Region struct {
	process *Process
	number  uint32
	at      host.Addr
	bytes   int
	notify  func(deposit.Arrival) // of a write with notice
	written func(deposit.Arrival)
	place   func(offset, n int) []byte
}

// Pair is a queue pair: one end of a reliable connection, or one of datagrams. What is used together lies together: a
// large cluster has more pairs than a cache of the simulating processor holds.
type Pair struct {
	process *Process
	node    *Node
	peer    int32  // the other end's node; anyone: it is for datagrams
	other   uint32 // and number
	number  uint32
	unit    int // that serves it
	context cached
	err     error // why it has failed

	// The send queue has entries done to posted. Invariant: done <= next <= present <= announced <=
	// posted. Packet numbers wrap: their order is the sign of their difference.
	works              ring.Ring[*work]
	announced, present uint64            // whose doorbells the card has taken; whose contents it has
	next, done         uint64            // the entry that is cut into packets; the oldest that is not complete
	order              ring.Ring[uint32] // slots of packets between their fetch and the end of their injection, in order
	out                int               // these
	reads              int               // reads and atomics under way
	psn, acked         uint32            // number of the next packet; of the first that is not acknowledged
	top, whole         uint32            // behind all that was ever sent; and that when the pair went back
	fetching           bool
	ready              bool // in its unit's list, or its state is being read
	armed              bool
	deadline           sim.Time
	resume, turn       sim.Time     // not before: the receiver had no buffer, or at its rate
	tries, notReady    int          // in a row
	back               bool         // not all packets below whole have been acknowledged
	since              sim.Time     // they have to be sent again
	backFor            *comm.Flow   // of the entry that was the oldest then
	flows              []*comm.Flow // by program, and by peer if it is for datagrams

	// The responder.
	held     ring.Ring[*incoming] // packets that wait for the state of the pair or for an address, in order
	expected uint32
	request  uint32 // number of the request that has come last
	reply    uint32 // and, of the requester, of the packet of an answer
	nacked   bool   // the requester knows of the gap
	into     int    // receive buffer of the message that is arriving, or -1
	filled   int    // bytes of it
	replies  ring.Ring[reply]
	results  ring.Ring[result] // of the last atomics

	selective  *selective  // once something was missing, with selective repeat
	congestion *congestion // with DCQCN

	// The library's side.
	end           *Pair      // the other end
	successor     *Pair      // after a reset
	posted, freed uint64     // entries ever posted, and those whose place is free again
	room          host.Watch // fires when one is
}

// congestion is the DCQCN state of a pair: its sending rate, and the marks it has received.
type congestion struct {
	pace  dcqcn.Sender
	marks dcqcn.Receiver // of marks
}

// result is what an atomic operation has found.
type result struct {
	psn uint32
	old uint64
}

// anyone is the peer of a pair for datagrams, which has no fixed one.
const anyone = -1

// Address is where datagrams may be sent: a queue pair of a node.
type Address struct {
	node int32
	pair uint32
}

// sender is a transmit unit: it serves the pairs that have something to send in turn, a packet each.
type sender struct {
	unit  *ni.Unit
	ready ring.Ring[*Pair]
	come  ring.Ring[*Pair] // whose state has been read: they go first
	pair  *Pair            // that it serves
	last  waits.ID         // the packet that it has served last, in a log
}

// receiver is a receive unit: it takes the packets of its pairs in the order of their arrival, but that those of a pair whose
// state is being read come later.
type receiver struct {
	free sim.Time // when it has taken those before
	last waits.ID // the packet that it has taken last, in a log
}

// op is the type of a packet, and of an entry of a send queue.
type op uint8

const (
	opWrite op = iota
	opSend
	opRead
	opFetchAdd
	opCompareSwap
	opReadReply
	opAtomicReply
	opAck
	opNak       // a packet is missing: all from it on are wanted
	opNotReady  // the same, after a while
	opRefused   // the memory is not there
	opCongested // packets of the pair come marked
	opMissing   // a packet is missing, and another one behind it has come
	opDatagram
	numOps
)

// replied reports whether the answer to an operation is its data.
func (o op) replied() bool { return o == opRead || o == opFetchAdd || o == opCompareSwap }

// address returns the bytes of the address in an entry.
func (o op) address() int {
	if o == opDatagram {
		return addressBytes
	}
	return 0
}

// addressBytes is how much longer the entry of a datagram is than that of a message (Kalia et al., 2016: 68 B and not 36).
const addressBytes = 32

// work is an entry of a send queue (a work queue element).
type work struct {
	op      op
	to      Address
	notify  bool // the receiver's process is told
	wanted  bool // the sender's process gets a completion
	signal  bool // the card tells the sender's host
	posted  ni.Posted
	at      host.Addr
	frame   []byte // in place of the memory at the address
	inline  []byte // data in the entry
	inEntry bool   // they are
	number  uint64 // of the entries of its pair, from 1
	blue    bool   // the CPU has stored the entry into the card
	bytes   int
	region  uint32
	offset  int
	operand [2]uint64 // compare and swap, or add
	meta    trace.Meta
	id      uint64
	result  *uint64
	done    *deposit.Completion

	numbered       bool   // it has packet numbers
	first, packets uint32 // these; those of a read are its replies'
	sent           uint32 // packets cut, of a read 0 or 1
	received       uint32 // replies that have come
	repeat         bool   // one of them is missing, and all are asked for again
	landed         bool   // all of them, in memory
}

// reply is a packet that answers an operation on this node's memory.
type reply struct {
	op     op
	psn    uint32
	left   int // bytes
	region *Region
	offset int
	value  uint64
	first  bool
	meta   trace.Meta
	posted ni.Posted
}

// word is eight bytes of a region.
type word struct {
	region uint32
	offset uint64
}

// outgoing is a packet until the end of its injection.
type outgoing struct {
	ni.Record
	dma       ni.DMA
	node      *Node
	pair      *Pair
	header    fabric.Header
	space     *host.Space
	at        host.Addr
	frame     []byte
	data      []byte
	described content.Part // in place of data
	wire      int
	loaded    bool
	dead      bool // it is not to be sent: those before it are sent again
}

// incoming is a packet until its data is in memory and the host has been told.
type incoming struct {
	dma    ni.DMA
	node   *Node
	slot   uint32
	packet *fabric.Packet
	pair   *Pair
	region *Region // of a write
	space  *host.Space
	at     host.Addr
	work   *work // that a reply answers
	final  bool  // the last of its packets
	value  uint64
	stage  stage
}

// stage says which DMA of an incoming packet is in progress.
type stage uint8

const (
	toMemory stage = iota
	aside          // of a packet behind a gap
	atomicRead
	atomicWrite
)

// errand is a DMA of the card other than of packets' data: entries, states, completions.
type errand struct {
	dma           ni.DMA
	node          *Node
	kind          errandKind
	pair          *Pair
	count         uint64 // entries, or the place up to which the send queue is free
	work          *work
	err           error
	from          int
	buffer, bytes int
	arrival       deposit.Arrival
	region        *Region
	early         []landing
}

type errandKind uint8

const (
	fetchEntries   errandKind = iota
	fetchToSend               // what the caches lack for a pair's next packet
	fetchToReceive            // for its oldest held packet
	tellSender
	tellReceiver // of a message
	tellWritten  // of a write with notice
	showEarly    // what came behind a gap
)
