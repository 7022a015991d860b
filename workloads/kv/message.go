package kv

import (
	"encoding/binary"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/trace"
)

// Sizes of heads. Values follow them.
const (
	requestBytes = 24
	replyBytes   = 8
)

// request is the head of a request.
type request struct {
	kind Kind
	span trace.Span
	key  int
	by   uint64 // of Add
}

func (r request) put(b []byte) {
	binary.LittleEndian.PutUint32(b, uint32(r.kind))
	binary.LittleEndian.PutUint32(b[4:], uint32(r.span))
	binary.LittleEndian.PutUint64(b[8:], uint64(r.key))
	binary.LittleEndian.PutUint64(b[16:], r.by)
}

func parse(b []byte) request {
	return request{
		kind: Kind(binary.LittleEndian.Uint32(b)), span: trace.Span(binary.LittleEndian.Uint32(b[4:])),
		key: int(binary.LittleEndian.Uint64(b[8:])), by: binary.LittleEndian.Uint64(b[16:]),
	}
}

// fill writes the bytes of a value of a key. They begin with its name.
func fill(b []byte, key int, v Value) {
	binary.LittleEndian.PutUint64(b, uint64(v))
	rest(key, v).Read(0, b[8:])
}

// holds reports whether all bytes are those of a value of a key.
func holds(b []byte, key int, v Value) bool {
	wrong, _ := rest(key, v).Differs(b[8:])
	return binary.LittleEndian.Uint64(b) == uint64(v) && wrong < 0
}

// rest is what follows the name of a value.
func rest(key int, v Value) content.Words { return content.Words(sim.Mix(uint64(v)) + uint64(key)) }

// sum is the checksum of a value and its version: FNV-1a over words.
func sum(version uint64, b []byte) uint64 {
	h := uint64(14695981039346656037) ^ version
	for ; len(b) > 0; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 1099511628211
		h ^= h >> 29
	}
	return h
}
