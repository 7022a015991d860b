package host

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// Category says what a program's time went into.
type Category uint8

// Categories of time.
const (
	Computing   Category = iota // the program itself
	Messaging                   // inside the communication library, sending or receiving
	PageWait                    // until a page has come
	LockWait                    // until a lock is granted
	BarrierWait                 // until all have arrived
	MessageWait                 // until a message has come or may be sent
	Service                     // serving others: handlers and the interrupts around them
	Descheduled                 // another program had the CPU, and changing between them
	Monitor                     // added by the monitor
	Categories                  // how many there are
)

var categoryNames = [Categories]string{
	"computing", "messaging", "page wait", "lock", "barrier", "message wait", "service", "descheduled", "monitor",
}

func (c Category) String() string {
	if c < Categories {
		return categoryNames[c]
	}
	return fmt.Sprintf("category %d", uint8(c))
}

// account attributes a context's time. The time since mark belongs to now.
type account struct {
	total   [Categories]sim.Duration
	own     Category // what the program does, says the program
	now     Category // what the time goes into, given who has the CPU
	waiting bool     // the program would only have spun meanwhile
	mark    sim.Time
	start   sim.Time
	overlap sim.Duration
}

// turn books the time up to t and goes on with cat.
func (a *account) turn(t sim.Time, cat Category, waiting bool) {
	d := t.Sub(a.mark)
	a.total[a.now] += d
	if a.waiting {
		a.overlap += d
	}
	a.mark, a.now, a.waiting = t, cat, waiting
}

// Enter says that the program's time goes into cat from now on and returns what
// it went into before, for the call that ends it.
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

// Shift moves d of the time already spent in the program's present category to
// another one, or as much as there is, and returns how much that was: for a cost that is
// part of a larger operation, such as the monitor's words in a descriptor.
func (c *Context) Shift(to Category, d sim.Duration) sim.Duration {
	c.label() // books
	d = c.account.shift(c.account.own, to, d)
	for _, w := range c.host.queue {
		if w.stolen && c.level > w.level {
			w.account.turn(c.host.engine.Now(), w.account.now, w.account.waiting)
			w.account.shift(c.account.own, to, d)
		}
	}
	return d
}

func (a *account) shift(from, to Category, d sim.Duration) sim.Duration {
	d = max(0, min(d, a.total[from]))
	a.total[from] -= d
	a.total[to] += d
	return d
}

// Shares says what a context's time has gone into.
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

// Shares returns where the context's time has gone up to now. Only a program's
// is of interest: that of a service process includes its waiting.
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
