package perftest

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// run is a test in progress.
type run struct {
	Test
	engine     *sim.Engine
	ends       [2]end
	times      []sim.Duration
	begin, end sim.Time
	sent       int64 // messages, when all have been sent
	done       bool
	err        error
}

// end is one side.
type end struct {
	node    *verbs.Node
	process *verbs.Process
	inbox   inbox // of messages
	pairs   []*verbs.Pair
	ud      []*verbs.Datagrams
	at      host.Addr
	region  *verbs.Region
	written int        // writes of the other side that are whole in memory
	watch   host.Watch // fires when one is
}

// inbox is where messages or datagrams come.
type inbox interface {
	Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error)
	Due() sim.Time
}

// warm is how many round trips come before those that count: all that is cached is then in the card.
const warm = 20

var data = trace.Meta{Kind: trace.Data}

// open prepares a side.
func (x *run) open(i int, n *verbs.Node, frames *host.Frames) (err error) {
	e := &x.ends[i]
	e.node = n
	space := host.NewSpace("perftest", frames)
	switch x.Operation {
	case Send:
		ep, err := n.Open(space, 0)
		if err != nil {
			return err
		}
		m := ep.(*verbs.Messages)
		e.process, e.inbox = m.Process, m
	case SendUD:
		d := n.OpenDatagrams(space, 0)
		e.process, e.inbox = d.Process, d
		for range x.Pairs {
			e.ud = append(e.ud, d.Another())
		}
	default:
		e.process = n.Process(space, 0)
	}
	e.at = space.Alloc(max(x.Bytes, 8))
	if e.region, err = e.process.Region(e.at, int(max(x.Bytes, 8))); err != nil {
		return err
	}
	e.region.OnWrite(func(a deposit.Arrival) {
		if a.Last {
			e.written++
			e.watch.Fire()
		}
	})
	return nil
}

// connect makes the queue pairs.
func (x *run) connect() {
	a, b := &x.ends[0], &x.ends[1]
	switch x.Operation {
	case Send:
		x.err = comm.Connect([]comm.Endpoint{a.inbox.(comm.Endpoint), b.inbox.(comm.Endpoint)}, 0)
	case SendUD:
		return // they are not connected
	}
	for range x.Pairs {
		p, q := verbs.Connect(a.process, b.process)
		a.pairs, b.pairs = append(a.pairs, p), append(b.pairs, q)
	}
}

// post posts an operation of a side.
func (x *run) post(c *host.Context, side int, pair int, signal bool) error {
	e, peer := &x.ends[side], &x.ends[1-side]
	if x.Operation == SendUD {
		return e.ud[pair].Send(c, peer.ud[pair].Address(), e.at, int(x.Bytes), data, uint64(pair), signal)
	}
	q := e.pairs[pair]
	switch x.Operation {
	case Write:
		return q.Write(c, e.at, int(x.Bytes), peer.region, 0, data, uint64(pair), signal)
	case Read:
		return q.Read(c, e.at, int(x.Bytes), peer.region, 0, data, uint64(pair), signal)
	case FetchAdd:
		return q.FetchAdd(c, peer.region, 0, 1, nil, data, uint64(pair), signal)
	case CompareSwap:
		return q.CompareSwap(c, peer.region, 0, 0, 1, nil, data, uint64(pair), signal)
	}
	return q.Message(c, e.at, int(x.Bytes), data, uint64(pair), signal)
}

// bounce measures latency: the sides take turns, or the first one alone waits for its operations.
func (x *run) bounce(c *host.Context, side int) {
	alone := x.latencies() == 1
	if alone && side == 1 {
		return
	}
	for i := range int(x.Count) + warm {
		if x.err != nil {
			return
		}
		began := c.Now()
		if side == 1 {
			x.wait(c, side, i)
		}
		if err := x.post(c, side, 0, alone); err != nil {
			x.err = err
			return
		}
		switch {
		case alone:
			x.err = x.ends[side].process.AwaitCompletion(c).Err
		case side == 0:
			x.wait(c, side, i)
		}
		if side == 0 && i >= warm {
			x.times = append(x.times, c.Now().Sub(began))
		}
	}
}

// wait waits for the other side's ith message.
func (x *run) wait(c *host.Context, side, i int) {
	e := &x.ends[side]
	if x.messages() {
		if _, err := e.inbox.Receive(c, comm.Anyone, 0, 0); err != nil {
			x.err = err
		}
		return
	}
	for e.written <= i {
		c.Spin(&e.watch, "a write")
	}
}

// stream measures bandwidth: it posts on each pair that has room in turn, and takes what has completed.
// What counts begins when as many operations as there is room for have completed, and ends before the
// last ones are waited for.
func (x *run) stream(c *host.Context) {
	e := &x.ends[0]
	under := make([]int64, x.Pairs)
	before := x.Pairs * x.Outstanding
	posted, completed := int64(0), int64(0)
	take := func(got verbs.Completion) {
		x.err = got.Err
		under[got.ID]--
		switch completed++; completed {
		case before:
			x.begin = c.Now()
		case before + x.Count:
			x.end = c.Now()
		}
	}
	for x.err == nil && completed < before+x.Count {
		idle := true
		for i := range under {
			if under[i] < x.Outstanding && x.err == nil {
				x.err = x.post(c, 0, i, true)
				under[i]++
				posted++
				idle = false
			}
		}
		for got, ok := e.process.Completed(c); ok && x.err == nil; got, ok = e.process.Completed(c) {
			take(got)
			idle = false
		}
		if idle {
			take(e.process.AwaitCompletion(c))
		}
	}
	for ; completed < posted && x.err == nil; completed++ {
		x.err = e.process.AwaitCompletion(c).Err
	}
	x.sent, x.done = posted, true
	x.ends[1].process.Ring()
}

// listen takes messages until there are none any more, or, because some may be lost, none come for a while.
func (x *run) listen(c *host.Context) {
	e := &x.ends[1]
	for n, last := int64(0), false; x.messages() && x.err == nil && !(x.done && n == x.sent); {
		switch {
		case e.inbox.Due() == 0:
			_, x.err = e.inbox.Receive(c, comm.Anyone, 0, 0)
			n++
		case last:
			return
		case x.done && x.Operation == SendUD:
			last = true
			c.Sleep(sim.Millisecond)
		default:
			e.process.Await(c, "a message")
		}
	}
}
