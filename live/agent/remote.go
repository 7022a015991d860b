package agent

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/watch"
)

// remote is an agent as node 0 sees it. It implements live.Peer.
type remote struct {
	c    *conn
	name string // as the user has it
	node int
	// Room for one: an agent says nothing of itself but alive, records, failure and one reply at a time.
	replies chan message
	sent    chan int64 // messages so far
	// Closed when listen ends.
	over chan struct{}
	err  error // after over

	// Before Drive that of dial.
	ctx context.Context // of Drive

	mu sync.Mutex
	// Of the run, from Open on, by which records are checked.
	nodes  int
	most   int // bytes of a message
	take   func(live.Batch)
	failed func(error)
	// Of a watch, from Open on.
	asked  *watch.Asked
	opened opened
	heard  func(message) // gets halves, told and counted
}

// dial makes a control connection to an agent, which is to be a node. An error names the agent and says what is
// wrong with it.
func dial(ctx context.Context, key *Key, node int, host string, mine hello, silence time.Duration) (*remote, error) {
	// Connecting and greeting take silence each, at the longest.
	config, err := key.config()
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: silence}
	raw, err := dialer.DialContext(ctx, "tcp", Address(host))
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", host, err)
	}
	c, err := greet(ctx, tls.Client(raw, config), mine, silence)
	if err != nil {
		_ = raw.Close()
		return nil, fmt.Errorf("agent %s: %w", host, err)
	}
	// A session has two goroutines: both end when the connection does.
	r := &remote{c: c, name: host, node: node, replies: make(chan message, 1), sent: make(chan int64, 1), over: make(chan struct{}), ctx: ctx}
	go r.listen()
	go r.live()
	return r, nil
}

// live says that node 0 is alive until the session is over.
func (r *remote) live() {
	tick := time.NewTicker(aliveEvery)
	defer tick.Stop()
	for {
		select {
		case <-r.over:
			return
		case <-tick.C:
			_ = r.c.send(alive{}) // listen notices what is wrong
		}
	}
}

// listen takes what the agent says until it has ended or fails.
func (r *remote) listen() {
	done := false
	var err error
	for !done && err == nil {
		var m message
		// An error of the connection is one of a node that has vanished.
		if m, err = r.c.receive(); err == nil {
			done, err = r.hear(m)
		} else {
			err = &live.Gone{Node: r.node, Name: r.name, Err: explain(err, r.c.silence)}
		}
	}
	r.err = err
	close(r.over)
	r.mu.Lock()
	failed := r.failed
	r.mu.Unlock()
	// Before Connect there is nobody to tell: reply returns the error.
	if err != nil && failed != nil {
		failed(err)
	}
}

// hear takes one message. done means that it is the last one.
func (r *remote) hear(m message) (done bool, err error) {
	r.mu.Lock()
	nodes, most, take, heard := r.nodes, r.most, r.take, r.heard
	r.mu.Unlock()
	switch m := m.(type) {
	case alive:
		select {
		case <-r.sent: // what nobody has taken is old
		default:
		}
		// Never blocks: only hear sends, and it has just made room.
		r.sent <- m.Sent
		return false, nil
	case failure:
		return false, fmt.Errorf("agent %s: %s", r.name, m.Why)
	case records:
		// What comes over the network is checked before the collector gets it.
		err := check(m.Batch, r.node, nodes, most)
		if err == nil && take == nil {
			err = errors.New("records before a run")
		}
		if err != nil {
			return false, fmt.Errorf("agent %s: %w", r.name, err)
		}
		// Records do not say of which node they are: the connection does.
		m.Node = r.node
		take(m.Batch)
		return false, nil
	case halves, told, counted:
		if heard == nil {
			return false, fmt.Errorf("agent %s: a frame of a watch, and there is none", r.name)
		}
		heard(m)
		return false, nil
	case ended:
		// The lists are indexed by node.
		if len(m.Counts.Sent) != nodes || len(m.Counts.Received) != nodes {
			return false, fmt.Errorf("agent %s: counts of %d nodes, want %d", r.name, len(m.Counts.Sent), nodes)
		}
		done = true
	}
	select {
	// What is not asked for finds the place taken, or is refused by reply.
	case r.replies <- m:
		return done, nil
	default:
		return false, fmt.Errorf("agent %s: a frame of kind %d that nobody has asked for", r.name, m.kind())
	}
}

