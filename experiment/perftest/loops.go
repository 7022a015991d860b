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
	threads    []*thread
	times      []sim.Duration
	completed  int64 // of a stream, by all threads
	begin, end sim.Time
	sent       int64 // messages, when all have been sent
	sending    int   // threads that still send
	done       bool
	err        error
}

// thread is a thread of each side, with its queue pairs between them.
type thread struct {
	*run
	ends   [2]end
	random [2]sim.Stream // which pairs it draws
}

// end is one side of a thread.
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

// open prepares a side of a thread that has so many queue pairs.
func (x *thread) open(i int, n *verbs.Node, frames *host.Frames, pairs int64) (err error) {
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
		for range pairs {
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
func (x *thread) connect(pairs int64) error {
	a, b := &x.ends[0], &x.ends[1]
	switch x.Operation {
	case Send:
		if err := comm.Connect([]comm.Endpoint{a.inbox.(comm.Endpoint), b.inbox.(comm.Endpoint)}, 0); err != nil {
			return err
		}
	case SendUD:
		return nil // they are not connected
	}
	for range pairs {
		p, q := verbs.Connect(a.process, b.process)
		a.pairs, b.pairs = append(a.pairs, p), append(b.pairs, q)
	}
	return nil
}

// post posts an operation of a side, whose completion has a number.
func (x *thread) post(c *host.Context, side, pair int, number uint64, signal bool) error {
	e, peer := &x.ends[side], &x.ends[1-side]
	if x.Operation == SendUD {
		return e.ud[pair].Send(c, peer.ud[pair].Address(), e.at, int(x.Bytes), data, number, signal)
	}
	q := e.pairs[pair]
	switch x.Operation {
	case Write:
		return q.Write(c, e.at, int(x.Bytes), peer.region, 0, data, number, signal)
	case Read:
		return q.Read(c, e.at, int(x.Bytes), peer.region, 0, data, number, signal)
	case FetchAdd:
		return q.FetchAdd(c, peer.region, 0, 1, nil, data, number, signal)
	case CompareSwap:
		return q.CompareSwap(c, peer.region, 0, 0, 1, nil, data, number, signal)
	}
	return q.Message(c, e.at, int(x.Bytes), data, number, signal)
}

// bounce measures latency: the sides take turns, or the first one alone waits for its operations.
func (x *thread) bounce(c *host.Context, side int) {
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
		if err := x.post(c, side, 0, 0, alone); err != nil {
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
func (x *thread) wait(c *host.Context, side, i int) {
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

// before is how many operations of a stream complete before those that count: as many as there is room for, and of pairs
// that are drawn enough for nearly all to have been.
func (x *run) before() int64 {
	if x.Swarm {
		return 2 * max(x.Threads*x.Outstanding, 4*x.Pairs)
	}
	return x.Pairs * x.Outstanding
}

// going reports whether more of a stream is to be posted.
func (x *run) going() bool { return x.err == nil && x.completed < x.before()+x.Count }

// take notes that an operation has completed.
func (x *run) take(c *host.Context, got verbs.Completion) {
	if got.Err != nil {
		x.err = got.Err
	}
	switch x.completed++; x.completed {
	case x.before():
		x.begin = c.Now()
	case x.before() + x.Count:
		x.end = c.Now()
	}
}

// stream measures bandwidth: a thread posts on each pair that has room in turn, and takes what has completed.
// What counts begins when as many operations of all threads as there is room for have completed, and ends before the
// last ones are waited for.
func (x *thread) stream(c *host.Context) {
	e := &x.ends[0]
	under := make([]int64, max(len(e.pairs), len(e.ud)))
	posted, completed := int64(0), int64(0)
	take := func(got verbs.Completion) {
		under[got.ID]--
		completed++
		x.take(c, got)
	}
	for x.going() {
		idle := true
		for i := range under {
			if under[i] < x.Outstanding && x.err == nil {
				if err := x.post(c, 0, i, uint64(i), true); err != nil {
					x.err = err
				}
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
		if err := e.process.AwaitCompletion(c).Err; err != nil {
			x.err = err
		}
	}
	x.leaves(posted)
}

// leaves notes that a thread of the first side has sent all of its operations.
func (x *run) leaves(posted int64) {
	x.sent += posted
	if x.sending--; x.sending == 0 {
		x.done = true
		for _, t := range x.threads {
			t.ends[1].process.Ring()
		}
	}
}

// swarm is a thread that draws the pair of each operation, with so many operations under way over all its pairs. Before it
// posts another one it waits for the oldest.
func (x *thread) swarm(c *host.Context, side int) {
	e := &x.ends[side]
	done := make([]bool, x.Outstanding)
	posted := int64(0)
	await := func(slot int64) {
		for !done[slot] && x.err == nil {
			got := e.process.AwaitCompletion(c)
			done[got.ID] = true
			x.take(c, got)
		}
	}
	for x.going() {
		slot := posted % x.Outstanding
		if posted >= x.Outstanding {
			await(slot)
			done[slot] = false
		}
		if err := x.post(c, side, x.random[side].Below(len(e.pairs)), uint64(slot), true); err != nil {
			x.err = err
		}
		posted++
	}
	for i := range min(posted, x.Outstanding) {
		await(i)
	}
	if side == 0 {
		x.leaves(posted)
	}
}

// listen takes messages until there are none any more, or, because some may be lost, none come for a while.
func (x *thread) listen(c *host.Context) {
	e := &x.ends[1]
	for n, last := int64(0), false; x.messages() && x.err == nil && !(x.done && n == x.sent && len(x.threads) == 1); {
		switch {
		case e.inbox.Due() == 0:
			_, x.err = e.inbox.Receive(c, comm.Anyone, 0, 0)
			n++
		case last:
			return
		case x.done && (x.Operation == SendUD || len(x.threads) > 1):
			last = true
			c.Sleep(sim.Millisecond)
		default:
			e.process.Await(c, "a message")
		}
	}
}
