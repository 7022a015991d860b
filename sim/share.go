package sim

import (
	"fmt"
	"math/bits"
	"slices"
)

// Infinite is the rate of a capacity that never limits a flow.
const Infinite Rate = 1<<63 - 1

// Rates from huge up are left out of sums, which would overflow.
const huge Rate = 1 << 56

// maxCapacities bounds the capacities of a pool: a mask has that many bits in use.
const maxCapacities = 8

// Pool shares several capacities (buses, memories) among flows by max-min
// fairness: a flow is limited by its own limit and by every capacity that it
// uses, and its rate cannot rise without lowering that of a flow that is not
// faster. Rates are recomputed when a flow starts or ends. They are whole bytes
// per second, so up to one byte per second and flow of a capacity stays unused.
//
// Progress is exact: a byte is 10¹² units, a flow of rate r moves r units in a
// picosecond, and a completion is the first picosecond at which nothing is
// left. The pool keeps one pending event, for the flow that ends first.
type Pool struct {
	// What a flow that is alone uses comes first.
	engine   *Engine
	solo     *Flow   // the only flow, which is not among the others
	armed    Time    // time of the valid pending event, or Never
	gen      uint64  // generation of that event
	flows    []*Flow // running, in the order of their start
	deferred bool    // completions are being delivered: recompute afterwards
	accounts bool
	lone     []lone // flows that were alone until their ends, by the capacities that they used

	caps   []capacity
	hot    uint32 // capacities with more demand than their rate
	over   uint32 // those that may have become so
	slowed int    // flows below the rate that they would have alone
	name   string
	_      [40]byte // to whole cache lines
}

// capacity is one shared resource of a pool: a bus or a memory.
type capacity struct {
	rate    Rate
	most    Rate   // before SetCapacity took some
	taker   uint32 // owner of what it has taken
	demand  Rate   // sum of the rates that its flows would have alone
	users   int    // running flows
	carried units  // of all starts, minus what is left of flows that stopped
	since   Time   // last change of users from or to zero
	busy    Duration
	hotAt   Time
	hot     Duration
	flows   uint64
}

// lone sums up flows that ended without ever sharing the pool, by the mask of the capacities they
// used.
type lone struct {
	rate  Rate // of a flow with no limit
	flows uint64
	busy  Duration
	moved units
}

// CapacityStats are the statistics of one capacity.
type CapacityStats struct {
	Flows     uint64   // flows started
	Bytes     int64    // moved, rounded down
	Busy      Duration // at least one flow used it
	Contended Duration // the demand exceeded the rate
}

// Flow is a transfer through a pool. Its owner embeds it; the zero value is
// ready to start, and a completed or stopped flow can be started again.
type Flow struct {
	pool  *Pool
	actor Actor
	arg   uint64
	op    uint32
	uses  uint32
	state flowState
	limit Rate
	top   Rate  // rate alone, by its limit and the capacities that it uses
	rate  Rate  // since the anchor
	next  Rate  // while rates are recomputed
	left  units // at the anchor
	at    Time  // the anchor: time of the last change of the rate
	due   Time  // of completion at the present rate

	Owner   uint32 // for the losses of other flows; any number
	account *account
}

type flowState uint8

const (
	flowIdle flowState = iota
	flowRunning
	flowPaused
)

// NewPool returns a pool of up to 8 capacities. A capacity may be Infinite; one
// of zero stalls the flows that use it.
func NewPool(e *Engine, name string, capacities ...Rate) *Pool {
	if len(capacities) > maxCapacities {
		panic(fmt.Sprintf("sim: pool %s has %d capacities, at most %d are possible", name, len(capacities), maxCapacities))
	}
	p := &Pool{engine: e, name: name, armed: Never, flows: make([]*Flow, 0, 8)}
	p.caps = make([]capacity, len(capacities))
	for i, r := range capacities {
		p.caps[i].rate = p.checkRate(i, r)
		p.caps[i].most = r
	}
	p.lone = make([]lone, 1<<len(capacities))
	p.setRates()
	return p
}

