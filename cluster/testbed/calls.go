package testbed

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Calls are processes on every node that send and serve requests. Their handler
// Counted counts the requests that each serves.
type Calls struct {
	*Testbed
	Ends   []comm.Requester
	Served []int // by node: requests handled
	Pause  sim.Stream
}

// Counted is the handler that counts.
const Counted = 1

// Calls opens processes that send requests on all nodes, and counts what they serve
// from now on. After an error it has no ends.
func (b *Testbed) Calls() *Calls {
	t := &Calls{Served: make([]int, len(b.Nodes)), Pause: b.Engine.Stream("row"), Testbed: b}
	for i := range b.Nodes {
		p := b.Process(i)
		if p == nil {
			return t
		}
		e, ok := p.Endpoint.(comm.Requester)
		if !ok {
			b.Fail("the layer has no requests")
			return t
		}
		t.Ends = append(t.Ends, e)
		t.Handle(i, Counted, func(*host.Context, comm.Call) [4]uint32 { return [4]uint32{} })
	}
	return t
}

// Handle sets a handler of a node. Its calls are counted.
func (t *Calls) Handle(node int, handler uint8, f func(*host.Context, comm.Call) [4]uint32) {
	if !t.OK() {
		return
	}
	t.Ends[node].Handle(handler, func(c *host.Context, q comm.Call) [4]uint32 {
		t.Served[node]++
		return f(c, q)
	})
}

// Send makes node i send a request to node j.
func (t *Calls) Send(c *host.Context, i, j int) {
	t.Keep(t.Ends[i].Request(c, j, Counted, [4]uint32{}))
}

// Ask makes node i send a request to node j and wait for the reply.
func (t *Calls) Ask(c *host.Context, i, j int) {
	t.Send(c, i, j)
	t.Collect(c, i)
}

// Collect makes node i wait for all replies.
func (t *Calls) Collect(c *host.Context, i int) {
	for t.Ends[i].Outstanding() > 0 {
		t.Ends[i].Wait(c)
	}
}

// Answer returns a program that polls until it has answered n more requests.
func (t *Calls) Answer(node, n int) func(*host.Context) {
	return func(c *host.Context) {
		for due := t.Served[node] + n; t.Served[node] < due; {
			t.Ends[node].Wait(c)
		}
	}
}

// Serve runs a program on node i while node j answers n requests.
func (t *Calls) Serve(i, j, n int, program func(*host.Context)) {
	if !t.OK() {
		return
	}
	all := make([]func(*host.Context), len(t.Served))
	all[i], all[j] = program, t.Answer(j, n)
	t.Play(all...)
}

// RoundTrip returns the mean time of a number of requests from node i to node j with their
// replies, µs.
func (t *Calls) RoundTrip(i, j, times int) (us float64) {
	return t.Mean(i, j, times, func(c *host.Context) sim.Time {
		t.Ask(c, i, j)
		return c.Now()
	})
}

// Mean returns the mean time from the start of an operation of node i to the end that
// it returns, µs. The operation sends node j one request. It starts at random times,
// so that it arrives at any point of the interfaces' main loops.
func (t *Calls) Mean(i, j, times int, operate func(*host.Context) (end sim.Time)) (us float64) {
	t.Serve(i, j, times, func(c *host.Context) {
		for range times {
			c.Sleep(1 + t.Pause.Upto(20*sim.Microsecond))
			begin := c.Now()
			us += operate(c).Sub(begin).Us() / float64(times)
		}
	})
	return us
}
