package pm

import (
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Events of a change.
const (
	opDrained uint32 = iota
	opRestored
)

// turn notes that a program has been given a CPU.
func (n *Node) turn(c *host.Context) {
	if e := n.processOf(c); e != nil {
		n.claim(e)
	}
}

// processOf returns the process of a context, or nil. Before its first call, a process is
// assumed to have the place among the node's programs that Open gave it.
func (n *Node) processOf(c *host.Context) *Endpoint {
	for _, e := range n.processes {
		if e.context == c {
			return e
		}
	}
	place := 0
	for _, other := range n.NIC.Host().Contexts() {
		switch {
		case other == c && place < len(n.processes) && n.processes[place].context == nil:
			return n.processes[place]
		case other.Level() == host.Application:
			place++
		}
	}
	return nil
}

// claim notes the process whose program has the CPU.
func (n *Node) claim(e *Endpoint) {
	n.gang.next = e
	n.change()
}

// change begins to give the interface to another process, if one should have it.
func (n *Node) change() {
	if n.gang.changing || n.heir() == n.owner {
		return
	}
	n.gang.changing = true
	n.NIC.Engine().After(n.spec.Gang.Drain, n, opDrained, 0)
}

// heir returns the process that should have the interface next: a process without a turn of its own
// that has requests or arrivals, or else the one whose program has the CPU.
func (n *Node) heir() *Endpoint {
	for _, e := range n.processes {
		if e != n.owner && (e.called || e.queue.Len() > 0) && e.idle() {
			return e
		}
	}
	return n.gang.next
}

// call records an arrival for a process that does not have the interface.
func (n *Node) call(e *Endpoint) {
	n.stats.Absent++
	e.called = true
	n.change()
}

// idle reports whether the process has no turn of its own: its context sleeps
// or has ended.
func (e *Endpoint) idle() bool { return e.context == nil || e.context.Idle() }

// Act runs the events of a change.
func (n *Node) Act(op uint32, _ uint64) {
	e := n.NIC.Engine()
	switch op {
	case opDrained:
		switch {
		case n.heir() == n.owner: // it has come back
			n.settle()
		case !n.Program.Settled() || n.Program.Ready():
			e.After(n.spec.Gang.Drain, n, opDrained, 0)
		default:
			n.owner = nil
			e.After(n.spec.Gang.Switch, n, opRestored, 0)
		}
	case opRestored:
		n.owner = n.heir()
		n.stats.Changes++
		n.Program.Use(&n.owner.queue)
		n.settle()
	}
}

// settle ends a change of processes: the control program looks at its new state.
func (n *Node) settle() {
	n.gang.changing = false
	n.owner.turn.Fire()
	n.NIC.SetTimer(n.NIC.Engine().Now())
}

// Timer runs when the host has freed a buffer (its word in SRAM has changed) or
// the process has just got the interface.
func (n *Node) Timer() {
	e := n.owner
	if e == nil {
		return
	}
	for _, a := range e.late {
		n.answered(&n.channel(e.Tag()).links[a.from], &a.header)
	}
	e.late, e.called = e.late[:0], false
	n.welcome(e)
	n.change()
}

// postpone keeps an answer for a process until it has the interface.
func (n *Node) postpone(e *Endpoint, from int32, h *fabric.Header) {
	e.late = append(e.late, answer{from, *h})
	n.call(e)
}

// enter waits until the process of a context has the interface. A service process has no turn of
// its own.
func (e *Endpoint) enter(c *host.Context) {
	program := c.Level() == host.Application
	if program {
		e.context = c
	}
	for e.node.owner != e {
		if program {
			e.node.claim(e)
		} else {
			e.called = true
			e.node.change()
		}
		c.Spin(&e.turn, "its turn at the interface")
	}
}
