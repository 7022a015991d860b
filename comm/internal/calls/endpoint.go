package calls

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Carrier moves an endpoint's packets and spends the host time of that.
type Carrier interface {
	// Transmit sends a packet, for the first time or again.
	Transmit(c *host.Context, p *Packet, again bool) error
	// Look returns the oldest arrived reply or, with requests and no reply, the
	// oldest request.
	Look(c *host.Context, requests bool) (Packet, bool)
	// Done frees the memory of a packet's data.
	Done(p Packet)
	// Pause waits until a packet has arrived that Look has not returned, for at most d if that is not
	// 0.
	Pause(c *host.Context, d sim.Duration)
}

// Spec describes the calls of an endpoint.
type Spec struct {
	Window  int          // requests to a peer without reply
	Timeout sim.Duration // of the first try of a request; each further one doubles it
	Tries   int          // until requests are returned
	// Silent, unless it is nil, is called with the number of successive
	// timeouts of a peer before its requests are sent again.
	Silent func(c *host.Context, peer, timeouts int)
}

// stats counts repeated and refused packets of a node's endpoints.
type stats struct {
	Repeated   uint64 // packets sent again, requests and replies
	Timeouts   uint64
	Duplicates uint64 // packets that had been handled before
	OutOfOrder uint64 // requests after one that is missing
	Refused    uint64 // requests that could not be carried out
	Malformed  uint64 // replies that do not fit their requests
	Returned   uint64 // requests returned as undeliverable
}

// Endpoint makes and serves calls: the library of one process.
type Endpoint struct {
	library.Process
	library.Handlers
	Arrivals
	Peers []*Address // by node; nil for one that is not connected

	At      Address
	spec    Spec
	carrier Carrier
	inbox   *inbox
	copies  library.Buffers

	links    []*link
	returned func(*host.Context, comm.Call)

	outstanding int
	due         sim.Time // no request times out before
	stats       *stats   // of the layer
}

// Connect gives an endpoint the addresses of its peers, by node, nil for none.
func (e *Endpoint) Connect(peers []comm.Endpoint, _ int) error {
	return library.Peers(&e.Process, peers, func(peer addressed) error {
		e.Peers[peer.Node()] = peer.address()
		return nil
	})
}

// addressed is an endpoint of any layer of this model.
type addressed interface {
	comm.Endpoint
	Node() int
	address() *Address
}

func (e *Endpoint) address() *Address { return &e.At }

// Due returns when the process must poll: now if a packet has arrived, or when
// a request times out.
func (e *Endpoint) Due() sim.Time {
	if e.Len() > 0 {
		return 0
	}
	return e.Deadline()
}

// Returned sets the function that runs for requests that are returned as
// undeliverable. Without it, the next call to the peer, or the call that waits
// for it, returns the error.
func (e *Endpoint) Returned(f func(c *host.Context, q comm.Call)) { e.returned = f }

// Outstanding returns how many requests have no reply yet.
func (e *Endpoint) Outstanding() int { return e.outstanding }

// Request sends a request.
func (e *Endpoint) Request(c *host.Context, to int, h uint8, args [4]uint32) error {
	return e.issue(c, to, 0, 0, Packet{Op: Call, Handler: h, Args: args, Meta: trace.Meta{Kind: trace.Request}})
}

// Store sends a request with data for the peer's memory at an address.
func (e *Endpoint) Store(c *host.Context, to int, from, at host.Addr, n int, h uint8, args [4]uint32) error {
	return e.StoreAs(c, to, from, at, n, h, args, trace.Meta{Kind: trace.Request})
}

// StoreAs is Store whose packets carry meta.
func (e *Endpoint) StoreAs(c *host.Context, to int, from, at host.Addr, n int, h uint8, args [4]uint32, meta trace.Meta) error {
	return e.issue(c, to, from, 0, Packet{Op: Call, Handler: h, Args: args, At: at, Bytes: n, Meta: meta})
}

// Get sends a request for data of the peer's memory.
func (e *Endpoint) Get(c *host.Context, to int, at, into host.Addr, n int, h uint8, args [4]uint32) error {
	if err := e.CheckData("get", into, n, 0, e.Traits().MaxBytes); err != nil {
		return err
	}
	return e.issue(c, to, 0, into, Packet{Op: Get, Handler: h, Args: args, At: at, Bytes: n, Meta: trace.Meta{Kind: trace.Request}})
}

// Send sends a message as a request whose handler passes it to a receive.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	return e.issue(c, to, from, 0, Packet{Op: Message, Bytes: n, Meta: meta})
}

// Receive waits for a message of a node, or of comm.Anyone, and stores it at
// into.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, false); err != nil {
		return comm.Message{}, err
	}
	return e.inbox.receive(c, from, into, n, func() error {
		e.Wait(c)
		if from == comm.Anyone {
			return nil
		}
		return e.failure(from)
	})
}

// issue sends a request once the window has room, and keeps a copy of its data.
func (e *Endpoint) issue(c *host.Context, to int, from, into host.Addr, p Packet) error {
	l, err := e.link(to)
	if err != nil {
		return err
	}
	if p.Op != Get {
		if err := e.CheckData("request", from, p.Bytes, 0, e.Traits().MaxBytes); err != nil {
			return err
		}
	}
	e.collect(c, false)
	for l.full() && l.failed == nil {
		e.Wait(c)
	}
	if err := e.failure(to); err != nil {
		return err
	}
	p.Meta.Tag = e.Tag()
	k := l.open(p, into)
	e.outstanding++
	if n := p.Carries(); n > 0 {
		k.Data = e.copies.Get()
		c.CopyWithin(e.Space(), from, k.Data, n)
	}
	if err := e.carrier.Transmit(c, &k.Packet, false); err != nil {
		e.withdraw(l)
		return err
	}
	e.watch(l, c.Now())
	return nil
}

// Poll handles arrivals and sends timed-out requests again. It returns how many
// packets have arrived or were given up.
func (e *Endpoint) Poll(c *host.Context) int { return e.collect(c, true) }

// collect is Poll for replies only or, with requests, for all. It handles
// arrivals first, because a request whose reply has arrived need not be sent
// again.
func (e *Endpoint) collect(c *host.Context, requests bool) int {
	n := 0
	for {
		p, ok := e.carrier.Look(c, requests)
		if !ok {
			return n + e.repeat(c)
		}
		n++
		if p.Op.Reply() {
			e.settle(c, &p)
		} else {
			e.serve(c, &p)
		}
	}
}

// Wait polls until it has handled a packet.
func (e *Endpoint) Wait(c *host.Context) {
	for e.collect(c, true) == 0 {
		e.carrier.Pause(c, e.patience(c.Now()))
	}
}

// Deadline returns when the next request times out, or sim.Never.
func (e *Endpoint) Deadline() sim.Time {
	if e.due == sim.Never {
		return e.due
	}
	due := sim.Never
	for _, l := range e.links {
		if l != nil {
			due = min(due, l.deadline)
		}
	}
	return due
}

// patience returns how long a wait may last before a request times out; 0 is no limit.
func (e *Endpoint) patience(now sim.Time) sim.Duration {
	if e.due == sim.Never {
		return 0
	}
	return max(1, e.due.Sub(now))
}
