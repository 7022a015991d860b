package deposit

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// polled is a port on a layer whose hosts poll.
type polled struct {
	id      int // node
	engine  *sim.Engine
	space   *host.Space
	frames  *host.Frames
	layer   attended
	carrier carrier
	regions []*region

	holder  *host.Context   // context that uses the layer
	queue   []*host.Context // contexts that wait for the layer, in order
	passed  host.Watch      // fires when the holder changes
	waiting Waiting
	look    func() // starts the layer's watchdog; nil without one
	timed   bool   // an event for the next retransmission is scheduled
	err     error
	refused uint64 // pieces with fields out of range, damaged without detection
}

// attended is what a polled port needs of an endpoint.
type attended interface {
	comm.Endpoint
	comm.Attended
}

// carrier moves pieces over a layer.
type carrier interface {
	// most returns the length of the longest piece.
	most() int
	// prompt reports whether the memory may be written again when put returns.
	prompt() bool
	// put sends a piece at an address to a region. If it is not prompt, it copies
	// the piece or, with done, reports to done when the memory is free again.
	put(c *host.Context, to *region, from host.Addr, q piece, meta trace.Meta, done *Completion) error
	// frame sends a piece of a frame that does not change. Carriers that are prompt do not have
	// it.
	frame(c *host.Context, to *region, data []byte, q piece, meta trace.Meta) error
	// take handles arrivals, at least one packet.
	take(c *host.Context) error
}

// Space returns the memory of the process.
func (p *polled) Space() *host.Space { return p.space }

func (p *polled) endpoint() any { return p.layer }

// Depth returns 1: the library copies bytes that the interface has not fetched.
func (p *polled) Depth() int { return 1 }

// Polled returns true.
func (p *polled) Polled() bool { return true }

// Attend sets the function that runs when something arrives and no context
// polls.
func (p *polled) Attend(f func()) { p.waiting.Attend(f) }

// Send deposits bytes.
func (p *polled) Send(c *host.Context, from host.Addr, to Import, offset, n int, meta trace.Meta, notify bool) error {
	flags := uint32(0)
	if notify {
		flags = notice
	}
	return p.send(c, from, nil, to, offset, n, flags, meta, nil)
}

// SendTracked is Send that reports to done when the memory may be written
// again.
func (p *polled) SendTracked(c *host.Context, from host.Addr, to Import, offset, n int, meta trace.Meta, done *Completion) error {
	return p.send(c, from, nil, to, offset, n, 0, meta, done)
}

// SendFrame is Send of a frame that is bound at an address.
func (p *polled) SendFrame(c *host.Context, at host.Addr, frame []byte, to Import, offset int, meta trace.Meta) error {
	return p.send(c, at, frame, to, offset, len(frame), 0, meta, nil)
}

// send cuts a deposit into pieces and sends them.
func (p *polled) send(c *host.Context, from host.Addr, frame []byte, through Import, offset, n int, flags uint32, meta trace.Meta, done *Completion) error {
	m, ok := through.(*remote)
	switch {
	case !ok || m.owner != p:
		return fmt.Errorf("deposit: node %d sends through an import of another process", p.id)
	case n <= 0 || offset < 0 || n > m.to.bytes-offset:
		return fmt.Errorf("deposit: node %d sends %d B at offset %d into an import of %d B", p.id, n, offset, m.to.bytes)
	case !p.space.Valid(from, n):
		return fmt.Errorf("deposit: node %d sends %d B from %#x, which is not all allocated", p.id, n, from)
	}
	p.enter(c)
	defer p.leave(c)
	if frame != nil && p.carrier.prompt() {
		p.space.Bind(from.Page(), (*host.Frame)(frame))
		defer p.space.Unbind(from.Page())
		frame = nil
	}
	for sent := 0; sent < n && p.err == nil; {
		q := piece{region: m.to.id, offset: offset + sent, flags: flags &^ notice}
		q.bytes = min(n-sent, p.carrier.most(), host.PageBytes-(m.to.at+host.Addr(q.offset)).Offset())
		if sent == 0 {
			q.flags |= first
		}
		if sent+q.bytes == n {
			q.flags |= last | flags
		}
		if frame != nil {
			p.err = p.carrier.frame(c, m.to, frame[sent:sent+q.bytes], q, meta)
		} else {
			p.err = p.carrier.put(c, m.to, from+host.Addr(sent), q, meta, done)
		}
		sent += q.bytes
	}
	return p.err
}

// enter waits until no other context uses the layer.
func (p *polled) enter(c *host.Context) {
	if p.holder == nil {
		p.holder = c
		return
	}
	p.queue = append(p.queue, c)
	wait := c.Spin // a program keeps its CPU
	if c.Shares().Level == host.Handler {
		wait = c.Block
	}
	for p.holder != c {
		wait(&p.passed, "its turn in the library of the layer")
	}
}

// leave passes the library to the next waiting context. If none waits, it first
// handles what has arrived meanwhile.
func (p *polled) leave(c *host.Context) {
	for len(p.queue) == 0 && p.due() {
		p.take(c)
	}
	p.holder = nil
	if len(p.queue) > 0 {
		p.holder = p.queue[0]
		p.queue = slices.Delete(p.queue, 0, 1)
		p.passed.Fire()
	}
	p.watchClock()
}

// due reports whether something can be handled now.
func (p *polled) due() bool { return p.err == nil && p.layer.Due() <= p.engine.Now() }

func (p *polled) take(c *host.Context) {
	if err := p.carrier.take(c); err != nil && p.err == nil {
		p.err = err
	}
}

// Poll handles arrivals and reports whether that took time.
func (p *polled) Poll(c *host.Context) bool {
	if !p.unattended() {
		return false
	}
	p.enter(c)
	p.take(c)
	p.leave(c)
	return true
}

// Wait spins until w fires or an arrival has been handled.
func (p *polled) Wait(c *host.Context, w *host.Watch, reason string) {
	p.waiting.Wait(c, p, w, reason)
}

// Sleep is Wait without the CPU.
func (p *polled) Sleep(c *host.Context, w *host.Watch, reason string) {
	p.waiting.Sleep(c, p, w, reason)
}

// arrived runs on an arrival. A context that uses the library handles it before
// it leaves. Otherwise a waiting context does, the watchdog looks at it, or the function of
// Attend runs.
func (p *polled) arrived() {
	switch {
	case !p.unattended() || p.waiting.Wake():
	case p.look != nil:
		p.look()
	default:
		p.waiting.Alarm()
	}
}

// unattended reports whether something waits and no context uses the library.
func (p *polled) unattended() bool { return p.holder == nil && p.due() }

// watchClock schedules an event for the time of the layer's next retransmission.
func (p *polled) watchClock() {
	if due := p.layer.Due(); !p.timed && due != sim.Never && p.err == nil {
		p.timed = true
		p.engine.At(max(due, p.engine.Now()), p, 0, 0)
	}
}

// Act executes that event.
func (p *polled) Act(uint32, uint64) {
	p.timed = false
	if p.due() {
		p.arrived()
		return
	}
	p.watchClock()
}
