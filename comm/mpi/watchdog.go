package mpi

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
)

// enter waits until no other context is in the library. A program that the watchdog
// has interrupted is not in it.
func (e *Endpoint) enter(c *host.Context) {
	for e.holder != nil && e.holder != c {
		if c.Shares().Level == host.Handler {
			c.Block(&e.passed, "its turn in the library")
		} else {
			c.Spin(&e.passed, "its turn in the library")
		}
	}
	e.holder = c
}

// leave lets other contexts in.
func (e *Endpoint) leave() {
	e.holder = nil
	e.passed.Fire()
	if e.look != nil {
		e.look()
	}
}

// guard arms the watchdog of the layer below, if it has one: it interrupts the host when a message
// has waited and no context has polled.
func (e *Endpoint) guard() {
	w, ok := e.low.(comm.Watched)
	if !ok {
		return
	}
	e.look = w.Guard(e.unattended, func() { e.watchdog.Interrupt() })
	if e.look != nil {
		e.watchdog = e.layer.host.Go(e.layer.host.Name()+"/watchdog", host.Handler, e.watch)
	}
}

// unattended reports whether something waits while no context is in the library.
func (e *Endpoint) unattended() bool {
	return e.holder == nil && e.low.Due() <= e.layer.host.Engine().Now()
}

// watch takes messages at interrupts.
func (e *Endpoint) watch(c *host.Context) {
	for {
		if e.unattended() {
			e.layer.stats.Interrupts++
			e.enter(c)
			e.poll(c)
			e.leave()
			if len(e.unexpected) > 0 { // the program may have looked while a packet was handled
				e.Ring()
			}
		}
		c.WaitInterrupt("messages for a process that stays away")
	}
}
