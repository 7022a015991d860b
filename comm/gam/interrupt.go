package gam

import "github.com/sigview/sigview/sim/host"

// serveInterrupts starts the service process.
func (e *Endpoint) serveInterrupts() {
	e.service = e.layer.NIC.Host().Go("gam handlers", host.Handler, func(c *host.Context) {
		for {
			c.WaitInterrupt("an arrival")
			if e.user == nil {
				e.enter(c)
				e.poll(c)
				e.leave()
			}
		}
	})
}

// enter begins a call of the layer. It waits until no other context is inside.
func (e *Endpoint) enter(c *host.Context) {
	if e.service == nil {
		return
	}
	for e.user != nil && e.user != c {
		c.Spin(&e.freed, "the layer")
	}
	e.user = c
	e.calls++
}

// leave ends a call of the layer.
func (e *Endpoint) leave() {
	if e.service == nil {
		return
	}
	if e.calls--; e.calls > 0 {
		return
	}
	e.user = nil
	e.freed.Fire()
	e.interrupt()
}

// interrupt raises an interrupt if something waits that no call in progress handles.
func (e *Endpoint) interrupt() {
	if e.service != nil && e.user == nil && (e.ready() || e.intake.coming()) {
		e.service.Interrupt()
	}
}
