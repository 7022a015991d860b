package mpi

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
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
	e.look()
}

// arrived runs when the layer below has something.
func (e *Endpoint) arrived() {
	e.Ring()
	e.look()
}

// look has the watchdog look later, if something waits.
func (e *Endpoint) look() {
	if e.watchdog == nil || e.holder != nil || e.looks != sim.Never || e.low.Due() > e.engine().Now() {
		return
	}
	e.looks = e.engine().Now().Add(e.layer.spec.Watchdog)
	e.engine().At(e.looks, e, 0, 0)
}

func (e *Endpoint) engine() *sim.Engine { return e.layer.host.Engine() }

// Act interrupts the host if the process has stayed away.
func (e *Endpoint) Act(uint32, uint64) {
	e.looks = sim.Never
	if e.holder == nil && e.low.Due() <= e.engine().Now() {
		e.watchdog.Interrupt()
	}
}

// watch takes messages at interrupts.
func (e *Endpoint) watch(c *host.Context) {
	for {
		if e.holder == nil && e.low.Due() <= c.Now() {
			e.layer.stats.Interrupts++
			e.enter(c)
			e.poll(c)
			e.leave()
		}
		c.WaitInterrupt("messages for a process that stays away")
	}
}