// setRates computes, for each mask of capacities, the rate of a flow that is alone: the least of
// them.
func (p *Pool) setRates() {
	for uses := range p.lone {
		r := Infinite
		for m := uint(uses); m != 0; m &= m - 1 {
			r = min(r, p.caps[bits.TrailingZeros(m)].rate)
		}
		p.lone[uses].rate = r
	}
}

// checkRate returns a rate of capacity i. It panics for a negative one.
func (p *Pool) checkRate(i int, r Rate) Rate {
	if r < 0 {
		panic(fmt.Sprintf("sim: pool %s: capacity %d of %d B/s at %v", p.name, i, r, p.engine.Now()))
	}
	return r
}

// Start begins to move bytes at no more than limit (Infinite: as fast as the
// capacities allow) through the capacities whose bits are set in uses. When the
// last byte has moved, a receives op and arg in the same event. The flow must
// not be running or paused.
func (p *Pool) Start(f *Flow, bytes int64, limit Rate, uses uint32, a Actor, op uint32, arg uint64) {
	if p.empty() {
		p.alone(p.engine.Now(), f, bytes, limit, uses, a, op, arg)
		f.state = flowRunning
		return
	}
	p.disturb()
	p.prepare(f, bytes, limit, uses, a, op, arg)
	p.count(f)
	p.join(f)
}

// prepare checks the arguments of Start and stores them in the flow.
func (p *Pool) prepare(f *Flow, bytes int64, limit Rate, uses uint32, a Actor, op uint32, arg uint64) {
	if f.state != flowIdle || bytes < 0 || limit <= 0 || int(uses) >= len(p.lone) {
		p.refuse(f, bytes, limit, uses)
	}
	f.pool, f.actor, f.op, f.arg = p, a, op, arg
	f.limit, f.uses = limit, uses
	f.left = bytesToUnits(uint64(bytes))
}

// refuse panics with the arguments of a start that is not possible.
func (p *Pool) refuse(f *Flow, bytes int64, limit Rate, uses uint32) {
	panic(fmt.Sprintf("sim: pool %s: start of %d bytes, limit %d B/s, uses %#b, flow state %d at %v",
		p.name, bytes, limit, uses, f.state, p.engine.Now()))
}

// count counts a flow as started at each capacity that it uses.
func (p *Pool) count(f *Flow) {
	for m := f.uses; m != 0; m &= m - 1 {
		p.caps[bits.TrailingZeros32(m)].flows++
	}
}

// Stop ends a running or paused flow without completing it; Remaining still
// returns what was left. Stopping an idle flow does nothing.
func (p *Pool) Stop(f *Flow) {
	p.disturb()
	if f.state == flowRunning {
		p.leave(f)
	}
	f.state = flowIdle
}

// Pause suspends a running flow until Resume, even if it has nothing left but
// its completion has not been delivered yet.
func (p *Pool) Pause(f *Flow) {
	p.disturb()
	if f.state != flowRunning {
		panic(fmt.Sprintf("sim: pool %s: pause of a flow in state %d at %v", p.name, f.state, p.engine.Now()))
	}
	p.leave(f)
	f.state = flowPaused
}

// Resume continues a paused flow.
func (p *Pool) Resume(f *Flow) {
	p.disturb()
	if f.state != flowPaused {
		panic(fmt.Sprintf("sim: pool %s: resume of a flow in state %d at %v", p.name, f.state, p.engine.Now()))
	}
	p.join(f)
}

// Running reports whether the flow has been started and not completed, stopped or paused.
func (f *Flow) Running() bool { return f.state == flowRunning }

// Rate returns the flow's present rate, zero unless it runs.
func (f *Flow) Rate() Rate {
	if f.state != flowRunning {
		return 0
	}
	return f.rate
}

// Remaining returns how many bytes are left now, rounded up.
func (f *Flow) Remaining() int64 {
	if f.state == flowRunning {
		return f.left.sub(f.rate, f.pool.engine.Now().Sub(f.at)).bytesUp()
	}
	return f.left.bytesUp()
}

