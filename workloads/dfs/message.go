package dfs

import (
	"encoding/binary"
	"fmt"

	"github.com/sigview/sigview/trace"
)

// op is the kind of a client's request.
type op uint8

const (
	readBlock  op = 1 + iota // reply: the bytes
	writeBlock               // the bytes follow; reply when they are in the block
	zeroBlock                // reply when they are zero
	lockShared               // reply when granted
	lockAlone                // reply when granted
	unlock                   // no reply
)

// Bytes of messages; what a block's bytes are sent in follows.
const (
	requestBytes = 20
	replyBytes   = 12
)

// request is what a client sends.
type request struct {
	op     op
	fresh  bool // writeBlock: the rest of the block becomes zero
	tag    uint32
	span   trace.Span // file operation that the request is part of
	at     uint32     // number of the block, or of the lock
	offset int        // in the block
	bytes  int
}

func (r request) put(b *[requestBytes]byte) {
	b[0], b[1], b[2], b[3] = byte(r.op), 0, 0, 0
	if r.fresh {
		b[1] = 1
	}
	binary.LittleEndian.PutUint32(b[4:], r.tag)
	binary.LittleEndian.PutUint32(b[8:], r.at)
	binary.LittleEndian.PutUint16(b[12:], uint16(r.offset))
	binary.LittleEndian.PutUint16(b[14:], uint16(r.bytes))
	binary.LittleEndian.PutUint32(b[16:], uint32(r.span))
}

func parseRequest(b []byte) (request, error) {
	if len(b) != requestBytes {
		return request{}, fmt.Errorf("request of %d B, want %d", len(b), requestBytes)
	}
	r := request{
		op: op(b[0]), fresh: b[1] == 1, tag: binary.LittleEndian.Uint32(b[4:]), at: binary.LittleEndian.Uint32(b[8:]),
		offset: int(binary.LittleEndian.Uint16(b[12:])), bytes: int(binary.LittleEndian.Uint16(b[14:])),
		span: trace.Span(binary.LittleEndian.Uint32(b[16:])),
	}
	switch {
	case r.op < readBlock || r.op > unlock:
		return r, fmt.Errorf("request %d: operation %d, want %d to %d", r.tag, r.op, readBlock, unlock)
	case b[1] > 1 || b[2] != 0 || b[3] != 0 || r.fresh && r.op != writeBlock:
		return r, fmt.Errorf("request %d: flags %x of operation %d", r.tag, b[1:4], r.op)
	case r.op >= lockShared && r.offset+r.bytes != 0:
		return r, fmt.Errorf("request %d: lock with %d B at %d", r.tag, r.bytes, r.offset)
	case r.op < lockShared && (r.bytes < 1 || r.offset+r.bytes > blockBytes):
		return r, fmt.Errorf("request %d: %d B at %d of a block of %d", r.tag, r.bytes, r.offset, blockBytes)
	}
	return r, nil
}

// status is a server's answer.
type status uint32

const (
	done status = 1 + iota
	refused
)

// reply is what a server sends.
type reply struct {
	status status
	tag    uint32
	bytes  int // that follow
}

func (r reply) put(b *[replyBytes]byte) {
	binary.LittleEndian.PutUint32(b[:], uint32(r.status))
	binary.LittleEndian.PutUint32(b[4:], r.tag)
	binary.LittleEndian.PutUint32(b[8:], uint32(r.bytes))
}

func parseReply(b []byte) (reply, error) {
	if len(b) != replyBytes {
		return reply{}, fmt.Errorf("reply of %d B, want %d", len(b), replyBytes)
	}
	n := binary.LittleEndian.Uint32(b[8:])
	r := reply{status: status(binary.LittleEndian.Uint32(b)), tag: binary.LittleEndian.Uint32(b[4:]), bytes: int(n)}
	if r.status != done && r.status != refused || n > blockBytes {
		return r, fmt.Errorf("reply %d: status %d with %d B", r.tag, r.status, n)
	}
	return r, nil
}
