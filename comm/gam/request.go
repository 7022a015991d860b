package gam

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Request sends a request.
func (e *Endpoint) Request(c *host.Context, to int, h uint8, args library.Args) error {
	if err := e.check("request", to, 0, 0, 0); err != nil {
		return err
	}
	e.enter(c)
	defer e.leave()
	e.drain(c)
	e.issue(c, to, message{op: opRequest, handler: h, args: args}, 0, trace.Meta{Kind: trace.Request})
	return nil
}

// Store sends a request with data. From may be written again when it returns
// if Traits.Synchronous, else when the reply has come.
func (e *Endpoint) Store(c *host.Context, to int, from, at host.Addr, n int, h uint8, args library.Args) error {
	return e.StoreAs(c, to, from, at, n, h, args, trace.Meta{Kind: trace.Request})
}

// StoreAs is Store whose packets carry meta.
func (e *Endpoint) StoreAs(c *host.Context, to int, from, at host.Addr, n int, h uint8, args library.Args, meta trace.Meta) error {
	if err := e.check("store", to, from, n, 1); err != nil {
		return err
	}
	e.enter(c)
	defer e.leave()
	e.drain(c)
	e.issue(c, to, message{op: opStore, handler: h, args: args, bytes: n, at: at}, from, meta)
	return nil
}

// Get requests data. The request's handler makes the words of the reply.
func (e *Endpoint) Get(c *host.Context, to int, at, into host.Addr, n int, h uint8, args library.Args) error {
	if err := e.check("get", to, into, n, 1); err != nil {
		return err
	}
	e.enter(c)
	defer e.leave()
	e.drain(c)
	e.issue(c, to, message{op: opGet, handler: h, args: args, bytes: n, at: at, into: into}, 0, trace.Meta{Kind: trace.Request})
	return nil
}

// Wait polls until it has handled something.
func (e *Endpoint) Wait(c *host.Context) {
	e.enter(c)
	defer e.leave()
	e.look(c)
	for !e.step(c) {
		e.spin(c, "an arrival")
	}
}

// onCard reports whether the host reads messages without data in the card's SRAM.
func (e *Endpoint) onCard() bool {
	return e.layer.spec.Keep && e.layer.NIC.Spec().Queues.InSRAM()
}

// look spends the time of one test of the queues: a load across the bus, or
// nothing for a word that is cached until something arrives.
func (e *Endpoint) look(c *host.Context) {
	if e.onCard() {
		c.PIORead(1)
	}
}

// spin waits until something arrives.
func (e *Endpoint) spin(c *host.Context, reason string) {
	e.offer(c)
	if !e.ready() {
		c.Spin(&e.Watch, reason)
	}
	e.look(c)
}

// load spends the time to read an arrival and frees its place in the ring.
func (e *Endpoint) load(c *host.Context, a *arrival) {
	if e.onCard() {
		c.PIORead(e.layer.spec.MessageWords - 1) // one word has been read
	} else {
		line := c.Host().Spec().CacheLine
		c.MemRead((4*e.layer.spec.MessageWords + line - 1) / line * line)
	}
	if a.packet != nil {
		e.layer.Program.Release(a.packet)
		a.packet = nil
	}
	c.Spend(e.layer.spec.Host.Receive)
}

// drain handles the replies that have arrived, at a cost of o_r each.
func (e *Endpoint) drain(c *host.Context) {
	for e.look(c); e.finish(c); e.look(c) {
	}
}

// step handles the oldest arrival, replies first, and reports whether there was one.
func (e *Endpoint) step(c *host.Context) bool { return e.finish(c) || e.serve(c) }

// finish handles the oldest reply, which returns its token.
func (e *Endpoint) finish(c *host.Context) bool {
	a, ok := e.replies.pop()
	if !ok {
		return false
	}
	e.load(c, &a)
	p := &e.peers[a.from]
	if !p.out[a.slot] || a.op == opGot && a.bytes > 0 && !e.Space().Valid(a.into, a.bytes) {
		e.layer.stats.malformed++ // damaged, and the CRC did not detect it
		return true
	}
	if a.op == opGot && e.layer.spec.CopyIn {
		c.CopyWithin(e.Space(), e.slot(a.from, a.slot, true), a.into, a.bytes)
	}
	p.out[a.slot] = false
	p.tokens = append(p.tokens, a.slot)
	e.outstanding--
	call := comm.Call{From: a.from, Args: a.args, At: a.at, Bytes: a.bytes}
	switch a.op {
	case opTaken:
		return true
	case opGot:
		call.At = a.into
	}
	e.Finish(c, a.handler, call)
	return true
}

