package nx

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// System is the processes of one program, one on each node.
type System struct {
	spec       Spec
	processes  []*Process
	running    int // programs that have not returned
	started    bool
	begun      sim.Time
	ended      sim.Time
	reaching   map[trace.Span]int // by broadcast: receivers that have not taken it
	instrument func(node int, c *host.Context) trace.Instrument
	err        error
	done       func()
}

// Process is the library in one process of a program. Only the program itself
// may call its methods.
type Process struct {
	sys     *System
	me      int
	host    *host.Host
	space   *host.Space
	port    deposit.Port
	context *host.Context
	shares  host.Shares    // set when the program returns
	peers   []*peer        // by node; nil until one of the two first needs the other
	rings   host.Addr      // what peers deposit into
	queued  int            // entries in the queues of all peers
	watch   host.Watch     // fires when something has arrived or may be sent
	arrived ring.Ring[int] // peers with arrivals, in order
	heap    heap
	scratch host.Addr // memory of an entry that is being sent

	redirector  deposit.Redirector  // the port, if its interface supports that
	multicaster deposit.Multicaster // likewise

	posted     []*posted      // receives without a message, in order
	unexpected []*message     // messages without a receive, in order
	landings   []*landing     // long messages whose data is arriving
	requests   []*request     // by number
	spare      []int          // free numbers
	forwards   []*request     // broadcasts by tree that are being forwarded
	origins    []origin       // by node: order of its messages
	trees      uint32         // broadcasts by tree that this process has sent
	marks      uint32         // marks that this process has sent
	direct     bool           // another message has been sent since the last broadcast by tree
	long       uint32         // number of the last long message
	owing      ring.Ring[int] // peers owed a credit
	last       messageInfo
	instrument trace.Instrument
	numbers    trace.Numbers // of broadcasts
	stats      Stats
}

// heap allocates the exported memory of a process.
type heap struct {
	base, next, end host.Addr
	export          deposit.Export
	free            [48][]host.Addr // free system memory, by the logarithm of its pages
	used            int64
}

// peer is both directions between this process and another one.
type peer struct {
	p    *Process
	node int

	// Sending to the peer. Counts are cumulative.
	ring        deposit.Import
	credit      deposit.Import
	heap        deposit.Import
	toSlots     []deposit.Import
	entriesSent uint32
	entriesRead uint32 // by the latest credit
	slotsSent   uint32
	slotsFree   uint32
	control     ring.Ring[*send] // entries sent before all others
	queue       ring.Ring[*send] // messages that wait for room, in order; see push and pop
	asked       []*send          // long messages that wait for an address

	// Receiving from the peer.
	inbox           host.Addr
	creditWord      host.Addr
	ringFor         deposit.Export // of the inbox
	creditFor       deposit.Export
	present         []uint16 // bytes of the entry at each place, 0: none
	next            uint32   // entries read
	creditedEntries uint32
	slots           []slot
	announced       uint32 // slots whose envelope has been read
	freed           uint32 // slots that may be used again
	creditedSlots   uint32
	held            bool // the next entry waits for its data
	creditDue       bool // a credit is scheduled: the peer is in Process.owing
}

// slot holds one message of a peer.
type slot struct {
	q        *peer
	export   deposit.Export
	memory   host.Addr
	pieces   []piece
	received int     // bytes of them
	guess    *posted // receive that deposits are redirected to, or nil
	users    int     // uses of the message here: its receive, its forwarding
	free     bool    // announced and no longer used
}

// piece is a packet's part of a message.
type piece struct {
	offset, bytes int // within the slot
	moved         bool
}

// message has been announced to this process and not yet received. Its data is
// in body, in slot at offset, in system memory, or still at the sender of a
// long message.
type message struct {
	node   int // original sender
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

	asked   bool   // a long message that waits for an address
	coming  bool   // it has an address, and its data has not all arrived
	number  uint32 // of a long message
	from    int    // node that sent it here
	recv    *posted
	dropped bool // to be discarded
}

// posted is a receive that waits for its message.
type posted struct {
	typ, from int // or Any
	buf       host.Addr
	max       int
	system    bool
	slot      *slot // slot redirected to it, or nil
	done      bool
	info      messageInfo
	err       error
}

// landing is the memory granted to a long message whose data is arriving.
type landing struct {
	from     int
	number   uint32
	at       host.Addr
	bytes    int
	received int
	m        *message
	recv     *posted // whose buffer it is, or nil
}

// send is a message or other entry queued for one peer, or with multi for all
// of them.
type send struct {
	req       *request // nil for the library's own entries
	op        op
	flags     uint8
	origin    int
	typ       int
	buf       host.Addr
	bytes     int
	body      []byte // data of a short message, copied when the program sent it
	after     uint32
	number    uint32 // of a long message
	span      trace.Span
	broadcast bool
	multi     bool
}

// request is a send or receive in progress, with a number.
type request struct {
	number int
	used   bool
	left   int                // receivers that it has not been posted for
	done   deposit.Completion // fetches of the buffer that are not complete
	recv   *posted
	span   trace.Span // of a broadcast
	onward bool       // the library's own: it forwards a broadcast by tree
	slot   *slot      // slot of that broadcast
	poll   bool       // completion is read from the interface
}

// origin holds the order of one node's messages when its broadcasts go by tree.
type origin struct {
	trees  uint32 // broadcasts delivered
	marks  uint32 // marks processed
	direct []*message
	tree   []*message
}

// messageInfo describes a message.
type messageInfo struct {
	Type  int
	Count int // bytes
	Node  int // sender
}

// Stats counts the work of a process's library.
type Stats struct {
	Short      uint64 // messages sent in an entry, one per receiver
	Eager      uint64 // sent into a slot
	Long       uint64 // sent to a granted address
	Multicasts uint64 // requests that the interface has multicast
	Forwarded  uint64 // broadcasts by tree forwarded, one per child
	Credits    uint64 // credits returned to a sender
	InPlace    uint64 // messages of a slot that a redirection put into their buffer
	Copied     uint64 // messages of a slot that were copied into their buffer
	Drained    uint64 // messages of a slot copied to system memory to make room
	Unexpected uint64 // messages that arrived before their receive
	SystemPeak int64  // largest use of system memory, in bytes
}
