package mpi

import (
	"encoding/binary"
	"fmt"
)

// kind is the type of a packet.
type kind uint32

const (
	eager    kind = iota // a message, and its first data
	announce             // a long message that waits
	accept               // the receiver is ready for it
	data                 // the first data of a long message
	more                 // further data of the same message
	kinds
)

// envelope is the head of a packet.
type envelope struct {
	kind   kind
	tag    int32
	bytes  uint64 // of the message
	sender uint32 // handle of a long message, from its sender
	taker  uint32 // the same from its receiver
}

// headBytes is the length of an envelope.
const headBytes = 24

// longest is the longest message, bytes.
const longest = 1 << 40

func (v envelope) encode() (b [headBytes]byte) {
	binary.LittleEndian.PutUint32(b[:], uint32(v.kind))
	binary.LittleEndian.PutUint32(b[4:], uint32(v.tag))
	binary.LittleEndian.PutUint64(b[8:], v.bytes)
	binary.LittleEndian.PutUint32(b[16:], v.sender)
	binary.LittleEndian.PutUint32(b[20:], v.taker)
	return b
}

// decode returns an envelope. It fails if a field is out of range.
func decode(b [headBytes]byte) (envelope, error) {
	v := envelope{
		kind: kind(binary.LittleEndian.Uint32(b[:])), tag: int32(binary.LittleEndian.Uint32(b[4:])),
		bytes: binary.LittleEndian.Uint64(b[8:]), sender: binary.LittleEndian.Uint32(b[16:]), taker: binary.LittleEndian.Uint32(b[20:]),
	}
	switch {
	case v.kind >= kinds:
		return v, fmt.Errorf("packet of kind %d, want less than %d", v.kind, kinds)
	case v.bytes > longest:
		return v, fmt.Errorf("message of %d B, want at most %d", v.bytes, uint64(longest))
	}
	return v, nil
}
