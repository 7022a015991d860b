package tcp

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// write is the system call that appends pieces of memory to a stream and sends what
// may leave. It returns when all is in the socket.
func (k *conn) write(c *host.Context, meta trace.Meta, pieces ...comm.Piece) error {
	c.Spend(k.e.layer.spec.Host.Call)
	for _, p := range pieces {
		for p.Bytes > 0 {
			if err := k.makeSpace(c); err != nil {
				return err
			}
			n := k.fill(c, p, meta)
			p.At += host.Addr(n)
			p.Bytes -= n
		}
	}
	k.shut()
	k.output(c)
	return k.failed
}

// space returns how many bytes may be written.
func (k *conn) space() int { return k.e.layer.spec.SendBytes - int(k.end-k.una) }

// makeSpace waits until something may be written. Meanwhile the process reads what
// arrives, because its peer may be waiting for that.
func (k *conn) makeSpace(c *host.Context) error {
	for k.failed == nil && k.space() <= 0 {
		k.shut()
		k.output(c)
		k.e.writer = k
		if k.space() <= 0 && k.failed == nil && !k.e.drain(c) {
			k.e.sleep(c, "room in a socket")
		}
		k.e.writer = nil
	}
	return k.failed
}

// fill copies as much of a piece as the last segment and the socket have room for. A
// segment has messages of one kind, for the sake of the records of its packets.
func (k *conn) fill(c *host.Context, p comm.Piece, meta trace.Meta) int {
	l := k.e.layer
	most := l.spec.Firmware.PacketBytes
	s := k.last()
	if s == nil || s.final || s.bytes == most || s.meta.Kind != meta.Kind {
		s = k.append(meta)
	}
	s.open = true
	n := min(p.Bytes, most-s.bytes, k.space())
	to := s.at + host.Addr(s.bytes)
	k.end += uint64(n) // so that nothing else is written there
	c.CopyBetween(k.e.Space(), p.At, l.Driver.Space, to, n)
	if k.failed != nil {
		return n
	}
	s = k.last() // the queue may have moved meanwhile
	s.bytes += n
	if s.bytes == most {
		s.open = false
		k.output(c)
	}
	return n
}

// append appends an empty segment.
func (k *conn) append(meta trace.Meta) *segment {
	l := k.e.layer
	s := segment{seq: k.end, at: l.Buffers.Get(), meta: meta}
	l.held[s.at]++
	k.queue.Push(s)
	return k.last()
}

// last returns the last segment, or nil.
func (k *conn) last() *segment {
	if k.queue.Len() == 0 {
		return nil
	}
	return k.queue.At(k.queue.Len() - 1)
}

// shut lets the last segment leave before it is full.
func (k *conn) shut() {
	if s := k.last(); s != nil {
		s.open = false
	}
}
