package wire

import (
	"encoding/binary"

	"github.com/sigview/sigview/svm"
)

// A record in a ring is a message, or a part of one that is longer than a quarter of
// the ring, in the envelope of a library of messages over deposits. The envelope is
// assumed, because none is published. Its header of four words is the length of the
// record with its flags, the length of the whole message, the sending node and the
// sender's sequence number. The sequence number again is its last word. The receiver
// spins on that: bytes land in order, so that the record is complete when it is there.
const (
	headerBytes   = 16
	tailBytes     = 4
	envelopeBytes = headerBytes + tailBytes
)

// record describes a record.
type record struct {
	bytes int
	class svm.Class
	part  int    // 0 for a whole message, else 1 or 2: parts with the same number belong together
	more  bool   // the message has another part
	total uint32 // bytes of the message
	from  uint32 // sending node
	seq   uint32 // sequence number of the writer's record
}

const (
	bitClass = 1 << 31
	bitMore  = 1 << 30
	partAt   = 28 // two bits
	flags    = bitClass | bitMore | 3<<partAt
)

// streams is how many messages in parts can be in flight to one peer: the
// program's, and that of the service that interrupts it.
const streams = 2

// header returns the record's header.
func (r record) header() (b [headerBytes]byte) {
	w := uint32(r.bytes) | uint32(r.part)<<partAt
	if r.class == svm.Answer {
		w |= bitClass
	}
	if r.more {
		w |= bitMore
	}
	for i, v := range [...]uint32{w, r.total, r.from, r.seq} {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	return b
}

// parse is the inverse of header.
func parse(b [headerBytes]byte) record {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
	w := word(0)
	r := record{bytes: int(w &^ flags), part: int(w >> partAt & 3), more: w&bitMore != 0, total: word(1), from: word(2), seq: word(3)}
	if w&bitClass != 0 {
		r.class = svm.Answer
	}
	return r
}

// span returns the bytes that a record takes in the ring.
func (r record) span() int { return (headerBytes+r.bytes+3)&^3 + tailBytes }
