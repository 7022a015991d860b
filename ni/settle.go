package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// What a card does by itself has no events while nothing else happens on it: the end of an
// insertion, the beginning of a host DMA, room for a head that is expected, and looks of the main
// loop that only spend time. What
// comes to the card next first makes up for those that are over, in the order of their times, and
// gives an event to a look that it may change. A card with a log has all events, so that the log is
// in the order of time, and one with uncontended engines or processor, where several things happen
// at once.

// settled brings the card up to the present.
func (n *NIC) settled() {
	if n.due <= n.engine.Now() {
		n.settle(n.engine.Now())
	}
}

// settle brings the card up to a time.
func (n *NIC) settle(now sim.Time) {
	for {
		at := min(n.head, n.tail, n.starts, n.own)
		if at > now {
			n.due = at
			return
		}
		switch at { // of several at the same time the first
		case n.head:
			n.head = sim.Never
			n.admit(1)
		case n.tail:
			n.leaves(at)
		case n.starts:
			n.starts, n.starting = sim.Never, nil
			n.begun()
		default:
			n.own = sim.Never
			n.poll(at)
		}
	}
}

// Settle brings the card up to the present. The host calls it before it reads or changes what
// handlers use. If no event is left nothing can come, and the card does all that it would.
func (n *NIC) Settle() {
	n.settled()
	if n.engine.Pending() == 0 {
		n.settle(sim.Never - 1)
	}
}

// attend ends the short cuts of this file: from now on every step of the card has its event.
func (n *NIC) attend() {
	n.settled()
	n.publish()
	n.reportSent()
	if n.starting != nil {
		n.engine.At(n.starts, n.starting, dmaBegun, 0)
		n.starts, n.starting = sim.Never, nil
	}
	n.alone = false
}

// Expect implements fabric.Expecter. It reserves a receive buffer for a head that comes at a time,
// and declines if other events of the card have to be in order with it.
func (n *NIC) Expect(_ *fabric.Packet, at sim.Time) bool {
	n.settled()
	if !n.alone || n.preview != nil || n.buffers == 0 {
		return false
	}
	n.head = at
	n.due = min(n.due, at)
	n.meet()
	return true
}

// Unexpect takes back that a head is expected.
func (n *NIC) Unexpect(*fabric.Packet) { n.head = sim.Never }

// meet gives the expected head an event if it may change the H engine's share of the internal bus.
func (n *NIC) meet() {
	if n.head != sim.Never && n.head != n.met && n.sending && len(n.moving) > 0 {
		n.share()
	}
}

//go:noinline
func (n *NIC) share() {
	n.met = n.head
	n.engine.At(n.head, n, opShare, 0)
}

// inject starts the S engine. If the packet is halted on its way out, or cut, the network
// reports its end.
func (n *NIC) inject(p *fabric.Packet, r *Record, rate sim.Rate) {
	p.WantSent, p.WantHalted = !n.alone, true
	n.net.Inject(p, n.cur, rate)
	if n.alone {
		n.tail, n.inserting, n.again = p.T4, r, p.Header.Flags&FlagRepeated != 0
		n.due = min(n.due, n.tail)
		n.shared()
	}
}

// leaves ends the insertion at a time, unless the packet has been halted and leaves later.
func (n *NIC) leaves(at sim.Time) {
	n.tail = sim.Never
	if n.net.Leaves(n.id) == at { // else it has been halted
		n.sending = false
		n.sent(at, n.inserting, n.again, 0)
	}
}

// startsAlone lets a transfer begin at a time without an event, and reports whether it does. That
// is so if no other flow then uses the host, and the share of the internal bus cannot change.
// Transfers with a constant set-up time keep their events: they may end together with a handler,
// and the order of events at one time must not change.
func (n *NIC) startsAlone(d *DMA, at sim.Time) bool {
	if !n.alone || n.hostJitter == 0 || len(n.moving) > 1 || n.sramShared || n.sending && n.receiving > 0 || d.Until != 0 ||
		!n.host.DMALater(at, &d.flow, d.Dir == ToNI, d.Bytes, n.limit(d), dmaUses, d, dmaEnd, 0) {
		return false
	}
	n.starts, n.starting = at, d
	n.due = min(n.due, at)
	return true
}

// shared asks the network to report the end of an insertion if that end raises the H engine's share
// of the internal bus.
func (n *NIC) shared() {
	if n.tail != sim.Never && n.hostActive > 0 && n.receiving > 0 {
		n.reportSent()
	}
}

// reportSent asks the network to report the end of the insertion in progress.
func (n *NIC) reportSent() {
	if n.tail != sim.Never {
		n.tail = sim.Never
		n.net.ReportSent(n.id)
	}
}

// pollAt schedules a look unless one is scheduled. An idle loop has made the tests before that
// of a source with an event by then, or all tests of a turn if there is none.
func (n *NIC) pollAt(at sim.Time, idle bool) {
	if n.scheduled {
		return
	}
	n.scheduled, n.look, n.reached = true, at, idle
	if n.pending&^(1<<srcSent) == 0 && n.alone && n.private() {
		n.own = at
		n.due = min(n.due, at)
	} else {
		n.await(at)
	}
}

// await schedules an event of the main loop's look at a time, unless that time already has one.
func (n *NIC) await(at sim.Time) {
	if n.awaits != at {
		n.awaits = at
		n.engine.At(at, n, opPoll, 0)
	}
}

// publish makes an event of the scheduled look, if it has none.
func (n *NIC) publish() {
	if n.own != sim.Never {
		n.await(n.own)
		n.own = sim.Never
	}
}

// plan schedules the look that follows the end of the insertion, if it can have an effect outside
// the card and no look is scheduled. A handler that runs plans at its own end.
func (n *NIC) plan() {
	if n.tail == sim.Never || n.scheduled || n.serving {
		return
	}
	pending := n.pending
	switch {
	case n.noticed(n.inserting):
		pending |= 1 << srcSent
	case pending == 0 && !(n.probe != nil && n.probe.Deferred()):
		return
	}
	if pending&^(1<<srcSent) == 0 && n.private() {
		return
	}
	if n.tail < n.busyUntil {
		n.await(n.busyUntil)
		return
	}
	next := n.phase // its next number is drawn when the packet has left
	n.await(n.tail.Add(next.Upto(n.loopTime) + n.test))
}

// private reports whether a look that finds nothing, or only the end of an insertion, changes
// nothing that others can see. Such looks need no events.
func (n *NIC) private() bool {
	return n.requests == 0 && !n.awaited && n.sendQueue.Len() == 0 && n.unseenAll()
}

// unseenAll reports whether the ends of all insertions, and the steps of the probe, stay inside the
// card.
func (n *NIC) unseenAll() bool {
	if n.noisy {
		return false
	}
	q := &n.queues[srcSent]
	for i := range q.Len() {
		if !n.unseen(q.At(i).record) {
			return false
		}
	}
	return n.tail == sim.Never || n.inserting == nil || n.unseen(n.inserting)
}

// unseen reports whether the end of an insertion stays inside the card.
func (n *NIC) unseen(r *Record) bool { return r != nil && n.discreet != nil && n.discreet.Private(r) }
