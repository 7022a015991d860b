package gam

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// A slot holds a message: its words at the end of one page and its data in the
// next.
const slotPages = 2

func newEndpoint(l *Layer, process library.Process) *Endpoint {
	space := process.Space()
	e := &Endpoint{
		Process: process, layer: l,
		peers: make([]peer, l.Nodes), spare: library.NewBuffers(space, maxMessage),
	}
	for i := range e.peers {
		p := &e.peers[i]
		p.out = make([]bool, l.window)
		p.coming = [2][]arrival{make([]arrival, l.window), make([]arrival, l.window)}
		for s := range l.window {
			p.tokens = append(p.tokens, l.window-1-s)
		}
	}
	e.slots = space.Alloc(int64(2 * l.Nodes * l.window * slotPages * host.PageBytes))
	e.words = space.Alloc(argBytes)
	if l.spec.CopyOut {
		e.pinned = space.Alloc(int64(2 * l.Nodes * l.window * host.PageBytes))
	}
	if l.spec.Interrupts {
		e.serveInterrupts()
	}
	return e
}

// slot is the address of the data in a slot.
func (e *Endpoint) slot(from, slot int, reply bool) host.Addr {
	return e.slots + host.Addr((slotPages*e.index(from, slot, reply)+1)*host.PageBytes)
}

// staged is the address of the pinned page for the data that go into a peer's slot. It
// is used again when the slot is: after the reply.
func (e *Endpoint) staged(to, slot int, reply bool) host.Addr {
	return e.pinned + host.Addr(e.index(to, slot, reply)*host.PageBytes)
}

// index numbers the slots of all peers: those of requests, then those of replies.
func (e *Endpoint) index(peer, slot int, reply bool) int {
	n := peer*e.layer.window + slot
	if reply {
		n += e.layer.Nodes * e.layer.window
	}
	return n
}

// place returns the address for a packet's data. It returns false for a message whose type, slot or
// length is out of range.
func (e *Endpoint) place(m *message, from, offset, n int, inline bool) (host.Addr, bool) {
	if m.op >= numOps || m.slot >= e.layer.window || m.bytes > maxMessage || offset > m.bytes {
		return 0, false
	}
	slot := e.slot(from, m.slot, m.op.reply())
	switch {
	case inline:
		return slot - argBytes, n <= argBytes+maxMessage
	case n > m.bytes-offset:
		return 0, false
	case !e.layer.spec.CopyIn && m.op == opStore:
		return m.at + host.Addr(offset), e.Space().Valid(m.at, m.bytes)
	case !e.layer.spec.CopyIn && m.op == opGot:
		return m.into + host.Addr(offset), e.Space().Valid(m.into, m.bytes)
	}
	return slot + host.Addr(offset), true
}

// expect notes a packet that has arrived at the interface. A packet of an impossible message is
// counted, and false returned.
func (e *Endpoint) expect(m *message, p *fabric.Packet) bool {
	from, offset, n := int(p.Src), int(p.Header.Seq), p.Bytes()
	inline := p.Header.Flags&flagInline != 0
	if _, ok := e.place(m, from, offset, n, inline); !ok {
		e.layer.stats.malformed++
		return false
	}
	peer := &e.peers[from]
	if offset > 0 {
		a := peer.last
		if a == nil || a.op != m.op || a.slot != m.slot || a.missing != m.bytes-offset {
			e.layer.stats.incomplete++
			return false
		}
		a.missing -= n
		return true
	}
	if a := peer.last; a != nil && a.missing > 0 {
		e.forget(a) // the rest of a damaged message never comes
	}
	a := e.coming(m, from)
	if a.queued { // its token has not been returned
		e.layer.stats.malformed++
		return false
	}
	*a = arrival{message: *m, from: from, queued: true}
	if !inline {
		a.missing, a.landing = m.bytes-n, m.bytes
	}
	peer.last = a
	q := e.queue(m.op)
	*q = append(*q, a)
	return true
}

// forget removes a message that will not be complete.
func (e *Endpoint) forget(a *arrival) {
	e.queue(a.op).forget(a)
	e.intake.settle(a)
}

func (e *Endpoint) queue(o op) *arrivals {
	if o.reply() {
		return &e.replies
	}
	return &e.requests
}

// coming returns the message that is arriving in a slot, or the last that has.
func (e *Endpoint) coming(m *message, from int) *arrival {
	which := 0
	if m.op.reply() {
		which = 1
	}
	return &e.peers[from].coming[which][m.slot]
}

