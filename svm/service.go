package svm

import (
	"slices"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Notify starts the service of a request that has arrived. The transport calls it; it takes no
// time.
func (m *Member) Notify() {
	if m.system.spec.Service == Interrupt {
		if m.serve != nil {
			m.serve.Interrupt()
		}
		return
	}
	m.wire.Watch().Fire()
}

// service is the process that an interrupt starts. It serves all requests that have arrived, then waits for the
// next interrupt, until the system is closed.
func (m *Member) service(c *host.Context) {
	m.served.instrument = m.bind(c)
	for {
		m.requests(c)
		if m.system.closed() {
			return
		}
		c.WaitInterrupt("requests")
	}
}

// requests serves all requests that have arrived. It processes earlier answers
// first, which keeps each sender's messages in order.
func (m *Member) requests(c *host.Context) {
	for m.system.err == nil {
		m.answers(c, &m.served)
		r, ok := m.wire.Receive(c, Request)
		if !ok {
			return
		}
		m.take(c, &m.served, r)
	}
}

// answers processes the answers that have arrived, until one fails.
func (m *Member) answers(c *host.Context, p *port) {
	for m.system.err == nil {
		r, ok := m.wire.Receive(c, Answer)
		if !ok {
			return
		}
		m.take(c, p, r)
	}
}

// take applies a message at once, then spends the time that this takes, and sends what follows from it. Time
// passes after the step, so that two messages never meet in a half of one. An error ends the run: a damaged
// message means a fault below.
func (m *Member) take(c *host.Context, p *port, r Received) {
	var err error
	if r.Landed {
		m.in = Message{Kind: trace.PageReply, From: r.From, To: m.node.id, Node: m.node.id, Page: r.Page}
	} else {
		err = m.in.Decode(r.Bytes, r.From, m.node.id, len(m.system.members))
	}
	if err == nil && m.in.Kind == trace.PageReply {
		err = m.land(&m.in, r.Landed)
	}
	if err == nil {
		err = m.node.Step(&m.in, &p.out)
	}
	if err != nil {
		m.system.fail(err)
		return
	}
	woken, kind, span := p.out.Wake, m.in.Kind, m.in.Span // m.in may change while time passes
	m.reportTaken(p, kind, span)
	c.Spend(m.system.spec.Costs.Handler)
	m.pay(c, &p.out.Effort)
	if kind == trace.Diff {
		p.instrument.End(span)
	}
	m.post(c, p)
	if woken {
		m.woken = true
		m.wire.Watch().Fire()
	}
}

// flush spends the time of a step and sends its messages one by one: the first
// diffs travel while the next are computed.
func (m *Member) flush(c *host.Context, p *port) {
	m.pay(c, &p.out.Effort)
	m.post(c, p)
}

// post sends the messages of a step and resets it. The first error ends the run.
func (m *Member) post(c *host.Context, p *port) {
	for i := range p.out.Messages {
		if m.system.err != nil {
			break
		}
		if err := m.send(c, p, &p.out.Messages[i]); err != nil {
			m.system.fail(err)
		}
	}
	for _, found := range p.out.Misplaced {
		m.system.migrations = append(m.system.migrations, Migration{c.Now(), m.node.id, found})
	}
	p.out.Reset()
}

// pay spends the time of a step as the host's: copies of twins by the processor, notices and changes of
// protection at their costs, and the words of diffs as writes to memory.
func (m *Member) pay(c *host.Context, e *Effort) {
	costs := &m.system.spec.Costs
	m.stats.Twins += uint64(e.Twins)
	m.stats.Notices += uint64(e.Notices)
	m.stats.Applied += uint64(e.AppliedDiffs)
	for range e.Twins {
		c.Copy(PageSize, false)
	}
	w := host.Work{
		Time: costs.Notice*sim.Duration(e.Notices+e.Weighed) + costs.Protect*sim.Duration(e.Protects) +
			costs.DiffRun*sim.Duration(e.AppliedRuns) + costs.DiffWord*sim.Duration(e.AppliedWords),
		Write: int64(e.AppliedWords * WordSize),
	}
	if w != (host.Work{}) {
		c.Compute(w)
	}
	m.system.landed(e.AppliedDiffs)
}

// sentinelBytes are what a requester writes at the end of a frame before it asks
// for the page. It spins on them: the bytes of a page land in order, so that the
// page is complete when they have changed. Assumed, as is their length.
const sentinelBytes = 2 * WordSize

// send sends a message of a step and spends what that takes. A diff is an operation of its own, and its words
// are compared first. For a requested page it names a frame, so that the page lands where it stays. A page goes
// straight from frame to frame; all other messages go in bytes.
func (m *Member) send(c *host.Context, p *port, msg *Message) error {
	kind := msg.Kind
	m.reportSent(p, msg)
	if kind == trace.Diff { // a separate operation
		parent := msg.Span
		msg.Span = m.system.nextSpan()
		p.instrument.Begin(msg.Span, trace.OpDiffFlush, trace.StepCompare, parent)
	}
	meta := trace.Meta{Kind: kind, Span: msg.Span}
	switch {
	case kind == trace.PageRequest && msg.Node == m.node.id:
		f := m.system.pool.get()
		m.named = append(m.named, page{msg.Page, f, msg.Span})
		m.wire.Expect(msg.Page, f)
		c.Compute(host.Work{Write: sentinelBytes})
	case kind == trace.PageReply && msg.Frame != nil:
		peer := m.system.members[msg.To]
		peer.coming = append(peer.coming, page{page: msg.Page, frame: msg.Frame})
		m.count(kind, PageSize)
		return m.wire.Deposit(c, msg.To, meta, msg.Page, msg.Frame)
	case kind == trace.Diff:
		m.compare(c, msg.Diff)
		p.instrument.Step(msg.Span, trace.StepRequest)
	}
	p.wire = msg.Append(p.wire[:0])
	m.count(kind, len(p.wire))
	return m.wire.Send(c, msg.To, meta, p.wire, classOf(kind))
}

// compare spends the time of making a diff: both copies of the page are read, each word is compared, and each
// run begins anew.
func (m *Member) compare(c *host.Context, diff []byte) {
	costs := &m.system.spec.Costs
	m.stats.Diffs++
	m.system.flying++
	m.stats.DiffBytes += uint64(len(diff))
	_, runs, err := checkDiff(diff)
	if err != nil {
		panic(err) // this node has just encoded it
	}
	c.Compute(host.Work{
		Time: costs.DiffWord*pageWords + costs.DiffRun*sim.Duration(runs),
		Read: 2 * PageSize,
	})
}

// count counts a message of a kind and its bytes.
func (m *Member) count(k trace.Kind, bytes int) {
	m.stats.Messages[k]++
	m.stats.Bytes[k] += uint64(bytes)
}

// land ends the wait for a page whose bytes have arrived. Equal pages are stored once: if the bytes are those
// of the home's frame, the node shares that frame, unless it becomes the page's home. Bytes that differ are
// counted as damaged, and stay. It refuses a page that was not requested.
func (m *Member) land(msg *Message, landed bool) error {
	named, ok := claim(&m.named, msg.Page)
	if !ok {
		return m.node.refuse(msg, "was not requested")
	}
	m.wire.Landed(msg.Page)
	if !landed {
		m.system.pool.drop(named.frame)
		return nil
	}
	msg.Span, msg.Frame = named.span, named.frame
	m.stats.Fetches++
	sent, ok := claim(&m.coming, msg.Page)
	if !ok {
		return nil
	}
	spare := sent.frame
	if named.frame.words == sent.frame.words {
		msg.Frame, spare = sent.frame, named.frame
	} else {
		m.stats.Damaged++
	}
	m.system.pool.drop(spare)
	return nil
}

// claim removes the entry of page p from a short list.
func claim(list *[]page, p Page) (x page, ok bool) {
	i := slices.IndexFunc(*list, func(x page) bool { return x.page == p })
	if i < 0 {
		return x, false
	}
	x = (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	return x, true
}
