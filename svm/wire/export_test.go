package wire

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
)

// Lengths of a record's envelope.
const (
	HeaderBytes   = headerBytes
	EnvelopeBytes = envelopeBytes
)

// Arrive lets bytes lie at an offset of the ring for a peer and tells the port
// of a packet with them.
func (p *Port) Arrive(from, offset int, b []byte, first, last bool) {
	offset += p.places(p.id, from).inbox
	p.space.WriteAt(p.rings+host.Addr(offset), b)
	p.stored(vmmc.Deposit{From: from, Offset: offset, Bytes: len(b), First: first, Last: last})
}

// Record returns a record of zero bytes.
func Record(bytes int, class svm.Class, part int, more bool, from, seq uint32) []byte {
	r := record{bytes: bytes, class: class, part: part, more: more, total: uint32(bytes), from: from, seq: seq}
	header := r.header()
	b := append(header[:], make([]byte, r.span()-headerBytes)...)
	binary.LittleEndian.PutUint32(b[len(b)-tailBytes:], seq)
	return b
}

// Reread parses a header and packs it again.
func Reread(b []byte) []byte {
	out := parse([headerBytes]byte(b)).header()
	return out[:]
}

// Held returns how many pages of the rings have memory.
func (p *Port) Held() int {
	held := 0
	for at := p.rings; at < p.rings+host.Addr((len(p.all)-1)*p.spec.share()); at += host.PageBytes {
		if p.space.Bound(at.Page()) != nil {
			held++
		}
	}
	return held
}
