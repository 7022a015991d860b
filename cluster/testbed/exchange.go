package testbed

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Mail is a process that exchanges numbered messages with a peer. Send, Message and
// Receive return the layer's errors, because a test may expect one. Put and Take keep
// them.
type Mail struct {
	*Process
	Peer    int
	Out, In host.Addr // the buffers sent from and received into
	testbed *Testbed
}

// Mail returns the mail of node 0 or 1 with the other of the two, for messages of up
// to bytes.
func (b *Testbed) Mail(node, bytes int) *Mail { return b.MailOf(b.Process(node), 1-node, bytes) }

// MailOf is Mail of any process with a peer. After an error it has no process: a
// program that uses it does not run.
func (b *Testbed) MailOf(p *Process, peer, bytes int) *Mail {
	if !b.OK() {
		return &Mail{testbed: b}
	}
	return &Mail{p, peer, p.Endpoint.Buffer(bytes), p.Space.Alloc(int64(bytes)), b}
}

// Mails returns the mail between nodes 0 and 1.
func (b *Testbed) Mails(bytes int) (from, to *Mail) { return b.Mail(0, bytes), b.Mail(1, bytes) }

// Send sends a number in a message of n bytes.
func (m *Mail) Send(c *host.Context, n int, number uint32) error {
	if !m.Endpoint.Traits().Synchronous {
		m.Out = m.Endpoint.Buffer(n)
	}
	m.Space.Store32(m.Out, number)
	return m.Endpoint.Send(c, m.Peer, m.Out, n, trace.Meta{Kind: trace.Message})
}

// Message receives the next message of n bytes. It posts the receive if the layer
// needs that, and leaves the message in the layer's buffer if it can be read there.
func (m *Mail) Message(c *host.Context, n int) (comm.Message, error) {
	t, into := m.Endpoint.Traits(), m.In
	if t.PostFrom > 0 && n >= t.PostFrom {
		if err := m.Endpoint.Post(c, m.Peer, into, n); err != nil {
			return comm.Message{}, err
		}
	}
	if t.InPlace {
		into = 0
	}
	return m.Endpoint.Receive(c, m.Peer, into, n)
}

// Receive returns the number of the next message.
func (m *Mail) Receive(c *host.Context, n int) (uint32, error) {
	got, err := m.Message(c, n)
	if err != nil {
		return 0, err
	}
	return m.Space.Load32(got.At), nil
}

// Put is Send that keeps an error on the testbed.
func (m *Mail) Put(c *host.Context, n int, number uint32) { m.testbed.Keep(m.Send(c, n, number)) }

// Take is Receive that keeps an error on the testbed.
func (m *Mail) Take(c *host.Context, n int) uint32 { return keep[uint32](m.testbed)(m.Receive(c, n)) }

// OneMessage sends a message of n bytes from node 0 to node 1, which waits for it.
// When the send returns, node 0 calls then, which may be nil.
func (b *Testbed) OneMessage(n int, then func()) {
	from, to := b.Mails(n)
	b.Play(func(c *host.Context) {
		c.Sleep(sim.Millisecond)
		from.Put(c, n, 1)
		if then != nil {
			then()
		}
	}, func(c *host.Context) {
		if number := to.Take(c, n); number != 1 {
			b.Fail("message %d, want 1", number)
		}
	})
}

// Exchange is the result of messages that are answered one by one.
type Exchange struct {
	Sent, Right int
	Ended       bool  // both programs ended
	Stopped     error // error of a call of the layer
}

// Whole reports whether every message was answered with its number.
func (t Exchange) Whole() bool { return t.Ended && t.Stopped == nil && t.Right == t.Sent }

func (t Exchange) String() string {
	text := fmt.Sprintf("%d of %d messages were answered correctly", t.Right, t.Sent)
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
func (b *Testbed) Exchange(messages, n int) Exchange {
	from, to := b.Mails(n)
	return b.ExchangeOf(from, to, messages, n, nil)
}

// ExchangeOf is Exchange between two processes; before, if not nil, runs before
// each message of the first one.
func (b *Testbed) ExchangeOf(from, to *Mail, messages, n int, before func(*host.Context, int)) Exchange {
	t := Exchange{Sent: messages}
	if !b.OK() {
		return t
	}
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
