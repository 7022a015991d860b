package microbench

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Mirror is the measured side of a pair whose other side answers every message
// (plogp, section 3). Sizes are in bytes; an empty message is the layer's shortest one.
// What the other side does next reaches it outside of the network: both run one program.
// Methods return the error that has ended the pair's programs.
type Mirror struct {
	pair  *Pair
	s     *process
	c     *host.Context
	begin sim.Time
	used  Used

	// Expected has receives that Back times posted before their messages arrive, on layers
	// that can post receives.
	Expected bool

	start host.Watch
	due   func(*process, *host.Context) // what the other side does next; nil: nothing yet
	over  bool
}

// Used is what a measurement has cost: simulated time, and the messages of both sides.
type Used struct {
	Took     sim.Duration
	Messages int64
	Bytes    int64
}

// Mirrored runs f in the first process, while the second one mirrors.
func (p *Pair) Mirrored(f func(*Mirror) error) error {
	m := &Mirror{pair: p}
	var failed error
	err := p.both(
		func(s *process, c *host.Context) {
			m.s, m.c, m.begin = s, c, c.Now()
			failed = f(m)
			m.over = true
			m.start.Fire()
		},
		func(s *process, c *host.Context) {
			for {
				for m.due == nil && !m.over {
					c.Spin(&m.start, "the next message to mirror")
				}
				if m.over {
					return
				}
				next := m.due
				m.due = nil
				next(s, c)
			}
		})
	if err == nil {
		err = failed
	}
	return err
}

// Used returns what was used since the last call.
func (m *Mirror) Used() Used {
	out := m.used
	out.Took = m.c.Now().Sub(m.begin)
	m.used, m.begin = Used{}, m.c.Now()
	return out
}

// mirror has the other side do its part, and this side its own.
func (m *Mirror) mirror(bytes, messages int, other, own func(s *process, c *host.Context, n, empty int)) error {
	empty := m.s.traits.MinBytes
	n := max(bytes, empty)
	if err := m.pair.check(n, messages, 1); err != nil {
		return err
	}
	m.due = func(s *process, c *host.Context) { other(s, c, n, empty) }
	m.start.Fire()
	own(m.s, m.c, n, empty)
	return m.pair.failed
}

// sent counts messages of both sides.
func (m *Mirror) sent(messages, bytes int) {
	m.used.Messages += int64(messages)
	m.used.Bytes += int64(messages) * int64(bytes)
}

// Ready waits until the other side says that it is ready for messages of a size.
func (m *Mirror) Ready() error {
	return m.mirror(0, 1,
		func(s *process, c *host.Context, _, empty int) { s.send(c, empty) },
		func(s *process, c *host.Context, _, empty int) {
			s.receive(c, empty)
			m.sent(1, empty)
		})
}

// Train sends messages back to back, and receives one empty reply to all. It returns the
// time of the sends, and of all.
func (m *Mirror) Train(bytes, messages int) (sends, roundTrip sim.Duration, err error) {
	err = m.mirror(bytes, messages,
		func(s *process, c *host.Context, n, empty int) {
			for range messages {
				s.ready(c, n)
				s.receive(c, n)
			}
			s.send(c, empty)
		},
		func(s *process, c *host.Context, n, empty int) {
			begin := c.Now()
			for range messages {
				s.await(c, n)
				s.send(c, n)
			}
			sends = c.Now().Sub(begin)
			s.receive(c, empty)
			roundTrip = c.Now().Sub(begin)
			m.sent(messages, n)
			m.sent(1, empty)
			m.announced(messages, n)
		})
	return sends, roundTrip, err
}

// There sends a message and receives an empty reply. It returns the time of the send, and
// of both.
func (m *Mirror) There(bytes int) (send, roundTrip sim.Duration, err error) {
	err = m.mirror(bytes, 1,
		func(s *process, c *host.Context, n, empty int) {
			s.ready(c, n)
			s.receive(c, n)
			s.send(c, empty)
		},
		func(s *process, c *host.Context, n, empty int) {
			s.await(c, n)
			begin := c.Now()
			s.send(c, n)
			send = c.Now().Sub(begin)
			s.receive(c, empty)
			roundTrip = c.Now().Sub(begin)
			m.sent(1, n)
			m.sent(1, empty)
			m.announced(1, n)
		})
	return send, roundTrip, err
}

// Back sends an empty message, computes for wait, and then receives the reply. It returns
// the time of the receive. The message waits for it; it is unexpected unless the layer
// needs a posted receive.
func (m *Mirror) Back(bytes int, wait sim.Duration) (receive sim.Duration, err error) {
	if wait < 0 || wait > maxSpin {
		return 0, fmt.Errorf("microbench: a wait of %v before the receive, want 0 to %v", wait, maxSpin)
	}
	err = m.mirror(bytes, 1,
		func(s *process, c *host.Context, n, empty int) {
			s.receive(c, empty)
			s.send(c, n)
		},
		func(s *process, c *host.Context, n, empty int) {
			if s.post(c, n); m.Expected && !s.posted(n) {
				s.do(c, n, expectPiece)
			}
			s.send(c, empty)
			c.Spend(wait)
			begin := c.Now()
			s.receive(c, n)
			receive = c.Now().Sub(begin)
			m.sent(1, n)
			m.sent(1, empty)
		})
	return receive, err
}

func expectPiece(p *process, c *host.Context, at, n int) error {
	return p.ep.Post(c, p.peer, p.in+host.Addr(at), n)
}

// announced counts the messages that announce posted receives.
func (m *Mirror) announced(messages, n int) {
	if m.s.posted(n) {
		m.sent(messages, readyBytes)
	}
}
