package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sigview/sigview/trace"
)

// Node is an end of this process or of another one. Its methods are called in the order in which they stand
// here.
type Node interface {
	// Receive lets the node receive.
	Receive()
	// Drive lets it send what it sends of its own accord, until all is sent or ctx ends. done is called
	// now and then with the number of messages.
	Drive(ctx context.Context, done func(int)) error
	// Stop ends the node when all that it has recorded is handed over.
	Stop() (Counts, error)
}

// Progress is how far a run is.
type Progress struct {
	Done, Total int64 // messages that senders have sent of their own accord
	// Look makes the tables of what has been recorded so far.
	Look func() (*trace.Run, error)
}

// Watch is called from time to time while a run goes on. The run does not wait for it.
type Watch func(Progress)

// report calls a Watch, unless nobody watches.
func (w Watch) report(p Progress) {
	if w != nil {
		w(p)
	}
}

// watched is a Watch that can look at the result so far of a run that began at a time.
func (r result) watched(w Watch, began time.Time) Watch {
	return func(p Progress) {
		p.Look = func() (*trace.Run, error) {
			// A copy: the run itself goes on.
			so := r
			so.took, so.underWay = time.Since(began), true
			return tables(so)
		}
		w.report(p)
	}
}

// lookAtProgress is how often a Watch is called.
const lookAtProgress = 100 * time.Millisecond

// exchange lets nodes exchange messages under a context of failing, and stops them. before is called when
// nothing is sent any more. It returns the counts of nodes, or the error that ended the run with how far it
// was.
func exchange(ctx context.Context, fail func(error), spec Spec, nodes []Node, watch Watch, before ...func()) ([]Counts, error) {
	var total int64
	// All nodes receive before the first one sends.
	for i, n := range nodes {
		n.Receive()
		total += int64(spec.messages(i, len(nodes)))
	}
	var sent atomic.Int64
	var driving sync.WaitGroup
	for _, n := range nodes {
		driving.Go(func() {
			if err := n.Drive(ctx, func(n int) { sent.Add(int64(n)) }); err != nil {
				fail(err)
			}
		})
	}
	// driven is closed when each node has sent all, or has failed.
	driven := make(chan struct{})
	go func() { driving.Wait(); close(driven) }()
	tick := time.NewTicker(lookAtProgress)
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-tick.C:
			// Drive counts in steps of 256 messages, so that the sum may exceed the total.
			watch(Progress{Done: min(sent.Load(), total), Total: total})
		case <-driven:
			running = false
		}
	}
	select {
	case <-ctx.Done():
	// What is on its way may still arrive.
	case <-time.After(settle):
	}
	for _, f := range before {
		f()
	}
	counts := make([]Counts, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- { // node 0 hears from the others until they have ended
		var err error
		if counts[i], err = nodes[i].Stop(); err != nil {
			fail(err)
		}
	}
	// The cause is the first failure, of whichever node.
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("after %d of %d messages: %w", min(sent.Load(), total), total, err)
	}
	return counts, nil
}

// settle is the time in which the last messages arrive.
const settle = 100 * time.Millisecond

// Gone is the error of a node whose host or process has vanished. It explains errors of others, whose messages
// find no receiver.
type Gone struct {
	Node int
	Name string
	Err  error
}

// Error names the node, and says what becomes of the run.
func (g *Gone) Error() string {
	return fmt.Sprintf("node %d (%s) has vanished (%v): what it had not handed over is missing, and no run is made", g.Node, g.Name, g.Err)
}

func (g *Gone) Unwrap() error { return g.Err }

// explained is the time in which a node that has vanished is noticed, after others fail for that.
const explained = 300 * time.Millisecond

// failing returns a context that ends with the first failure that fail is told, or with the call of
// end. fail returns when it has ended. A node that has vanished goes before other failures.
func failing(ctx context.Context) (failed context.Context, fail func(error), end func()) {
	failed, cancel := context.WithCancelCause(ctx)
	fail = func(err error) {
		// Another failure waits a little, because a node that has vanished may be what it comes from.
		if gone := (*Gone)(nil); !errors.As(err, &gone) {
			select {
			case <-failed.Done():
			case <-time.After(explained):
			}
		}
		cancel(err)
	}
	return failed, fail, func() { cancel(nil) }
}
