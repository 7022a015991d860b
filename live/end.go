package live

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sigview/sigview/live/stamps"
)

// End is one node of a run, with a link to each node with which it exchanges messages. Of a link, one thread
// sends and one receives.
type End struct {
	node   int
	spec   Spec
	links  []*link          // by node; nil for itself and those that it has nothing to do with
	probes []*stamps.Socket // by node; nil in a run without probes
	token  uint64           // of probes
	take   func(Batch)
	// Threads that receive end when it is set and nothing is left to read.
	stop   atomic.Bool
	mirror bool // it answers messages by which LogP parameters are measured
	bursts allowance
	group  sync.WaitGroup
	clock  *steps // of the system's clock; nil before Receive

	mu     sync.Mutex
	err    error // the first one
	closed bool  // the sockets are closed, or about to be
}

// newEnd returns a node of a run. It hands over what it records to take, which any of its threads
// may call.
func newEnd(node int, spec Spec, links []*link, take func(Batch)) *End {
	return &End{node: node, spec: spec, links: links, take: take}
}

// receiving starts a thread that receives, records and answers what comes over a link, until the end
// is stopped and nothing is left.
func (e *End) receiving(l *link) {
	e.thread(func() error {
		var until time.Time // from when on the end is stopped
		for until.IsZero() || time.Now().Before(until) {
			// Stop has been called: from now on only what has arrived is taken.
			if until.IsZero() && e.stop.Load() {
				until = time.Now().Add(mostLate)
			}
			h, err := l.receive()
			switch {
			case errors.Is(err, stamps.ErrNothing) && !until.IsZero():
				return nil
			case errors.Is(err, stamps.ErrNothing) || errors.Is(err, errForeign) && !l.tcp:
				continue
			// The peer has closed its stream, after its last message.
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
			if err := e.react(l, h); err != nil {
				return err
			}
			e.handReceived(l, batchRecords)
		}
		return nil
	})
}

// mostLate is for how long an end that is stopped takes what its sockets hold. If a stream were closed with a
// part of it unread, the peer would see the connection fail.
const mostLate = 5 * time.Second

// thread runs f on a thread of its own.
func (e *End) thread(f func() error) {
	e.group.Go(func() {
		free := ownThread(e.cpu())
		defer free()
		if err := f(); err != nil {
			e.fail(err)
		}
	})
}

// cpu returns the processor of the end's threads, or -1.
func (e *End) cpu() int {
	if e.node < len(e.spec.CPUs) {
		return e.spec.CPUs[e.node]
	}
	return -1
}

// fail keeps the first error of a thread, with the node.
func (e *End) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.err = fmt.Errorf("node %d: %w", e.node, err)
	}
}

// Failed returns the first error of a thread, nil so far if there is none.
func (e *End) Failed() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// handSent hands over the records of sending of a link, if there are least of them. Only the thread that sends
// over the link may call it.
func (e *End) handSent(l *link, least int) {
	if len(l.sending) >= least {
		e.take(Batch{Node: e.node, Sent: l.sending})
		l.sending = make([]Sending, 0, batchRecords)
	}
}

// handReceived hands over the records of receiving of a link, if there are least of them. Only the thread that
// receives from the link may call it.
func (e *End) handReceived(l *link, least int) {
	n := len(l.receipts)
	if n < least {
		return
	}
	kept := make([]Receipt, 0, batchRecords)
	if l.tcp && least > 1 { // the next message may show that it was merged with the last one
		n--
		kept = append(kept, l.receipts[n])
	}
	e.take(Batch{Node: e.node, Received: l.receipts[:n]})
	l.receipts = kept
}

// Stop ends all threads, hands over the rest of what they have recorded and closes the sockets. It returns the
// first error of any thread.
func (e *End) Stop() (Counts, error) {
	e.stop.Store(true)
	e.group.Wait()
	e.mu.Lock()
	// Abort leaves the sockets alone from now on.
	e.closed = true
	e.mu.Unlock()
	c := Counts{Sent: make([]uint64, len(e.links)), Received: make([]uint64, len(e.links))}
	for _, l := range e.links {
		if l == nil {
			continue
		}
		if err := l.drain(); err != nil {
			e.fail(err)
		}
		// Messages without a stamp up to now have none.
		l.Flush(l.note)
		e.handSent(l, 1)
		e.handReceived(l, 1)
		c.Sent[l.peer], c.Received[l.peer] = l.sent, l.received
		c.Foreign += l.foreign
		if full, err := l.Full(); err == nil && !l.tcp { // old kernels do not tell; a stream sends what was dropped again
			c.Full += full
		}
		if l.tcp {
			if state, err := l.State(); err == nil { // a connection that has failed has none
				c.TCP = append(c.TCP, Connection{e.node, l.peer, state})
			}
		}
		if err := l.Close(); err != nil {
			e.fail(err)
		}
	}
	if e.clock != nil {
		c.SteppedNs = e.clock.stop().Nanoseconds()
		e.clock = nil
	}
	for _, s := range e.probes {
		if s != nil {
			_ = s.Close() // all that it was for is done
		}
	}
	return c, e.Failed()
}

// Abort wakes threads that wait for a peer of a stream. They and the end fail.
func (e *End) Abort() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	for _, l := range e.links {
		if l != nil && l.tcp {
			l.Shutdown()
		}
	}
}
