package gam

import (
	"slices"

	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// op is the type of a message.
type op uint8

const (
	opRequest op = iota
	opStore
	opGet
	opMessage // a store into the slot, for Receive
	opReply
	opTaken // a reply to a message
	opGot   // a reply with the data of a get
	numOps
)

func (o op) reply() bool { return o >= opReply }

// flagInline marks a packet whose data is the four words and the inline data
// after them.
const flagInline = ni.FirstProgramFlag

const (
	argWords = 4
	argBytes = 4 * argWords
)

// message is a request or a reply.
type message struct {
	op      op
	handler uint8
	slot    int // of the receiver's memory for a request, of the requester's for a reply: the token
	bytes   int // of data
	args    library.Args
	at      host.Addr // of a store's data at the receiver, of a get's at its source
	into    host.Addr // of a get's data at the requester
}

// arrival is a message that is arriving or has arrived.
type arrival struct {
	message
	from    int
	missing int            // bytes that have not arrived at the interface
	landing int            // bytes that are not in memory yet
	ready   bool           // it is visible to the host
	packet  *fabric.Packet // in the receive ring, if it is kept
	queued  bool           // the host has not handled it
}

// arrivals holds messages in order of arrival. Those of one sender are handled in this
// order: one kept on the card waits for the DMA of earlier ones.
type arrivals []*arrival

// first returns the position of the oldest one that the host may handle, or -1.
func (q arrivals) first() int {
	for i, a := range q {
		if a.ready && !slices.ContainsFunc(q[:i], func(b *arrival) bool { return b.from == a.from }) {
			return i
		}
	}
	return -1
}

// pop removes and returns that one, if there is one.
func (q *arrivals) pop() (arrival, bool) {
	i := q.first()
	if i < 0 {
		return arrival{}, false
	}
	a := (*q)[i]
	*q = slices.Delete(*q, i, i+1)
	a.queued = false
	return *a, true
}

// forget removes one.
func (q *arrivals) forget(a *arrival) {
	if i := slices.Index(*q, a); i >= 0 {
		*q = slices.Delete(*q, i, i+1)
		a.queued = false
	}
}

// encode writes a message into a request's header.
func (m *message) encode(r *firmware.Request) {
	r.Op = uint8(m.op)
	args := library.Pack(m.args)
	r.Words[0], r.Words[1] = args[0], args[1]
	r.Words[2], r.Words[3] = uint64(m.at), uint64(m.into)
	r.Words[4] = uint64(m.handler) | uint64(m.slot)<<8 | uint64(m.bytes)<<32
}

// decode is the inverse of encode. Its result may be invalid if the packet was
// damaged and the CRC did not detect it.
func decode(h *fabric.Header) message {
	return message{
		op: op(h.Op), handler: uint8(h.Words[4]), slot: int(h.Words[4] >> 8 & 0xffffff), bytes: int(h.Words[4] >> 32),
		args: library.Unpack(h.Words[0], h.Words[1]),
		at:   host.Addr(h.Words[2]), into: host.Addr(h.Words[3]),
	}
}
