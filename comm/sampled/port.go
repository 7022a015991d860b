package sampled

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Send deposits bytes in the detail of the message.
func (p *port) Send(c *host.Context, from host.Addr, to deposit.Import, offset, n int, meta trace.Meta, notify bool) error {
	via, m, err := p.take(c, to, n, notify)
	if err != nil {
		return err
	}
	return via.Send(c, from, m, offset, n, meta, notify)
}

// SendTracked is Send that reports to done when the bytes may be written again.
func (p *port) SendTracked(c *host.Context, from host.Addr, to deposit.Import, offset, n int, meta trace.Meta, done *deposit.Completion) error {
	via, m, err := p.take(c, to, n, false)
	if err != nil {
		return err
	}
	return via.SendTracked(c, from, m, offset, n, meta, done)
}

// SendFrame is Send of a frame.
func (p *port) SendFrame(c *host.Context, at host.Addr, frame []byte, to deposit.Import, offset int, meta trace.Meta) error {
	via, m, err := p.take(c, to, len(frame), false)
	if err != nil {
		return err
	}
	return via.SendFrame(c, at, frame, m, offset, meta)
}

// take numbers a message and returns the port through which it goes, with the import there.
func (p *port) take(c *host.Context, through deposit.Import, n int, notify bool) (via deposit.Port, m deposit.Import, err error) {
	to, ok := through.(*remote)
	if !ok || to.pair.port != p {
		return nil, nil, fmt.Errorf("sampled: node %d sends through an import of another process", p.node)
	}
	p.net.count(c.Now())
	if !to.pair.used {
		to.pair.used = true
		p.net.pairs++
	}
	for p.net.full && to.pair.under > 0 || !p.net.full && p.under > 0 {
		if c.Shares().Level == host.Handler { // a context that it has interrupted may have to go on
			p.Sleep(c, &p.landed, "messages of the other detail")
		} else {
			p.Wait(c, &p.landed, "messages of the other detail")
		}
	}
	if notify && to.region.notifies {
		n++
	}
	if p.net.full {
		p.under += n
		return p.Port, to.full, nil
	}
	to.pair.under += n
	return p.fast, to.fast, nil
}

// arrived takes notice of what is not under way any more.
func (q *pair) arrived(full bool, n int) {
	under := &q.under
	if full {
		under = &q.port.under
	}
	if *under -= n; *under == 0 {
		q.port.landed.Fire()
	}
}

// Attend sets the function that runs when something arrives and no context polls.
func (p *port) Attend(f func()) {
	p.Port.Attend(f)
	p.waiting.Attend(f)
}

// Poll handles arrivals and reports whether that took time.
func (p *port) Poll(c *host.Context) bool {
	full, fast := p.Port.Poll(c), p.fast.Poll(c)
	return full || fast
}

// Wait spins until w fires or, if hosts poll, an arrival has been handled.
func (p *port) Wait(c *host.Context, w *host.Watch, reason string) {
	if p.Polled() {
		p.waiting.Around(c, p.fast, w, reason, p.Port)
	} else {
		p.Port.Wait(c, w, reason)
	}
}

// Sleep is Wait without the CPU.
func (p *port) Sleep(c *host.Context, w *host.Watch, reason string) {
	if p.Polled() {
		p.waiting.SleepAround(c, p.fast, w, reason, p.Port)
	} else {
		p.Port.Sleep(c, w, reason)
	}
}
