package fabric

import "github.com/sigview/sigview/sim"

// Room in the buffer of a switch. A packet takes room for all its bytes when the switch has looked
// at its head, and gives it back when its tail has left. Channels give it back lazily: only when
// there seems to be too little, or if a pause depends on it, is the time exact.

// admit takes room for a packet in a switch's buffer and reports whether there is some. With Lossy
// a packet within DropBand of the limit is dropped with a probability that rises to 1 at the limit.
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

// fits reports whether n bytes more leave a queue within its limit, and the buffer within its size.
func (b *buffers) fits(s *store, bytes, n int64, limit float64) bool {
	return n <= s.room-s.used && float64(bytes) <= limit
}

// limit returns the dynamic threshold of a queue, bytes: Alpha times the free room.
func (b *buffers) limit(s *store) float64 { return float64(b.spec.Alpha * float64(s.room-s.used)) }

// sweep releases all outputs of a switch whose packets have left, so that its free room is exact.
func (b *buffers) sweep(s *store) {
	s.busy.Each(func(at int) { b.settle(s.outputs[at]) })
}

// leave gives back the room of bytes that came through input in and have left.
func (b *buffers) leave(in int32, bytes int64) {
	switch b.spec.Control {
	case Lossy:
		b.switches[b.ports[in].to].used -= bytes
	case PFC:
		b.giveBack(in, bytes)
	}
}

// mark sets Marked of p by the length of the output queue that it enters: never up to Min, always
// beyond Max, and with a probability that rises to Share in between.
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

// spend takes credits for a packet that enters a channel at a time, and reports whether there are
// enough. If not, the channel halts and is served again when enough credits have come.
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

// awaitCredits schedules the channel's service for the time at which bytes of credit will have
// come. If that is not known yet, restore schedules it.
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

// restore gives the sender of a channel credits for bytes, which reach it at a time. Invariant: the
// coming credits are in the order of their times.
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
