package nx

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// System is the processes of one program, one on each node.
type System struct {
	spec      Spec
	processes []*Process
	running   int // programs that have not returned
	started   bool
	begun     sim.Time
	ended     sim.Time
	reaching  map[trace.Span]int // by broadcast: receivers that have not taken it
	tell      func(node int, c *host.Context) trace.Instrument
	err       error
	done      func()
}

// Process is the library in one process of a program. Its methods may be
// called only by the program itself.
type Process struct {
	sys     *System
	me      int
	host    *host.Host
	space   *host.Space
	port    deposit.Port
	context *host.Context
	shares  host.Shares // when the program has returned
	peers   []peer
	others  []*peer        // in the order of nodes after this one
	watch   host.Watch     // fires whenever something has come or may be sent
	arrived ring.Ring[int] // peers from which something has come, in order
	heap    heap
	scratch host.Addr // of an entry that is being sent

	redirector  deposit.Redirector  // the port, if its interface can do that
	multicaster deposit.Multicaster // likewise

	posted     []*posted      // receives that wait, in order
	unexpected []*message     // messages that nobody has asked for, in order
	landings   []*landing     // long messages whose data is coming
	requests   []*request     // by number
	spare      []int          // numbers that are free
	forwards   []*request     // messages of a tree that are being sent on
	origins    []origin       // order of messages by tree and others
	trees      uint32         // broadcasts by tree that this process has begun
	marks      uint32         // of them, those that marks have gone before
	direct     bool           // something else has been sent since the last one
	long       uint32         // number of the last long message
	owing      ring.Ring[int] // peers to be told of room
	last       Info
	tell       trace.Instrument
	numbers    trace.Numbers // of broadcasts
	stats      Stats
}

// heap gives out the memory of a process that others may send to.
type heap struct {
	base, next, end host.Addr
	free            [48][]host.Addr // system memory, by the logarithm of its pages
	used            int64
}

// peer is both directions between this process and another one.
type peer struct {
	p    *Process
	node int

	// Sending to it. Counts are of all time.
	ring        deposit.Import
	credit      deposit.Import
	heap        deposit.Import
	toSlots     []deposit.Import
	entriesSent uint32
	entriesRead uint32 // as far as this process has been told
	slotsSent   uint32
	slotsFree   uint32
	control     ring.Ring[*send] // entries that go before all others
	queue       ring.Ring[*send] // messages that wait for room, in order
	asked       []*send          // long messages that wait for an address

	// Receiving from it.
	inbox       host.Addr
	creditWord  host.Addr
	present     []int  // bytes of the entry that lies at each place, 0: none
	next        uint32 // entries read
	toldEntries uint32
	slots       []slot
	announced   uint32 // slots whose envelope has been read
	freed       uint32 // of them, those that may be used again
	toldSlots   uint32
	held        bool // the next entry waits for the data that belongs to it
	owed        bool // it is among Process.owing
}

// slot is room for one message of a peer.
type slot struct {
	q      *peer
	export deposit.Export
	memory host.Addr
	pieces []piece
	got    int     // bytes of them
	guess  *posted // receive that deposits are redirected to, or nil
	users  int     // the message that lies here, and its being sent on
	free   bool    // announced, and done with
}

// piece is a packet's part of a message.
type piece struct {
	offset, bytes int // within the slot
	moved         bool
}

// message is one that has been announced to this process and has not been
// received. It lies in body, in slot at offset, or in system memory; or it
// has been asked about only.
type message struct {
	node   int // that called send
	typ    int
	bytes  int
	system bool
	tree   bool
	mark   bool
	after  uint32
	span   trace.Span // of a broadcast

	body   []byte
	slot   *slot
	offset int
	memory host.Addr

	asked   bool   // it is long and waits for an address
	coming  bool   // it has one, and its data has not all come
	number  uint32 // of a long message
	from    int    // node that sends the data
	recv    *posted
	dropped bool // nobody wants it
}

// posted is a receive that waits for its message.
type posted struct {
	typ, from int // or Any
	buf       host.Addr
	max       int
	system    bool
	slot      *slot // redirected to it, as a guess
	done      bool
	info      Info
	err       error
}

// landing is room for a long message whose data is coming.
type landing struct {
	from   int
	number uint32
	at     host.Addr
	bytes  int
	got    int
	m      *message
	recv   *posted // whose buffer it is, or nil
}

// send is a message, or another entry, on its way to one peer; with multi, to
// all of them.
type send struct {
	req       *request // nil for entries of the library's own
	op        op
	flags     uint8
	origin    int
	typ       int
	buf       host.Addr
	bytes     int
	body      []byte // of a short message, as it was when the program sent it
	after     uint32
	number    uint32 // of a long message
	span      trace.Span
	broadcast bool
	multi     bool
}

// request is a message being sent or received, by its number.
type request struct {
	number int
	used   bool
	left   int                // receivers that it has not been handed to the interface for
	done   deposit.Completion // buffers that the interface has still to fetch
	recv   *posted
	span   trace.Span // of a broadcast
	onward bool       // the library's own: a message of a tree
	slot   *slot      // in which that lies
	poll   bool       // its end is learnt from the interface
}

// origin orders the messages of one node when its broadcasts come by tree.
type origin struct {
	trees  uint32 // broadcasts delivered
	marks  uint32 // marks that have had their turn
	direct []*message
	tree   []*message
}

// Info describes a message.
type Info struct {
	Type  int
	Count int // bytes
	Node  int // that sent it
}

// Stats counts what a process's library did.
type Stats struct {
	Short      uint64 // messages sent in an entry, to each receiver
	Eager      uint64 // sent into a slot
	Long       uint64 // sent to an address that was asked for
	Multicasts uint64 // requests that the interface has multiplied
	Forwarded  uint64 // messages of a tree sent on
	Credits    uint64 // words that told a sender of room
	InPlace    uint64 // messages of a slot that a redirection had laid into their buffer
	Copied     uint64 // messages of a slot that were copied into their buffer
	Drained    uint64 // messages of a slot copied to system memory to make room
	Unexpected uint64 // messages that came before their receive
	SystemPeak int64  // most bytes of system memory in use
}
