package fabric

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Header is the part of the packet's header that upper layers use. Its fields
// have fixed sizes, because injected errors flip its bits: any field may arrive
// changed if CRCError or Hit is set.
type Header struct {
	Meta  trace.Meta
	Op    uint8
	Flags uint8
	After trace.Predecessor // in the tag's word, written by the monitor
	Seq   uint32
	Ack   uint32
	Words [8]uint64
}

// Packet is one packet on the wire. Net.NewPacket makes it, Inject passes it to the
// fabric, and Port.Arrived passes it to the receiver, which frees it. The fabric
// frees packets that it loses.
type Packet struct {
	// The fields fill five cache lines. The first two are all that switches use, and the
	// receiver of an acknowledgement reads the first and the third.
	route route
	// T4 is the true instant when the tail has left the sender; Never while it is halted. Like T3
	// and T5 it is for diagnostics only; no component of the model may act on them except through the
	// callback made at that time.
	T4 sim.Time

	Src, Dst  int32
	WireBytes int      // all bytes on the wire: route, header, payload, CRC
	T5        sim.Time // the tail is in the receiver's memory
	// Waited is how long the head waited for channels and for the receiver.
	Waited sim.Duration

	WantSent bool // call the sender's Port.Sent
	// WantHalted calls it only if the packet has been halted on its way out: otherwise T4 is
	// what it is after Inject.
	WantHalted bool
	CRCError   bool // corrupted, and the CRC shows it
	Hit        bool // corrupted, whether or not the CRC shows it; for diagnostics only
	Lost       bool // cut short by a forward reset (in Port.Sent)
	Marked     bool // a switch has seen congestion (ECN)
	Landed     bool // its data is in host memory, for the log of waiting; not on the wire
	lent       bool // data is the sender's

	Header Header
	// The payload is bytes, or described in place of them.
	data      []byte
	described content.Part

	// Owner is the sender's record of the packet, for Port.Sent. It is not on
	// the wire.
	Owner any

	T3 sim.Time // the sending engine started

	// For the log of waiting; not on the wire.
	Accepted sim.Time // by the receiver
	Actor    waits.ID // or 0

	// Flow chooses among equal ways through switches with buffers; 0: the default one. Packets
	// of a flow stay in order.
	Flow uint32
}

// route is the fabric's own state of a packet.
type route struct {
	gen    uint32
	id     uint32
	headAt sim.Time // time of the pending head event
	path   []int32  // channels, from the sender's to the receiver's
	head   int16    // index of the channel that the head is in or waits for
	where  place
	drop   bool // the injector drops this packet
	cut    bool // its route crosses a dead link, where it is dropped
	used   bool
	ahead  bool         // channels up to head are taken from the times at which the head will come to them
	errors int32        // pending errors, index+1 into the injector's hits
	dur    sim.Duration // WireBytes at rate
	rate   sim.Rate
	short  [shortPath]int32
	since  sim.Time     // when the head began to wait
	halted sim.Duration // of the channel that it waits for, before that
	own    sim.Duration // the part because of ports on the path
}

// shortPath is the longest path that is stored in the packet itself: that of
// trees of up to 2,048 nodes.
const shortPath = 10

// place is the state of a packet's head.
type place uint8

const (
	travelling place = iota // moving along path[head]
	behind                  // in an input port behind another packet
	waiting                 // first in its input port, waiting for path[head]
	refused                 // holds the last channel; the receiver has no room
	arriving                // flows into the receiver
)

// String returns the name, for failures.
func (p place) String() string {
	return [...]string{"travelling", "behind", "waiting", "refused", "arriving"}[p]
}

// Bytes returns the size of the payload.
func (p *Packet) Bytes() int { return len(p.data) + p.described.Bytes }

// Data returns the payload as bytes, which are the packet's or its sender's. If it is described they are made.
func (p *Packet) Data() []byte {
	if part := p.described; part.Bytes > 0 {
		p.described = content.Part{}
		part.Read(p.Payload(part.Bytes))
	}
	return p.data
}

// Described returns the description of the payload. It is that of no bytes if the payload is bytes.
func (p *Packet) Described() content.Part { return p.described }

// Describe gives a packet without a payload one that is described.
func (p *Packet) Describe(part content.Part) { p.described = part }

// Payload makes the payload n bytes of the packet's own buffer and returns it. The
// buffer is used again with the packet and not cleared.
func (p *Packet) Payload(n int) []byte {
	if cap(p.data) < n {
		size := 64
		for size < n {
			size *= 2
		}
		p.data = make([]byte, size)
	}
	p.data = p.data[:n]
	return p.data
}

// Give makes the payload b, which becomes the packet's own buffer, and returns the one that it had.
func (p *Packet) Give(b []byte) []byte {
	b, p.data = p.data, b
	return b
}
