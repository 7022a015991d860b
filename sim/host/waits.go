package host

import (
	"cmp"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// Log makes the host record in l, from now on, what its processes do and wait for.
func (h *Host) Log(l *waits.Log, node int) {
	h.log, h.node = l, int32(node)
	h.pool.Account()
	for _, c := range h.contexts {
		if c.state != ended {
			c.begin()
		}
	}
}

// Actor returns the process's number in the log, 0 without one.
func (c *Context) Actor() waits.ID { return c.actor }

// begin makes the process an actor.
func (c *Context) begin() {
	if c.host.log == nil {
		return
	}
	kind := waits.Process
	if c.level > Application {
		kind = waits.Handler
	}
	c.actor = c.host.log.Begin(waits.Actor{Type: kind, Node: c.host.node, Peer: -1, Number: -1, Name: c.proc.Name()}, c.does())
	c.flow.Owner = uint32(c.actor)
}

// does returns what the process does now.
func (c *Context) does() waits.Interval {
	i := waits.Interval{Resource: waits.CPU, Instance: c.host.node, Begin: int64(c.host.engine.Now())}
	switch {
	case c.burst == spin, c.state == blocked && c.watch != nil && c.watch != &c.nap:
		i.Resource, i.What = c.awaited(), waits.Waiting
	case c.state == blocked && c.raised:
		i.Resource, i.What, i.By = waits.Event, waits.Idle, c.raiser
	case c.state == blocked && c.watch != nil:
		i.Resource, i.What = waits.Timer, waits.Idle
	case c.state == blocked:
		i.Resource, i.What = c.awaited(), waits.Waiting
	case c.cpu < 0:
		i.What = waits.Waiting
	case c.leading:
		i.What = waits.Idle
	case c.noticing:
		i.Resource, i.What = waits.Event, waits.Idle
	}
	return i
}

// Lacking calls a function whose waits are for a resource in the log, and not for what others do.
func (c *Context) Lacking(r waits.Resource, wait func()) {
	c.lacks = r
	wait()
	c.lacks = waits.Event
}

func (c *Context) awaited() waits.Resource { return cmp.Or(c.lacks, waits.Event) }

// note records what the process does from now on.
func (c *Context) note() {
	l := c.host.log
	if l == nil || c.actor == 0 {
		return
	}
	next := c.does()
	if now := l.Present(c.actor); now.Resource != next.Resource || now.What != next.What {
		l.Turn(c.actor, next, 0)
	}
}

// woken records by whom a wait for an event is ended: the acting one.
func (c *Context) woken() {
	l := c.host.log
	if l == nil {
		return
	}
	c.noticing = c.burst == spin
	if now := l.Present(c.actor); now.Resource == c.awaited() && now.What == waits.Waiting {
		next := waits.Interval{Resource: waits.CPU, What: waits.Waiting, Instance: c.host.node, Begin: int64(c.host.engine.Now())}
		l.Turn(c.actor, next, l.Acting())
	}
}

// interruptedBy records who has raised the interrupt that c waits for.
func (c *Context) interruptedBy() {
	if c.host.log == nil {
		return
	}
	c.raiser = c.host.log.Acting()
	if c.burst == sleep && c.watch == nil {
		c.host.log.Turn(c.actor, c.does(), c.raiser)
	}
}

// moved records the end or the pause of a flow. In the log its service comes first, then the time
// that it has lost to each other flow.
func (c *Context) moved() {
	if c.host.log != nil {
		now := c.host.engine.Now()
		c.host.Lost(c.actor, &c.flow, now)
		c.host.log.Turn(c.actor, waits.Interval{Resource: waits.CPU, Instance: c.host.node, Begin: int64(now)}, 0)
	}
}

// Lost records the time that a flow of an actor, which ends now, has lost to others.
func (h *Host) Lost(id waits.ID, f *sim.Flow, now sim.Time) {
	var all sim.Duration
	f.Losses(func(_ int, _ uint32, d sim.Duration) { all += d })
	at := now.Add(-all)
	f.Losses(func(capacity int, owner uint32, d sim.Duration) {
		h.log.Turn(id, waits.Interval{Resource: buses[capacity], What: waits.Waiting, Instance: h.node, By: waits.ID(owner), Begin: int64(at)}, 0)
		at = at.Add(d)
	})
}

// buses are the resources of the pool's capacities.
var buses = [...]waits.Resource{MemBus: waits.MemBus, IOBus: waits.IOBus, SRAM: waits.SRAM}

// hadCPU records that the process has held a CPU from its last dispatch until now.
func (c *Context) hadCPU() {
	if c.host.free.CPU {
		return
	}
	c.host.log.Hold(waits.Hold{Resource: waits.CPU, Instance: c.host.node, Actor: c.actor, Begin: int64(c.heldAt), End: int64(c.host.engine.Now())})
}

// run resumes the process, which acts until it waits.
func (c *Context) run() {
	before := c.host.log.Act(c.actor)
	c.proc.Resume()
	c.host.log.Act(before)
}

// park waits until the process is resumed; it acts no more.
func (c *Context) park(reason string) {
	c.host.log.Act(0)
	c.proc.Park(reason)
}

// Close records what the processes hold at the end of the log.
func (h *Host) Close() {
	for _, c := range h.cpus {
		if c != nil {
			c.hadCPU()
		}
	}
}
