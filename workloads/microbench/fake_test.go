package microbench_test

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

// fake is a layer of requests and replies whose LogP parameters are known: no
// card, just times.
type fake struct {
	engine     *sim.Engine
	os, or     sim.Duration
	latency, g sim.Duration
	serving    sim.Duration // what a replier spends beside or and os
	window     int
	traits     comm.Traits
	loseFrom   int // number of the first call that is lost; 0: none
	bare       bool
	eps        []*fakeEndpoint
	calls      int
	stores     []string
}

type fakeLayer struct {
	*fake
	node int
}

type fakeEndpoint struct {
	*fake
	node        int
	space       *host.Space
	arrived     []fakeCall
	watch       host.Watch
	free        sim.Time // when another message may leave
	lost        uint64
	outstanding int
	handle      func(*host.Context, comm.Call) [4]uint32
}

type fakeCall struct {
	from  int
	reply bool
}

// newFake replaces the layers of a cluster's nodes.
func newFake(engine *sim.Engine, hosts []*host.Host, frames []*host.Frames) (*fake, []microbench.End) {
	f := &fake{
		engine: engine, os: 2 * us, or: 3 * us, latency: 10 * us, g: 8 * us, window: 1 << 20,
		traits: comm.Traits{Name: "fake", Model: comm.RPC, Requests: true, Consumes: true},
	}
	var ends []microbench.End
	for i := range hosts {
		f.eps = append(f.eps, &fakeEndpoint{fake: f, node: i})
		ends = append(ends, microbench.End{Node: i, Host: hosts[i], Frames: frames[i], Layer: fakeLayer{f, i}})
	}
	return f, ends
}

func (l fakeLayer) Traits() *comm.Traits   { return &l.traits }
func (l fakeLayer) Quiet() bool            { return true }
func (l fakeLayer) Traffic() comm.Traffic  { return comm.Traffic{} }
func (l fakeLayer) Silent() []comm.Silence { return nil }
func (l fakeLayer) Counts() []comm.Count {
	return []comm.Count{{Name: "dropped", N: l.eps[l.node].lost, Loss: true}, {Name: "refused", N: 5}}
}

func (l fakeLayer) Open(space *host.Space, _ trace.Tag) (comm.Endpoint, error) {
	ep := l.eps[l.node]
	if ep.space != nil {
		return nil, fmt.Errorf("fake: node %d has a process", l.node)
	}
	ep.space = space
	if l.bare {
		return struct{ comm.Endpoint }{ep}, nil
	}
	return ep, nil
}

func (e *fakeEndpoint) Traits() *comm.Traits                           { return &e.traits }
func (e *fakeEndpoint) Space() *host.Space                             { return e.space }
func (e *fakeEndpoint) Buffer(n int) host.Addr                         { return e.space.Alloc(int64(n)) }
func (e *fakeEndpoint) Outstanding() int                               { return e.outstanding }
func (e *fakeEndpoint) Answered(uint8, func(*host.Context, comm.Call)) {}

func (e *fakeEndpoint) Handle(_ uint8, f func(*host.Context, comm.Call) [4]uint32) { e.handle = f }

func (e *fakeEndpoint) Post(*host.Context, int, host.Addr, int) error { return nil }

func (e *fakeEndpoint) Send(*host.Context, int, host.Addr, int, trace.Meta) error {
	return fmt.Errorf("fake: no messages")
}

func (e *fakeEndpoint) Receive(*host.Context, int, host.Addr, int) (comm.Message, error) {
	return comm.Message{}, fmt.Errorf("fake: no messages")
}

func (e *fakeEndpoint) Request(c *host.Context, to int, _ uint8, _ [4]uint32) error {
	for len(e.arrived) > 0 && e.arrived[0].reply {
		e.one(c)
	}
	for e.outstanding >= e.window {
		e.Wait(c)
	}
	e.outstanding++
	e.transmit(c, to, false)
	return nil
}

func (e *fakeEndpoint) Store(c *host.Context, to int, from, at host.Addr, n int, h uint8, args [4]uint32) error {
	e.stores = append(e.stores, fmt.Sprintf("store %d %d %d", from%host.PageBytes, at%host.PageBytes, n))
	return e.Request(c, to, h, args)
}

func (e *fakeEndpoint) StoreAs(c *host.Context, to int, from, at host.Addr, n int, h uint8, args [4]uint32, _ trace.Meta) error {
	return e.Store(c, to, from, at, n, h, args)
}

func (e *fakeEndpoint) Get(c *host.Context, to int, at, into host.Addr, n int, h uint8, args [4]uint32) error {
	e.stores = append(e.stores, fmt.Sprintf("get %d %d %d", at%host.PageBytes, into%host.PageBytes, n))
	return e.Request(c, to, h, args)
}

// transmit spends o_s and delivers a call L after it left, which calls do at
// most once in g.
func (e *fakeEndpoint) transmit(c *host.Context, to int, reply bool) {
	c.Spend(e.os)
	leaves := max(c.Now(), e.free)
	e.free = leaves.Add(e.g)
	if e.calls++; e.calls == e.loseFrom {
		e.lost++
		return
	}
	peer, call := e.eps[to], fakeCall{e.node, reply}
	e.engine.At(leaves.Add(e.latency), event(func() {
		peer.arrived = append(peer.arrived, call)
		peer.watch.Fire()
	}), 0, 0)
}

// event is a function that an engine calls.
type event func()

func (f event) Act(uint32, uint64) { f() }

// one handles the oldest arrival.
func (e *fakeEndpoint) one(c *host.Context) {
	call := e.arrived[0]
	e.arrived = e.arrived[1:]
	c.Spend(e.or)
	if call.reply {
		e.outstanding--
		return
	}
	e.handle(c, comm.Call{From: call.from})
	c.Spend(e.serving)
	e.transmit(c, call.from, true)
}

func (e *fakeEndpoint) Poll(c *host.Context) int {
	n := len(e.arrived)
	for len(e.arrived) > 0 {
		e.one(c)
	}
	return n
}

func (e *fakeEndpoint) Wait(c *host.Context) {
	for len(e.arrived) == 0 {
		c.Spin(&e.watch, "an arrival")
	}
	e.Poll(c)
}
