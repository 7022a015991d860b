package live

import (
	"encoding/binary"
	"fmt"
)

// headerBytes is the length of the header with which each message begins. It is part of the
// message's size.
const headerBytes = 16

// Sizes of messages.
const (
	// Bytes, headers of the network not counted.
	Least = headerBytes
	Most  = 60000 // of a datagram, with room for headers
)

// purpose is what a message is for.
type purpose uint8

const (
	// Not 0, which an empty header would have.
	oneWay purpose = iota + 1
	ping           // is answered
	pong
	train // of messages; the last one, with number 0, is answered by an empty one
	call  // for a message of as many bytes as its number
	burst // for as many messages of its size as its number
	purposes
)

// asks reports whether the number of a message is what it asks for.
func (p purpose) asks() bool { return p >= train }

// header is the beginning of a message.
type header struct {
	token    uint64 // of the run; others are refused
	seq      uint32 // number by the sender, for each receiver
	bytes    uint16 // of the message
	purpose  purpose
	counts   bool // it is no warm-up
	recorded bool // both ends record it
	// quiet: they record neither the next one to this receiver, nor, of a stream, this one, so that the
	// receiver does not take the next one's stamp. If this one gets lost, it goes by the one before.
	quiet bool
}

// wireVersion changes with the form of headers.
const wireVersion = 2

// put writes the header into the first headerBytes of b, big-endian:
//
//	0 to 7    token
//	8 to 11   seq
//	12, 13    bytes
//	14        wireVersion
//	15        purpose in bits 3 to 7, quiet in 2, counts in 1, recorded in 0
//
// The bytes after these stay as they are.
func (h header) put(b []byte) {
	binary.BigEndian.PutUint64(b, h.token)
	binary.BigEndian.PutUint32(b[8:], h.seq)
	binary.BigEndian.PutUint16(b[12:], h.bytes)
	b[14] = wireVersion
	b[15] = byte(h.purpose) << 3
	if h.quiet {
		b[15] |= 4
	}
	if h.counts {
		b[15] |= 2
	}
	if h.recorded {
		b[15] |= 1
	}
}

// parse reads a header of the run with a token. It returns an error for one of another run or version, for a
// purpose that is not known, and for a length that no message has.
func parse(b []byte, token uint64) (header, error) {
	if len(b) < headerBytes {
		return header{}, fmt.Errorf("live: a message of %d bytes, want at least %d", len(b), headerBytes)
	}
	h := header{
		token: binary.BigEndian.Uint64(b), seq: binary.BigEndian.Uint32(b[8:]), bytes: binary.BigEndian.Uint16(b[12:]),
		purpose: purpose(b[15] >> 3), quiet: b[15]&4 != 0, counts: b[15]&2 != 0, recorded: b[15]&1 != 0,
	}
	switch {
	// A datagram may come from anybody: each field is checked before it is used.
	case h.token != token:
		return h, fmt.Errorf("live: a message of another run")
	case b[14] != wireVersion:
		return h, fmt.Errorf("live: a message of version %d, want %d", b[14], wireVersion)
	case h.purpose == 0 || h.purpose >= purposes:
		return h, fmt.Errorf("live: a message for purpose %d", h.purpose)
	case h.bytes < headerBytes || h.bytes > Most:
		return h, fmt.Errorf("live: a message that says it has %d bytes, want %d to %d", h.bytes, headerBytes, Most)
	}
	return h, nil
}