// SetCapacity changes capacity i to rate from now on.
func (p *Pool) SetCapacity(i int, rate Rate) {
	p.disturb()
	if p.accounts {
		p.charge()
	}
	p.caps[i].rate = p.checkRate(i, rate)
	if c := &p.caps[i]; c.most == Infinite || rate > c.most {
		c.most = rate
	}
	p.setRates()
	for c := range p.caps {
		p.caps[c].demand = 0
	}
	for _, f := range p.flows {
		f.top = p.top(f)
		for m := f.uses; m != 0; m &= m - 1 {
			p.caps[bits.TrailingZeros32(m)].demand += f.demand()
		}
	}
	p.over = 1<<len(p.caps) - 1
	p.slowed = len(p.flows) + 1 // rates may be wrong in both directions
	p.update(nil)
}

// Name returns the name given to NewPool.
func (p *Pool) Name() string { return p.name }

// Stats returns what capacity i has carried up to now.
func (p *Pool) Stats(i int) CapacityStats {
	p.began()
	c := &p.caps[i]
	now := p.engine.Now()
	s := CapacityStats{Flows: c.flows, Busy: c.busy, Contended: c.hot}
	if c.users > 0 {
		s.Busy += now.Sub(c.since)
	}
	if p.hot>>i&1 != 0 {
		s.Contended += now.Sub(c.hotAt)
	}
	moved := c.carried
	for uses, solo := range p.lone {
		if uses>>i&1 != 0 {
			s.Flows += solo.flows
			s.Busy += solo.busy
			moved = moved.plus(solo.moved)
		}
	}
	for _, f := range p.flows {
		if f.uses>>i&1 != 0 {
			moved = moved.minus(f.left.sub(f.rate, now.Sub(f.at)))
		}
	}
	s.Bytes = moved.bytesDown()
	return s
}

// top returns the rate that f would have alone: the least of its limit and its capacities.
func (p *Pool) top(f *Flow) Rate { return min(f.limit, p.lone[f.uses].rate) }

// join adds f to the running flows.
func (p *Pool) join(f *Flow) {
	now := p.engine.Now()
	if p.accounts {
		p.charge()
		p.open(f)
	}
	f.top = p.top(f)
	f.rate, f.at, f.due = 0, now, Never
	p.enter(f, now)
	p.update(f)
}

// enter adds f to the running flows as of now, without giving it a rate. Invariant: the demand of a
// capacity is the sum of the demands of its running flows.
func (p *Pool) enter(f *Flow, now Time) {
	f.state = flowRunning
	demand := f.demand()
	for m := f.uses; m != 0; m &= m - 1 {
		c := &p.caps[bits.TrailingZeros32(m)]
		if c.users == 0 {
			c.since = now
		}
		c.users++
		// A flow alone on a capacity of its own top rate is never short, so equality is not hot.
		if c.demand += demand; c.demand > c.rate {
			p.over |= m & -m
		}
		c.carried = c.carried.plus(f.left)
	}
	p.flows = append(p.flows, f)
}

// leave settles f and removes it from the running flows.
func (p *Pool) leave(f *Flow) {
	now := p.engine.Now()
	if p.accounts {
		p.charge()
	}
	f.settle(now)
	demand := f.demand()
	for m := f.uses; m != 0; m &= m - 1 {
		c := &p.caps[bits.TrailingZeros32(m)]
		c.users--
		c.demand -= demand
		if c.users == 0 {
			c.busy += now.Sub(c.since)
		}
		c.carried = c.carried.minus(f.left)
	}
	last := len(p.flows) - 1
	if i := slices.Index(p.flows, f); i < last {
		copy(p.flows[i:], p.flows[i+1:])
	}
	p.flows = p.flows[:last]
	p.update(nil)
}

// demand returns the rate that f asks of its capacities, in bytes/s. A huge one counts as zero: it
// would overflow sums, and its capacities cannot become short.
func (f *Flow) demand() Rate {
	if f.top >= huge {
		return 0
	}
	return f.top
}

