package wire

import (
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/svm"
)

// HeaderBytes is the length of a record's header.
const HeaderBytes = headerBytes

// Arrive lets bytes lie at an offset of the ring for a peer and tells the port
// of a packet with them.
func (p *Port) Arrive(from, offset int, b []byte, first, last bool) {
	p.space.WriteAt(p.peer(from).inbox+host.Addr(offset), b)
	p.arrived(from, vmmc.Deposit{From: from, Offset: offset, Bytes: len(b), First: first, Last: last})
}

// Header returns the header of a record, packed.
func Header(bytes int, class svm.Class, part int, more bool, seq, page uint32) []byte {
	b := make([]byte, headerBytes)
	record{bytes: bytes, class: class, part: part, more: more, seq: seq, page: page}.put(b)
	return b
}

// Reread parses a header and packs it again.
func Reread(b []byte) []byte {
	out := make([]byte, headerBytes)
	parse(b).put(out)
	return out
}
