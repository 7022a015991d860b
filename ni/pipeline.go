package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// A card of pipelines has no main loop. Its program works in steps, which take no time by
// themselves, and lets Units take it.

// Step begins a step of the card's hardware at the present, for events of the program's own. End
// ends it.
func (n *NIC) Step() {
	n.settled()
	n.cur = n.engine.Now()
	n.began, n.serving = n.cur, true
	n.enter(n.cur)
}

// End ends a step.
func (n *NIC) End() {
	if n.log != nil {
		n.leave()
	}
	n.serving = false
	n.work()
}

// work runs the probe's deferred work on its own core, one piece that takes time after the other.
func (n *NIC) work() {
	for n.probe != nil && !n.working && n.probe.Deferred() {
		n.cur = n.engine.Now()
		n.probe.Idle()
		if took := n.cur.Sub(n.engine.Now()); took > 0 {
			n.stats.Busy += took
			n.working = true
			n.engine.At(n.cur, n, opWork, 0)
		}
	}
}

// store is a request whose stores cross the bus, since a time, and the process that has stored it.
type store struct {
	by waits.ID
	at sim.Time
}

// PostAcross is Post of a request whose stores still cross the host's bus. It reaches the card
// StoreLatency later; Program.Request then takes it by TakeArrived.
func (n *NIC) PostAcross() {
	n.stores.Push(store{n.log.Acting(), n.engine.Now()})
	n.engine.After(n.host.StoreLatency(), n, opStored, 0)
}

// storeArrives is the event of a request's stores reaching the card.
func (n *NIC) storeArrives() {
	s := n.stores.Pop()
	before := n.log.Act(s.by)
	m := n.posted(n.engine.Now())
	if m.log != nil {
		m.log.at = s.at
	}
	n.across.Push(m)
	n.log.Act(before)
	n.requests++
	n.stats.RequestsMax = max(n.stats.RequestsMax, n.requests)
	n.pollOne(srcRequest)
}

// TakeArrived returns the oldest request that has crossed the bus. Program.Request calls it once
// for each PostAcross.
func (n *NIC) TakeArrived() Posted { return n.across.Pop() }

// Worker does what a Unit has spent time for.
type Worker interface {
	// Worked runs at the end of a piece of work, as a step of the card.
	Worked(op uint32, arg uint64)
}

// Unit is a part of the card that does pieces of work one after the other, in the order of Do.
// Units work in parallel.
type Unit struct {
	nic    *NIC
	worker Worker
	free   sim.Time
	Busy   sim.Duration
}

// NewUnit returns a unit whose work a worker ends.
func (n *NIC) NewUnit(w Worker) *Unit { return &Unit{nic: n, worker: w} }

// Do queues a piece of work that takes d.
func (u *Unit) Do(d sim.Duration, op uint32, arg uint64) {
	u.Hold(d)
	u.nic.engine.At(u.free, u, op, arg)
}

// Hold keeps the unit busy for d after the work that it has: later work begins later.
func (u *Unit) Hold(d sim.Duration) {
	u.free = max(u.free, u.nic.engine.Now()).Add(d)
	u.Busy += d
}

// Idle reports whether the unit has nothing to do.
func (u *Unit) Idle() bool { return u.free <= u.nic.engine.Now() }

// Act ends a piece of work.
func (u *Unit) Act(op uint32, arg uint64) {
	u.nic.Step()
	u.worker.Worked(op, arg)
	u.nic.End()
}
