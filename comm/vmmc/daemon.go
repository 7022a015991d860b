package vmmc

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Daemon is the trusted process of a node that opens connections while programs run.
// An import is a system call, a request to the daemon of the exporting node, which the
// message interrupts, and its answer, which interrupts again. The daemons have regions
// for one another since the node has started. A system call is assumed to take the time
// in which an interrupt enters the kernel and leaves it.
type Daemon struct {
	nodes    []*Node
	end      *Endpoint
	out      host.Addr
	in       []host.Addr      // by peer: its request, and its answer
	to       []deposit.Import // by peer
	asked    []bool           // by peer: a request that is not answered
	service  *host.Context
	busy     bool // an import of this node is in progress
	granted  bool
	answered bool
	changed  host.Watch
}

// The two halves of the region for a peer: a word each.
const (
	requestAt   = 0
	answerAt    = host.WordBytes
	daemonBytes = 2 * host.WordBytes
)

// StartDaemons starts the daemons of all nodes, each with its own memory. It takes no
// simulated time.
func StartDaemons(nodes []*Node, spaces []*host.Space) ([]*Daemon, error) {
	all := make([]*Daemon, len(nodes))
	exports := make([][]deposit.Export, len(nodes))
	for i, n := range nodes {
		d := &Daemon{nodes: nodes, end: n.Process(spaces[i], 0), to: make([]deposit.Import, len(nodes)), asked: make([]bool, len(nodes))}
		d.out = spaces[i].Alloc(daemonBytes)
		for peer := range nodes {
			at := spaces[i].Alloc(daemonBytes)
			x, err := d.end.Export(at, daemonBytes, func(a Deposit) { d.notified(peer, a) })
			if err != nil {
				return nil, err
			}
			d.in, exports[i] = append(d.in, at), append(exports[i], x)
		}
		d.service = n.nic.Host().Go("vmmc daemon", host.Handler, d.serve)
		all[i] = d
	}
	for i, d := range all {
		for peer := range nodes {
			if peer == i {
				continue
			}
			m, err := d.end.Import(exports[peer][i])
			if err != nil {
				return nil, err
			}
			d.to[peer] = m
		}
	}
	return all, nil
}

// Import connects a process of the daemon's node to an export of another node, by the
// export's number there. An export that does not exist is an error.
func (d *Daemon) Import(c *host.Context, ep *Endpoint, peer int, id uint32) (deposit.Import, error) {
	if peer < 0 || peer >= len(d.to) || d.to[peer] == nil {
		return nil, fmt.Errorf("vmmc: import of node %d, want another one of %d", peer, len(d.to))
	}
	kernel := c.Host().Spec().Interrupt
	c.Spend(kernel.Entry)
	for d.busy {
		c.Block(&d.changed, "an import")
	}
	d.busy, d.answered = true, false
	err := d.send(c, peer, requestAt, id)
	for err == nil && !d.answered {
		c.Block(&d.changed, "the answer of a daemon")
	}
	granted := d.granted
	d.busy = false
	d.changed.Fire()
	c.Spend(kernel.Return)
	if err != nil {
		return nil, err
	}
	if !granted {
		return nil, fmt.Errorf("vmmc: node %d has no export %d", peer, id)
	}
	return ep.Import(d.nodes[peer].exports[id])
}

func (d *Daemon) send(c *host.Context, peer, at int, word uint32) error {
	from := d.out + host.Addr(at)
	d.end.space.Store32(from, word)
	return d.end.Send(c, from, d.to[peer], at, host.WordBytes, trace.Meta{Kind: trace.Message}, true)
}

// notified records what has come from a peer's daemon, and interrupts.
func (d *Daemon) notified(peer int, a Deposit) {
	if a.Offset == requestAt {
		d.asked[peer] = true
	} else {
		d.granted = d.end.space.Load32(d.in[peer]+answerAt) != 0
		d.answered = true
	}
	d.service.Interrupt()
}

// serve answers requests, and lets the process continue whose answer has come.
func (d *Daemon) serve(c *host.Context) {
	for {
		c.WaitInterrupt("a daemon's message")
		d.changed.Fire()
		for peer, asked := range d.asked {
			if !asked {
				continue
			}
			d.asked[peer] = false
			known := uint32(0)
			if int(d.end.space.Load32(d.in[peer]+requestAt)) < len(d.end.node.exports) {
				known = 1
			}
			if err := d.send(c, peer, answerAt, known); err != nil {
				panic(fmt.Sprintf("vmmc: the daemon of node %d: %v", d.end.node.nic.ID(), err))
			}
		}
	}
}
