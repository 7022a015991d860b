package testbed

import (
	"fmt"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Mail is a process that sends and receives messages that carry a number. It
// returns the layer's errors: that a layer stops may be what is looked for.
type Mail struct {
	*Process
	Peer    int
	out, in host.Addr
}

// NewMail makes one of a process of a pair, for messages up to so many bytes.
func NewMail(p *Process, bytes int) *Mail {
	return &Mail{p, 1 - p.Number, p.Endpoint.Buffer(bytes), p.Space.Alloc(int64(bytes))}
}

// Mail makes one of the process on a node. After an error it has no process: a
// program that uses it does not run.
func (b *Bed) Mail(node, bytes int) *Mail {
	p := b.Process(node)
	if p == nil {
		return &Mail{}
	}
	return NewMail(p, bytes)
}

// Send sends a number in a message of n bytes.
func (m *Mail) Send(c *host.Context, n int, number uint32) error {
	if !m.Endpoint.Traits().Synchronous {
		m.out = m.Endpoint.Buffer(n)
	}
	m.Space.Store32(m.out, number)
	return m.Endpoint.Send(c, m.Peer, m.out, n, trace.Meta{Kind: trace.Message})
}

// Receive returns the number of the next message.
func (m *Mail) Receive(c *host.Context, n int) (uint32, error) {
	if t := m.Endpoint.Traits(); t.PostFrom > 0 && n >= t.PostFrom {
		if err := m.Endpoint.Post(c, m.Peer, m.in, n); err != nil {
			return 0, err
		}
	}
	into := m.in
	if m.Endpoint.Traits().InPlace {
		into = 0
	}
	got, err := m.Endpoint.Receive(c, m.Peer, into, n)
	if err != nil {
		return 0, err
	}
	return m.Space.Load32(got.At), nil
}

// Exchange is what came of messages that were answered one by one.
type Exchange struct {
	Sent, Right int
	Ended       bool  // both programs did
	Stopped     error // that a call of the layer returned
}

// Whole reports that every message was answered with its number.
func (t Exchange) Whole() bool { return t.Ended && t.Stopped == nil && t.Right == t.Sent }

func (t Exchange) String() string {
	text := fmt.Sprintf("%d of %d messages were answered rightly", t.Right, t.Sent)
	switch {
	case t.Stopped != nil:
		text += fmt.Sprintf("; the layer stops: %v", t.Stopped)
	case !t.Ended:
		text += "; both sides wait for ever"
	}
	return text
}

// Exchange sends numbered messages of n bytes from node 0 to node 1, each
// answered before the next.
func (b *Bed) Exchange(messages, n int) Exchange {
	x, y := b.Mail(0, n), b.Mail(1, n)
	if !b.OK() {
		return Exchange{}
	}
	return b.ExchangeOf(x, y, messages, n, nil)
}

// ExchangeOf is Exchange between two processes; before, if not nil, runs before
// each message of the first one.
func (b *Bed) ExchangeOf(from, to *Mail, messages, n int, before func(*host.Context, int)) Exchange {
	t := Exchange{Sent: messages}
	stops := func(err error) bool {
		if err != nil && t.Stopped == nil {
			t.Stopped = err
		}
		return err != nil
	}
	programs := make([]func(*host.Context), len(b.Nodes))
	programs[from.Number] = func(c *host.Context) {
		for i := range messages {
			if before != nil {
				before(c, i)
			}
			if stops(from.Send(c, n, uint32(i+1))) {
				return
			}
			number, err := from.Receive(c, n)
			if stops(err) {
				return
			}
			if number == uint32(i+1) {
				t.Right++
			}
		}
	}
	programs[to.Number] = func(c *host.Context) {
		for range messages {
			number, err := to.Receive(c, n)
			if stops(err) || stops(to.Send(c, n, number)) {
				return
			}
		}
	}
	t.Ended = b.Ends(programs...)
	return t
}
