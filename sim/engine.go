package sim

import (
	"fmt"
	"math/bits"
	"strings"
)

// Engine runs events in the order of (time, sequence number).
type Engine struct {
	queue  Queue[event]
	seed   uint64
	events uint64
	digest uint64
	procs  []*Proc
	live   int  // processes that have not returned
	ran    Time // when a process last ran
}

// event is what an actor does.
type event struct {
	actor Actor
	arg   uint64
	op    uint32
}

// String returns the operation and the actor's type.
func (v event) String() string { return fmt.Sprintf("op %d for %T", v.op, v.actor) }

// Actor receives typed events. Op is the type of the event and arg an index or
// a generation; the actor defines both. Events need no allocation.
type Actor interface {
	Act(op uint32, arg uint64)
}

// New returns an engine at time zero whose random streams derive from seed.
func New(seed uint64) *Engine {
	e := &Engine{seed: seed, digest: 0xcbf29ce484222325}
	e.queue.Start()
	return e
}

// Now returns the time of the event being executed.
func (e *Engine) Now() Time { return e.queue.now }

// Seed returns the seed of all random streams.
func (e *Engine) Seed() uint64 { return e.seed }

// Events returns how many events have been executed.
func (e *Engine) Events() uint64 { return e.events }

// Pending returns how many events wait in the queue.
func (e *Engine) Pending() int { return e.queue.Len() }

// Digest returns a running hash over time, order, op and argument of every
// event executed so far: equal runs have equal digests.
func (e *Engine) Digest() uint64 { return e.digest }

// At schedules op for a at time t. It panics if t is in the past.
func (e *Engine) At(t Time, a Actor, op uint32, arg uint64) {
	e.queue.Push(t, event{a, arg, op})
}

// After schedules op for a after d.
func (e *Engine) After(d Duration, a Actor, op uint32, arg uint64) {
	e.At(e.Now().Add(d), a, op, arg)
}

// Run executes events until the queue is empty or the next event is after limit, which is then the current time. If
// the queue runs empty while processes wait, it returns a *DeadlockError.
func (e *Engine) Run(limit Time) error {
	for {
		switch at := e.queue.Next(); {
		case at == Never && e.live > 0:
			return e.deadlock()
		case at > limit:
			e.queue.now = max(e.queue.now, limit)
			return nil
		case at == Never:
			return nil
		}
		e.Step()
	}
}

// Step executes one event and reports whether there was one. It mixes time, number, argument and operation of
// the event into the digest before it acts.
func (e *Engine) Step() bool {
	v, at, number := e.queue.Pop()
	if v == nil {
		return false
	}
	e.events++
	h := e.digest ^ uint64(at)
	h = bits.RotateLeft64(h*0x9e3779b97f4a7c15, 29) ^ number
	h = (h ^ v.arg ^ uint64(v.op)<<40) * 0xff51afd7ed558ccd
	e.digest = h ^ h>>32
	v.actor.Act(v.op, v.arg)
	return true
}

// RunUntil executes events until done returns true; it calls done after each event. If the
// queue runs empty first, it returns a *DeadlockError that names the waiting processes.
func (e *Engine) RunUntil(done func() bool) error {
	for !done() {
		if !e.Step() {
			return e.deadlock()
		}
	}
	return nil
}

// Stuck returns a *DeadlockError if events continue but no process has run for the
// time quiet, and nil otherwise.
func (e *Engine) Stuck(quiet Duration) error {
	if e.live == 0 || e.Now().Sub(e.ran) < quiet {
		return nil
	}
	d := e.deadlock()
	d.Quiet = e.Now().Sub(e.ran)
	return d
}

// DeadlockError reports processes that wait when no event is left, or when the
// remaining events wake none of them.
type DeadlockError struct {
	At      Time
	Quiet   Duration // time since a process last ran, if events are left
	Waiting []Waiting
}

// Waiting is one process of a deadlock and what it waits for.
type Waiting struct {
	Proc  string
	For   string
	Since Time
}

// Error names each waiting process, what it waits for and since when.
func (d *DeadlockError) Error() string {
	var b strings.Builder
	if d.Quiet > 0 {
		fmt.Fprintf(&b, "stuck at %v: no process has run for %v and %d wait", d.At, d.Quiet, len(d.Waiting))
	} else {
		fmt.Fprintf(&b, "deadlock at %v: no event is left and %d processes wait", d.At, len(d.Waiting))
	}
	for _, w := range d.Waiting {
		fmt.Fprintf(&b, "\n  %s waits for %s since %v", w.Proc, w.For, w.Since)
	}
	return b.String()
}

// deadlock returns the error that names all processes which have not returned.
func (e *Engine) deadlock() *DeadlockError {
	d := &DeadlockError{At: e.queue.now}
	for _, p := range e.procs {
		if !p.done {
			d.Waiting = append(d.Waiting, Waiting{p.name, p.reason, p.since})
		}
	}
	return d
}

// Close ends all processes that have not returned, and unwinds their stacks.
func (e *Engine) Close() {
	for _, p := range e.procs {
		p.kill()
	}
}
