package fabric

// Priority flow control. What has come through an input of a switch is counted. While it is within its limit
// it lies in the part of the buffer that all ports share. A packet beyond that makes the input send XOFF to the sender
// of its channel, and it lies, with all that comes until XON, in the headroom of the input.
// A pause frame waits for the packet in progress on its channel, which may itself be paused, and goes ahead
// of all that wait. A frame says what holds when it leaves. It has its effect one wire and the sender's
// reaction later; then the sender ends the packet in progress.

// charge counts n bytes that have come through an input, in the shared part of the buffer while the
// input is within its limit, and in its headroom once it has sent XOFF. Invariant: 0 <= headroom <=
// spec.Headroom; more means that headroomNeed is wrong, and fails the run.
func (b *buffers) charge(in int32, n int64) {
	p := &b.ports[in]
	s := &b.switches[p.to]
	if !p.off && !b.fits(s, p.shared+n, n, b.inputLimit(s)) {
		b.sweep(s)
		if !b.fits(s, p.shared+n, n, b.inputLimit(s)) {
			b.xoff(in)
		}
	}
	if !p.off {
		p.shared += n
		s.used += n
		return
	}
	if p.headroom += n; p.headroom > int64(b.spec.Headroom) {
		b.net.fail("%d bytes in the headroom of %s, which has %d", p.headroom, b.net.layout.name(int(in)), b.spec.Headroom)
	}
}

// inputLimit returns how many bytes of the shared part an input may use before it sends XOFF: a
// fixed number, or the dynamic threshold.
func (b *buffers) inputLimit(s *store) float64 {
	if b.spec.Xoff > 0 {
		return float64(b.spec.Xoff)
	}
	return b.limit(s)
}

// xoff makes an input pause its sender. While an input is off, the outputs of its switch have
// events, so that room is given back on time.
func (b *buffers) xoff(in int32) {
	p := &b.ports[in]
	s := &b.switches[p.to]
	p.off = true
	s.off++
	s.pausing.Add(p.place)
	for _, id := range s.outputs {
		if b.net.ch[id].holder != nil {
			b.arm(id)
		}
	}
	b.notify(in)
}

// giveBack returns the room of bytes that have left, to the input's headroom first. Inputs that are
// off send XON when their headroom is empty and their shared part is XonGap below the limit.
func (b *buffers) giveBack(in int32, bytes int64) {
	p := &b.ports[in]
	s := &b.switches[p.to]
	head := min(bytes, p.headroom)
	p.headroom -= head
	p.shared -= bytes - head
	s.used -= bytes - head
	if s.off == 0 {
		return
	}
	limit := b.inputLimit(s) - float64(b.spec.XonGap)
	s.pausing.Each(func(at int) {
		id := s.inputs[at]
		if q := &b.ports[id]; q.off && q.headroom == 0 && (q.shared == 0 || float64(q.shared) <= limit) {
			q.off = false
			s.off--
			s.pausing.Remove(q.place)
			b.notify(id)
		}
	})
}

// notify makes an input send its sender a pause frame with its state, as soon as the channel in the
// other direction is free.
func (b *buffers) notify(in int32) {
	back := b.ports[in].reverse
	b.ports[back].notice = true
	b.serve(back)
}

// sendPause sends the pause frame that waits for channel id, which is free. A state that has
// changed back since needs no frame.
func (b *buffers) sendPause(id int32) {
	n, out := b.net, &b.ports[id]
	in := &b.ports[out.reverse]
	out.notice = false
	if in.off == in.notified {
		b.serve(id) // it has changed its mind
		return
	}
	in.notified = in.off
	rate, delay := n.spec.LinkRate, n.spec.WireDelay
	if out.to == noSwitch {
		rate, delay = n.spec.into(id - int32(len(n.nodes)))
		rate = min(rate, n.spec.LinkRate)
	}
	out.wire = n.engine.Now().Add(rate.Time(pauseBytes))
	arg := uint64(out.reverse) << 1
	if in.off {
		arg |= 1
		n.stats.Pauses++
		n.ch[out.reverse].crowd.stats.Pauses++
	}
	n.engine.At(out.wire.Add(delay+b.spec.Reaction), n, opPause, arg)
	b.armIfAwaited(id)
}

// pause begins or ends a pause of the sender of a channel. A node keeps a packet that it was to
// inject later.
func (b *buffers) pause(id int32, on bool) {
	out, c := &b.ports[id], &b.net.ch[id]
	if !on && out.storms > 0 {
		return
	}
	if !on {
		b.unhalt(id)
		b.serve(id)
		return
	}
	b.halt(id)
	c.crowd.stats.Stops++
	if out.from == noSwitch && c.holder != nil && c.flowing && c.start > b.net.engine.Now() {
		b.keep(c, c.start)
	}
}

// storm begins or ends a time in which a switch keeps a node paused, whatever the switch's buffer
// holds.
func (b *buffers) storm(node int32, on bool) {
	n, out := b.net, &b.ports[node]
	if on {
		out.storms++
		n.stats.Pauses++
		n.ch[node].crowd.stats.Pauses++
		b.pause(node, true)
		return
	}
	if out.storms--; !out.notified { // else the pause goes on
		b.pause(node, false)
	}
}
