package comm

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Layer is a communication layer on one node: its control program is loaded
// into the interface.
type Layer interface {
	Traits() *Traits
	// Open gives a process of the node, whose memory is space, access to the
	// interface. It fails if the layer serves only one process and has one. It
	// takes no simulated time, because connections are set up before the
	// measured part of a program.
	Open(space *host.Space, tag trace.Tag) (Endpoint, error)
	// Quiet reports whether nothing that the node has sent is in flight: no
	// request waits, no packet waits for an acknowledgement, no credit is due.
	Quiet() bool
	// Counts returns the counters of lost, refused and repeated packets.
	Counts() []Count
	// Traffic returns the counts of sent and rejected packets.
	Traffic() Traffic
	// Silent returns the peers to which the node sends again and again, or has done so until
	// it gave them up. A layer without retransmission has none.
	Silent() []Silence
}

// Silence is a peer that does not answer.
type Silence struct {
	Peer    int
	Again   int  // times in a row that what it has not answered was sent again
	GivenUp bool // nothing is sent again any more
}

// Traffic counts the packets that a layer's interface has sent and rejected.
type Traffic struct {
	Packets  uint64 // packets with requests of programs, without retransmissions
	Acks     uint64
	Nacks    uint64
	Repeated uint64 // sent again
	Damaged  uint64 // rejected by the checksum
}

// Flow is what one queue pair has sent for a program, and what it cost to send packets again.
type Flow struct {
	Tag           trace.Tag
	Peer          int
	Pair          int    // its number on the node
	Way           uint32 // fabric.Packet.Flow of its packets
	Packets       uint64 // as in Traffic
	Bytes         uint64 // their data
	Repeated      uint64 // sent again
	RepeatedBytes uint64 // their data
	Gaps          uint64 // times that the peer asked for a packet that was missing
	NotReady      uint64 // times that the peer had no receive buffer
	Timeouts      uint64
	Again         sim.Duration // from a gap, a refusal or a timeout until all that was sent again was acknowledged
}

// Flows is a Layer that counts by queue pairs.
type Flows interface {
	// Flows returns those that have sent packets, by pair and program.
	Flows() []Flow
}

// Count is one counter of a layer. Loss marks messages that a program never gets.
type Count struct {
	Name string
	N    uint64
	Loss bool
}

// Anyone stands for all senders in Endpoint.Receive.
const Anyone = -1

// Endpoint is one process's access to a layer. Unless stated otherwise, only a
// context of that process may call its methods, and they take simulated time. A
// call with invalid arguments returns an error and takes no time. Invalid are a
// node that does not exist or is the caller's own, memory that is not allocated,
// a length out of range, and a kind that only interfaces send.
type Endpoint interface {
	Traits() *Traits
	// Space is the memory of the process.
	Space() *host.Space
	// Buffer allocates at least one byte of the memory from which the layer
	// sends fastest: pinned memory if the layer uses it. It takes no time.
	Buffer(bytes int) host.Addr

	// Send sends n bytes at from to the process of node to that has the same
	// tag. Messages of one sender arrive in order. Its time is the send
	// overhead. When it returns, the buffer may be written again only if
	// Traits.Synchronous is set. Some layers also handle arrivals meanwhile.
	Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error
	// Post announces a receive of n bytes before the message arrives, for
	// layers with Traits.PostFrom or Traits.Posts. With the latter the next Receive
	// with the same arguments completes it. On other layers it does nothing and takes
	// no time.
	Post(c *host.Context, from int, into host.Addr, n int) error
	// Receive polls for the oldest message of node from, or of Anyone, and
	// stores it in the n bytes at into. With into 0, a layer with
	// Traits.InPlace leaves the message where it is, valid until the next call.
	// A message longer than n is an error; whether it can still be received
	// depends on the layer.
	Receive(c *host.Context, from int, into host.Addr, n int) (Message, error)
	// Poll handles arrived packets without waiting and returns their number.
	Poll(c *host.Context) int
}

// Message is one that has been received.
type Message struct {
	From  int
	Bytes int
	At    host.Addr // its address
}

// Requester is an endpoint of a layer with Traits.Requests. Requests and replies carry four
// words. Handlers run in the context that polls; a request's handler returns
// the words of its reply, which the layer sends.
type Requester interface {
	Endpoint
	// Handle sets the handler of requests that name h. A handler may compute,
	// but must not call the layer.
	Handle(h uint8, f func(c *host.Context, q Call) [4]uint32)
	// Answered sets the handler of replies to requests that named h; nil, the
	// default, does nothing.
	Answered(h uint8, f func(c *host.Context, q Call))
	// Request sends a request. It first handles replies that have arrived, and
	// waits for some while the layer's window is exhausted.
	Request(c *host.Context, to int, h uint8, args [4]uint32) error
	// Store is Request with n bytes from local memory at from. They are in the
	// receiver's memory at address at before its handler runs. The reply
	// confirms that.
	Store(c *host.Context, to int, from, at host.Addr, n int, h uint8, args [4]uint32) error
	// StoreAs is Store whose packets carry meta.
	StoreAs(c *host.Context, to int, from, at host.Addr, n int, h uint8, args [4]uint32, meta trace.Meta) error
	// Get fetches n bytes at address at of the peer's memory to local memory at
	// into, before the reply's handler runs.
	Get(c *host.Context, to int, at, into host.Addr, n int, h uint8, args [4]uint32) error
	// Wait polls until it has handled a packet.
	Wait(c *host.Context)
	// Outstanding returns how many requests have no reply yet. Any caller may
	// use it.
	Outstanding() int
}