// update recomputes rates after a change. While demand exceeds no capacity, every flow runs at its
// top rate, and only an added flow needs a new one.
func (p *Pool) update(added *Flow) {
	if p.deferred {
		if added != nil {
			p.slowed = max(p.slowed, 1) // it has no rate yet
		}
		return
	}
	if p.hot|p.over != 0 {
		p.heat()
	}
	switch {
	case p.hot != 0:
		p.fill()
	case p.slowed != 0:
		p.slowed = 0
		for _, f := range p.flows {
			f.setRate(f.top, p.engine.Now())
		}
	case added != nil:
		added.setRate(added.top, p.engine.Now())
	}
	p.arm()
}

// heat finds the hot capacities: those whose demand exceeds their rate. It counts since when they
// are.
func (p *Pool) heat() {
	var hot uint32
	p.over = 0
	for i := range p.caps {
		if p.caps[i].demand > p.caps[i].rate {
			hot |= 1 << i
		}
	}
	if hot == p.hot {
		return
	}
	// Only capacities that have become hot, or have ceased to be, change their times.
	for m := hot ^ p.hot; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		c := &p.caps[i]
		if hot>>i&1 != 0 {
			c.hotAt = p.engine.Now()
		} else {
			c.hot += p.engine.Now().Sub(c.hotAt)
		}
	}
	p.hot = hot
}

// fill assigns rates by progressive filling: all rates rise together. A flow stops at its top rate;
// the flows of a capacity stop when the capacity is full. Only hot capacities can become full.
// Invariant: each round fixes at least one flow, so there are at most as many rounds as flows.
func (p *Pool) fill() {
	var left [maxCapacities]Rate
	var users [maxCapacities]int
	for m := p.hot; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		left[i], users[i] = p.caps[i].rate, p.caps[i].users
	}
	open := 0
	for _, f := range p.flows {
		if f.uses&p.hot == 0 {
			f.next = f.top
			continue
		}
		f.next = -1
		open++
	}
	for open > 0 {
		// The tightest capacity is the one whose rest gives each of its open flows least.
		share, tight := Infinite, 0
		for m := p.hot; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m)
			if users[i] == 0 {
				continue
			}
			if s := left[i] / Rate(users[i]); s < share {
				share, tight = s, i
			}
		}
		// Flows below the fair share come first: they raise the share of the others.
		before := open
		for _, f := range p.flows {
			if f.next < 0 && f.top <= share {
				p.fix(f, f.top, &left, &users)
				open--
			}
		}
		if open < before {
			continue
		}
		for _, f := range p.flows {
			if f.next < 0 && f.uses>>tight&1 != 0 {
				p.fix(f, share, &left, &users)
				open--
			}
		}
	}
	// Rates change only here, after all are known: setRate settles what has moved at the old ones.
	p.slowed = 0
	for _, f := range p.flows {
		f.setRate(f.next, p.engine.Now())
		if f.rate < f.top {
			p.slowed++
		}
	}
}

// fix gives f a rate and takes that rate from what is left of its hot capacities.
func (p *Pool) fix(f *Flow, r Rate, left *[maxCapacities]Rate, users *[maxCapacities]int) {
	f.next = r
	for m := f.uses & p.hot; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & (maxCapacities - 1)
		left[i] -= r
		users[i]--
	}
}

// arm ensures that an event is pending no later than the first completion. An event that comes too
// early, because flows have slowed down since, arms again.
func (p *Pool) arm() {
	first := Never
	for _, f := range p.flows {
		first = min(first, f.due)
	}
	if p.solo != nil {
		first = p.solo.due
	}
	if first < p.armed {
		p.armAt(first)
	}
}

// armAt schedules the event. A new generation makes the earlier event void.
func (p *Pool) armAt(t Time) {
	p.armed = t
	p.gen++
	p.engine.At(t, p, 0, p.gen)
}

