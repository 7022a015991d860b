package comm

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Layer is a communication layer on one node: its control program is loaded
// into the interface.
type Layer interface {
	Traits() *Traits
	// Open gives a process of the node, whose memory is space, access to the
	// interface. It fails when the layer serves one process only and has one.
	// Opening takes no simulated time: connections are set up before the
	// measured part of a program.
	Open(space *host.Space, tag trace.Tag) (Endpoint, error)
	// Quiet reports whether nothing that the node has sent is on its way: no
	// request waits, nothing waits for an acknowledgement, no credit is due.
	Quiet() bool
	// Counts returns what the layer has lost, refused and repeated.
	Counts() []Count
	// Traffic returns what the interface has sent and refused.
	Traffic() Traffic
}

// Traffic is what a layer's interface has sent and refused so far, packets.
type Traffic struct {
	Packets  uint64 // with requests of programs, each counted once
	Acks     uint64
	Nacks    uint64
	Repeated uint64 // sent again
	Damaged  uint64 // that the checksum has rejected
}

// Count is one counter of a layer. Loss marks messages that a program never gets.
type Count struct {
	Name string
	N    uint64
	Loss bool
}

// Anyone stands for all senders in Endpoint.Receive.
const Anyone = -1

// Endpoint is one process's access to a layer. Except where said its methods
// may be called only by a context of that process, and take simulated time.
// A call with arguments that are not allowed returns an error and takes no time:
// a node that does not exist or is the caller's own, memory that is not all
// allocated, a length out of range, a kind that only interfaces send.
type Endpoint interface {
	Traits() *Traits
	// Space is the memory of the process.
	Space() *host.Space
	// Buffer allocates at least one byte of the memory that the layer sends from
	// fastest: pinned memory where the layer has some. It takes no time.
	Buffer(bytes int) host.Addr

	// Send sends n bytes at from to the process of node to that has the same
	// tag. Messages of one sender arrive in order. The time inside is the send
	// overhead; when it returns the buffer may be written again only if
	// Traits.Synchronous. Some layers also handle arrivals meanwhile.
	Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error
	// Post announces a receive of n bytes before the message arrives, where
	// Traits.PostFrom asks for it; elsewhere it does nothing and costs nothing.
	Post(c *host.Context, from int, into host.Addr, n int) error
	// Receive waits by polling for the oldest message of node from, or of
	// Anyone, and puts it at into, where n bytes have room. With into 0 a layer
	// that hands over in place leaves the message where it is, valid until the
	// next call. A message longer than n is an error; the layer decides whether
	// it can still be received.
	Receive(c *host.Context, from int, into host.Addr, n int) (Message, error)
	// Poll handles what has arrived without waiting and returns how many
	// packets that were.
	Poll(c *host.Context) int
}

// Message is one that has been received.
type Message struct {
	From  int
	Bytes int
	At    host.Addr // where it lies
}

// Requester is an endpoint of the RPC model. Requests and replies carry four
// words. Handlers run in the context that polls; a request's handler returns
// the words of its reply, which the layer sends.
type Requester interface {
	Endpoint
	// Handle sets what runs for requests that name h. A handler may compute,
	// and may call nothing of the layer.
	Handle(h uint8, f func(c *host.Context, q Call) [4]uint32)
	// Answered sets what runs for the replies to requests that named h; nil,
	// the default, is nothing.
	Answered(h uint8, f func(c *host.Context, q Call))
	// Request sends a request. It first handles replies that have arrived, and
	// waits for some while the layer's window is exhausted.
	Request(c *host.Context, to int, h uint8, args [4]uint32) error
	// Store is Request with n bytes from local memory at from, which lie at
	// address at of the receiver's memory before its handler runs. The reply
	// tells that they do.
	Store(c *host.Context, to int, from, at host.Addr, n int, h uint8, args [4]uint32) error
	// StoreAs is Store whose packets carry meta: what they are for.
	StoreAs(c *host.Context, to int, from, at host.Addr, n int, h uint8, args [4]uint32, meta trace.Meta) error
	// Get brings n bytes at address at of the peer's memory to local memory at
	// into, before the reply's handler runs.
	Get(c *host.Context, to int, at, into host.Addr, n int, h uint8, args [4]uint32) error
	// Wait polls until it has handled something.
	Wait(c *host.Context)
	// Outstanding returns how many requests have no reply yet. Anyone may ask.
	Outstanding() int
}

// Call is a request or a reply as its handler sees it.
type Call struct {
	From  int
	Args  [4]uint32
	At    host.Addr // of the data of a store or get
	Bytes int       // of it
}

// Gatherer is an endpoint whose messages can be put together from two pieces of
// memory. It receives in place, with into 0.
type Gatherer interface {
	Endpoint
	// Gather is Send of a message whose head and body lie apart. Both may be
	// written again when it returns.
	Gather(c *host.Context, to int, head, body Piece, meta trace.Meta) error
}

// Piece is a part of a message in memory.
type Piece struct {
	At    host.Addr
	Bytes int
}

// Attended is an endpoint that tells when a call has something to handle.
type Attended interface {
	// OnArrival sets what runs at the instant something may have arrived. It takes
	// no time and calls nothing of the layer.
	OnArrival(f func())
	// Due returns the time from which a call has something to handle: 0 if
	// something has arrived that Poll or Receive would take, the time of the next
	// retransmission, or sim.Never.
	Due() sim.Time
}

// Connector is an endpoint that needs memory of its own for every peer before
// they can exchange messages.
type Connector interface {
	// Connect prepares for messages of up to most bytes from and to the given
	// endpoints, one per node, nil for a node without one; it takes no
	// simulated time.
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