// Call is a request or a reply as its handler sees it.
type Call struct {
	From  int
	Args  [4]uint32
	At    host.Addr // of the data of a store or get
	Bytes int       // of it
}

// Remote is access to the memory of a process on another node without that process: its interface
// reads, changes and answers. An endpoint or a port has it if its interface can; see deposit.RemoteOf.
// Each call waits until its result is there. What this process has deposited into the node
// before is in memory when the call takes effect. Address at lies in memory that the peer
// has exported.
type Remote interface {
	// Read fetches n bytes at address at of node to into local memory. Bytes that change
	// meanwhile may be old or new, each by itself.
	Read(c *host.Context, to int, at, into host.Addr, n int) error
	// FetchAdd adds to the eight bytes at address at of node to, a number in little-endian order
	// at a multiple of 8, and returns what was there. Of several calls for one address, by
	// whatever nodes, one takes effect after the other.
	FetchAdd(c *host.Context, to int, at host.Addr, add uint64) (old uint64, err error)
	// CompareSwap stores new there if old is there. It returns what was there, which is old if
	// it has stored.
	CompareSwap(c *host.Context, to int, at host.Addr, old, new uint64) (was uint64, err error)
}

// Gatherer is an endpoint that can send a message from two pieces of memory. It
// receives in place, with into 0.
type Gatherer interface {
	Endpoint
	// Gather is Send of a message with separate head and body. Both may be
	// written again when it returns.
	Gather(c *host.Context, to int, head, body Piece, meta trace.Meta) error
}

// Scatterer is a Gatherer that can receive the parts of a message apart.
type Scatterer interface {
	Gatherer
	// Scatter receives the oldest message of node from, or of Anyone. It stores the
	// first bytes of the message in head. Place gets the sender and the length of
	// the rest, and returns where the rest goes. It takes no time and must not call
	// the layer.
	Scatter(c *host.Context, from int, head Piece, place func(Message) host.Addr) (Message, error)
}

// Piece is a part of a message in memory.
type Piece struct {
	At    host.Addr
	Bytes int
}

// Attended is an endpoint that reports when there is something to handle.
type Attended interface {
	// OnArrival sets a function that runs when something may have arrived. It
	// takes no time and must not call the layer.
	OnArrival(f func())
	// Due returns the time from which a call has something to handle: 0 if
	// something has arrived that Poll or Receive would take, the time of the next
	// retransmission, or sim.Never.
	Due() sim.Time
}

// Sleeper is an endpoint whose process is blocked in the kernel while it waits for messages.
type Sleeper interface {
	Attended
	// Woken spends the time until the process runs again.
	Woken(c *host.Context)
}

// Watched is an endpoint whose interface interrupts its host only when messages have waited
// for a while and nobody has polled (a polling watchdog).
type Watched interface {
	Attended
	// Guard has raise run at the end of the watchdog's time if wanted: messages wait, and no
	// context handles them. The time begins with an arrival, or with a call of look, which
	// a library makes when it stops to poll. Both take no time. Guard returns nil if the
	// watchdog is off.
	Guard(wanted func() bool, raise func()) (look func())
}

// Multicaster is a Gatherer whose interfaces send a message on to all nodes of a program.
// Connect must have named its endpoints.
type Multicaster interface {
	Gatherer
	// Multicast is Gather to all other processes of the program. Its messages of one sender
	// arrive in order; those of Send and Gather may pass them.
	Multicast(c *host.Context, head, body Piece, meta trace.Meta) error
}

// Connector is an endpoint that needs memory for every peer before they can
// exchange messages.
type Connector interface {
	// Connect prepares for messages of up to most bytes between this endpoint
	// and the given ones, one per node, nil for none. It takes no simulated
	// time.
	Connect(peers []Endpoint, most int) error
}

// Connect prepares a program's endpoints, one per node in order, for messages
// of up to most bytes between any two of them.
func Connect(peers []Endpoint, most int) error {
	for _, ep := range peers {
		if c, ok := ep.(Connector); ok {
			if err := c.Connect(peers, most); err != nil {
				return err
			}
		}
	}
	return nil
}
