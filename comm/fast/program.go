package fast

import "github.com/sigview/sigview/sim"

// wildcard stands for all senders, or all tags, of a receive.
const wildcard = -1

// Program generates what ranks do.
type Program interface {
	// Next returns the next operation of a rank. Got is the message of the receive that has
	// ended since the last call, or nil; it is valid until Next returns.
	Next(rank int, got *Message) Op
}

// Op is an operation of a rank.
type Op struct {
	Kind  Kind
	Peer  int32 // the other rank; Any for a receive from all
	Tag   int32 // wildcard for a receive of all
	Bytes int32 // of a send
	ID    int32 // of a posted receive; Next gets it back with its message
	Time  sim.Duration
}

// Kind is what an operation does.
type Kind uint8

// Kinds of operations.
const (
	End     Kind = iota // the rank has ended
	Compute             // for Op.Time
	Send                // which ends when the library has the message
	Receive             // and wait for the message
	Post                // a receive, which does not end before a Wait
	Wait                // for the first message of a posted receive
)

// Message is one that a receive has got.
type Message struct {
	From, Tag, Bytes int32
	ID               int32 // of the posted receive
}

// takes reports whether a receive takes a message.
func takes(peer, tag, from, of int32) bool {
	return (peer == from || peer == wildcard) && (tag == of || tag == wildcard)
}
