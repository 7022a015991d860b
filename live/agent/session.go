package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/watch"
)

// session is a run in which this host is a node.
type session struct {
	c      *conn
	limits Limits
	log    func(string)
	// Ends with the session, whatever ends it; its cause says why.
	ctx  context.Context
	fail context.CancelCauseFunc
	// Invariant: each batch fits a frame; see split.
	queue   chan live.Batch // of records that are to be sent
	sent    atomic.Int64    // messages
	waited  atomic.Int64    // ns
	there   *watch.There    // nil: the session does not watch programs
	names   int             // of its programs, that node 0 has
	handing sync.Mutex      // of halves
}

// errEnded is why a session ends that has done its work.
var errEnded = errors.New("the session has ended")

// serveSession serves a session until it has ended, its connection breaks or ctx ends. It returns nil if node 0
// has got all that it wanted, and otherwise why not.
func serveSession(ctx context.Context, c *conn, limits Limits, log func(string)) error {
	s := &session{c: c, limits: limits, log: log, queue: make(chan live.Batch, limits.batches())}
	// Not of ctx, so that the other side still reads why the agent ends.
	s.ctx, s.fail = context.WithCancelCause(context.Background())
	defer context.AfterFunc(ctx, func() { s.fail(errors.New("the agent has been ended")) })()
	// A session that nobody ends would keep the agent from others.
	late := time.AfterFunc(limits.Duration, func() {
		s.fail(fmt.Errorf("the session has lasted %v, as long as this agent allows (--most-duration)", limits.Duration))
	})
	defer late.Stop()
	var said sync.WaitGroup
	defer said.Wait()
	said.Go(func() { // why it fails is the last that the other side hears
		<-s.ctx.Done()
		// work has sent the last message itself if all is well.
		if why := context.Cause(s.ctx); why != errEnded {
			c.last(failure{why.Error()})
		}
		c.close()
	})
	said.Go(s.live)
	err := s.work()
	if err == nil {
		err = errEnded
	}
	s.fail(err)
	if err := context.Cause(s.ctx); err != errEnded {
		return err
	}
	return nil
}

// aliveEvery is how often each side says that it is alive.
const aliveEvery = 250 * time.Millisecond

// live says that the agent is alive until the session ends.
func (s *session) live() {
	s.every(aliveEvery, nil, func() error { return explain(s.c.send(alive{Sent: s.sent.Load()}), s.c.silence) })
}

// work does what node 0 asks for, in the order in which it has to ask: setup, schedules, connect, start, stop.
func (s *session) work() error {
	end, err := s.open()
	if s.there != nil {
		defer s.there.Close()
	}
	if err != nil {
		return err
	}
	var handed sync.WaitGroup
	// Records are sent by a goroutine of their own, so that threads that measure need not wait for the network.
	handed.Go(s.hand)
	end.Receive()
	if err = s.exchange(end); err != nil {
		s.fail(err)
		end.Abort()
	}
	// Stop hands over the last records, so that the queue can be closed after it.
	counts, failed := end.Stop()
	close(s.queue)
	handed.Wait()
	if err == nil {
		err = cmp.Or(failed, s.tell())
	}
	if err == nil {
		// Node 0 warns if threads had to wait.
		counts.WaitedNs = s.waited.Load()
		s.c.last(ended{counts})
	}
	return err
}

