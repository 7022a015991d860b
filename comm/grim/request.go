package grim

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var _ comm.Requester = (*Endpoint)(nil)

// Request sends a request: an active message whose handler answers with another.
func (e *Endpoint) Request(c *host.Context, to int, h uint8, args library.Args) error {
	if err := e.CheckPeer(to); err != nil {
		return err
	}
	e.ask(c, to, 0, trace.Meta{Kind: trace.Request}, call{op: callPlain, handler: h, args: args})
	return nil
}

// Store writes data by remote memory and sends a request behind it.
func (e *Endpoint) Store(c *host.Context, to int, from, at host.Addr, n int, h uint8, args library.Args) error {
	return e.StoreAs(c, to, from, at, n, h, args, trace.Meta{Kind: trace.Request})
}

// StoreAs is Store whose packets carry meta.
func (e *Endpoint) StoreAs(c *host.Context, to int, from, at host.Addr, n int, h uint8, args library.Args, meta trace.Meta) error {
	if err := e.CheckPeer(to); err != nil {
		return err
	}
	if err := e.CheckData("store", from, n, 1, 0); err != nil {
		return err
	}
	e.ask(c, to, from, meta, call{op: callStore, handler: h, args: args, bytes: n, at: at})
	return nil
}

// Get sends a request whose answerer writes the data by remote memory and replies behind it.
func (e *Endpoint) Get(c *host.Context, to int, at, into host.Addr, n int, h uint8, args library.Args) error {
	if err := e.CheckPeer(to); err != nil {
		return err
	}
	if err := e.CheckData("get", into, n, 1, 0); err != nil {
		return err
	}
	e.ask(c, to, 0, trace.Meta{Kind: trace.Request}, call{op: callGet, handler: h, args: args, bytes: n, at: at, into: into})
	return nil
}

// Outstanding returns how many requests have no reply yet.
func (e *Endpoint) Outstanding() int { return len(e.open) }

// Wait polls until it has handled something.
func (e *Endpoint) Wait(c *host.Context) {
	e.enter(c)
	for e.look(c); !e.step(c); e.look(c) {
		e.Await(c, "a request or a reply")
	}
}

// ask handles the replies that have come and sends a request.
func (e *Endpoint) ask(c *host.Context, to int, from host.Addr, meta trace.Meta, q call) {
	e.enter(c)
	e.look(c)
	for e.finish(c) {
	}
	e.asked++
	q.number = e.asked
	e.open[q.number] = q
	if q.op == callStore {
		e.write(c, to, from, q.at, q.bytes, meta)
	}
	e.call(c, to, meta, &q)
}

// write writes n bytes into the memory of the process's program on another node.
func (e *Endpoint) write(c *host.Context, to int, from, at host.Addr, n int, meta trace.Meta) {
	t := request{op: e.node.writes(), to: to, meta: meta, at: at, to64: join(ownProgram, 0)}
	e.push(c, t, source{pieces: [2]comm.Piece{{At: from, Bytes: n}}})
}

// call sends a request or a reply: an active message of its words.
func (e *Endpoint) call(c *host.Context, to int, meta trace.Meta, q *call) {
	var memory [dataBytes]byte
	words := q.encode(memory[:0])
	t := request{op: opActive, to: to, meta: meta, flags: flagCall}
	e.push(c, t, source{pieces: [2]comm.Piece{{At: e.words, Bytes: len(words)}}, frame: words})
}

// step handles the oldest reply or, without one, the oldest request.
func (e *Endpoint) step(c *host.Context) bool { return e.finish(c) || e.serve(c) }

// finish handles the oldest reply.
func (e *Endpoint) finish(c *host.Context) bool {
	r, ok := e.replies.take()
	if !ok {
		return false
	}
	c.Spend(e.node.spec.Host.Receive)
	q, ok := e.open[r.number]
	if !ok {
		e.node.stats.Malformed++ // damage that no check has seen
		return true
	}
	delete(e.open, r.number)
	answer := comm.Call{From: r.from, Args: r.args, At: q.at, Bytes: q.bytes}
	if q.op == callGet {
		answer.At = q.into
	}
	e.Finish(c, q.handler, answer)
	return true
}

// serve handles the oldest request: its handler, and the reply.
func (e *Endpoint) serve(c *host.Context) bool {
	q, ok := e.requests.take()
	if !ok {
		return false
	}
	c.Spend(e.node.spec.Host.Receive)
	if q.bytes > 0 && !e.Space().Valid(q.at, q.bytes) {
		e.node.stats.Refused++
		return true
	}
	words := e.Serve(c, q.handler, comm.Call{From: q.from, Args: q.args, At: q.at, Bytes: q.bytes})
	meta := trace.Meta{Kind: trace.Reply}
	if q.op == callGet {
		e.write(c, q.from, q.at, q.into, q.bytes, meta)
	}
	e.call(c, q.from, meta, &call{op: callReply, number: q.number, args: words})
	return true
}
