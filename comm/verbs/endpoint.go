package verbs

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Messages is a process that sends and receives messages (SEND and RECV). Its receive buffers are for
// messages of all peers (a shared receive queue).
type Messages struct {
	*Process
	inbox library.Inbox
}

// Open gives a process access to the card; it also needs Connect.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	p := n.Process(space, tag)
	s := &n.spec
	m := &Messages{Process: p}
	p.pool = library.NewPool(&p.Process, s.ReceiveDepth, s.MessageBytes, s.Host.Poll, m.vacate, m.await)
	m.inbox.Pool = p.pool
	return m, nil
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

// Send sends a message. It returns when the entry is in the send queue. While that is full it takes
// messages out of receive buffers that are all in use, because the peer may do the same.
func (m *Messages) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := m.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	q := m.peers[to]
	if q == nil {
		return m.Errorf("no connection to node %d", to)
	}
	for q.full() && q.err == nil {
		if m.pool.Free() > 0 || !m.pool.Move(c) {
			c.Spin(&m.Watch, "room in a send queue")
		}
	}
	return q.Message(c, from, n, meta, 0, false)
}

// Receive waits for the oldest message of a peer, or of Anyone. With into 0 it stays in its receive
// buffer, valid until the next call.
func (m *Messages) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	return m.inbox.Receive(c, from, into, n)
}

// Poll returns how many messages are new.
func (m *Messages) Poll(c *host.Context) int { return m.inbox.Poll(c) }

// Due reports whether a message has come.
func (m *Messages) Due() sim.Time { return m.inbox.Due() }

// vacate gives a receive buffer back to the card.
func (m *Messages) vacate(c *host.Context, buffer int) {
	c.Spend(m.node.spec.Host.Post)
	m.pool.Put(buffer)
}

// await waits for a message. If a pair has failed there may be none.
func (m *Messages) await(c *host.Context) error {
	for _, q := range m.peers {
		if q != nil && q.err != nil {
			return q.err
		}
	}
	m.Bell.Await(c, "a message")
	return nil
}
