package userspace

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// notice polls after a message has arrived.
func (l lab) notice() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	defer p.Engine.Close()
	a, b := newMail(p.procs[0], 64), newMail(p.procs[1], 64)
	polled, waited := 0, sim.Duration(0)
	if _, err := p.try(
		func(c *host.Context) {
			err = errors.Join(a.send(c, 64, 1), a.send(c, 64, 2))
			for range 100 {
				a.Endpoint.Poll(c)
				c.Spend(20 * sim.Microsecond)
			}
		},
		func(c *host.Context) {
			c.Sleep(sim.Millisecond)
			polled = b.Endpoint.Poll(c)
			began := c.Now()
			_, _ = b.receive(c, 64)
			waited = c.Now().Sub(began)
		}); err != nil {
		return finding{}, err
	}
	if err != nil {
		return finding{}, err
	}
	if polled > 0 {
		return found("Polling", "a poll finds %d packets", polled)
	}
	if waited == 0 {
		return found("N/A", "a poll finds nothing and the data are in memory")
	}
	return found("None", "a poll finds nothing; a receive takes the message")
}

// reliability says who repairs a damaged packet.
func (l lab) reliability() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	defer p.Engine.Close()
	hurt(p.Cluster, 3)
	before := p.Nodes[0].Host.Stats()
	t, err := p.exchange(20, 64)
	if err != nil {
		return finding{}, err
	}
	copied := p.Nodes[0].Host.Stats().Copied - before.Copied
	repeated := count(p.Nodes[0], "repeated")
	switch {
	case !t.whole():
		return found("None", "%v", t)
	case copied == 0:
		return found("Firmware", "repaired by %d packets sent again, and the host copied nothing", repeated)
	}
	return found("Library+Copy", "repaired by %d packets sent again from copies of the library: the host copied %d B", repeated, copied)
}

// moved is what one long message made a node move.
type moved struct {
	dmas    uint64
	copied  uint64
	stored  uint64 // bytes of programmed I/O
	sending sim.Duration
	n       int
	plain   sim.Duration // what storing the message word by word takes
}

// long sends one long message from ordinary memory to ordinary memory.
func (l lab) long() (out [2]moved, err error) {
	p, err := l.pair()
	if err != nil {
		return out, err
	}
	defer p.Engine.Close()
	n := 8 << 10
	if most := p.procs[0].Endpoint.Traits().MaxBytes; most > 0 {
		n = min(n, most)
	}
	a, b := p.procs[0], p.procs[1]
	from, into := a.Space.Alloc(int64(n)), b.Space.Alloc(int64(n))
	if b.Endpoint.Traits().Model == comm.DirectDeposit {
		into = 0 // there is no receive that could copy
	}
	before := [2]moved{stateOf(p.Nodes[0]), stateOf(p.Nodes[1])}
	var failed error
	var took sim.Duration
	posted := false
	if _, err = p.try(
		func(c *host.Context) {
			for !posted {
				c.Spend(10 * sim.Microsecond)
			}
			began := c.Now()
			failed = errors.Join(failed, a.Endpoint.Send(c, 1, from, n, trace.Meta{Kind: trace.Message}))
			took = c.Now().Sub(began)
		},
		func(c *host.Context) {
			if b.Endpoint.Traits().PostFrom > 0 {
				failed = errors.Join(failed, b.Endpoint.Post(c, 0, into, n))
			}
			posted = true
			_, e := b.Endpoint.Receive(c, 0, into, n)
			failed = errors.Join(failed, e)
		}); err != nil || failed != nil {
		return out, errors.Join(err, failed)
	}
	for i, node := range p.Nodes {
		now := stateOf(node)
		out[i] = moved{dmas: now.dmas - before[i].dmas, copied: now.copied - before[i].copied, stored: now.stored - before[i].stored, n: n}
	}
	out[0].sending, out[0].plain = took, p.Nodes[0].Host.PIOWriteTime(n/4, false)
	return out, nil
}

func stateOf(n *cluster.Node) moved {
	s := n.Host.Stats()
	return moved{dmas: n.NIC.Stats().HostDMAs, copied: s.Copied, stored: 4 * s.Stored}
}

func (m moved) String() string {
	return fmt.Sprintf("for %d B: %d host DMAs, %d B copied, %d B stored by programmed I/O", m.n, m.dmas, m.copied, m.stored)
}

func (l lab) sendPath() (finding, error) {
	m, err := l.long()
	if err != nil {
		return finding{}, err
	}
	switch s := m[0]; {
	case s.stored >= uint64(s.n) && s.sending < s.plain:
		return found("PIO(WC)", "%v in %v; uncombined stores would take %v", s, s.sending, s.plain)
	case s.stored >= uint64(s.n):
		return found("PIO", "%v", s)
	case s.copied >= uint64(s.n):
		return found("DMA+Copy", "%v", s)
	default:
		return found("DMA+v2p trans", "%v: the engine reads the program's own pages", s)
	}
}

func (l lab) receivePath() (finding, error) {
	m, err := l.long()
	if err != nil {
		return finding{}, err
	}
	switch r := m[1]; {
	case r.dmas == 0:
		return found("PIO", "%v", r)
	case r.copied >= uint64(r.n):
		return found("DMA+Copy", "%v", r)
	default:
		return found("DMA+v2p trans", "%v: the engine writes the program's own pages", r)
	}
}

// shortByPIO reports whether a message of 4 B leaves the sender without a host DMA.
func (l lab) shortByPIO() (bool, error) {
	p, err := l.pair()
	if err != nil {
		return false, err
	}
	defer p.Engine.Close()
	a, b := newMail(p.procs[0], 64), newMail(p.procs[1], 64)
	before := p.Nodes[0].NIC.Stats().HostDMAs
	during := before
	if _, err := p.try(
		func(c *host.Context) {
			err = a.send(c, 4, 1)
			c.Spend(sim.Millisecond) // nothing comes back before the receiver looks
			during = p.Nodes[0].NIC.Stats().HostDMAs
			for range 100 {
				a.Endpoint.Poll(c)
				c.Spend(10 * sim.Microsecond)
			}
		},
		func(c *host.Context) {
			c.Sleep(2 * sim.Millisecond)
			_, _ = b.receive(c, 4)
		}); err != nil {
		return false, err
	}
	return during == before, err
}
