package nx

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Any is any type or any node in a receive or probe, and all other nodes in a
// send.
const Any = -1

func newProcess(s *System, me, nodes int, h *host.Host, port deposit.Port) *Process {
	p := &Process{sys: s, me: me, host: h, port: port, space: port.Space(), peers: make([]*peer, nodes), origins: make([]origin, nodes), numbers: trace.Numbers{Node: me}}
	p.redirector, _ = port.(deposit.Redirector)
	p.multicaster, _ = port.(deposit.Multicaster)
	return p
}

// Node returns the number of the node that the process runs on.
func (p *Process) Node() int { return p.me }

// Nodes returns the number of nodes.
func (p *Process) Nodes() int { return len(p.peers) }

// Context returns the process on its host.
func (p *Process) Context() *host.Context { return p.context }

// Space returns the memory of the process.
func (p *Process) Space() *host.Space { return p.space }

// Now returns the current time.
func (p *Process) Now() sim.Time { return p.context.Now() }

// Compute spends the time of w on the node's CPU.
func (p *Process) Compute(w host.Work) { p.context.Compute(w) }

// Shares returns how the program has spent its time. It is valid once the
// program has returned.
func (p *Process) Shares() host.Shares { return p.shares }

// Stats returns the counters of the library.
func (p *Process) Stats() Stats { return p.stats }

// errStopped is what calls return after the first error of the program.
var errStopped = errors.New("nx: the program has been stopped")

// enter begins a call of the library.
func (p *Process) enter() host.Category {
	old := p.context.Enter(host.Messaging)
	p.context.Spend(p.sys.spec.Costs.Call)
	p.progress()
	return old
}

// wait makes progress until the condition until holds, or the program stops
// with an error.
func (p *Process) wait(reason string, until func() bool) error {
	for {
		p.progress()
		if p.sys.err != nil {
			return errStopped
		}
		if until() {
			return nil
		}
		if p.acceptLong() || p.arrived.Len() > 0 {
			continue
		}
		old := p.context.Enter(host.MessageWait)
		if old == host.BarrierWait {
			p.context.Enter(old)
		}
		p.port.Wait(p.context, &p.watch, reason)
		p.context.Enter(old)
		// The library polls the rings of all other nodes.
		p.context.Compute(host.Work{Loads: int64(len(p.peers) - 1), Ints: int64(len(p.peers) - 1)})
	}
}

// progress processes arrivals, sends what has room and returns credits, until
// there is nothing left to do.
func (p *Process) progress() {
	for p.sys.err == nil {
		switch {
		case p.takeNext():
		case p.pump():
		case p.returnCredits():
		case p.reap():
		case p.port.Poll(p.context):
		default:
			return
		}
	}
}

// move copies n bytes in the process's memory; the caller spends the time.
func (p *Process) move(to, from host.Addr, n int) {
	b := make([]byte, n)
	p.space.ReadAt(from, b)
	p.space.WriteAt(to, b)
}

// Alloc allocates bytes of memory for the program, aligned to pages. It panics
// when the heap is exhausted.
func (p *Process) Alloc(bytes int64) host.Addr {
	h := &p.heap
	size := host.Addr((bytes + pageBytes - 1) &^ (pageBytes - 1))
	if bytes <= 0 || size > h.end-h.next {
		panic(fmt.Sprintf("nx: node %d: allocation of %d B with %d B left in the heap", p.me, bytes, h.end-h.next))
	}
	a := h.next
	h.next += size
	return a
}

// sysAlloc allocates system memory.
func (p *Process) sysAlloc(bytes int) host.Addr {
	h := &p.heap
	c := sizeClass(bytes)
	h.used += pageBytes << c
	p.stats.SystemPeak = max(p.stats.SystemPeak, h.used)
	if k := len(h.free[c]); k > 0 {
		a := h.free[c][k-1]
		h.free[c] = h.free[c][:k-1]
		return a
	}
	return p.Alloc(pageBytes << c)
}

func (p *Process) sysFree(a host.Addr, bytes int) {
	c := sizeClass(bytes)
	p.heap.used -= pageBytes << c
	p.heap.free[c] = append(p.heap.free[c], a)
}

func sizeClass(bytes int) int {
	c := 0
	for pageBytes<<c < bytes {
		c++
	}
	return c
}
