package svm

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Transport connects one node to the others. Messages from one node to another
// arrive once and in order. A page arrives once, and in order with messages as far
// as the network keeps the order of packets. The protocol does not need more: what
// concerns a page's requester comes as an answer to a later request of it.
//
// There are two classes of messages. No process waits for a request: the transport
// calls Member.Notify when one arrives. A process spins for an answer: the
// transport fires Watch. Both stay queued until Receive.
type Transport interface {
	// Send sends one protocol message of kind meta.Kind. It takes the host time
	// of sending; the caller may reuse b afterwards. The transport fills in the
	// program's tag.
	Send(c *host.Context, to int, meta trace.Meta, b []byte, class Class) error

	// Deposit sends a page straight into the frame that node to has named for
	// it with Expect. Once its last byte is there, the receiver gets it as an
	// answer, without a message of its own. The caller leaves f unchanged until
	// then.
	Deposit(c *host.Context, to int, meta trace.Meta, p Page, f *Frame) error

	// Expect names the frame for page p, which has been or is about to be
	// requested, until Landed.
	Expect(p Page, f *Frame)

	// Landed ends Expect: the page has arrived in its frame.
	Landed(p Page)

	// Receive returns the oldest message or page of a class that has not been
	// received. The bytes are valid until the next call. It may spend time to
	// return credit to the sender.
	Receive(c *host.Context, class Class) (r Received, ok bool)

	// Watch fires when an answer arrives.
	Watch() *host.Watch

	// Wait spins until Watch fires or, where the host polls, something has arrived.
	Wait(c *host.Context, reason string)
}

// Received is a message, or a page that has landed in its frame.
type Received struct {
	From   int
	Bytes  []byte // of a message
	Landed bool
	Page   Page // that has landed
}

// Class is who a message is for.
type Class uint8

// Classes.
const (
	Request Class = iota // the host, whatever it does: notification
	Answer               // a process that spins for it
)

// classOf returns the class of each kind of protocol message.
func classOf(k trace.Kind) Class {
	switch k {
	case trace.PageReply, trace.LockGrant, trace.BarrierRelease:
		return Answer
	}
	return Request
}
