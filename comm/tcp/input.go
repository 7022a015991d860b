package tcp

import (
	"errors"
	"slices"

	"github.com/sigview/sigview/comm/internal/kernel"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Sound reports whether a frame is undamaged.
func (l *Layer) Sound(k *fabric.Packet) bool {
	switch _, err := decode(&k.Header, k.Data()); {
	case errors.Is(err, errChecksum):
		l.stats.Checksum++
		return false
	case err != nil:
		l.stats.Malformed++
		return false
	}
	return true
}

// Input handles a frame.
func (l *Layer) Input(c *host.Context, p kernel.Packet) {
	h, err := decode(&p.Header, l.read(p.At, p.Bytes))
	if err != nil {
		panic("tcp: " + err.Error() + " after the frame was accepted")
	}
	k := l.find(h.to, p.From, h.from)
	if k == nil {
		l.stats.Refused++
		l.Buffers.Put(p.At)
		return
	}
	k.acknowledged(c, &h, p.Bytes)
	switch {
	case p.Bytes > 0:
		k.take(c, h.seq, p)
	case h.probe:
		k.acknowledge(c)
		fallthrough
	default:
		l.Buffers.Put(p.At)
	}
	k.output(c)
}

// find returns the connection between two ports, or nil.
func (l *Layer) find(port uint16, peer int, from uint16) *conn {
	if int(port) >= len(l.endpoints) {
		return nil
	}
	if k := l.endpoints[port].conns[peer]; k != nil && k.port == from {
		return k
	}
	return nil
}

// acknowledged handles the acknowledgement that a frame with some data carries.
func (k *conn) acknowledged(c *host.Context, h *header, bytes int) {
	limit := h.ack + uint64(h.window)
	switch {
	case h.ack > k.una && h.ack <= k.end:
		k.advance(c, h.ack)
	case h.ack == k.una && bytes == 0 && !h.probe && k.flying > 0 && limit <= k.limit:
		k.repeated(c)
	}
	if k.flying == 0 { // the peer has answered a probe
		k.tries = 0
	}
	if limit > k.limit {
		k.limit = limit
		if k.flying == 0 {
			k.deadline = sim.Never
		}
	}
}

// advance frees acknowledged segments and grows the window.
func (k *conn) advance(c *host.Context, ack uint64) {
	l := k.e.layer
	if k.timed > 0 && ack >= k.timed {
		k.rtt.add(c.Now().Sub(k.timedAt))
		k.timed = 0
	}
	for k.queue.Len() > 0 && k.queue.At(0).seq+uint64(k.queue.At(0).bytes) <= ack && !k.queue.At(0).open {
		l.letGo(k.queue.Pop().at)
		k.flying = max(0, k.flying-1)
	}
	k.una, k.same, k.tries, k.deadline = ack, 0, 0, sim.Never
	if k.flying > 0 {
		k.await()
	}
	switch {
	case k.recovery > ack && k.flying > 0: // the next gap
		k.transmit(c, k.queue.At(0))
	case k.recovery > 0:
		k.recovery, k.window = 0, k.threshold
	case k.window < k.threshold:
		k.window++
	default:
		if k.grown++; k.grown >= k.window {
			k.grown = 0
			k.window++
		}
	}
	if k.e.writer == k && k.space() > 0 {
		k.e.Fire()
	}
}

// gapAcks is how many acknowledgements of the same byte show a gap.
const gapAcks = 3

// repeated handles an acknowledgement of the same byte: a segment has arrived
// behind a gap.
func (k *conn) repeated(c *host.Context) {
	k.same++
	switch {
	case k.recovery > 0:
		k.window++ // a segment has left the network
	case k.same == gapAcks:
		last := k.queue.At(k.flying - 1)
		k.recovery = last.seq + uint64(last.bytes)
		k.threshold = max(2, k.flying/2)
		k.window = k.threshold + gapAcks
		k.e.layer.stats.Fast++
		k.transmit(c, k.queue.At(0))
	}
}

// take stores a segment as readable, or behind a gap, and acknowledges it at once or with a delay.
func (k *conn) take(c *host.Context, seq uint64, p kernel.Packet) {
	l := k.e.layer
	switch {
	case seq+uint64(p.Bytes) > k.room():
		l.stats.SocketFull++
	case seq == k.expected:
		gap := len(k.early) > 0
		k.deliver(p)
		for len(k.early) > 0 && k.first() == k.expected {
			k.deliver(k.early[0])
			k.early = slices.Delete(k.early, 0, 1)
		}
		k.e.Ring()
		if k.unacked++; k.unacked >= 2 || gap {
			k.acknowledge(c)
		} else if k.ackAt == sim.Never {
			k.ackAt = c.Now().Add(l.spec.AckDelay)
			l.watch(k.ackAt)
		}
		return
	case seq > k.expected && k.hold(seq, p):
		l.stats.OutOfOrder++
		k.acknowledge(c)
		return
	default:
		l.stats.Duplicates++
	}
	l.Buffers.Put(p.At)
	k.acknowledge(c)
}

// deliver makes the next segment readable.
func (k *conn) deliver(p kernel.Packet) {
	k.arrived.Push(chunk{at: p.At, bytes: p.Bytes})
	k.expected += uint64(p.Bytes)
	k.readable += p.Bytes
	k.e.fresh++
}

// first returns the number of the first byte behind a gap.
func (k *receiver) first() uint64 { return k.early[0].Header.Words[0] }

// hold keeps a segment that has arrived behind a gap. It reports false for one that
// is kept already.
func (k *receiver) hold(seq uint64, p kernel.Packet) bool {
	i, known := slices.BinarySearchFunc(k.early, seq, func(a kernel.Packet, seq uint64) int {
		switch at := a.Header.Words[0]; {
		case at < seq:
			return -1
		case at > seq:
			return 1
		}
		return 0
	})
	if !known {
		k.early = slices.Insert(k.early, i, p)
	}
	return !known
}
