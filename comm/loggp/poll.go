package loggp

import (
	"slices"

	"github.com/sigview/sigview/host"
)

// Polled reports whether hosts store messages.
func (p *port) Polled() bool { return p.layer.net.params.Polled }

// Attend sets the function that runs when a message arrives and no context polls.
func (p *port) Attend(f func()) { p.attend = f }

// arrived runs on an arrival. A context that uses the library handles it before it leaves.
func (p *port) arrived() {
	fire := func(list []*host.Watch) {
		for _, w := range list {
			w.Fire()
		}
	}
	switch {
	case p.busy:
	case len(p.spins) > 0:
		fire(p.spins)
	case len(p.sleeps) > 0:
		fire(p.sleeps)
	case p.attend != nil:
		p.attend()
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

// Wait spins until w fires or an arrival has been handled.
func (p *port) Wait(c *host.Context, w *host.Watch, reason string) {
	p.idle(c, w, reason, &p.spins, (*host.Context).Spin)
}

// Sleep is Wait without the CPU.
func (p *port) Sleep(c *host.Context, w *host.Watch, reason string) {
	p.idle(c, w, reason, &p.sleeps, (*host.Context).Block)
}

func (p *port) idle(c *host.Context, w *host.Watch, reason string, list *[]*host.Watch, wait func(*host.Context, *host.Watch, string)) {
	if !p.Polled() {
		wait(c, w, reason)
		return
	}
	if p.Poll(c) {
		return
	}
	*list = append(*list, w)
	wait(c, w, reason)
	i := slices.Index(*list, w)
	*list = slices.Delete(*list, i, i+1)
	p.Poll(c) // something may have arrived since w fired
}
