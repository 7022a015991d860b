package host

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// Quicken says whether programs that begin from now on compute twice as fast as the host does.
func (h *Host) Quicken(quick bool) { h.quick = quick }

// Go starts fn as a process of the host at the current time; it begins as soon
// as it gets a CPU.
func (h *Host) Go(name string, level Level, fn func(*Context)) *Context {
	c := &Context{host: h, level: level, cpu: -1, quick: h.quick && level == Application}
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
		h.log.Act(c.actor)
		fn(c)
		h.retire(c)
	})
	c.begin()
	return c
}

// Bind binds a service process to the program it serves. It then runs only in that
// program's time slices, like a signal handler. Unbound, it runs whenever it is called,
// like a handler of the kernel.
func (c *Context) Bind(program *Context) {
	if c.level == Application || program.level != Application {
		panic(fmt.Sprintf("host: %v: %s of level %d is bound to %s of level %d", c.host, c.Name(), c.level, program.Name(), program.level))
	}
	c.owner = program
}

// Host returns the host that the context runs on.
func (c *Context) Host() *Host { return c.host }

// Proc returns the context's process. It must not sleep or park directly,
// because it would keep the CPU.
func (c *Context) Proc() *sim.Proc { return c.proc }

// Name returns the name given to Go.
func (c *Context) Name() string { return c.proc.Name() }

// Now returns the current time.
func (c *Context) Now() sim.Time { return c.host.engine.Now() }

// Level returns the level given to Go.
func (c *Context) Level() Level { return c.level }

// Running reports whether the context has a CPU now. Any caller may use it.
func (c *Context) Running() bool { return c.cpu >= 0 }

// Idle reports whether the context needs no CPU: it sleeps or has ended. Any
// caller may use it.
func (c *Context) Idle() bool { return c.state != ready }
