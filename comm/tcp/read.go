package tcp

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
)

// markBytes is the length of the mark before a message: the message's own length.
const markBytes = 8

// begun reports whether a message has begun to arrive.
func (k *conn) begun() bool { return k.readable >= markBytes || k.drains && k.readable > 0 }

// read copies at most n readable bytes into the process.
func (k *conn) read(c *host.Context, at host.Addr, n int) int {
	l := k.e.layer
	n = min(n, k.readable)
	for left := n; left > 0; {
		x := k.arrived.At(0)
		part := min(left, x.bytes)
		c.CopyBetween(l.Driver.Space, x.at+host.Addr(x.offset), k.e.Space(), at, part)
		x = k.arrived.At(0) // the queue may have moved meanwhile
		x.offset, x.bytes = x.offset+part, x.bytes-part
		if x.bytes == 0 {
			l.Buffers.Put(k.arrived.Pop().at)
		}
		k.readable -= part
		at, left = at+host.Addr(part), left-part
	}
	if opened := k.room() - k.advertised; opened >= uint64(min(2*l.spec.Firmware.PacketBytes, l.spec.ReceiveBytes/2)) {
		k.acknowledge(c)
	}
	return n
}

// fetch reads n bytes, and waits for those that have not arrived.
func (k *conn) fetch(c *host.Context, at host.Addr, n int) error {
	for n > 0 {
		for k.readable == 0 {
			if k.failed != nil {
				return k.failed
			}
			k.e.sleep(c, "the rest of a message")
		}
		c.Spend(k.e.layer.spec.Host.Call)
		m := k.read(c, at, n)
		at, n = at+host.Addr(m), n-m
	}
	return nil
}

// begin reads the mark of the next message, which has arrived, and returns the
// message's length.
func (k *conn) begin(c *host.Context) int {
	c.Spend(k.e.layer.spec.Host.Call)
	k.read(c, k.e.in, markBytes)
	var b [markBytes]byte
	k.e.Space().ReadAt(k.e.in, b[:])
	return int(binary.LittleEndian.Uint64(b[:]))
}

// collect reads what has arrived of a message into memory of the library.
func (k *conn) collect(c *host.Context) {
	e := k.e
	if !k.drains {
		n := k.begin(c)
		k.partial, k.partialBytes, k.drains = letter{k.peer, n, e.spare.Get(e.Space(), n)}, 0, true
	} else {
		c.Spend(e.layer.spec.Host.Call)
	}
	k.partialBytes += k.read(c, k.partial.own.At+host.Addr(k.partialBytes), k.partial.bytes-k.partialBytes)
	if k.partialBytes == k.partial.bytes {
		k.drains = false
		e.letters = append(e.letters, k.partial)
	}
}

// drain reads what has arrived into memory of the library, and reports whether
// there was something.
func (e *Endpoint) drain(c *host.Context) bool {
	any := false
	for _, k := range e.conns {
		for k != nil && k.begun() {
			k.collect(c)
			any = true
		}
	}
	return any
}

// message is one that a receive has found: in memory of the library, or at the
// front of a socket, its mark read.
type message struct {
	from, bytes int
	own         library.Piece
	at          *conn
}

// next waits for the oldest message of a node, or of Anyone.
func (e *Endpoint) next(c *host.Context, from int) (message, error) {
	c.Spend(e.layer.spec.Host.Poll)
	for {
		for i, x := range e.letters {
			if from == comm.Anyone || x.from == from {
				e.letters = append(e.letters[:i], e.letters[i+1:]...)
				return message{x.from, x.bytes, x.own, nil}, nil
			}
		}
		k := e.readable(from)
		switch {
		case k != nil && k.drains:
			k.collect(c)
		case k != nil:
			return message{from: k.peer, bytes: k.begin(c), at: k}, nil
		case from != comm.Anyone && e.conns[from] == nil:
			return message{}, e.Errorf("not connected to node %d", from)
		case from != comm.Anyone && e.conns[from].failed != nil:
			return message{}, e.conns[from].failed
		default:
			e.sleep(c, "a message")
		}
	}
}

// readable returns a connection from which a message can be read, or nil. All get
// their turns.
func (e *Endpoint) readable(from int) *conn {
	if from != comm.Anyone {
		if k := e.conns[from]; k != nil && k.begun() {
			return k
		}
		return nil
	}
	for range e.conns {
		e.turn = (e.turn + 1) % len(e.conns)
		if k := e.conns[e.turn]; k != nil && k.begun() {
			return k
		}
	}
	return nil
}

// sleep yields the CPU until something has arrived or there is room.
func (e *Endpoint) sleep(c *host.Context, reason string) {
	c.Block(&e.Watch, reason)
	c.Spend(e.layer.spec.Host.Wake)
}
