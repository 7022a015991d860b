package live

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/sigview/sigview/live/stamps"
)

// Receive starts the threads that receive, and watches the system's clock. The thread of a node that
// drives round trips receives their answers itself.
func (e *End) Receive() {
	if e.clock == nil { // ends that measure what stamps cost begin several times
		e.clock = watchSteps()
	}
	for _, l := range e.links {
		if l != nil && !(e.spec.Pattern == PingPong && e.node == 0) {
			e.receiving(l)
		}
	}
	if e.node > 0 && e.probes != nil {
		e.answering(e.probes[0], e.token)
	}
}

// Drive sends what the end sends of its own accord, until all is sent or ctx ends. done is called
// now and then with the number of messages.
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

// senders is how many nodes send of their own accord.
func (s *Spec) senders(nodes int) int {
	if s.Pattern == AllToAll {
		return nodes
	}
	return 1
}

// receivers returns the nodes to which a node sends of its own accord, one message each in turn.
func (s *Spec) receivers(node, nodes int) (to []int) {
	if node >= s.senders(nodes) {
		return nil
	}
	if s.Pattern != AllToAll {
		return []int{1}
	}
	for i := 1; i < nodes; i++ {
		to = append(to, (node+i)%nodes)
	}
	return to
}

// Takes returns how long messages take in an open loop.
func (s *Spec) Takes(nodes int) time.Duration {
	messages := len(s.Sizes) * (s.Count + s.Warm) * len(s.receivers(0, nodes))
	return time.Duration(float64(messages) / s.Rate * 1e9)
}

// roundTrips sends messages to node 1, each after the answer to the one before.
func (e *End) roundTrips(ctx context.Context, done func(int)) error {
	if e.node != 0 {
		return nil
	}
	l := e.links[1]
	for _, size := range e.spec.Sizes {
		for i := -e.spec.Warm; i < e.spec.Count; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			h := header{purpose: ping, bytes: uint16(size), counts: i >= 0, recorded: i >= 0 && i%e.spec.Every == 0}
			if err := l.send(h, stamps.Now()); err != nil {
				return err
			}
			if err := l.answer(ctx); err != nil {
				return err
			}
			if err := l.drain(); err != nil {
				return err
			}
			e.handSent(l, batchRecords)
			e.handCame(l, batchRecords)
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

// open sends messages at their times, whatever becomes of them. One that is late has waited since
// its time.
func (e *End) open(ctx context.Context, done func(int)) error {
	to := e.spec.receivers(e.node, len(e.links))
	if len(to) == 0 {
		return nil
	}
	gap := 1e9 / e.spec.Rate
	begin := stamps.Now()
	n := 0
	for _, size := range e.spec.Sizes {
		for i := -e.spec.Warm; i < e.spec.Count; i++ {
			if err := errors.Join(ctx.Err(), e.Failed()); err != nil {
				return err
			}
			for _, peer := range to {
				l := e.links[peer]
				due := begin + int64(float64(n)*gap)
				n++
				if err := e.until(l, due); err != nil {
					return err
				}
				h := header{purpose: oneWay, bytes: uint16(size), counts: i >= 0, recorded: i >= 0 && i%e.spec.Every == 0}
				if err := l.send(h, due); err != nil {
					return err
				}
				e.handSent(l, batchRecords)
			}
			if i&255 == 0 {
				done(256 * len(to))
			}
		}
	}
	return nil
}

// until waits until a time. It uses the wait to take stamps.
func (e *End) until(l *link, due int64) error {
	for now := stamps.Now(); now < due; now = stamps.Now() {
		if l.unsaid > 0 {
			if err := l.drain(); err != nil {
				return err
			}
			continue
		}
		if left := time.Duration(due - now); e.spec.Wait == Block && left > 2*nap {
			pause(left - nap)
		}
	}
	return nil
}

// nap is by how much a pause may last longer than it should.
const nap = 150 * time.Microsecond
