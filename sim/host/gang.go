package host

import "slices"

// Glance returns the number of the program that last had a CPU, in the order of their starts, and
// whether it waits for others while it keeps the CPU. Without one it returns the number of
// programs.
func (h *Host) Glance() (program int, spins bool) {
	of := h.last[0]
	for _, c := range h.contexts {
		if c.level != Application {
			continue
		}
		if c == of {
			return program, c.state == ready && c.account.own.waits()
		}
		program++
	}
	return program, false
}

// waits reports whether a category is waiting for others.
func (c Category) waits() bool { return c >= PageWait && c <= MessageWait }

// Gang begins gang scheduling: the ready program that began first runs now, the others
// follow in that order, and time slices end at the same instants on all hosts. It is
// called on all hosts at the same time, at the end of a quantum.
func (h *Host) Gang() {
	h.gang = true
	for _, c := range h.cpus {
		if c != nil && c.level == Application {
			h.take(c)
			h.insert(c, true)
		}
	}
	slices.SortStableFunc(h.queue, func(a, b *Context) int {
		if a.level != b.level || a.level != Application {
			return int(b.level) - int(a.level)
		}
		return slices.Index(h.contexts, a) - slices.Index(h.contexts, b)
	})
	for _, c := range h.queue {
		c.sliced, c.slice = false, h.engine.Now()
		c.sliceGen++
	}
	h.dispatch()
}
