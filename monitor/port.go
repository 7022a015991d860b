package monitor

import (
	"encoding/binary"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// clockPort sends and reads the packets of the clock protocol on one card.
type clockPort struct {
	nic      *ni.NIC
	cost     *Cycles
	protocol clock.Protocol
	words    []uint32 // words of the packet that is being made or read
	stats    ClockStats
}

// ClockStats counts clock packets.
type ClockStats struct {
	Sent      [trace.NumKinds]uint64
	Malformed uint64 // packets that could not be decoded
	Rounds    uint64 // ended, on node 0
	Partial   uint64 // rounds that ended without all replies
}

// clockHeaderBytes is the size of a clock packet on the wire without its words.
const clockHeaderBytes = 12

// crowd limits the clock packets of node 0 in flight: unanswered queries or
// parts of a table. With more of them data packets would wait long, and replies
// would find no receive buffer.
const crowd = 64

// many reports whether there are too many nodes to query all at once. Then a round begins only when
// the previous one has ended.
func (c *clockPort) many() bool { return c.protocol.Nodes-1 > crowd }

// Stats returns the counters.
func (c *clockPort) Stats() ClockStats { return c.stats }

// counter returns the card's register at t.
func (c *clockPort) counter(t sim.Time) uint64 { return uint64(uint32(c.nic.Ticks(t))) }

// send sends c.words to a node.
func (c *clockPort) send(kind trace.Kind, to int) {
	p := c.nic.Net().NewPacket()
	p.Src, p.Dst = int32(c.nic.ID()), int32(to)
	p.Header.Meta.Kind = kind
	data := p.Payload(4 * len(c.words))
	for i, w := range c.words {
		binary.LittleEndian.PutUint32(data[4*i:], w)
	}
	p.WireBytes = clockHeaderBytes + len(data)
	c.stats.Sent[kind]++
	c.nic.Send(p, nil)
}

// read copies the words of a packet into c.words.
func (c *clockPort) read(p *fabric.Packet) {
	c.words = c.words[:0]
	for b := p.Data(); len(b) >= 4; b = b[4:] {
		c.words = append(c.words, binary.LittleEndian.Uint32(b))
	}
}

// stampReply sets Sent of a reply that is about to leave.
func stampReply(p *fabric.Packet, sent uint64) { binary.LittleEndian.PutUint64(p.Data()[16:], sent) }
