package host

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// signal ends a spin or a sleep. A spinning CPU must fetch the word first; a sleeping
// context must get a CPU.
func (c *Context) signal() {
	c.timeout++
	c.woken()
	switch c.burst {
	case spin:
		c.burst, c.left = timed, c.host.spec.PollNotice
		if c.cpu >= 0 && !c.leading {
			c.proceed()
		} else if c.preempted {
			c.label() // its time is no longer overlapped
		}
	case sleep:
		c.burst, c.left = timed, 0
		c.host.enqueue(c, false)
	default:
		panic(fmt.Sprintf("host: %v: %s is signalled in burst %d", c.host, c.Name(), c.burst))
	}
}

func (c *Context) expire() {
	c.expired = true
	c.watch.remove(c)
	c.signal()
}

// Spin keeps the CPU until w fires and the CPU notices it. The caller checks
// its condition in a loop.
func (c *Context) Spin(w *Watch, reason string) {
	w.add(c)
	c.hold(spin, reason)
}

// SpinFor is Spin for at most d; it reports whether w fired.
func (c *Context) SpinFor(w *Watch, d sim.Duration, reason string) bool {
	c.limit(d)
	c.Spin(w, reason)
	return !c.expired
}

// Block yields the CPU until w fires. The caller checks its condition in a loop.
func (c *Context) Block(w *Watch, reason string) {
	w.add(c)
	c.block(reason)
}

// BlockFor is Block for at most d; it reports whether w fired.
func (c *Context) BlockFor(w *Watch, d sim.Duration, reason string) bool {
	c.limit(d)
	c.Block(w, reason)
	return !c.expired
}

// Sleep yields the CPU for d.
func (c *Context) Sleep(d sim.Duration) {
	c.BlockFor(&c.nap, d, "the end of its sleep")
}

func (c *Context) limit(d sim.Duration) {
	c.timeout++
	c.expired = false
	c.host.engine.After(d, c, opTimeout, c.timeout)
}

func (c *Context) block(reason string) {
	c.burst, c.done = sleep, false
	c.host.release(c, blocked)
	c.note()
	for !c.done {
		c.park(reason)
	}
}

// Interrupt raises the interrupt that c serves. Any caller may use it. It has
// no effect while an interrupt is pending.
func (c *Context) Interrupt() {
	if c.raised {
		c.host.stats.Coalesced++
		return
	}
	c.raised = true
	c.interruptedBy()
	c.host.engine.After(c.host.spec.Interrupt.Delivery, c, opInterrupt, 0)
}

// interrupted is the arrival of the interrupt at the CPU.
func (c *Context) interrupted() {
	c.raised = false
	c.host.stats.Interrupts++
	c.pending = true
	if c.burst == sleep && c.watch == nil {
		c.enter()
		c.burst, c.left = timed, 0
		c.host.enqueue(c, false)
	}
}

func (c *Context) enter() {
	c.pending, c.entered = false, true
	c.lead += c.host.spec.Interrupt.Entry
}

// WaitInterrupt ends the service and waits for the next interrupt. It returns at once if
// one arrived during the service: the caller checks for work in a loop, and there may be
// none.
func (c *Context) WaitInterrupt(reason string) {
	if c.pending {
		c.host.stats.Absorbed++
		c.pending = false
		return
	}
	if c.entered {
		c.entered = false
		c.Spend(c.host.spec.Interrupt.Return)
	}
	if c.pending { // arrived during the return: enter again
		c.pending, c.entered = false, true
		c.Spend(c.host.spec.Interrupt.Entry)
		return
	}
	c.block(reason)
}
