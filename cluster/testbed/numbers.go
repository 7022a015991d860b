package testbed

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// SendNumbers sends n messages of one word each, counted from first.
func SendNumbers(t T, c *host.Context, ep comm.Endpoint, to, first, n int) {
	t.Helper()
	for i := range n {
		at := ep.Buffer(4)
		ep.Space().Store32(at, uint32(first+i))
		if err := ep.Send(c, to, at, 4, trace.Meta{Kind: trace.Message}); err != nil {
			t.Fatalf("%v", err)
		}
	}
}

// ReceiveNumbers receives n such messages of one sender in place and requires their order.
func ReceiveNumbers(t T, c *host.Context, ep comm.Endpoint, from, first, n int) {
	t.Helper()
	for i := range n {
		m, err := ep.Receive(c, from, 0, 4)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if got := ep.Space().Load32(m.At); m.From != from || got != uint32(first+i) {
			t.Fatalf("number %d of node %d, want %d of node %d", got, m.From, first+i, from)
		}
	}
}

// Numbers sends n such messages from node 0 to node 1, which sleeps first.
func (r *Test) Numbers(n int, sleep sim.Duration) {
	r.T.Helper()
	r.Go(
		func(c *host.Context, p *Process) { SendNumbers(r.T, c, p.Endpoint, 1, 0, n) },
		func(c *host.Context, p *Process) {
			c.Sleep(sleep)
			ReceiveNumbers(r.T, c, p.Endpoint, 0, 0, n)
		})
}

// SendFirst lets all nodes send n such messages to every other one before they receive any.
func (r *Test) SendFirst(n int) {
	r.T.Helper()
	programs := make([]func(*host.Context, *Process), len(r.Procs))
	for i := range programs {
		programs[i] = func(c *host.Context, p *Process) {
			r.others(p, func(node int) { SendNumbers(r.T, c, p.Endpoint, node, 0, n) })
			r.others(p, func(node int) { ReceiveNumbers(r.T, c, p.Endpoint, node, 0, n) })
		}
	}
	r.Go(programs...)
}

func (r *Test) others(p *Process, f func(node int)) {
	for node := range r.Procs {
		if node != p.Number {
			f(node)
		}
	}
}
