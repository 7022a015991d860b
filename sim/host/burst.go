package host

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// Spend keeps the CPU for d.
func (c *Context) Spend(d sim.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("host: %v: %s spends %v", c.host, c.Name(), d))
	}
	if d == 0 {
		return
	}
	c.left = d
	c.hold(timed, "the CPU")
}

// transfer keeps the CPU until bytes have moved through the capacities of uses.
func (c *Context) transfer(bytes int64, limit sim.Rate, uses uint32) {
	c.move = move{bytes, limit, uses}
	c.fresh = true
	c.hold(flow, "a bus")
}

// hold makes b the context's burst and returns when it has ended.
func (c *Context) hold(b burst, reason string) {
	c.burst, c.done = b, false
	if c.cpu >= 0 && !c.leading {
		c.proceed()
	}
	for !c.done {
		c.park(reason)
	}
}

// proceed continues the lead, then the burst. The context has a CPU.
func (c *Context) proceed() {
	if c.lead > 0 {
		c.leading = true
		c.note()
		c.setTimer(c.lead)
		c.label()
		return
	}
	if c.host.log != nil {
		c.note()
	}
	switch c.burst {
	case timed:
		c.setTimer(c.left)
	case flow:
		if c.fresh {
			c.fresh = false
			c.host.pool.Start(&c.flow, c.move.bytes, c.move.limit, c.move.uses, c, opFlow, 0)
		} else {
			c.host.pool.Resume(&c.flow)
		}
	}
}

// pause suspends the burst: the context loses its CPU.
func (c *Context) pause() {
	switch {
	case c.leading:
		c.lead -= c.host.engine.Now().Sub(c.begun)
		c.leading = false
	case c.burst == timed:
		c.left -= c.host.engine.Now().Sub(c.begun)
	case c.burst == flow:
		c.host.pool.Pause(&c.flow)
		c.moved()
	}
	c.gen++ // cancels the timer
}

func (c *Context) setTimer(d sim.Duration) {
	c.gen++
	c.begun = c.host.engine.Now()
	c.host.engine.After(d, c, opTimer, c.gen)
}

// Act handles the context's events.
func (c *Context) Act(op uint32, arg uint64) {
	switch op {
	case opTimer:
		if arg == c.gen {
			c.timer()
		}
	case opFlow:
		if c.host.log != nil {
			c.moved()
		}
		c.complete()
	case opInterrupt:
		c.interrupted()
	case opTimeout:
		if arg == c.timeout && c.watch != nil {
			c.expire()
		}
	case opSlice:
		if arg == c.sliceGen {
			c.host.sliceOver(c)
		}
	}
}

func (c *Context) timer() {
	if !c.leading {
		c.left = 0
		c.complete()
		return
	}
	c.leading, c.lead = false, 0
	c.label()
	if c.burst == timed && c.left == 0 {
		c.complete()
		return
	}
	c.proceed()
}

// complete ends the burst and resumes the process.
func (c *Context) complete() {
	c.burst, c.done, c.noticing = none, true, false
	c.run()
}

// label accounts for the context's time and sets its category from now on.
func (c *Context) label() {
	cat, waiting := c.account.own, false
	if c.state == ready && c.level == Application {
		switch {
		case c.cpu >= 0 && !c.leading:
		case c.cpu < 0 && c.preempted:
			cat, waiting = c.host.preemptor(), c.burst == spin
		default:
			cat = Descheduled
		}
	}
	c.account.turn(c.host.engine.Now(), cat, waiting)
}
