package host

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// Level is a context's claim to a CPU: a higher one takes it from a lower one.
type Level uint8

// Levels.
const (
	Application Level = iota // programs; those of one host share its CPUs by time slices
	Handler                  // service processes, started by interrupts
)

// state says whether a context wants a CPU.
type state uint8

const (
	ready   state = iota // has a CPU or stands in the queue for one
	blocked              // wants none
	ended
)

// burst is what a context does with the CPU until its process goes on.
type burst uint8

const (
	none  burst = iota // its process is running, in no time
	timed              // keeps the CPU for a time
	flow               // keeps the CPU until a flow is complete
	spin               // keeps the CPU until a signal
	sleep              // is blocked until a signal
)

// Context is a process on a host. Except where said, its methods may be called
// only by its own process.
//
// Its process runs only while the context has a CPU. Each call that takes time
// sets a burst and parks the process; losing the CPU pauses the burst, getting
// it back goes on with it, and its end resumes the process in the same event.
type Context struct {
	host    *Host
	proc    *sim.Proc
	level   Level
	owner   *Context   // program that the context serves, when it is bound to one
	bound   []*Context // contexts that wait for this program's turn
	state   state
	burst   burst
	done    bool // the burst has ended
	leading bool // lead is being spent
	stolen  bool // waits for a CPU that a higher level has
	cpu     int  // or -1

	lead  sim.Duration // CPU time to spend before the burst goes on: switch, interrupt entry
	left  sim.Duration // of a timed burst
	begun sim.Time     // the timer was started
	gen   uint64       // of the timer
	flow  sim.Flow
	fresh bool // the flow has not been started
	move  move

	watch   *Watch // that it waits for
	nap     Watch  // that never fires
	next    *Context
	timeout uint64 // generation of the timeout
	expired bool

	raised  bool // an interrupt is under way
	pending bool // one has come and has not been taken
	entered bool // the service process was entered by one: the return is due

	slice    sim.Time // start of the time slice
	sliceGen uint64   // of the event that ends it
	sliced   bool     // such an event is pending

	account account
	held    sim.Duration
	heldAt  sim.Time
}

// move is what a flow burst moves.
type move struct {
	bytes int64
	limit sim.Rate
	uses  uint32
}

// Events of a context.
const (
	opTimer = iota
	opFlow
	opInterrupt
	opTimeout
	opSlice
)

// Go starts fn as a process of the host at the current time; it begins as soon
// as it gets a CPU.
func (h *Host) Go(name string, level Level, fn func(*Context)) *Context {
	c := &Context{host: h, level: level, cpu: -1}
	if level > Application {
		c.account.own = Service
	}
	c.account.now = c.account.own
	c.account.mark, c.account.start = h.engine.Now(), h.engine.Now()
	c.state = blocked
	h.contexts = append(h.contexts, c)
	if h.free.CPU && len(h.contexts) > len(h.cpus) {
		h.cpus = append(h.cpus, nil)
		h.last = append(h.last, nil)
	}
	c.proc = h.engine.Go(name, func(*sim.Proc) {
		h.enqueue(c, false)
		if c.cpu < 0 || c.leading {
			c.hold(timed, "a CPU")
		}
		fn(c)
		h.retire(c)
	})
	return c
}

// Bind ties a service process to the program it serves: it runs in that
// program's turns only, as a signal handler does. Unbound, it runs whenever it
// is called, as the kernel's own handlers do.
func (c *Context) Bind(program *Context) {
	if c.level == Application || program.level != Application {
		panic(fmt.Sprintf("host: %v: %s of level %d is bound to %s of level %d", c.host, c.Name(), c.level, program.Name(), program.level))
	}
	c.owner = program
}

// Host returns the host that the context runs on.
func (c *Context) Host() *Host { return c.host }

// Proc returns the context's process. It must not be put to sleep or parked
// directly: the CPU would stay with it.
func (c *Context) Proc() *sim.Proc { return c.proc }

// Name returns the name given to Go.
func (c *Context) Name() string { return c.proc.Name() }

// Now returns the current time.
func (c *Context) Now() sim.Time { return c.host.engine.Now() }

// Running reports whether the context has a CPU now. Anyone may ask.
func (c *Context) Running() bool { return c.cpu >= 0 }

// Idle reports whether the context wants no CPU: it sleeps, or has ended. Anyone
// may ask.
func (c *Context) Idle() bool { return c.state != ready }

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
		c.proc.Park(reason)
	}
}

// proceed goes on with the lead, then with the burst. The context has a CPU.
func (c *Context) proceed() {
	if c.lead > 0 {
		c.leading = true
		c.setTimer(c.lead)
		c.label()
		return
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

// pause stops the burst where it is: the context loses its CPU.
func (c *Context) pause() {
	switch {
	case c.leading:
		c.lead -= c.host.engine.Now().Sub(c.begun)
		c.leading = false
	case c.burst == timed:
		c.left -= c.host.engine.Now().Sub(c.begun)
	case c.burst == flow:
		c.host.pool.Pause(&c.flow)
	}
	c.gen++ // the timer counts no more
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

// complete ends the burst and lets the process go on.
func (c *Context) complete() {
	c.burst, c.done = none, true
	c.proc.Resume()
}

// label books the context's time and decides what it goes into from now on.
func (c *Context) label() {
	cat, waiting := c.account.own, false
	if c.state == ready && c.level == Application {
		switch {
		case c.cpu >= 0 && !c.leading:
		case c.cpu < 0 && c.stolen:
			cat, waiting = c.host.thief(), c.burst == spin
		default:
			cat = Descheduled
		}
	}
	c.account.turn(c.host.engine.Now(), cat, waiting)
}