// landed records that a packet's data is visible to the host.
func (e *Endpoint) landed(p *fabric.Packet) {
	m := decode(&p.Header)
	a := e.coming(&m, int(p.Src))
	switch {
	case e.layer.keeps(p):
		a.packet = p
	case p.Header.Flags&flagInline == 0:
		a.landing -= p.Bytes()
		fallthrough
	default:
		at, _ := e.place(&m, int(p.Src), int(p.Header.Seq), p.Bytes(), p.Header.Flags&flagInline != 0)
		e.layer.NIC.Host().Evict(e.Space(), at, p.Bytes())
	}
	if a.landing == 0 {
		a.ready = true
		e.intake.settle(a)
		e.Ring()
		e.interrupt()
	}
}

// flushed records that an expected packet is lost.
func (e *Endpoint) flushed(p *fabric.Packet) {
	m := decode(&p.Header)
	e.forget(e.coming(&m, int(p.Src)))
	if p.Header.Flags&firmware.FlagWaited != 0 {
		e.intake.held--
	}
}

// Due returns 0 if something has arrived, otherwise sim.Never.
func (e *Endpoint) Due() sim.Time {
	if e.ready() || e.intake.coming() {
		return 0
	}
	return sim.Never
}

// ready reports whether the host can handle an arrival.
func (e *Endpoint) ready() bool { return e.requests.first() >= 0 || e.replies.first() >= 0 }

// Outstanding returns how many requests have no reply yet, messages included.
func (e *Endpoint) Outstanding() int { return e.outstanding }

// check checks an operation on n bytes of own memory.
func (e *Endpoint) check(what string, to int, own host.Addr, n, least int) error {
	if err := e.CheckPeer(to); err != nil {
		return err
	}
	return e.CheckData(what, own, n, least, maxMessage)
}

// Send sends a message. It handles a reply if one has arrived, waits for a
// token, and copies or stores the data. If sends are synchronous, it waits
// until the interface has fetched the data.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	e.enter(c)
	defer e.leave()
	e.look(c)
	e.finish(c)
	e.issue(c, to, message{op: opMessage, bytes: n}, from, meta)
	return nil
}

// Receive waits for a message of node from, or of Anyone, copies it out of its
// slot and replies, which returns the token to the sender. A message that does
// not fit is an error and can still be received.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, false); err != nil {
		return comm.Message{}, err
	}
	e.enter(c)
	defer e.leave()
	e.look(c)
	i := e.oldest(from)
	for ; i < 0; i = e.oldest(from) {
		if !e.step(c) {
			e.spin(c, "a message")
		}
	}
	w := e.messages[i]
	got := comm.Message{From: w.from, Bytes: w.bytes, At: into}
	if w.bytes > n {
		return got, e.TooLong(got, n)
	}
	e.messages = slices.Delete(e.messages, i, i+1)
	if w.moved != 0 {
		c.CopyWithin(e.Space(), w.moved, into, w.bytes)
		e.spare.Put(w.moved)
	} else {
		c.CopyWithin(e.Space(), e.slot(w.from, w.slot, false), into, w.bytes)
		e.reply(c, &w.arrival, library.Args{})
	}
	return got, nil
}

// oldest returns the index of the oldest message of a node, or of Anyone, or
// -1.
func (e *Endpoint) oldest(from int) int {
	return slices.IndexFunc(e.messages, func(w waiting) bool { return from == comm.Anyone || w.from == from })
}

// absorb moves the oldest message out of its slot and replies to it.
func (e *Endpoint) absorb(c *host.Context) bool {
	i := slices.IndexFunc(e.messages, func(w waiting) bool { return w.moved == 0 })
	if i < 0 {
		return false
	}
	w := &e.messages[i] // only this process changes the list
	w.moved = e.spare.Get()
	e.layer.stats.absorbed++
	c.CopyWithin(e.Space(), e.slot(w.from, w.slot, false), w.moved, w.bytes)
	e.reply(c, &w.arrival, library.Args{})
	return true
}

// Poll handles arrivals; messages wait for a Receive.
func (e *Endpoint) Poll(c *host.Context) (n int) {
	e.enter(c)
	defer e.leave()
	return e.poll(c)
}

func (e *Endpoint) poll(c *host.Context) (n int) {
	for e.look(c); ; e.look(c) {
		switch {
		case e.step(c):
			n++
		case e.intake.coming():
			e.spin(c, "data")
		default:
			return n
		}
	}
}
