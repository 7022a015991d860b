package wire

import (
	"encoding/binary"

	"github.com/sigview/sigview/svm"
)

// A record in a ring is three words and the bytes of a message, or of a part
// of one that is longer than a quarter of the ring.
const headerBytes = 12

// record is the header of a record.
type record struct {
	bytes int
	class svm.Class
	part  int    // 0 for a whole message, else 1 or 2: parts with the same number belong together
	more  bool   // the message has another part
	seq   uint32 // sequence number of the writer's record
	page  uint32 // page that it announces, plus one; 0: none
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

func (r record) put(b []byte) {
	w := uint32(r.bytes) | uint32(r.part)<<partAt
	if r.class == svm.Answer {
		w |= bitClass
	}
	if r.more {
		w |= bitMore
	}
	binary.LittleEndian.PutUint32(b, w)
	binary.LittleEndian.PutUint32(b[4:], r.seq)
	binary.LittleEndian.PutUint32(b[8:], r.page)
}

func parse(b []byte) record {
	w := binary.LittleEndian.Uint32(b)
	r := record{bytes: int(w &^ flags), part: int(w >> partAt & 3), more: w&bitMore != 0}
	if w&bitClass != 0 {
		r.class = svm.Answer
	}
	r.seq = binary.LittleEndian.Uint32(b[4:])
	r.page = binary.LittleEndian.Uint32(b[8:])
	return r
}

// span returns the bytes that a record takes in the ring.
func (r record) span() int { return (headerBytes + r.bytes + 3) &^ 3 }