// serve handles the oldest request: its handler, and the reply.
func (e *Endpoint) serve(c *host.Context) bool {
	a, ok := e.requests.pop()
	if !ok {
		return false
	}
	e.load(c, &a)
	if a.op == opMessage {
		e.messages = append(e.messages, waiting{arrival: a})
		return true
	}
	if a.bytes > 0 && !e.Space().Valid(a.at, a.bytes) {
		e.layer.stats.malformed++ // of a store through a slot, or a get
		return true
	}
	if a.op == opStore && e.layer.spec.CopyIn {
		c.CopyWithin(e.Space(), e.slot(a.from, a.slot, false), a.at, a.bytes)
	}
	words := e.Serve(c, a.handler, comm.Call{From: a.from, Args: a.args, At: a.at, Bytes: a.bytes})
	e.reply(c, &a, words)
	return true
}

// issue waits for a token, takes it and posts a request.
func (e *Endpoint) issue(c *host.Context, to int, m message, from host.Addr, meta trace.Meta) {
	p := &e.peers[to]
	if len(p.tokens) == 0 {
		e.layer.stats.exhausted++
	}
	for len(p.tokens) == 0 {
		if !e.step(c) && !e.absorb(c) {
			e.spin(c, "a token")
		}
	}
	k := len(p.tokens) - 1
	m.slot, p.tokens = p.tokens[k], p.tokens[:k]
	p.out[m.slot] = true
	e.outstanding++
	n := m.bytes
	if m.op == opGet {
		n = 0 // the data comes with the reply
	}
	e.post(c, to, &m, from, n, meta, e.layer.spec.Host.Request)
}

// reply answers a request.
func (e *Endpoint) reply(c *host.Context, a *arrival, words library.Args) {
	m := message{op: opReply, slot: a.slot, bytes: a.bytes, args: words, at: a.at, into: a.into, handler: a.handler}
	n := 0
	switch a.op {
	case opMessage:
		m.op = opTaken
	case opGet:
		m.op, n = opGot, a.bytes
	}
	e.post(c, a.from, &m, a.at, n, trace.Meta{Kind: trace.Reply}, e.layer.spec.Host.Reply)
}

// post stores a message with n bytes of data at from into the request queue;
// time is the library's own.
func (e *Endpoint) post(c *host.Context, to int, m *message, from host.Addr, n int, meta trace.Meta, time sim.Duration) {
	s := &e.layer.spec
	r := e.fresh(to, m, meta)
	switch {
	case n <= s.InlineBytes:
		for i, w := range m.args {
			e.Space().Store32(e.words+host.Addr(4*i), w)
		}
		r.Descriptor -= argWords
		r.Flags = flagInline
		r.Put(e.Space(), e.words, argBytes)
		r.Put(e.Space(), from, n)
		e.layer.Program.Post(c, r, time, host.Combined(s.Combining))
	default:
		if s.CopyOut {
			own := from
			from = e.staged(to, m.slot, m.op.reply())
			c.CopyWithin(e.Space(), own, from, n)
		}
		r.Hold()
		r.Space, r.From, r.Bytes = e.Space(), from, n
		e.layer.Program.Post(c, r, time, host.Combined(s.Combining))
		if s.AwaitFetch {
			r.Wait(c, false)
		}
		e.layer.Program.LetGo(r)
	}
}

// fresh returns a new request that carries a message.
func (e *Endpoint) fresh(to int, m *message, meta trace.Meta) *firmware.Request {
	r := e.layer.Program.NewRequest()
	meta.Tag = e.Tag()
	r.To, r.Meta = int32(to), meta
	r.Descriptor = e.layer.spec.RequestWords
	m.encode(r)
	return r
}

var _ comm.Requester = (*Endpoint)(nil)
