package sim

// A flow that is alone in its pool ends when its bytes have moved at its top rate. It is not
// among the running flows, and enters the statistics at its end. It may be one that starts later,
// which then needs no event for its start. Any other change of the pool makes it a running flow,
// or gives its start an event.

// StartLater is Start at a time that has not come, if nothing else is in the pool. It reports
// whether it has done so. The flow cannot be stopped before it has started.
func (p *Pool) StartLater(at Time, f *Flow, bytes int64, limit Rate, uses uint32, a Actor, op uint32, arg uint64) bool {
	if !p.empty() {
		return false
	}
	p.alone(at, f, bytes, limit, uses, a, op, arg)
	return true
}

// empty reports whether a flow may be alone.
func (p *Pool) empty() bool { return len(p.flows) == 0 && p.solo == nil && !p.accounts && !p.deferred }

// alone makes f the only flow, from a time on.
func (p *Pool) alone(at Time, f *Flow, bytes int64, limit Rate, uses uint32, a Actor, op uint32, arg uint64) {
	p.prepare(f, bytes, limit, uses, a, op, arg)
	f.top = p.top(f)
	f.rate, f.at, f.due = f.top, at, f.left.end(at, f.top)
	p.solo = f
	if f.due < p.armed {
		p.armAt(f.due)
	}
}

// began makes the only flow one of the running ones if its time has come.
func (p *Pool) began() {
	if f := p.solo; f != nil && f.at <= p.engine.Now() {
		p.solo = nil
		p.count(f)
		p.enter(f, f.at)
	}
}

// disturb makes the only flow one of the running ones, or gives its start an event.
func (p *Pool) disturb() {
	if p.solo == nil {
		return
	}
	p.began()
	if f := p.solo; f != nil {
		p.solo = nil
		p.engine.At(f.at, (*disturbed)(f), 0, 0)
	}
}

// disturbed is a flow whose start has an event.
type disturbed Flow

// Act starts the flow.
func (d *disturbed) Act(uint32, uint64) {
	f := (*Flow)(d)
	f.pool.disturb()
	f.pool.count(f)
	f.pool.join(f)
}

// finishAlone completes the only flow if it is due.
func (p *Pool) finishAlone() {
	f := p.solo
	if f.due > p.engine.Now() {
		p.arm()
		return
	}
	p.solo = nil
	sum := &p.lone[f.uses]
	sum.flows++
	sum.busy += f.due.Sub(f.at)
	sum.moved = sum.moved.plus(f.left)
	f.left, f.at, f.state = units{}, f.due, flowIdle
	f.actor.Act(f.op, f.arg)
}