// open opens and connects the node's sockets. It returns an error if the setup is wrong or passes a limit, or
// if a peer does not connect.
func (s *session) open() (*live.End, error) {
	m, err := next[setup](s.c)
	if err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	// The number bounds the memory for what follows.
	if m.Messages < 0 || m.Messages > live.MostMessages || m.Messages > 0 && m.Spec.Pattern != live.Replay {
		return nil, bounds.Wrong("messages", m.Messages, "0 to %d, and 0 unless the pattern is %s", live.MostMessages, live.Replay)
	}
	// Node 0 is who asks.
	if len(m.Peers) != m.Nodes || m.Node == 0 {
		return nil, fmt.Errorf("node %d of %d with %d addresses", m.Node, m.Nodes, len(m.Peers))
	}
	if err := s.limits.check(m); err != nil {
		return nil, err
	}
	// A mirror's bursts are bounded by the agent, not by what the other side wants.
	m.Rate = s.limits.Rate
	way := s.c.way()
	for i, there := range m.Peers {
		if i == 0 {
			there = way.There // whatever node 0 believes its address to be
		} else if there.IsLinkLocalUnicast() {
			// A link-local address is of a link, which is the one of node 0's connection.
			there = there.WithZone(way.Here.Zone())
		}
		m.Ways = append(m.Ways, live.Way{Here: way.Here, There: there})
	}
	what := string(m.Spec.Pattern)
	if m.Mirror {
		what = "LogP parameters"
	}
	told := opened{}
	text := fmt.Sprintf("node %d of %d, %s over %s", m.Node, m.Nodes, what, m.Spec.Protocol)
	if m.Watch != nil {
		text = "a watch of messages between both hosts"
	}
	s.log(text)
	sockets, err := live.Open(m.Setup)
	if err != nil {
		return nil, err
	}
	if m.Watch != nil {
		if told, err = s.watch(m, sockets.Ports().Probes[0]); err != nil {
			return nil, errors.Join(err, sockets.Close())
		}
	}
	told.Ports, told.Host = sockets.Ports(), live.ThisHost(way.Here)
	if err := s.c.send(told); err != nil {
		return nil, errors.Join(err, sockets.Close())
	}
	if err := s.schedule(sockets, m.Messages); err != nil {
		return nil, errors.Join(err, sockets.Close())
	}
	peers, err := next[connect](s.c)
	if err != nil {
		return nil, errors.Join(err, sockets.Close())
	}
	end, err := sockets.Connect(s.ctx, peers.Ports, s.take)
	if err != nil {
		return nil, err
	}
	return end, s.c.send(connected{})
}

// schedule takes so many messages that the node is to send. It judges them when all have come, so that
// the other side reads why they are refused.
func (s *session) schedule(sockets *live.Sockets, messages int) error {
	var all []live.Message
	for len(all) < messages {
		part, err := next[schedule](s.c)
		if err != nil {
			return err
		}
		all = append(all, part.messages...)
	}
	// The last part may hold more.
	if len(all) > messages {
		return fmt.Errorf("a schedule of %d messages, where %d were to come", len(all), messages)
	}
	return cmp.Or(sockets.Replay(all), s.limits.checkSchedule(all))
}

// exchange lets the node send and receive until node 0 has enough. It returns an error if the connection breaks
// or a thread of the node fails.
func (s *session) exchange(end *live.End) error {
	if _, err := next[start](s.c); err != nil {
		return err
	}
	var driving sync.WaitGroup
	defer driving.Wait()
	driving.Go(func() {
		err := end.Drive(s.ctx, func(n int) { s.sent.Add(int64(n)) })
		if err == nil {
			err = s.c.send(driven{})
		}
		if err != nil {
			s.fail(err)
		}
	})
	over := make(chan struct{})
	driving.Go(func() { // also threads that only receive may fail
		s.every(aliveEvery, over, end.Failed)
	})
	err := s.obey()
	close(over)
	if err != nil {
		s.fail(err)
	}
	return err
}

// every calls f until over, which may be nil, or until the session ends. An error of f ends the session.
func (s *session) every(interval time.Duration, over chan struct{}, f func() error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-s.ctx.Done():
			return
		case <-tick.C:
			if err := f(); err != nil {
				s.fail(err)
			}
		}
	}
}

// take queues records. Threads of the node wait while the queue is full; how long is counted, because their
// messages are late by that.
func (s *session) take(b live.Batch) {
	split(b, func(part live.Batch) {
		select {
		case s.queue <- part:
			return
		default:
		}
		// Full: the thread waits for the network.
		began := time.Now()
		select {
		case s.queue <- part:
		case <-s.ctx.Done():
		}
		s.waited.Add(int64(time.Since(began)))
	})
}

// hand sends records until the queue is closed.
func (s *session) hand() {
	for b := range s.queue {
		if s.ctx.Err() != nil {
			// Threads that wait for room go on.
			continue
		}
		if err := s.c.send(records{b}); err != nil {
			s.fail(explain(err, s.c.silence))
		}
	}
}
