package tcp

import (
	"fmt"

	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// output sends the segments that may leave. One context does so at a time; what
// becomes possible meanwhile, it sends as well.
func (k *conn) output(c *host.Context) {
	if k.sending {
		return
	}
	k.sending = true
	for s := k.ready(); s != nil; s = k.ready() {
		k.flying++
		if !s.final && k.timed == 0 {
			k.timed, k.timedAt = s.seq+uint64(s.bytes), c.Now()
		}
		k.transmit(c, s)
	}
	k.sending = false
	if k.flying == 0 && k.queue.Len() > 0 && !k.queue.At(0).open {
		k.await() // for room at the peer
	}
}

// ready returns the next segment if it may leave now, or nil.
func (k *conn) ready() *segment {
	if k.flying >= min(k.queue.Len(), k.window) || k.failed != nil {
		return nil
	}
	s := k.queue.At(k.flying)
	if s.open || s.seq+uint64(s.bytes) > k.limit {
		return nil
	}
	if l := k.e.layer; l.Program.Full(&l.descriptors) {
		l.stalled = true
		return nil
	}
	return s
}

// transmit sends a segment, for the first time or again.
func (k *conn) transmit(c *host.Context, s *segment) {
	l := k.e.layer
	if s.final {
		l.stats.Repeated++
		if k.timed > s.seq {
			k.timed = 0 // its acknowledgement would not tell of which one it is
		}
	}
	s.final = true
	k.await()
	l.held[s.at]++
	k.send(c, header{seq: s.seq}, s.at, s.bytes, s.meta, l.spec.Host.Segment)
}

// acknowledge sends an acknowledgement by itself.
func (k *conn) acknowledge(c *host.Context) {
	l := k.e.layer
	l.stats.Acks++
	k.send(c, header{seq: k.una}, l.blank, 0, trace.Meta{Kind: trace.Credit}, l.spec.Host.Ack)
}

// probe asks the peer for its window.
func (k *conn) probe(c *host.Context) {
	l := k.e.layer
	l.stats.Probes++
	k.send(c, header{seq: k.una, probe: true}, l.blank, 0, trace.Meta{Kind: trace.Credit}, l.spec.Host.Ack)
}

// send passes a frame to the controller. It acknowledges what has arrived.
func (k *conn) send(c *host.Context, h header, at host.Addr, bytes int, meta trace.Meta, cost sim.Duration) {
	l := k.e.layer
	h.from, h.to = k.e.port, k.port
	h.ack, h.window = k.expected, uint32(k.room()-k.expected)
	k.advertised, k.unacked, k.ackAt = k.room(), 0, sim.Never
	r := l.Program.NewRequest()
	r.To, r.Bytes = int32(k.peer), bytes
	r.Meta = trace.Meta{Tag: k.e.Tag(), Kind: meta.Kind, Span: meta.Span}
	if h.probe {
		r.Op = opProbe
	}
	r.Words = h.words(l.read(at, bytes))
	l.Send(r, at)
	l.Program.Post(c, r, cost, host.Words)
}

// room returns the number of the first byte that would not fit into the socket: the end of the
// window.
func (k *conn) room() uint64 {
	return k.expected + uint64(max(0, k.e.layer.spec.ReceiveBytes-k.readable))
}

// await sets the time at which the oldest segment counts as lost, or the window is probed.
func (k *conn) await() {
	if k.deadline == sim.Never {
		l := k.e.layer
		k.deadline = l.Program.Now().Add(k.rtt.timeout(&l.spec, k.tries))
		l.watch(k.deadline)
	}
}

// read returns bytes of kernel memory until the next call.
func (l *Layer) read(at host.Addr, n int) []byte {
	l.data = l.data[:n]
	l.Driver.Space.ReadAt(at, l.data)
	return l.data
}

// Fetched ends the controller's use of a frame's buffer. When segments wait for
// descriptors and half of them are free, it interrupts.
func (l *Layer) Fetched(r *firmware.Request) {
	l.letGo(r.From)
	if l.stalled && l.descriptors.Len() <= l.spec.Firmware.RequestSlots/2 {
		l.stalled = false
		l.timers.Interrupt()
	}
}

// letGo ends one use of a kernel buffer, which is freed after the last.
func (l *Layer) letGo(at host.Addr) {
	if at == l.blank {
		return
	}
	switch l.held[at]--; {
	case l.held[at] == 0:
		delete(l.held, at)
		l.Buffers.Put(at)
	case l.held[at] < 0:
		panic(fmt.Sprintf("tcp: node %d at %v: buffer %#x is freed twice", l.NIC.ID(), l.Program.Now(), at))
	}
}
