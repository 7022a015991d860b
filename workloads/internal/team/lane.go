package team

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Lane carries messages from one process to another. Calls that are not of the sender are the
// receiver's.
type Lane struct {
	from, to *Member
	stride   int

	into deposit.Import // of the sender
	sent uint32
	room uint32 // messages whose slots are free again, as far as the sender knows

	// Arrived, which may be nil, runs when a message has come.
	Arrived func()

	inbox    host.Addr
	slots    []slot
	come     uint32 // messages that have come, without a gap
	read     uint32
	credited uint32         // messages of the latest credit
	back     deposit.Import // of the sender's word; nil: ByProgram
	word     host.Addr      // where the credit is sent from
}

// slot is a place for a message.
type slot struct {
	come int // bytes
	want int // 0: not known yet
}

// Credit is the way in which a lane bounds the messages under way by its slots.
type Credit bool

// The two ways.
const (
	ByWord    Credit = true  // the receiver deposits a word, and the sender asks for room
	ByProgram Credit = false // the program waits for answers
)

// NewLane makes a lane for messages of up to so many bytes. It takes no simulated time.
func NewLane(from, to *Member, slots, bytes int, credit Credit) (*Lane, error) {
	l := &Lane{from: from, to: to, stride: Stride(bytes), slots: make([]slot, slots)}
	l.inbox = to.Space.Alloc(int64(slots * l.stride))
	receiver, sender := deposit.Setup{Port: to.Port}, deposit.Setup{Port: from.Port}
	l.into = sender.Import(receiver.Export(l.inbox, slots*l.stride, nil, l.arrived))
	if credit == ByWord && receiver.Err == nil {
		at := from.word()
		l.word = to.word()
		l.back = receiver.Import(sender.Export(at, 4, nil, func(deposit.Arrival) {
			l.room = max(l.room, from.Space.Load32(at)) // a later credit may have overtaken this one
			from.Wake.Fire()
		}))
	}
	for _, err := range []error{receiver.Err, sender.Err} {
		if err != nil {
			return nil, fmt.Errorf("a lane from node %d to node %d: %w", from.ID, to.ID, err)
		}
	}
	return l, nil
}

// arrived notes a part of a message; it runs when the bytes are in memory. A message is there when all
// its bytes are: its last packet may overtake others.
func (l *Lane) arrived(d deposit.Arrival) {
	i := d.Offset / l.stride
	s := &l.slots[i]
	s.come += d.Bytes
	if d.Last {
		s.want = d.Offset + d.Bytes - i*l.stride
	}
	for l.come-l.read < uint32(len(l.slots)) && l.slots[l.come%uint32(len(l.slots))].whole() {
		l.come++
		if l.Arrived != nil {
			l.Arrived()
		}
	}
	l.to.Wake.Fire()
}

func (s slot) whole() bool { return s.want > 0 && s.come == s.want }

// Room reports whether the receiver has a free slot, on a lane with credit by word.
func (l *Lane) Room() bool { return l.sent-l.room < uint32(len(l.slots)) }

// Send sends n bytes at an address as the next message. There has to be room.
func (l *Lane) Send(at host.Addr, n int, meta trace.Meta) {
	i := int(l.sent) % len(l.slots)
	l.sent++
	l.from.Send(at, l.into, i*l.stride, n, meta)
}

// Ready reports whether a message has come that is not freed.
func (l *Lane) Ready() bool { return l.come != l.read }

// Front returns the oldest message that is not freed. There has to be one.
func (l *Lane) Front() (at host.Addr, n int) {
	i := int(l.read) % len(l.slots)
	return l.inbox + host.Addr(i*l.stride), l.slots[i].want
}

// Free frees the slot of the oldest message.
func (l *Lane) Free() {
	l.slots[int(l.read)%len(l.slots)] = slot{}
	l.read++
	if l.back == nil || int(l.read-l.credited) < (len(l.slots)+1)/2 {
		return
	}
	l.credited = l.read
	l.to.Space.Store32(l.word, l.credited)
	l.to.Send(l.word, l.back, 0, 4, trace.Meta{Kind: trace.Credit})
}
