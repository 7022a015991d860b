package nx

import (
	"encoding/binary"
	"fmt"
)

// entryBytes is the size of an entry, which fits into a request of VMMC-2.
const entryBytes = 64

// headerBytes is the size of an entry's header, which describes the message.
const headerBytes = 24

// shortBytes is the longest message that an entry carries.
const shortBytes = entryBytes - headerBytes

// op is the purpose of an entry.
type op uint8

const (
	opShort op = 1 + iota // a message, its data after the header
	opSlot                // a message in the sender's next slot
	opAsk                 // a long message needs an address
	opGrant               // the address for a long message, after the header
	opDone                // a long message is complete
	opMark                // place of a broadcast by tree in the order of messages
	opEnd
)

const (
	flagSystem = 1 << iota // belongs to a global operation
	flagTree               // to be forwarded
	flagEnd
)

// record is the header of an entry.
type record struct {
	op     op
	flags  uint8
	origin uint16 // node that called send
	typ    int32
	bytes  uint32 // of the message
	aux    uint32 // opSlot: offset within the slot; opAsk, opGrant, opDone: number of the message
	after  uint32 // earlier broadcasts of the origin; in a broadcast by tree: earlier marks
	span   uint32 // of a broadcast: the number of its operation
}

func (r record) put(b []byte) {
	b[0], b[1] = byte(r.op), r.flags
	binary.LittleEndian.PutUint16(b[2:], r.origin)
	binary.LittleEndian.PutUint32(b[4:], uint32(r.typ))
	binary.LittleEndian.PutUint32(b[8:], r.bytes)
	binary.LittleEndian.PutUint32(b[12:], r.aux)
	binary.LittleEndian.PutUint32(b[16:], r.after)
	binary.LittleEndian.PutUint32(b[20:], r.span)
}

// parse reads an entry and returns its header and data. It rejects entries that no
// process of a program with so many nodes can send, because the link's checksum
// has only eight bits.
func parse(b []byte, nodes, eagerBytes int) (record, []byte, error) {
	if len(b) < headerBytes || len(b) > entryBytes {
		return record{}, nil, fmt.Errorf("an entry of %d B, want %d to %d", len(b), headerBytes, entryBytes)
	}
	r := record{
		op: op(b[0]), flags: b[1], origin: binary.LittleEndian.Uint16(b[2:]),
		typ: int32(binary.LittleEndian.Uint32(b[4:])), bytes: binary.LittleEndian.Uint32(b[8:]),
		aux: binary.LittleEndian.Uint32(b[12:]), after: binary.LittleEndian.Uint32(b[16:]), span: binary.LittleEndian.Uint32(b[20:]),
	}
	body := b[headerBytes:]
	want := 0
	switch r.op {
	case opShort:
		want = int(r.bytes)
	case opGrant:
		want = 8
	case opSlot:
		if r.bytes > uint32(eagerBytes) || r.aux >= pageBytes {
			return r, nil, fmt.Errorf("an envelope of %d B at offset %d of a slot, want at most %d and %d", r.bytes, r.aux, eagerBytes, pageBytes-1)
		}
	}
	switch {
	case r.op == 0 || r.op >= opEnd || r.flags >= flagEnd:
		return r, nil, fmt.Errorf("an entry of kind %d with flags %#x", r.op, r.flags)
	case r.typ < 0:
		return r, nil, fmt.Errorf("a message of type %d", r.typ)
	case int(r.origin) >= nodes:
		return r, nil, fmt.Errorf("a message of node %d, want less than %d", r.origin, nodes)
	case len(body) != want:
		return r, nil, fmt.Errorf("an entry of kind %d with %d B after its header, want %d", r.op, len(body), want)
	}
	return r, body, nil
}
