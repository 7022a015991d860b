package host

import (
	"slices"

	"github.com/sigview/sigview/sim"
)

// enqueue makes c ready, at the head (after an interruption) or the tail of its
// level, and dispatches it if possible.
func (h *Host) enqueue(c *Context, ahead bool) {
	c.state = ready
	if o := c.owner; o != nil && !h.turn(o) {
		o.bound = append(o.bound, c)
		return
	}
	h.insert(c, ahead)
	h.dispatch()
}

// turn reports whether a service process bound to program o may run now: o has a CPU, waits for
// others, or is the next program to get a CPU while no program has one.
func (h *Host) turn(o *Context) bool {
	if o.state != ready || o.cpu >= 0 {
		return true
	}
	for _, v := range h.cpus {
		if v != nil && v.level == Application {
			return false
		}
	}
	for _, w := range h.queue {
		if w.level == Application {
			return w == o // the others wait behind it
		}
	}
	return true
}

// call makes service processes ready that waited for a program's turn, which has come.
func (h *Host) call(o *Context) {
	for len(o.bound) > 0 {
		c := o.bound[0]
		o.bound = append(o.bound[:0], o.bound[1:]...)
		h.insert(c, false)
	}
}

func (h *Host) insert(c *Context, ahead bool) {
	at := 0
	for at < len(h.queue) && (h.queue[at].level > c.level || (!ahead && h.queue[at].level == c.level)) {
		at++
	}
	h.queue = slices.Insert(h.queue, at, c)
}

func (h *Host) remove(c *Context) {
	if i := slices.Index(h.queue, c); i >= 0 {
		h.queue = slices.Delete(h.queue, i, i+1)
	}
}

// dispatch gives the CPUs to the first contexts of the queue.
func (h *Host) dispatch() {
	for len(h.queue) > 0 {
		c := h.queue[0]
		cpu := h.cpuFor(c)
		if cpu < 0 {
			break
		}
		h.remove(c)
		if v := h.cpus[cpu]; v != nil {
			h.take(v)
			h.insert(v, true)
		}
		h.give(c, cpu)
	}
	if len(h.queue) > 0 {
		h.relabel()
		h.slice()
	}
}

// cpuFor returns the CPU that c may have: the one that it ran on last if that is
// free, another free one, or that of the context with the lowest level below its
// own. It returns -1 if there is none.
func (h *Host) cpuFor(c *Context) int {
	best := -1
	for i, v := range h.cpus {
		switch {
		case v == nil:
			if best < 0 || h.cpus[best] != nil || h.last[i] == c {
				best = i
			}
		case v.level < c.level && (best < 0 || (h.cpus[best] != nil && v.level < h.cpus[best].level)):
			best = i
		}
	}
	return best
}

// give runs c on a CPU, which must be free.
func (h *Host) give(c *Context, cpu int) {
	now := h.engine.Now()
	h.cpus[cpu] = c
	c.cpu, c.heldAt, c.preempted = cpu, now, false
	if c.level == Application && h.last[cpu] != c {
		if h.last[cpu] != nil && !h.free.CPU {
			h.stats.Switches++
			c.lead += h.spec.SwitchTime
		}
		h.last[cpu] = c
		if h.turned != nil {
			h.turned(c)
		}
		c.slice = now - sim.Time(h.phase)
		h.phase = 0 // only the first slice is shorter
		if h.gang && h.spec.Quantum > 0 {
			c.slice = now - now%sim.Time(h.spec.Quantum)
		}
	}
	h.call(c)
	c.label()
	c.proceed()
}

// take stops c and frees its CPU.
func (h *Host) take(c *Context) {
	c.pause()
	h.vacate(c)
}

// vacate frees the CPU of c.
func (h *Host) vacate(c *Context) {
	c.hadCPU()
	c.held += h.engine.Now().Sub(c.heldAt)
	h.cpus[c.cpu] = nil
	c.cpu = -1
	c.note()
}

// release takes the CPU of a context that no longer wants one and gives it to the
// next.
func (h *Host) release(c *Context, to state) {
	c.state = to
	if c.cpu >= 0 {
		h.vacate(c)
	} else {
		h.remove(c)
	}
	c.gen++
	c.sliceGen++
	c.sliced = false
	h.call(c)
	c.label()
	h.dispatch()
}

// retire ends a context whose function has returned.
func (h *Host) retire(c *Context) {
	c.burst = none
	h.release(c, ended)
	h.log.End(c.actor, int64(h.engine.Now()))
	h.log.Act(0)
}

// relabel sets the category of the waiting contexts' time. The first ones of a
// level wait for a higher level that has preempted them, the others for contexts
// of their own level.
func (h *Host) relabel() {
	for i, c := range h.queue {
		ahead := 0
		for j := i - 1; j >= 0 && h.queue[j].level == c.level; j-- {
			ahead++
		}
		higher := 0
		for _, v := range h.cpus {
			if v != nil && v.level > c.level {
				higher++
			}
		}
		c.preempted = ahead < higher
		c.label()
	}
}

// preemptor returns the category of the highest level that runs.
func (h *Host) preemptor() Category {
	cat, level := Service, Application
	for _, v := range h.cpus {
		if v != nil && v.level > level {
			cat, level = v.account.own, v.level
		}
	}
	return cat
}

// slice schedules the end of the time slice of running programs while other
// programs wait.
func (h *Host) slice() {
	if h.spec.Quantum == 0 || h.queue[len(h.queue)-1].level != Application {
		return
	}
	for _, c := range h.cpus {
		if c == nil || c.level != Application || c.sliced {
			continue
		}
		c.sliced = true
		c.sliceGen++
		end := max(c.slice.Add(h.spec.Quantum), h.engine.Now())
		h.engine.At(end, c, opSlice, c.sliceGen)
	}
}

// sliceOver puts c after the other waiting programs, if there are any.
func (h *Host) sliceOver(c *Context) {
	c.sliced = false
	if len(h.queue) == 0 {
		return
	}
	if c.cpu >= 0 {
		h.take(c)
	} else {
		h.remove(c)
	}
	h.insert(c, false)
	h.dispatch()
}
