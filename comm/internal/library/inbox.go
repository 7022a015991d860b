package library

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Inbox is the receiving side of an endpoint whose messages come into a pool. The endpoint
// embeds it and makes the pool.
type Inbox struct {
	Bell // rings when a message arrives
	Pool *Pool
}

// Receive waits for the oldest message of a peer, or of Anyone. With into 0 it stays in its
// receive buffer, valid until the next call.
func (b *Inbox) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := b.Pool.process.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	return b.Pool.receive(c, from, into, n)
}

// Due reports whether a message has come.
func (b *Inbox) Due() sim.Time {
	if len(b.Pool.arrived) > 0 {
		return 0
	}
	return sim.Never
}

// Poll returns how many messages are new. They wait in their buffers until they are received.
func (b *Inbox) Poll(*host.Context) (n int) {
	for i := range b.Pool.arrived {
		if a := &b.Pool.arrived[i]; !a.seen {
			a.seen = true
			n++
		}
	}
	return n
}
