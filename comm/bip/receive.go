package bip

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Types of packets.
const (
	opShort uint8 = iota // a whole message
	opLong               // a fragment
)

// Words of a packet's header. Its sequence number is that of the message.
const (
	wordBytes  = 0 // of the message
	wordOffset = 1 // of a fragment in it
	wordSlot   = 1 // where the receiver has placed a short message, plus one; 0: nowhere yet
)

// Arrived decides where a packet goes. It checks neither sender nor process.
func (l *Layer) Arrived(k *fabric.Packet) firmware.Target {
	src := int(k.Src)
	switch {
	case !k.Header.Meta.Kind.CarriesRequest():
		l.counts.malformed++
		return firmware.Target{}
	case l.process == nil:
		l.counts.unclaimed++
		return firmware.Target{}
	case l.blocked[src]:
		if k.Header.Op == opShort {
			k.Header.Words[wordSlot] = 0
		}
		return firmware.Target{Action: firmware.Wait}
	case k.Header.Op == opShort:
		return l.short(k, src)
	case k.Header.Op == opLong:
		return l.long(k, src)
	}
	l.counts.malformed++
	return firmware.Target{}
}

// short finds a slot of the ring for a message; without one it is lost.
func (l *Layer) short(k *fabric.Packet, src int) firmware.Target {
	switch {
	case k.Bytes() >= l.spec.LongBytes:
		l.counts.malformed++
		return firmware.Target{}
	case len(l.free) == 0:
		l.counts.overflow++
		return firmware.Target{}
	}
	slot := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	l.unread[src]++
	k.Header.Words[wordSlot] = uint64(slot) + 1
	return firmware.Target{
		Action: firmware.Deposit, Space: l.process.Space(), At: l.process.slot(slot), HeaderBytes: l.spec.SlotHeaderBytes,
	}
}

// long finds the place of a fragment in a user's buffer. The first fragment of a
// message waits for an announcement. A later one that is out of sequence shows
// that a fragment, and so the whole message, is lost.
func (l *Layer) long(k *fabric.Packet, src int) firmware.Target {
	p := l.unfinished(src)
	offset := k.Header.Words[wordOffset]
	if p != nil && (k.Header.Seq != p.message.number || offset != uint64(p.message.next)) {
		l.abandon(p)
		p = nil
	}
	if offset == 0 {
		if p = l.match(src); p == nil {
			l.blocked[src], l.waits = true, true
			return firmware.Target{Action: firmware.Wait}
		}
		if !l.begin(k, p) {
			return firmware.Target{}
		}
	}
	if p == nil || k.Bytes() > p.message.bytes-p.message.next {
		l.counts.broken++
		return firmware.Target{}
	}
	p.message.next += k.Bytes()
	return firmware.Target{Action: firmware.Deposit, Space: p.owner.Space(), At: p.at + host.Addr(offset)}
}

// Landed makes a complete message visible.
func (l *Layer) Landed(k *fabric.Packet) {
	src, e := int(k.Src), l.process
	if k.Header.Op == opShort {
		slot := uint32(k.Header.Words[wordSlot] - 1)
		at := e.slot(slot)
		l.NIC.Host().Evict(e.Space(), at, k.Bytes())
		e.arrived(record{from: src, bytes: k.Bytes(), at: at, slot: slot})
		return
	}
	p := l.find(src, k.Header.Seq)
	if p == nil {
		return // given up
	}
	m := &p.message
	l.NIC.Host().Evict(p.owner.Space(), p.at+host.Addr(k.Header.Words[wordOffset]), k.Bytes())
	if m.landed += k.Bytes(); m.landed == m.bytes {
		l.complete(p, src, m.bytes)
	}
}

// Lost drops a packet that a reset has flushed, and its message. All waiting
// packets are lost.
func (l *Layer) Lost(k *fabric.Packet, why firmware.Loss) {
	if why == firmware.Damaged {
		return // its header is not valid; the next fragment of a long message shows the gap
	}
	src := int(k.Src)
	l.blocked[src], l.waits = false, false
	slot := k.Header.Words[wordSlot]
	if k.Header.Op == opLong {
		if p := l.find(src, k.Header.Seq); p != nil {
			l.abandon(p)
		}
	} else if slot > 0 {
		l.release(src, uint32(slot-1))
	}
}

// release frees a slot of the ring.
func (l *Layer) release(src int, slot uint32) {
	l.unread[src]--
	l.free = append(l.free, slot)
}

// Timer retries the packets that wait for an announcement.
func (l *Layer) Timer() {
	clear(l.blocked)
	l.waits = false
	l.Program.Retry()
}

// Outgoing completes the header of a fragment.
func (l *Layer) Outgoing(r *firmware.Request, k *fabric.Packet, offset int) {
	k.Header.Words[wordBytes], k.Header.Words[wordOffset] = uint64(r.Bytes), uint64(offset)
}
