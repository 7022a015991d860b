package calls

import (
	"fmt"

	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Op is the type of a packet.
type Op uint8

// Packets.
const (
	Call    Op = iota // a request, with data to be stored at an address or without
	Get               // a request for data
	Message           // a request whose data a receive waits for
	Answer            // the reply to any of these, with the data of a get
	Refusal           // a reply: the request cannot be carried out
	numOps
)

// Reply reports whether the packet answers another.
func (o Op) Reply() bool { return o == Answer || o == Refusal }

// Packet is a request or a reply.
type Packet struct {
	Peer    int // the node at the other end
	Op      Op
	Handler uint8
	Epoch   uint16 // incremented when requests have been returned
	Seq     uint32 // of the request, from 0 in each epoch
	Args    library.Args
	At      host.Addr // address of the data of a store or get in the receiver's memory
	Bytes   int       // of data, or requested by a get
	Data    host.Addr // address of the data in the memory of the endpoint that has the packet
	Meta    trace.Meta
}

// Carries returns how many bytes of data the packet has.
func (p *Packet) Carries() int {
	if p.Op == Get {
		return 0
	}
	return p.Bytes
}

// Address identifies an endpoint of a node.
type Address struct {
	Endpoint uint16
	Key      uint32 // shows that the sender has access
}

// Words returns the packet's fields as words of its header.
func (p *Packet) Words(to Address) [ni.FirstProbeWord]uint64 {
	args := library.Pack(p.Args)
	return [ni.FirstProbeWord]uint64{
		args[0], args[1],
		uint64(to.Key)<<32 | uint64(p.Handler)<<16 | uint64(to.Endpoint),
		uint64(p.At),
		uint64(uint32(p.Bytes)) | uint64(p.Epoch)<<32,
	}
}

// To returns the address in a header.
func To(h *fabric.Header) Address {
	return Address{Endpoint: uint16(h.Words[2]), Key: uint32(h.Words[2] >> 32)}
}

// Decode returns the packet that a node sent with so many bytes of data. It
// fails if a field is out of range, because the CRC does not detect all damage.
func Decode(h *fabric.Header, from, data int) (Packet, error) {
	w := &h.Words
	p := Packet{
		Peer: from, Op: Op(h.Op), Handler: uint8(w[2] >> 16), Epoch: uint16(w[4] >> 32), Seq: h.Seq,
		Args: library.Unpack(w[0], w[1]),
		At:   host.Addr(w[3]), Bytes: int(uint32(w[4])), Meta: h.Meta,
	}
	switch {
	case p.Op >= numOps:
		return p, fmt.Errorf("packet of node %d has type %d, want less than %d", from, h.Op, numOps)
	case p.Carries() != data && p.Op != Get || p.Op == Get && data != 0:
		return p, fmt.Errorf("packet of node %d announces %d B but has %d B", from, p.Carries(), data)
	}
	return p, nil
}
