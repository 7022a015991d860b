package sim

// Resource has a number of units that processes hold. Waiters are served by
// priority, and first come first served within one.
type Resource struct {
	engine *Engine
	name   string
	units  int
	held   int
	queue  []waiter
	seq    uint64
	stats  ResourceStats
	busyAt Time // since when the held units have not changed
}

// ResourceStats are the queueing statistics of a resource.
type ResourceStats struct {
	Acquired uint64   // grants
	Waited   uint64   // grants that had to wait
	WaitSum  Duration // total waiting time
	WaitMax  Duration
	QueueMax int      // longest queue
	HeldSum  Duration // unit-time held: utilization is HeldSum/(units·elapsed)
}

type waiter struct {
	proc     *Proc
	priority int
	seq      uint64
	since    Time
}

// NewResource returns a resource of units, which must be positive.
func NewResource(e *Engine, name string, units int) *Resource {
	if units <= 0 {
		panic("sim: resource " + name + " needs at least one unit")
	}
	return &Resource{engine: e, name: name, units: units}
}

// Acquire takes one unit for p, waiting in order of priority (higher first).
func (r *Resource) Acquire(p *Proc, priority int) {
	r.stats.Acquired++
	if r.held < r.units && len(r.queue) == 0 {
		r.account()
		r.held++
		return
	}
	r.seq++
	w := waiter{p, priority, r.seq, r.engine.now}
	at := len(r.queue)
	for at > 0 && r.queue[at-1].priority < priority {
		at--
	}
	r.queue = append(r.queue, waiter{})
	copy(r.queue[at+1:], r.queue[at:])
	r.queue[at] = w
	r.stats.Waited++
	r.stats.QueueMax = max(r.stats.QueueMax, len(r.queue))
	p.Park(r.name)
	waited := r.engine.now.Sub(w.since)
	r.stats.WaitSum += waited
	r.stats.WaitMax = max(r.stats.WaitMax, waited)
}

// Release gives one unit back; the first waiter takes it over at once.
func (r *Resource) Release() {
	if r.held == 0 {
		panic("sim: resource " + r.name + " released more often than acquired at " + r.engine.now.String())
	}
	if len(r.queue) > 0 {
		w := r.queue[0]
		r.queue = append(r.queue[:0], r.queue[1:]...)
		w.proc.Wake()
		return
	}
	r.account()
	r.held--
}

// Stats returns the statistics up to now.
func (r *Resource) Stats() ResourceStats {
	r.account()
	return r.stats
}

func (r *Resource) account() {
	now := r.engine.now
	r.stats.HeldSum += Duration(r.held) * now.Sub(r.busyAt)
	r.busyAt = now
}

// Signal is a condition that processes wait for.
type Signal struct{ waiting []*Proc }

// Wait parks p until the next Broadcast. The caller checks its condition in a loop.
func (s *Signal) Wait(p *Proc, reason string) {
	s.waiting = append(s.waiting, p)
	p.Park(reason)
}

// Broadcast wakes everything that waits, in the order it came.
func (s *Signal) Broadcast() {
	for i, p := range s.waiting {
		p.Wake()
		s.waiting[i] = nil
	}
	s.waiting = s.waiting[:0]
}