// reply waits for a message of one kind. It returns the error with which the agent has ended, an error for
// another kind, or the cause of ctx.
func reply[M message](ctx context.Context, r *remote) (m M, err error) {
	select {
	case got := <-r.replies:
		if m, ok := got.(M); ok {
			return m, nil
		}
		return m, fmt.Errorf("agent %s: a frame of kind %d, want %d", r.name, got.kind(), m.kind())
	case <-r.over:
		// The agent may have replied before it ended.
		select {
		case got := <-r.replies: // the last one
			if m, ok := got.(M); ok {
				return m, nil
			}
		default:
		}
		return m, r.err
	case <-ctx.Done():
		return m, context.Cause(ctx)
	}
}

// Way implements live.Peer.
func (r *remote) Way() live.Way { return r.c.way() }

// Open implements live.Peer. The agent gets the addresses of all nodes as this host sees them.
func (r *remote) Open(s live.Setup) (live.Ports, live.Host, error) {
	r.mu.Lock()
	r.nodes, r.most = s.Nodes, int(slices.Max(s.Spec.Sizes))
	r.mu.Unlock()
	m := setup{Setup: s, Peers: make([]netip.Addr, s.Nodes), Messages: len(s.Schedule), Watch: r.asked}
	for i, way := range s.Ways {
		if i > 0 && i != s.Node {
			// Zones are names of this host's interfaces, and mean nothing to others.
			m.Peers[i] = way.There.WithZone("")
		}
	}
	_ = r.c.send(m) // reply has what is wrong
	o, err := reply[opened](r.ctx, r)
	r.opened = o
	if err == nil && (len(o.Ports.Messages) != s.Nodes || len(o.Ports.Probes) != s.Nodes) {
		err = fmt.Errorf("agent %s: ports of %d nodes, want %d", r.name, len(o.Ports.Messages), s.Nodes)
	}
	if err != nil {
		return o.Ports, o.Host, err
	}
	for part := range slices.Chunk(s.Schedule, mostScheduled) {
		_ = r.c.send(schedule{part}) // Connect hears what is wrong
	}
	return o.Ports, o.Host, nil
}

// Connect implements live.Peer.
func (r *remote) Connect(ports []live.Ports, take func(live.Batch), failed func(error)) error {
	r.mu.Lock()
	r.take, r.failed = take, failed
	r.mu.Unlock()
	_ = r.c.send(connect{ports})
	_, err := reply[connected](r.ctx, r)
	return err
}

// Receive implements live.Node: an agent receives as soon as it is connected.
func (r *remote) Receive() {}

// Drive implements live.Node. The agent tells its progress by alive.
func (r *remote) Drive(ctx context.Context, done func(int)) error {
	r.ctx = ctx
	_ = r.c.send(start{})
	// reply waits beside, so that progress is told meanwhile.
	finished := make(chan error, 1)
	go func() {
		_, err := reply[driven](ctx, r)
		finished <- err
	}()
	for before := int64(0); ; {
		select {
		case now := <-r.sent:
			// Agents count from the begin, done from the last call.
			done(int(now - before))
			before = now
		case err := <-finished:
			return err
		}
	}
}

// Stop implements live.Node. When it returns, all records of the agent have been taken: ended comes after them.
func (r *remote) Stop() (live.Counts, error) {
	// After a failure the connection is closed without a word.
	if r.ctx.Err() == nil {
		_ = r.c.send(stop{})
	}
	m, err := reply[ended](r.ctx, r)
	return m.Counts, err
}

// close ends the connection.
func (r *remote) close() {
	r.c.close()
	// listen has ended, so that nothing calls take or failed any more.
	<-r.over
}
