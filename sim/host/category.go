package host

import (
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Category is what a program spends its time on.
type Category uint8

// Categories of time.
const (
	Computing   Category = iota // the program itself
	Messaging                   // inside the communication library, sending or receiving
	PageWait                    // until a page has arrived
	LockWait                    // until a lock is granted
	BarrierWait                 // until all have arrived
	MessageWait                 // until a message has arrived or may be sent
	Service                     // serving other nodes: handlers and the interrupts around them
	Descheduled                 // another program has the CPU, and switching between programs
	Monitor                     // added by the monitor
	Categories                  // their number
)

var categories = names.NewEnum[Category]("category",
	"computing", "messaging", "page wait", "lock", "barrier", "message wait", "service", "descheduled", "monitor")

// String returns the name.
func (c Category) String() string { return categories.Name(c) }

// account attributes a context's time. The time since mark belongs to now.
type account struct {
	total   [Categories]sim.Duration
	own     Category // set by the program
	now     Category // the present category, given who has the CPU
	waiting bool     // the program would only have spun meanwhile
	mark    sim.Time
	start   sim.Time
	overlap sim.Duration
}

// turn accounts for the time up to t and continues with cat.
func (a *account) turn(t sim.Time, cat Category, waiting bool) {
	d := t.Sub(a.mark)
	a.total[a.now] += d
	if a.waiting {
		a.overlap += d
	}
	a.mark, a.now, a.waiting = t, cat, waiting
}

func (a *account) shift(from, to Category, d sim.Duration) sim.Duration {
	d = max(0, min(d, a.total[from]))
	a.total[from] -= d
	a.total[to] += d
	return d
}
