package grim

import (
	"math"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/comm/tpil"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Node is the layer on one node: the control program and the processes that use it.
type Node struct {
	nic     *ni.NIC
	spec    Spec
	cost    *Firmware
	traits  *comm.Traits
	nodes   int
	plan    tpil.Plan    // how the host injects data
	segment sim.Duration // time that it takes for a segment
	route   host.Route   // of a header

	channels  []*channel // of processes; the last one belongs to the interface, for blocks that are read
	turn      int        // channel that is scanned first
	processes []*process

	messages    []*message
	freeMessage []uint32
	packets     []*incoming
	freePacket  []uint32
	scoreboard  int // cycles to enter a message in it
	sending     int // packets that the S engine has or that wait for it
	outstanding int // messages in the scoreboard
	armed       sim.Time

	heads   map[*fabric.Packet]*incoming // packets of which only the head has been handled; nil: it was only decoded
	cache   cache
	driver  *host.Context // translates pages
	asked   []page        // pages that the driver is to translate
	served  bool          // it has begun
	replies int           // translations that the driver has written
	after   func()        // continues with the translated pages
	ordered []func()      // deliveries that wait for the one with them
	request ni.DMA        // of a translation

	stats Stats
}

// Stats counts what was not simply delivered.
type Stats struct {
	Packets    uint64 // messages sent for the first time
	Acks       uint64
	Nacks      uint64
	Repeated   uint64
	Timeouts   uint64
	GivenUp    uint64 // links whose peer does not answer
	Damaged    uint64
	Flushed    uint64 // packets lost to forward resets
	Duplicates uint64
	OutOfOrder uint64
	NoRoom     uint64 // messages that found no room at their endpoint
	Refused    uint64 // messages for a process or for memory that does not exist
	Malformed  uint64 // answers with fields out of range
	Late       uint64 // cut-through packets whose data the host stored later than the packet had it
	Moved      uint64 // messages moved out of the FIFO to make room
	Hits       uint64 // translations that the interface had
	Misses     uint64
	Interrupts uint64 // of the host, for translations
	Locks      uint64
}

// channel is a logical channel: messages that wait to be sent, and the numbers of those to
// each node.
type channel struct {
	library.Bell // rings when there may be room
	queue        []*message
	used         int // bytes of SRAM
	links        []link
}

// link is a channel's state with one peer, in both directions.
type link struct {
	channel, peer int32

	sent     firmware.Window[*message]
	held     bool     // the peer has no room; due is the next try
	due      sim.Time // of a repetition, or sim.Never
	timeouts int      // since the last answer

	expected uint32 // number of the peer's next message
	done     uint32 // messages below it are at their endpoints
	nacked   bool   // a NACK has been sent for the expected one
}

// message is a fragment in SRAM.
type message struct {
	rec     ni.Record
	dma     ni.DMA // of a block that is read
	header  fabric.Header
	link    *link
	data    []byte
	bytes   int // of SRAM
	posted  ni.Posted
	full    sim.Time // when the host will have stored all of it
	pushing bool     // the host is storing it
	loading bool     // it was sent meanwhile
	begun   bool     // its packet has been announced to the monitor
	flying  int      // packets that the S engine has not finished
	acked   bool

	space   *host.Space // of a block that is read
	from    host.Addr
	request *incoming // that waits for it, so that an engine that is never busy keeps the order
}

// incoming is an accepted packet until its data is at its endpoint.
type incoming struct {
	slot    uint32
	packet  *fabric.Packet // nil if a forward reset has lost it
	header  fabric.Header  // as it was decoded
	link    *link
	number  uint32
	process *process // nil: the message is refused
	entry   *entry   // of an active message

	pieces  []piece // its memory is used again
	pointer ni.DMA
	back    [pointerBytes]byte // that it writes
	lock    ni.DMA
	left    int // DMAs that have not ended
	landed  int // bytes of a block that are in memory

	through  bool // the packet was still arriving when its delivery began
	whole    bool // it has arrived
	bad      bool // it is damaged or lost
	started  bool // its DMAs are in the engine's queue
	pointed  bool // so is that of the pointer
	pointing bool // it has not ended
	finished bool // the message is answered
	locked   bool // so is that of the lock
}

// piece is a DMA of a packet's data: bytes from begin to end.
type piece struct {
	ni.DMA
	begin, end int
}

// process is what a process of the node shares with the interface.
type process struct {
	library.Process
	node     *Node
	id       uint32
	channel  *channel
	active   *Endpoint // nil for a port
	injector *tpil.Injector
	using    bool         // a context injects
	free     library.Bell // rings when none does
	regions  []*region
	reads    map[uint32]*reading
	serial   uint32 // of messages and reads
	unlocks  func(host.Addr)
}

// reading is a block that the process waits for.
type reading struct {
	left int
	host.Watch
}

// Endpoint is a process with active messages and remote memory.
type Endpoint struct {
	process
	library.Handlers
	library.Bell // rings when a message has come, or when one found no room
	fifo         fifo
	fresh        []*entry // in the FIFO, not looked at yet
	arrived      []arrival
	parts        map[part]*arrival // messages of several fragments that are being put together
	buffers      map[int]*library.Buffers
	holding      arrival // message that the process reads in place
	full         bool    // a message has found no room
	context      *host.Context

	asked             uint32          // requests so far
	open              map[uint32]call // requests without reply, by number
	requests, replies calls           // not handled yet
	words             host.Addr       // where the library makes them
}

// part names a message of which fragments are coming.
type part struct {
	from   int
	serial uint32
}

// arrival is a message that can be received.
type arrival struct {
	at          host.Addr
	from, bytes int
	entry       *entry // in the FIFO, else in a buffer
	joined      int    // bytes put together so far
	seen        bool   // by Poll
}

// entry is a place in the FIFO.
type entry struct {
	at       host.Addr
	from     int
	bytes    int
	total    int // of the message
	offset   int // in it
	serial   uint32
	call     bool  // a request or a reply
	end      int64 // in the FIFO, counted on
	released bool
}

// page is a page of a process's memory.
type page struct {
	process uint32
	number  uint64
}

// cache is the translation cache in SRAM: direct mapped.
type cache struct{ entries []page }

// Operations of packets.
const (
	opActive uint8 = iota
	opPhysical
	opVirtual
	opRead    // a request for a block
	opBlock   // the block
	opMissing // of a NACK: a number is missing
	opNoRoom  // of a NACK
)

// Flags of a packet.
const (
	flagLast   = ni.FirstProgramFlag << iota // last fragment of its message
	flagNotify                               // tell the host of the deposit
	flagLock                                 // word wordLock is the address of a lock
	flagCall                                 // an active message that is a request or a reply
)

// Words of a header.
const (
	wordAt   = iota // address, or offset in a region
	wordSize        // bytes of the message; offset of the fragment
	wordTo          // process; region + 1
	wordLock        // address of a lock; of a read: of that behind the block, or 0
	wordFrom        // serial number of the message or of the read; process that reads
	wordInto        // of a read: where the block goes
)

// ownProgram stands for the process of the sender's program in wordTo.
const ownProgram = math.MaxUint32

func join(low, high uint32) uint64 { return uint64(low) | uint64(high)<<32 }

func split(w uint64) (low, high uint32) { return uint32(w), uint32(w >> 32) }

// region is exported memory of a process.
type region struct {
	owner   *process
	id      uint32
	at      host.Addr
	bytes   int
	place   func(offset, n int) []byte
	written func(deposit.Arrival)
	notify  func(deposit.Arrival)
}

// request holds the fields that all fragments of a send share.
type request struct {
	op    uint8
	to    int
	meta  trace.Meta
	flags uint8 // of the last fragment
	at    host.Addr
	to64  uint64 // wordTo
	lock  host.Addr
	into  host.Addr // of a read
	total int
}
