package live

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"github.com/sigview/sigview/live/stamps"
)

// Receive starts the threads that receive, and watches the system's clock. The thread of a node that drives
// round trips receives their answers itself. Nodes other than 0 also answer probes from now on.
func (e *End) Receive() {
	if e.clock == nil { // ends that measure what stamps cost begin several times
		e.clock = watchSteps()
	}
	for _, l := range e.links {
		if l != nil && !(e.spec.Pattern == PingPong && e.node == 0) {
			e.receiving(l)
		}
	}
	if e.node > 0 && e.probes != nil && e.probes[0] != nil {
		e.answering(e.probes[0], e.token)
	}
}

// Drive sends what the end sends of its own accord, until all is sent or ctx ends. done is called now and then
// with the number of messages since the last call. It returns the first error of any of the end's threads.
func (e *End) Drive(ctx context.Context, done func(int)) error {
	defer context.AfterFunc(ctx, e.Abort)()
	drive := func() error { return e.open(ctx, done) }
	if e.spec.Pattern == PingPong {
		drive = func() error { return e.roundTrips(ctx, done) }
	}
	result := make(chan error, 1)
	e.thread(func() error {
		err := drive()
		result <- err
		return err
	})
	return cmp.Or(<-result, e.Failed())
}

// amongAll tells whether all nodes send messages of their own accord, and to all others.
func (s *Spec) amongAll() bool { return s.Pattern == AllToAll || s.Pattern == Replay }

// receivers returns the nodes to which a node sends of its own accord, one message each in turn.
func (s *Spec) receivers(node, nodes int) (to []int) {
	switch {
	case s.amongAll():
		for i := 1; i < nodes; i++ {
			// Each node begins with the next one, so that not all send to the same one at once.
			to = append(to, (node+i)%nodes)
		}
	case node == 0:
		to = []int{1}
	}
	return to
}

// messages returns how many messages a node sends of its own accord, warm-up included.
func (s *Spec) messages(node, nodes int) int {
	if s.Pattern == Replay {
		return len(s.schedule.of(node))
	}
	return len(s.Sizes) * (s.Count + s.Warm) * len(s.receivers(node, nodes))
}

// Takes returns how long the messages of an open loop take at their rate.
func (s *Spec) Takes(nodes int) time.Duration {
	return time.Duration(float64(s.messages(0, nodes)) / s.Rate * 1e9)
}

// recorded tells whether the i-th message that counts is recorded. Warm-up has negative numbers.
func (s *Spec) recorded(i int) bool { return i >= 0 && i%s.Every == 0 }

// quiet tells what the header of the i-th message says; see header. A receiver of a stream takes the stamp
// after a recorded message too, which shows whether the kernel has merged the two.
func (s *Spec) quiet(i int) bool {
	return i+1 < s.Count && !s.recorded(i+1) && !(s.Protocol == stamps.TCP && s.recorded(i))
}

// roundTrips sends messages to node 1, each after the answer to the one before.
func (e *End) roundTrips(ctx context.Context, done func(int)) error {
	if e.node != 0 {
		return nil
	}
	l := e.links[1]
	for _, size := range e.spec.Sizes {
		// Negative numbers are warm-up.
		for i := -e.spec.Warm; i < e.spec.Count; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			h := header{purpose: ping, bytes: uint16(size), counts: i >= 0, recorded: e.spec.recorded(i), quiet: e.spec.quiet(i)}
			if err := l.send(h, stamps.Now()); err != nil {
				return err
			}
			if err := l.answer(ctx); err != nil {
				return err
			}
			if err := l.drain(); err != nil {
				return err
			}
			// Stamps are taken between round trips, where nobody waits for them.
			e.handSent(l, batchRecords)
			e.handReceived(l, batchRecords)
			// Now and then only: the call costs time between messages.
			if i&255 == 0 {
				done(256)
			}
		}
	}
	return nil
}

// answer waits for the answer to the last message. One that has been waited for too long before may
// still come, and one that does not come is lost.
func (l *link) answer(ctx context.Context) error {
	err := l.await(ctx, func(h header) bool { return h.purpose == pong && h.seq+1 == l.seq })
	if errors.Is(err, errLost) {
		return nil
	}
	return err
}

// planned is a message of an open loop, with what its header says.
type planned struct {
	Message
	counts, recorded, quiet bool
}

// plan returns what the end sends of its own accord in an open loop.
func (e *End) plan() iter.Seq[planned] {
	if e.spec.Pattern != Replay {
		return e.inTurn
	}
	return func(yield func(planned) bool) {
		for i, m := range e.spec.schedule.of(e.node) {
			if !yield(planned{m, true, e.spec.recorded(i), false}) {
				return
			}
		}
	}
}

// inTurn plans a message to each receiver in turn, at a rate.
func (e *End) inTurn(yield func(planned) bool) {
	to := e.spec.receivers(e.node, len(e.links))
	if len(to) == 0 {
		return
	}
	// gap is in ns.
	gap := 1e9 / e.spec.Rate
	n := 0
	for _, size := range e.spec.Sizes {
		for i := -e.spec.Warm; i < e.spec.Count; i++ {
			for _, peer := range to {
				// From the number and not from the time before, so that rounding does not add up.
				m := Message{At: int64(float64(n) * gap), To: peer, Bytes: int(size)}
				n++
				if !yield(planned{m, i >= 0, e.spec.recorded(i), e.spec.quiet(i)}) {
					return
				}
			}
		}
	}
}

// open sends messages at their times, whatever becomes of them. One that is late has waited since
// its time.
func (e *End) open(ctx context.Context, done func(int)) error {
	begin := stamps.Now()
	n := 0
	for m := range e.plan() {
		l, due := e.links[m.To], begin+m.At
		if err := e.until(ctx, l, due); err != nil {
			return err
		}
		h := header{purpose: oneWay, bytes: uint16(m.Bytes), counts: m.counts, recorded: m.recorded, quiet: m.quiet}
		if err := l.send(h, due); err != nil {
			return err
		}
		e.handSent(l, batchRecords)
		if n++; n&255 == 0 {
			done(256)
		}
	}
	return nil
}

// until waits until a time, unless ctx ends or the end fails. It uses the wait to take stamps.
func (e *End) until(ctx context.Context, l *link, due int64) error {
	for {
		if err := errors.Join(ctx.Err(), e.Failed()); err != nil {
			return err
		}
		left := time.Duration(due - stamps.Now())
		switch {
		case left <= 0:
			return nil
		// There is time to take stamps that have not been taken.
		case l.unsaid > 0:
			if err := l.drain(); err != nil {
				return err
			}
		// The last part is spent in a loop, because a pause may last too long.
		case e.spec.Wait == waitBlock && left > 2*nap:
			pause(min(left-nap, longestPause))
		}
	}
}

// nap is by how much a pause may last longer than it should.
const nap = 150 * time.Microsecond
