package host

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// Enter sets the category of the program's time from now on. It returns the previous
// one, to restore it later.
func (c *Context) Enter(cat Category) Category {
	old := c.account.own
	if old == cat {
		return old
	}
	c.account.own = cat
	c.label()
	if len(c.host.queue) > 0 {
		c.host.relabel()
	}
	return old
}

// Shift moves up to d of the time already spent in the program's present category to
// another one, and returns how much it moved. It is for a cost that is part of a
// larger operation, such as the monitor's words in a descriptor.
func (c *Context) Shift(to Category, d sim.Duration) sim.Duration {
	c.label()
	d = c.account.shift(c.account.own, to, d)
	for _, w := range c.host.queue {
		if w.preempted && c.level > w.level {
			w.account.turn(c.host.engine.Now(), w.account.now, w.account.waiting)
			w.account.shift(c.account.own, to, d)
		}
	}
	return d
}

// Shares is a context's time by category.
type Shares struct {
	Context    string
	Level      Level
	Elapsed    sim.Duration // from its start to its end, or to now
	Time       [Categories]sim.Duration
	Overlapped sim.Duration // part of Service and Monitor in which the program would only have spun
	Held       sim.Duration // part of Elapsed with a CPU
}

// Sum returns the sum over all categories.
func (s *Shares) Sum() sim.Duration {
	var sum sim.Duration
	for _, d := range s.Time {
		sum += d
	}
	return sum
}

// Shares returns the context's time by category up to now. It is meaningful for
// programs only: the time of a service process includes its waiting.
func (c *Context) Shares() Shares {
	now := c.host.engine.Now()
	a := c.account
	s := Shares{Context: c.proc.Name(), Level: c.level, Held: c.held}
	if c.state == ended {
		now = a.mark
	}
	a.turn(now, a.now, a.waiting)
	if c.cpu >= 0 {
		s.Held += now.Sub(c.heldAt)
	}
	s.Elapsed, s.Time, s.Overlapped = now.Sub(a.start), a.total, a.overlap
	if s.Sum() != s.Elapsed {
		panic(fmt.Sprintf("host: %v: time of %s sums to %v, not %v: %v", c.host, s.Context, s.Sum(), s.Elapsed, s.Time))
	}
	return s
}

// Shares returns the shares of all programs (contexts of level Application).
func (h *Host) Shares() []Shares {
	var all []Shares
	for _, c := range h.contexts {
		if c.level == Application {
			all = append(all, c.Shares())
		}
	}
	return all
}