// Act delivers the completions of this instant, in the order in which the flows
// started, and then recomputes the rates once.
func (p *Pool) Act(_ uint32, gen uint64) {
	if gen != p.gen {
		return
	}
	p.armed = Never
	if p.solo != nil {
		p.finishAlone()
		return
	}
	now := p.engine.Now()
	done := false
	for i := 0; i < len(p.flows); {
		f := p.flows[i]
		if f.due > now {
			i++
			continue
		}
		p.deferred = true
		p.finish(f)
		p.deferred = len(p.flows) > 0 // else what its owner starts may be alone
		done = true
		f.actor.Act(f.op, f.arg)
		i = 0 // the owner may have stopped others
	}
	p.deferred = false
	if done {
		p.update(nil)
	} else {
		p.arm()
	}
}

// finish completes a flow that is due. A flow of infinite rate moves all its bytes at this moment.
func (p *Pool) finish(f *Flow) {
	if f.rate == Infinite {
		f.left = units{}
	}
	p.leave(f)
	f.state = flowIdle
}

// settle moves the anchor to now: left shrinks by what has moved at the present rate since the
// anchor. Invariant: between two settlements, left is the amount at the time f.at, not now.
func (f *Flow) settle(now Time) {
	f.left = f.left.sub(f.rate, now.Sub(f.at))
	f.at = now
}

// setRate changes the rate from now on, and with it the time of completion.
func (f *Flow) setRate(r Rate, now Time) {
	if r == f.rate && f.due != Never {
		return
	}
	f.settle(now)
	f.rate = r
	f.due = f.left.end(now, r)
}

// units is an amount of data in 10⁻¹² bytes, so that a rate in bytes/s is a number of units per
// picosecond and progress needs no rounding. It has 128 bits, as a word holds only 18 MB.
type units struct{ hi, lo uint64 }

// unitsPerByte makes a rate in bytes/s one in units/ps.
const unitsPerByte = psPerSecond

// bytesToUnits returns n bytes as units.
func bytesToUnits(n uint64) units {
	hi, lo := bits.Mul64(n, unitsPerByte)
	return units{hi, lo}
}

// plus returns u + v, which has to fit 128 bits.
func (u units) plus(v units) units {
	lo, carry := bits.Add64(u.lo, v.lo, 0)
	hi, _ := bits.Add64(u.hi, v.hi, carry)
	return units{hi, lo}
}

// minus returns u - v, which must not be negative.
func (u units) minus(v units) units {
	lo, borrow := bits.Sub64(u.lo, v.lo, 0)
	hi, _ := bits.Sub64(u.hi, v.hi, borrow)
	return units{hi, lo}
}

// sub returns what is left of u after d at rate r, or zero if all of it has moved by then.
func (u units) sub(r Rate, d Duration) units {
	if r == 0 || d == 0 {
		return u
	}
	// A rate of r bytes/s is r units a picosecond: no rounding.
	hi, lo := bits.Mul64(uint64(r), uint64(d))
	if hi > u.hi || (hi == u.hi && lo >= u.lo) {
		return units{}
	}
	return u.minus(units{hi, lo})
}

// end returns the first picosecond at which all of u has moved at rate r from t on. It returns
// Never if that is beyond the range of Time.
func (u units) end(t Time, r Rate) Time {
	if u.hi|u.lo == 0 || r == Infinite {
		return t
	}
	// The quotient of 128 by 64 bits must fit into 64.
	if r == 0 || u.hi >= uint64(r) {
		return Never
	}
	var q, rest uint64
	if u.hi == 0 {
		q, rest = u.lo/uint64(r), u.lo%uint64(r)
	} else {
		q, rest = bits.Div64(u.hi, u.lo, uint64(r))
	}
	// Completion is the first picosecond at which nothing is left: round up.
	if rest != 0 {
		q++
	}
	if q >= uint64(Never-t) {
		return Never
	}
	return t + Time(q)
}

// bytesDown returns u in bytes, rounded down.
func (u units) bytesDown() int64 {
	q, _ := bits.Div64(u.hi, u.lo, unitsPerByte)
	return int64(q)
}

// bytesUp returns u in bytes, rounded up.
func (u units) bytesUp() int64 {
	q, rest := bits.Div64(u.hi, u.lo, unitsPerByte)
	if rest != 0 {
		q++
	}
	return int64(q)
}
