package grim

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
)

// call is a request or a reply.
type call struct {
	op      uint8
	handler uint8
	number  uint32 // of the request
	args    library.Args
	bytes   int       // of a store or get
	at      host.Addr // of the answerer's data
	into    host.Addr // of a get: where the data goes
	from    int       // node
}

// What a call is.
const (
	callPlain uint8 = iota
	callStore
	callGet
	callReply
)

// A call's words as an active message: what it is, its number and its arguments; with
// data also where and how much.
const (
	plainBytes = 24
	dataBytes  = plainBytes + 20
)

// encode appends a call's words.
func (q *call) encode(b []byte) []byte {
	b = append(b, q.op, q.handler, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, q.number)
	for _, w := range q.args {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	if q.bytes > 0 {
		b = binary.LittleEndian.AppendUint32(b, uint32(q.bytes))
		b = binary.LittleEndian.AppendUint64(b, uint64(q.at))
		b = binary.LittleEndian.AppendUint64(b, uint64(q.into))
	}
	return b
}

// decode is the inverse. It returns false for words that encode does not make.
func decode(b []byte) (q call, ok bool) {
	if len(b) != plainBytes && len(b) != dataBytes {
		return q, false
	}
	q.op, q.handler, q.number = b[0], b[1], binary.LittleEndian.Uint32(b[4:])
	for i := range q.args {
		q.args[i] = binary.LittleEndian.Uint32(b[8+4*i:])
	}
	if len(b) == dataBytes {
		q.bytes = int(binary.LittleEndian.Uint32(b[plainBytes:]))
		q.at = host.Addr(binary.LittleEndian.Uint64(b[plainBytes+4:]))
		q.into = host.Addr(binary.LittleEndian.Uint64(b[plainBytes+12:]))
	}
	data := q.op == callStore || q.op == callGet
	return q, q.op <= callReply && data == (len(b) == dataBytes) && data == (q.bytes > 0)
}

// calls are requests or replies that have come and are not handled yet.
type calls []call

func (q *calls) take() (x call, ok bool) {
	if len(*q) == 0 {
		return x, false
	}
	x = (*q)[0]
	*q = (*q)[:copy(*q, (*q)[1:])]
	return x, true
}
