package sim

import "iter"

// Proc is a process: straight-line Go that runs as a coroutine. Its methods
// may be called only by the function that it runs, except Wake.
type Proc struct {
	engine *Engine
	name   string
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	reason string
	since  Time
	parked bool
	done   bool
	killed bool // Close has ended it
}

// Go starts fn as a process at the current time.
func (e *Engine) Go(name string, fn func(*Proc)) *Proc {
	p := &Proc{engine: e, name: name, reason: "its first event", since: e.queue.now}
	p.resume, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			p.done = true
			e.live--
			// Deferred calls of a process that Close ends may panic in their turn.
			if r := recover(); r != nil && !p.killed {
				panic(r)
			}
		}()
		p.yield = yield
		fn(p)
	})
	e.procs = append(e.procs, p)
	e.live++
	e.At(e.queue.now, p, 0, 0)
	return p
}

// Act resumes the process; it implements Actor.
func (p *Proc) Act(uint32, uint64) {
	if p.done {
		return
	}
	p.run()
}

// run resumes the coroutine until it waits again or returns.
func (p *Proc) run() {
	p.engine.ran = p.engine.Now()
	p.resume()
}

// Name returns the name given to Go.
func (p *Proc) Name() string { return p.name }

// Engine returns the engine that runs the process.
func (p *Proc) Engine() *Engine { return p.engine }

// Now returns the current time.
func (p *Proc) Now() Time { return p.engine.Now() }

// Done reports whether the process has returned.
func (p *Proc) Done() bool { return p.done }

// Sleep suspends the process for d.
func (p *Proc) Sleep(d Duration) {
	p.engine.At(p.engine.Now().Add(d), p, 0, 0)
	p.suspend("sleep")
}

// Park suspends the process until Wake. The reason appears in deadlock reports.
func (p *Proc) Park(reason string) {
	p.parked = true
	p.suspend(reason)
}

// Wake resumes a parked process at the current time, in a separate event. It does
// nothing if the process is not parked, so several causes may wake it.
func (p *Proc) Wake() { p.WakeAt(p.engine.Now()) }

// WakeAt resumes a parked process at t.
func (p *Proc) WakeAt(t Time) {
	if !p.parked {
		return
	}
	p.parked = false
	p.engine.At(t, p, 0, 0)
}

// suspend gives control back to the engine, and returns when the process is resumed. If Close ends the process
// instead, it panics, which unwinds the process's stack.
func (p *Proc) suspend(reason string) {
	p.reason, p.since = reason, p.engine.Now()
	if !p.yield(struct{}{}) {
		p.killed = true
		panic("sim: the process is ended")
	}
}

// kill ends a process. One that was never started has no stack to unwind.
func (p *Proc) kill() {
	if p.done {
		return
	}
	p.stop()
	if !p.done { // never started
		p.done = true
		p.engine.live--
	}
}

// Resume runs a parked process within the current event. It is for an Actor that waits on
// behalf of a process, as a CPU does, and may be called only from Act. It does nothing
// when the process is not parked.
func (p *Proc) Resume() {
	if p.done || !p.parked {
		return
	}
	p.parked = false
	p.run()
}
