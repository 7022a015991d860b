package svm

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Notify starts service of a request. The transport calls it when the request
// arrives; it takes no time.
func (m *Member) Notify() {
	if m.system.spec.Service == Interrupt {
		if m.serve != nil {
			m.serve.Interrupt()
		}
		return
	}
	m.wire.Watch().Fire()
}

// service is the process that an interrupt starts.
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
		from, b, ok := m.wire.Receive(c, Request)
		if !ok {
			return
		}
		m.take(c, &m.served, from, b)
	}
}

// answers processes the answers that have arrived.
func (m *Member) answers(c *host.Context, p *port) {
	for m.system.err == nil {
		from, b, ok := m.wire.Receive(c, Answer)
		if !ok {
			return
		}
		m.take(c, p, from, b)
	}
}

// take applies a message at once, then spends the time of that and sends the
// messages that result.
func (m *Member) take(c *host.Context, p *port, from int, b []byte) {
	home, err := m.in.Decode(b, from, m.node.id, len(m.system.members))
	if err == nil && m.in.Kind == trace.PageReply {
		err = m.land(&m.in, home)
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

// post sends the messages of a step.
func (m *Member) post(c *host.Context, p *port) {
	for i := range p.out.Messages {
		if m.system.err != nil {
			break
		}
		if err := m.send(c, p, &p.out.Messages[i]); err != nil {
			m.system.fail(err)
		}
	}
	p.out.Reset()
}

func (m *Member) pay(c *host.Context, e *Effort) {
	costs := &m.system.spec.Costs
	m.stats.Twins += uint64(e.Twins)
	m.stats.Notices += uint64(e.Notices)
	m.stats.Applied += uint64(e.AppliedDiffs)
	for range e.Twins {
		c.Copy(PageSize, false)
	}
	w := host.Work{
		Time: costs.Notice*sim.Duration(e.Notices) + costs.Protect*sim.Duration(e.Protects) +
			costs.DiffRun*sim.Duration(e.AppliedRuns) + costs.DiffWord*sim.Duration(e.AppliedWords),
		Write: int64(e.AppliedWords * WordSize),
	}
	if w != (host.Work{}) {
		c.Compute(w)
	}
	m.system.landed(e.AppliedDiffs)
}

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
		m.named = append(m.named, page{msg.Page, f})
		m.wire.Expect(msg.Page, f)
	case kind == trace.PageReply && msg.Frame != nil:
		peer := m.system.members[msg.To]
		peer.coming = append(peer.coming, page{msg.Page, msg.Frame})
		m.count(kind, PageSize)
		if err := m.wire.Deposit(c, msg.To, meta, msg.Page, msg.Frame); err != nil {
			return err
		}
		meta.Kind = trace.Flag
	case kind == trace.Diff:
		m.compare(c, msg.Diff)
		p.instrument.Step(msg.Span, trace.StepRequest)
	}
	p.wire = msg.Append(p.wire[:0])
	m.count(meta.Kind, len(p.wire))
	return m.wire.Send(c, msg.To, meta, p.wire, classOf(kind))
}

// compare spends the time of making a diff.
func (m *Member) compare(c *host.Context, diff []byte) {
	costs := &m.system.spec.Costs
	m.stats.Diffs++
	m.system.flying++
	m.stats.DiffBytes += uint64(len(diff))
	_, runs, err := CheckDiff(diff)
	if err != nil {
		panic(err) // this node has just encoded it
	}
	c.Compute(host.Work{
		Time: costs.DiffWord*pageWords + costs.DiffRun*sim.Duration(runs),
		Read: 2 * PageSize,
	})
}

func (m *Member) count(k trace.Kind, bytes int) {
	m.stats.Messages[k]++
	m.stats.Bytes[k] += uint64(bytes)
}

// land finds the frame of a page that has arrived. If its content is what the
// home sent, the home's frame replaces it, so equal pages are stored once.
func (m *Member) land(msg *Message, home bool) error {
	named, ok := claim(&m.named, msg.Page)
	if !ok {
		return m.node.refuse(msg, "was not requested")
	}
	m.wire.Landed(msg.Page)
	if home {
		m.system.pool.drop(named)
		return nil
	}
	msg.Frame = named
	m.stats.Fetches++
	sent, ok := claim(&m.coming, msg.Page)
	if !ok {
		return nil
	}
	if named.words == sent.words {
		msg.Frame, sent = sent, named
	} else {
		m.stats.Damaged++
	}
	m.system.pool.drop(sent)
	return nil
}

// claim removes the entry of page p from a short list.
func claim(list *[]page, p Page) (*Frame, bool) {
	l := *list
	for i := range l {
		if l[i].page == p {
			f := l[i].frame
			*list = append(l[:i], l[i+1:]...)
			return f, true
		}
	}
	return nil, false
}
