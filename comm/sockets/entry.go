package sockets

import (
	"encoding/binary"
	"fmt"
)

// An entry occupies one line of the ring of entries. Its deposit is only as
// long as its content.
//
//	word 0   number of the entry in its direction, from 1
//	word 1   kind (8 bits), bytes of the stream (24 bits)
//	then     inline: the bytes; bulk: their position in the ring of data
const (
	entryBytes = 64
	inlineAt   = 8
	bulkBytes  = 12
)

// kind is what an entry announces.
type kind uint8

const (
	inline kind = 1 + iota // bytes in the entry
	bulk                   // bytes in the ring of data
	fin                    // the end of the stream
	gone                   // the end of the stream, and the other direction is no longer read
)

// entry is one line, decoded.
type entry struct {
	seq   uint32
	kind  kind
	bytes int    // of the stream
	start uint32 // bulk: position in the ring of data, counted since the connection began
}

// put encodes e without inline bytes into b and returns its length.
func (e entry) put(b *[entryBytes]byte) int {
	binary.LittleEndian.PutUint32(b[:], e.seq)
	binary.LittleEndian.PutUint32(b[4:], uint32(e.kind)<<24|uint32(e.bytes))
	switch e.kind {
	case inline:
		return inlineAt + e.bytes
	case bulk:
		binary.LittleEndian.PutUint32(b[8:], e.start)
		return bulkBytes
	}
	return inlineAt
}

// parse decodes a line. It returns an error if the entry is impossible for a
// ring of ringBytes.
func parse(b []byte, ringBytes int) (entry, error) {
	if len(b) < bulkBytes {
		return entry{}, fmt.Errorf("entry of %d B, want at least %d", len(b), bulkBytes)
	}
	w := binary.LittleEndian.Uint32(b[4:])
	e := entry{seq: binary.LittleEndian.Uint32(b), kind: kind(w >> 24), bytes: int(w & (1<<24 - 1))}
	most := 0
	switch e.kind {
	case inline:
		most = inlineBytes
	case bulk:
		most = ringBytes
		e.start = binary.LittleEndian.Uint32(b[8:])
	case fin, gone:
		if e.bytes != 0 {
			return e, fmt.Errorf("entry %d of kind %d with %d B, want 0", e.seq, e.kind, e.bytes)
		}
		return e, nil
	default:
		return e, fmt.Errorf("entry %d of kind %d, want 1 to 4", e.seq, e.kind)
	}
	if e.bytes < 1 || e.bytes > most {
		return e, fmt.Errorf("entry %d of kind %d with %d B, want 1 to %d", e.seq, e.kind, e.bytes, most)
	}
	return e, nil
}

// inlineBytes is how many bytes of a stream an entry can carry: a message of 64
// B, which VMMC-2 writes by programmed I/O, less the entry's two words.
const inlineBytes = entryBytes - inlineAt
