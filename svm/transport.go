package svm

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Transport is one node's way to the others. What a node sends to another
// one, messages and pages alike, arrives once and in the order of sending.
//
// There are two classes of messages. A request is for a host that does not wait for
// it: the transport calls Member.Notify when one has arrived. An answer is for a
// program that spins: the transport fires Watch. Both then wait for Receive.
type Transport interface {
	// Send sends one protocol message of kind meta.Kind. It takes the time
	// that sending costs the host; b belongs to the caller again afterwards.
	// The transport fills in the program's tag.
	Send(c *host.Context, to int, meta trace.Meta, b []byte, class Class) error

	// Deposit sends a page straight into the frame that node to has named
	// for it with Expect. The frame's bytes stay as they are until the message
	// that Send sends after it has been received.
	Deposit(c *host.Context, to int, meta trace.Meta, p Page, f *Frame) error

	// Expect names the frame for page p, which has been or is about to be
	// requested. It holds until Landed.
	Expect(p Page, f *Frame)

	// Landed ends what Expect began: the frame's content has arrived.
	Landed(p Page)

	// Receive returns the oldest message of a class that has not been
	// received. The bytes are valid until the next call. It may take the time
	// that telling the sender of room costs.
	Receive(c *host.Context, class Class) (from int, b []byte, ok bool)

	// Watch fires when an answer arrives.
	Watch() *host.Watch

	// Wait spins until Watch fires or, where the host polls, something has arrived.
	Wait(c *host.Context, reason string)
}

// Class says who a message is for.
type Class uint8

// Classes.
const (
	Request Class = iota // the host, wherever it is: notification
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
