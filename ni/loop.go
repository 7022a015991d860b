package ni

import (
	"math/bits"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// Act runs the card's events.
func (n *NIC) Act(op uint32, arg uint64) {
	now := n.engine.Now()
	if op == opPoll {
		n.settled()
		if n.awaits == now {
			n.awaits = sim.Never
		}
		if n.scheduled && n.look == now { // else another look has taken its place
			n.poll(now)
		}
		return
	}
	if op == opTimer { // set before a look of the same time was scheduled, which finds it expired
		n.settle(now - 1)
	} else {
		n.settled()
	}
	switch op {
	case opPollOne:
		n.pollOne(source(arg))
	case opTimer:
		if which := int(arg & 1); n.timers[which].gen == uint32(arg>>1) {
			n.publish()
			s := timerSource(which)
			n.raise(now, s, n.queue(s))
		}
	case opHead:
		if p := n.heads[arg]; p != nil {
			delete(n.heads, arg)
			n.publish()
			ev := n.queue(srcReceived)
			ev.packet, ev.head = p, true
			n.raise(now, srcReceived, ev)
		}
	case opStored:
		n.storeArrives()
	case opWork:
		n.working = false
		n.work()
	case opShare:
		n.shareSRAM()
		n.shared()
	}
}

// queue appends an event of a source, for raise.
func (n *NIC) queue(s source) *event {
	ev := n.queues[s].Add()
	*ev = event{}
	return ev
}

// raise ends the queueing of a hardware event of the time now: it schedules a poll of the loop. One
// that comes to the card from outside publishes first.
func (n *NIC) raise(now sim.Time, s source, ev *event) {
	if s <= lastStamped && now < n.busyUntil && n.spec.Loop.InlineChecks {
		ev.stamp = n.inlineStamp(now)
	}
	switch {
	case n.spec.Pipelined && !n.serving:
		n.pollOne(s)
		return
	case n.free.Processor:
		n.engine.At(now.Add(n.noticeDelay()), n, opPollOne, uint64(s))
		return
	}
	n.pending |= 1 << (s & 31)
	if !n.scheduled || now >= n.busyUntil {
		n.schedule(now)
	}
}

// inlineStamp returns the time at which an inline check of the running handler, which ends at
// busyUntil, sees an event of now.
func (n *NIC) inlineStamp(now sim.Time) sim.Time {
	left := uint64(n.busyUntil - now)
	return now + sim.Time(left%uint64(n.check))
}

// serves reports whether a packet is undamaged and of a reserved kind. The kind of a damaged one is not
// valid.
func (n *NIC) serves(p *fabric.Packet) bool {
	return n.reserved>>(p.Header.Meta.Kind&63)&1 != 0 && !p.CRCError
}

// stampPending stamps the events that were pending when a handler began at now,
// with the time of its first inline check or its end.
func (n *NIC) stampPending(now sim.Time) {
	at := min(n.busyUntil, now+n.check)
	for s := range lastStamped + 1 {
		q := &n.queues[s]
		for i := range q.Len() {
			if ev := q.At(i); ev.stamp == 0 {
				ev.stamp = at
			}
		}
	}
}

// noticeDelay is how long an idle loop takes to reach the source's test. The loop's
// phase is random, so no periodic stream can synchronize with it.
func (n *NIC) noticeDelay() sim.Duration {
	return n.phase.Upto(n.loopTime) + n.test
}

// schedule schedules a poll of the loop unless one is scheduled.
func (n *NIC) schedule(now sim.Time) {
	if now >= n.busyUntil {
		n.pollAt(now.Add(n.noticeDelay()), true)
	} else if !n.scheduled {
		n.pollAt(n.busyUntil, false)
	}
}

// poll serves the first pending source, or, in an idle loop, does a piece of deferred
// work. At the beginning of a turn the tests up to that of the source take time. An
// idle loop has already made them.
func (n *NIC) poll(now sim.Time) {
	n.scheduled = false
	idle := n.reached
	if now < n.busyUntil { // stalled since the poll was scheduled
		n.schedule(now)
		return
	}
	began := now
	n.cur, n.serving = now, true
	n.enter(now)
	n.pending &^= 1 << srcRequest
	if n.requests > 0 && n.program.Ready() {
		n.pending |= 1 << srcRequest
	}
	if n.pending != 0 && !n.postponed(now) {
		s := n.first()
		if !idle {
			began = now.Add(n.tests(s))
			n.cur = began
		}
		n.serve(s)
	} else if idle && n.probe != nil && !n.ending(now) {
		n.idle()
	}
	if n.log != nil {
		n.leave()
	}
	n.serving = false
	n.stats.Busy += n.cur.Sub(began)
	n.busyUntil = n.cur
	if n.pending&(1<<(lastStamped+1)-1) != 0 && n.spec.Loop.InlineChecks {
		n.stampPending(now)
	}
	if n.pending != 0 && !n.postponed(n.busyUntil) || n.requests > 0 && n.program.Ready() {
		n.pollAt(n.busyUntil, false)
	} else if n.probe != nil && n.probe.Deferred() && !n.ending(n.busyUntil) {
		n.pollAt(n.busyUntil.Add(n.loopTime), true)
	}
	if n.tail != sim.Never {
		n.plan()
	}
}

// tests is the time of the tests from the beginning of a turn to that of a source.
func (n *NIC) tests(s source) sim.Duration { return sim.Duration(s+1) * n.test }

// ending reports whether so few bytes are left to insert, by the S engine's address register, that
// the main loop waits for the end instead of other work.
func (n *NIC) ending(at sim.Time) bool {
	return n.sending && at.Add(n.brief) >= n.insertEnd
}

// postponed reports whether the end of an insertion is handled before the control packets that
// wait: only they wait, and they do not fill the receive ring.
func (n *NIC) postponed(at sim.Time) bool {
	return n.pending == 1<<srcControl && 2*n.buffers >= n.ring && n.ending(at)
}

// first returns the pending source to serve, in the order of the tests with two
// exceptions: control packets come before requests if they fill the receive
// ring, and with TakeTurns a request comes after each packet.
func (n *NIC) first() source {
	s := source(bits.TrailingZeros32(n.pending))
	if n.pending == 1<<s {
		return s
	}
	if n.spec.Loop.TakeTurns && s == srcReceived && n.served == srcReceived && n.pending>>srcRequest&1 != 0 {
		return srcRequest
	}
	if s > srcReceived && n.pending>>srcControl&1 != 0 && 2*n.buffers < n.ring {
		return srcControl
	}
	return s
}

// pollOne serves one event of s on a processor that is never busy.
func (n *NIC) pollOne(s source) {
	n.cur = n.engine.Now()
	n.serving = n.spec.Pipelined
	n.enter(n.cur)
	if s == srcRequest && (n.requests == 0 || !n.program.Ready()) || s != srcRequest && n.queues[s].Len() == 0 {
		n.serving = false
		return // a forward reset has flushed it
	}
	n.serve(s)
	if n.log != nil {
		n.leave()
	}
	n.stats.Busy += n.cur.Sub(n.engine.Now())
	n.busyUntil = n.engine.Now()
	if n.spec.Pipelined {
		n.serving = false
		n.work()
	} else if n.probe != nil {
		for n.probe.Deferred() {
			n.probe.Idle()
		}
	}
	if n.requests > 0 && n.program.Ready() {
		n.engine.At(n.cur, n, opPollOne, uint64(srcRequest))
	}
}

// serve runs the handler of s.
func (n *NIC) serve(s source) {
	n.stats.Handlers[s]++
	n.began = n.cur
	n.served = s
	if s == srcRequest {
		n.pending &^= 1 << srcRequest
		n.requests--
		n.program.Request()
		return
	}
	q := &n.queues[s]
	ev := *q.At(0)
	if q.Drop(); q.Len() == 0 {
		n.pending &^= 1 << s
	}
	at := ev.stamp
	if at == 0 {
		at = n.cur
	}
	if ev.head {
		n.works(ev.packet.Actor)
		n.preview.Head(ev.packet)
		return
	}
	if n.log != nil {
		n.handles(s, &ev)
	}
	switch s {
	case srcService:
		n.service.Arrived(ev.packet, at)
		n.Drop(ev.packet)
	case srcServiceTimer:
		n.service.Due()
	case srcHostDone:
		n.hostDone(ev.dma, at)
	case srcSent:
		if ev.record == nil {
			n.program.SendIdle()
		} else {
			if !ev.again {
				n.injected(ev.record, at)
			}
			n.program.Sent(ev.record, at)
		}
		n.chainSend()
	case srcReceived, srcControl:
		if !n.spec.Loop.ClockFirst && n.serves(ev.packet) {
			n.service.Arrived(ev.packet, at)
			n.Drop(ev.packet)
			return
		}
		n.program.Demultiplex(ev.packet)
		if s == srcReceived {
			n.arriving(ev.packet)
		}
		n.program.Received(ev.packet)
	case srcTimer:
		n.program.Timer()
	}
}

// Post reports that the host has completed an entry of the request queue. It
// returns when the processor first sees the entry (T1): at the loop's next test
// of the queue or at an inline check.
func (n *NIC) Post() Posted { return n.posted(n.post()) }

func (n *NIC) post() sim.Time {
	n.settled()
	n.publish()
	now := n.engine.Now()
	n.requests++
	n.stats.RequestsMax = max(n.stats.RequestsMax, n.requests)
	if n.free.Processor {
		seen := now.Add(n.noticeDelay())
		n.engine.At(seen, n, opPollOne, uint64(srcRequest))
		return seen
	}
	if now < n.busyUntil {
		seen := n.busyUntil.Add(n.tests(srcRequest))
		if n.spec.Loop.InlineChecks {
			seen = n.inlineStamp(now)
		}
		n.schedule(now)
		return seen
	}
	seen := now.Add(n.noticeDelay())
	if n.program.Ready() {
		n.pollAt(seen, true)
	}
	n.plan()
	return seen
}

// Requests returns how many requests wait.
func (n *NIC) Requests() int { return n.requests }

// SetTimer arms the program's timer for t; an earlier setting is replaced.
func (n *NIC) SetTimer(t sim.Time) { n.arm(opProgram, t) }

// SetServiceTimer arms the service's timer for t; an earlier setting is replaced.
func (n *NIC) SetServiceTimer(t sim.Time) { n.arm(opService, t) }

func timerSource(which int) source {
	if which == opService {
		return srcServiceTimer
	}
	return srcTimer
}

func (n *NIC) arm(which int, t sim.Time) {
	n.settled()
	s := timerSource(which)
	n.queues[s].Clear() // an earlier setting that has expired but is not served
	n.pending &^= 1 << s
	n.timers[which].gen++
	n.engine.At(t, n, opTimer, uint64(n.timers[which].gen)<<1|uint64(which))
}
