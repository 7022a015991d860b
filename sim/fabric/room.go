package fabric

import "github.com/sigview/sigview/sim"

// Room in the buffer of a switch. A packet takes room for all its bytes when the switch has looked
// at its head, and gives it back when its tail has left. Channels give it back lazily: only when
// there seems to be too little, or if a pause depends on it, is the time exact.

// admit takes room for bytes from an input for an output, and reports whether there is some.
func (b *buffers) admit(in, out int32, bytes int) bool {
	s, n := &b.switches[b.ports[in].to], int64(bytes)
	switch b.spec.Control {
	case Lossy:
		queue, band := b.ports[out].bytes+n, int64(b.spec.DropBand)
		if !b.fits(s, queue+band, n, b.limit(s)) {
			b.sweep(s)
			over := float64(queue+band) - b.limit(s)
			if n > s.room-s.used || over > 0 && b.drops.Float64()*float64(band) < over {
				return false
			}
		}
		s.used += n
	case PFC:
		b.charge(in, n)
	}
	return true
}

// fits reports whether n bytes more, which make a queue of bytes, are within its limit.
func (b *buffers) fits(s *store, bytes, n int64, limit float64) bool {
	return n <= s.room-s.used && float64(bytes) <= limit
}

// limit is the dynamic threshold of a switch's queues.
func (b *buffers) limit(s *store) float64 { return float64(b.spec.Alpha * float64(s.room-s.used)) }

// sweep gives back the room of all packets that have left a switch.
func (b *buffers) sweep(s *store) {
	for _, id := range s.outputs {
		b.settle(id)
	}
}

// leave gives back the room of bytes that have come through an input.
func (b *buffers) leave(in int32, bytes int64) {
	switch b.spec.Control {
	case Lossy:
		b.switches[b.ports[in].to].used -= bytes
	case PFC:
		b.giveBack(in, bytes)
	}
}

// mark marks p, which enters the queue of an output, by the length of the queue.
func (b *buffers) mark(out *port, p *Packet, s *ChannelStats) {
	e := b.spec.ECN
	if out.bytes <= int64(e.Min) {
		return
	}
	if out.bytes <= int64(e.Max) {
		share := e.Share * float64(out.bytes-int64(e.Min)) / float64(e.Max-e.Min)
		if b.marks.Float64() >= share {
			return
		}
	}
	p.Marked = true
	s.Marked++
	b.flow(p).Marked++
	b.net.stats.Marked++
}

// spend takes credits for a packet that enters a channel at a time, if there are enough then. Otherwise
// the channel is served again when there are.
func (b *buffers) spend(id int32, bytes int64, at sim.Time) bool {
	out := &b.ports[id]
	k := &out.credits
	done := 0
	for done < len(k.coming) && k.coming[done].at <= at {
		k.free += k.coming[done].bytes
		done++
	}
	k.coming = append(k.coming[:0], k.coming[done:]...)
	if k.free >= bytes {
		k.free -= bytes
		b.unhalt(id)
		return true
	}
	b.halt(id)
	if k.wake <= b.net.engine.Now() {
		k.wake = 0
	}
	b.awaitCredits(id, bytes)
	return false
}

// awaitCredits serves a channel when bytes of credit are there, if their time is known.
func (b *buffers) awaitCredits(id int32, bytes int64) {
	k := &b.ports[id].credits
	sum := k.free
	for _, c := range k.coming {
		if sum += c.bytes; sum >= bytes {
			if k.wake == 0 || c.at < k.wake {
				k.wake = c.at
				b.net.engine.At(c.at, b.net, opCredit, uint64(id))
			}
			return
		}
	}
}

// restore gives the sender of a channel its credits for bytes back at a time.
func (b *buffers) restore(id int32, bytes int64, at sim.Time) {
	out, k := &b.ports[id], &b.ports[id].credits
	k.coming = append(k.coming, credit{at, bytes})
	for i := len(k.coming) - 1; i > 0 && k.coming[i-1].at > at; i-- {
		k.coming[i-1], k.coming[i] = k.coming[i], k.coming[i-1]
	}
	if !out.halted {
		return
	}
	next := b.net.ch[id].holder // a node's
	if out.from != noSwitch {
		next = *out.queue.At(0)
	}
	b.awaitCredits(id, int64(next.WireBytes))
}
