package loggp

import "github.com/sigview/sigview/sim/host"

// Polled reports whether hosts store messages.
func (p *port) Polled() bool { return p.layer.net.params.Polled }

// Attend sets the function that runs when a message arrives and no context polls.
func (p *port) Attend(f func()) { p.waiting.Attend(f) }

// arrived runs on an arrival. A context that uses the library handles it before it leaves.
func (p *port) arrived() {
	if !p.busy && !p.waiting.Wake() {
		p.waiting.Alarm()
	}
}

// leave handles what has arrived and ends the use of the library.
func (p *port) leave(c *host.Context) {
	for p.queue.Len() > 0 {
		i := p.queue.Pop()
		c.Spend(p.layer.net.costs.At(p.layer.net.messages[i].bytes).Receive)
		p.layer.net.deliver(i)
	}
	p.busy = false
}

// Poll handles arrivals and reports whether that took time.
func (p *port) Poll(c *host.Context) bool {
	if p.busy || p.queue.Len() == 0 {
		return false
	}
	p.busy = true
	p.leave(c)
	return true
}

// Wait spins until w fires or, if hosts poll, an arrival has been handled.
func (p *port) Wait(c *host.Context, w *host.Watch, reason string) {
	if p.Polled() {
		p.waiting.Wait(c, p, w, reason)
	} else {
		c.Spin(w, reason)
	}
}

// Sleep is Wait without the CPU.
func (p *port) Sleep(c *host.Context, w *host.Watch, reason string) {
	if p.Polled() {
		p.waiting.Sleep(c, p, w, reason)
	} else {
		c.Block(w, reason)
	}
}
