package sockets

import (
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim/host"
)

// SkipTo moves both sides of an idle direction of a connection on, as if a
// whole number of rings and of entries had gone by.
func SkipTo(writer, reader *Conn, position, seq uint32) {
	o, in := &writer.out, &reader.in
	o.wrote, o.freed, in.end, in.freed, in.credited.freed, in.redirect.front = position, position, position, position, position, position
	o.seq, o.taken, in.seq, in.taken, in.credited.taken = seq, seq, seq, seq, seq
}

// Deposit puts bytes into a line of a connection's entries as a packet would.
func Deposit(c *Conn, line int, b []byte) {
	c.stack.space.WriteAt(c.in.entries+host.Addr(line*entryBytes), b)
	c.arrived(vmmc.Deposit{From: c.peer, Offset: line * entryBytes, Bytes: len(b), First: true, Last: true})
}

// Land puts bytes into a connection's ring of data as a packet would.
func Land(c *Conn, offset int, b []byte) {
	copy(c.place(offset, len(b)), b)
	c.landed(vmmc.Deposit{From: c.peer, Offset: offset, Bytes: len(b), First: true, Last: true})
}

// Posted reports whether a reader's buffer is with the interface.
func Posted(c *Conn) bool { return c.in.redirect.posted }

// Parse decodes an entry and encodes it again.
func Parse(b []byte, ringBytes int) (again []byte, err error) {
	e, err := parse(b, ringBytes)
	if err != nil {
		return nil, err
	}
	var out [entryBytes]byte
	n := e.put(&out)
	copy(out[inlineAt:], b[inlineAt:min(len(b), n)])
	return out[:n], nil
}

// Default returns sockets for a few connections per node.
func Default() Spec {
	return Spec{RingBytes: 256 << 10, Entries: 64, CopyBytes: 1024, RedirectBytes: 1024}
}
