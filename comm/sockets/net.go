package sockets

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// New makes the processes and the doors at which they call each other, in no
// simulated time. The trusted daemons of VMMC-2 do this before a program
// starts.
func New(spec Spec, nodes []deposit.Node) (*Net, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	ports, err := deposit.Open(nodes, "sockets", spec.Tag)
	if err != nil {
		return nil, err
	}
	n := &Net{spec: spec}
	exports := make([]deposit.Export, len(nodes))
	for i, node := range nodes {
		s := &Stack{
			net: n, id: i, host: node.Host, port: ports[i], space: ports[i].Space(),
			listeners: map[int]*Listener{}, doors: make([]deposit.Import, len(nodes)), calling: make([]bool, len(nodes)),
		}
		s.redirector, _ = s.port.(deposit.Redirector)
		size := len(nodes) * 2 * entryBytes
		s.door, s.lines = s.space.Alloc(int64(size)), s.space.Alloc(int64(size))
		if exports[i], err = s.port.Export(s.door, size, s.knocked); err != nil {
			return nil, err
		}
		exports[i].OnWrite(s.called)
		if spec.Blocking {
			s.service = s.host.Go(fmt.Sprintf("sockets service %d", i), host.Handler, s.serve)
		}
		s.attendant = deposit.Attendant(s.host, fmt.Sprintf("sockets attendant %d", i), s.port)
		s.port.Attend(s.attend)
		n.stacks = append(n.stacks, s)
	}
	for i, s := range n.stacks {
		for j, x := range exports {
			if i == j {
				continue
			}
			if s.doors[j], err = s.port.Import(x); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

// Stack returns the process on a node.
func (n *Net) Stack(node int) *Stack { return n.stacks[node] }

// Nodes returns the number of nodes.
func (n *Net) Nodes() int { return len(n.stacks) }

// Node returns the number of the node that the process runs on.
func (s *Stack) Node() int { return s.id }

// Host returns the host that the process runs on.
func (s *Stack) Host() *host.Host { return s.host }

// Space returns the memory of the process, which holds the buffers.
func (s *Stack) Space() *host.Space { return s.space }

// Stats returns the counters.
func (s *Stack) Stats() Stats { return s.stats }

// serve is the process that interrupts start: it wakes the programs that wait
// on a connection with a notice.
func (s *Stack) serve(x *host.Context) {
	for {
		for s.woken.Len() > 0 {
			c := s.woken.Pop()
			c.marked = false
			x.Compute(entryWork)
			c.fire()
		}
		s.hung.Fire()
		for _, l := range s.open {
			l.watch.Fire()
		}
		x.WaitInterrupt("a notice of a connection")
	}
}

// attend interrupts the context that polls for arrivals: a server, if there is
// one, or else the attendant.
func (s *Stack) attend() {
	for _, l := range s.open {
		if l.events.Knock != nil {
			l.events.Knock()
			return
		}
	}
	s.attendant.Interrupt()
}

// Poll polls for arrivals, on a layer whose hosts poll. A server calls it
// whenever an interrupt starts it.
func (s *Stack) Poll(x *host.Context) { s.port.Poll(x) }

// wake lets the service wake those that wait on c.
func (s *Stack) wake(c *Conn) {
	if !c.marked {
		c.marked = true
		s.woken.Push(c)
	}
	s.service.Interrupt()
}

// wait waits for w. The caller checks its condition in a loop. A program spins or
// blocks, as the specification says. A service process returns the CPU to the
// program that it has interrupted; resuming it costs as much as an interrupt's
// entry.
func (s *Stack) wait(x *host.Context, w *host.Watch, reason string) {
	if !s.net.spec.Blocking || x.Shares().Level == host.Handler {
		s.spin(x, w, reason)
		return
	}
	old := x.Enter(host.MessageWait)
	s.port.Sleep(x, w, reason)
	x.Enter(old)
}

// spin is wait for which a program spins even if the specification says that it blocks.
func (s *Stack) spin(x *host.Context, w *host.Watch, reason string) {
	if x.Shares().Level == host.Handler {
		s.port.Sleep(x, w, reason)
		x.Spend(s.host.Spec().Interrupt.Entry)
		return
	}
	old := x.Enter(host.MessageWait)
	s.port.Wait(x, w, reason)
	x.Enter(old)
}

// copy copies n bytes of the process's memory.
func (s *Stack) copy(to, from host.Addr, n int) {
	for n > 0 {
		k := min(n, host.PageBytes-from.Offset())
		s.space.WriteAt(to, s.space.Bytes(from, k))
		from, to, n = from+host.Addr(k), to+host.Addr(k), n-k
	}
}

// enter accounts a program's time as messaging until it enters old again. The time
// of a service process stays service.
func enter(x *host.Context) (old host.Category) {
	old = x.Enter(host.Messaging)
	if old == host.Service {
		x.Enter(old)
	}
	return old
}

// send deposits n bytes of a line of this process, as a message without DMA.
func (s *Stack) send(x *host.Context, line host.Addr, to deposit.Import, offset, n int, meta trace.Meta) {
	if err := s.port.Send(x, line, to, offset, n, meta, true); err != nil {
		panic(fmt.Sprintf("sockets: node %d at %v: %v", s.id, x.Now(), err))
	}
}
