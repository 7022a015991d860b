package userspace

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// livePair is a cluster, of two nodes as a rule, with a process of its layer on
// each. It knows the contract of layers only (comm.Endpoint); a bed has what
// only VMMC has.
type livePair struct {
	*cluster.Cluster
	procs []*cluster.Process
}

// newLivePair opens the processes, for messages up to so many bytes.
func newLivePair(c *cluster.Cluster, bytes int) (*livePair, error) {
	procs, err := c.Processes(0, bytes)
	return &livePair{c, procs}, err
}

// try runs a program on each node; that they wait for ever is no error.
func (p *livePair) try(programs ...func(*host.Context)) (ended bool, err error) {
	var stuck *sim.DeadlockError
	if err = p.Run(programs...); errors.As(err, &stuck) {
		return false, nil
	}
	return err == nil, err
}

// lost is what all nodes have lost for good.
func lost(c *cluster.Cluster) (n uint64) {
	for _, node := range c.Nodes {
		for _, k := range node.Layer.Counts() {
			if k.Loss {
				n += k.N
			}
		}
	}
	return n
}

// count is a counter of a node's layer, 0 when it has none of the name.
func count(n *cluster.Node, name string) uint64 {
	for _, k := range n.Layer.Counts() {
		if k.Name == name {
			return k.N
		}
	}
	return 0
}

// mail is a process that sends and receives messages that carry a number.
type mail struct {
	*cluster.Process
	peer    int
	out, in host.Addr
}

func newMail(p *cluster.Process, bytes int) *mail {
	return &mail{p, 1 - p.Number, p.Endpoint.Buffer(bytes), p.Space.Alloc(int64(bytes))}
}

func (m *mail) send(c *host.Context, n int, number uint32) error {
	if !m.Endpoint.Traits().Synchronous {
		m.out = m.Endpoint.Buffer(n)
	}
	m.Space.Store32(m.out, number)
	return m.Endpoint.Send(c, m.peer, m.out, n, trace.Meta{Kind: trace.Message})
}

// receive returns the number of the next message.
func (m *mail) receive(c *host.Context, n int) (uint32, error) {
	if t := m.Endpoint.Traits(); t.PostFrom > 0 && n >= t.PostFrom {
		if err := m.Endpoint.Post(c, m.peer, m.in, n); err != nil {
			return 0, err
		}
	}
	into := m.in
	if m.Endpoint.Traits().InPlace {
		into = 0
	}
	got, err := m.Endpoint.Receive(c, m.peer, into, n)
	if err != nil {
		return 0, err
	}
	return m.Space.Load32(got.At), nil
}

// talk is what came of an exchange of messages.
type talk struct {
	sent, right int
	ended       bool  // both programs did
	stopped     error // that a call of the layer returned
}

func (t talk) whole() bool { return t.ended && t.stopped == nil && t.right == t.sent }

func (t talk) String() string {
	text := fmt.Sprintf("%d of %d messages were answered rightly", t.right, t.sent)
	switch {
	case t.stopped != nil:
		text += fmt.Sprintf("; the layer stops: %v", t.stopped)
	case !t.ended:
		text += "; both sides wait for ever"
	}
	return text
}

// exchange sends numbered messages of n bytes, each answered before the next.
func (p *livePair) exchange(messages, n int) (talk, error) {
	return p.talk(newMail(p.procs[0], n), newMail(p.procs[1], n), messages, n, nil)
}

// talk is exchange between two processes; before, if not nil, runs before each
// message of the first one.
func (p *livePair) talk(a, b *mail, messages, n int, before func(*host.Context, int)) (talk, error) {
	t := talk{sent: messages}
	fail := func(e error) bool {
		if e != nil && t.stopped == nil {
			t.stopped = e
		}
		return e != nil
	}
	var err error
	programs := make([]func(*host.Context), len(p.procs))
	programs[a.Number] = func(c *host.Context) {
		for i := range messages {
			if before != nil {
				before(c, i)
			}
			if fail(a.send(c, n, uint32(i+1))) {
				return
			}
			number, e := a.receive(c, n)
			if fail(e) {
				return
			}
			if number == uint32(i+1) {
				t.right++
			}
		}
	}
	programs[b.Number] = func(c *host.Context) {
		for range messages {
			number, e := b.receive(c, n)
			if fail(e) || fail(b.send(c, n, number)) {
				return
			}
		}
	}
	t.ended, err = p.try(programs...)
	return t, err
}

// hurt damages the k-th packet with data that node 0 sends.
func hurt(c *cluster.Cluster, k int) {
	n := 0
	c.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Src == 0 && p.Header.Meta.Kind.CarriesRequest() {
			if n++; n == k {
				p.CRCError = true
			}
		}
		return false
	})
}
