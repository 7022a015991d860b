package verbs

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Messages is a process that sends and receives messages (SEND and RECV). Its receive buffers are for
// messages of all peers (a shared receive queue).
type Messages struct{ mailbox }

// mailbox is a process with receive buffers.
type mailbox struct {
	*Process
	inbox library.Inbox
}

// Open gives a process access to the card; it also needs Connect.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	return &Messages{n.mailbox(space, tag, n.spec.MessageBytes)}, nil
}

// mailbox returns a process with receive buffers of a size.
func (n *Node) mailbox(space *host.Space, tag trace.Tag, bytes int) mailbox {
	s := &n.spec
	r := mailbox{Process: n.Process(space, tag)}
	r.pool = library.NewPool(&r.Process.Process, s.ReceiveDepth, bytes, s.Host.Poll, r.Process.vacate, r.Process.await)
	r.inbox.Pool = r.pool
	return r
}

// Connect makes a pair for every peer.
func (m *Messages) Connect(peers []comm.Endpoint, most int) error {
	if most > m.node.spec.MessageBytes {
		return m.Errorf("messages of up to %d B, want at most %d", most, m.node.spec.MessageBytes)
	}
	return library.Peers(&m.Process.Process, peers, func(peer *Messages) error {
		if peer != m {
			m.join(peer.Process)
		}
		return nil
	})
}

// Send sends a message. It returns when the entry is in the send queue.
func (m *Messages) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := m.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	q := m.peers[to]
	if q == nil {
		return m.Errorf("no connection to node %d", to)
	}
	for q.full() && q.err == nil {
		m.lacks(c, &m.Watch)
	}
	return q.Message(c, from, n, meta, 0, false)
}

// Receive waits for the oldest message of a peer, or of Anyone. With into 0 it stays in its receive
// buffer, valid until the next call.
func (m *mailbox) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	return m.inbox.Receive(c, from, into, n)
}

// Poll returns how many messages are new.
func (m *mailbox) Poll(c *host.Context) int { return m.inbox.Poll(c) }

// Due reports whether a message has come.
func (m *mailbox) Due() sim.Time { return m.inbox.Due() }

// vacate gives a receive buffer back to the card.
func (p *Process) vacate(c *host.Context, buffer int) {
	c.Spend(p.node.spec.Host.Post)
	p.pool.Put(buffer)
}

// await waits for a message. If a pair has failed there may be none.
func (p *Process) await(c *host.Context) error {
	for _, q := range p.peers {
		if q != nil && q.err != nil {
			return q.err
		}
	}
	if p.pool.Free() > 0 || !p.pool.Move(c) { // what is in the buffers may not be what is waited for
		p.Bell.Await(c, "a message")
	}
	return nil
}
