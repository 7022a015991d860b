package sim

// A flow that is alone in its pool ends when its bytes have moved at its top rate. It is not
// among the running flows, and enters the statistics at its end. It may be one that starts later,
// which then needs no event for its start. Any other change of the pool makes it a running flow,
// or gives its start an event.

// StartLater starts f at a future time, as Start does, if nothing else is in the pool. It reports
// whether it has. The flow cannot be stopped before it has started.
func (p *Pool) StartLater(at Time, f *Flow, bytes int64, limit Rate, uses uint32, a Actor, op uint32, arg uint64) bool {
	if !p.empty() {
		return false
	}
	p.alone(at, f, bytes, limit, uses, a, op, arg)
	return true
}

// empty reports whether nothing is in the pool, so that a flow may take the short way of this file.
func (p *Pool) empty() bool { return len(p.flows) == 0 && p.solo == nil && !p.accounts && !p.deferred }

// alone makes f the only flow, which starts at a time, now or later.
func (p *Pool) alone(at Time, f *Flow, bytes int64, limit Rate, uses uint32, a Actor, op uint32, arg uint64) {
	p.prepare(f, bytes, limit, uses, a, op, arg)
	f.top = p.top(f)
	f.rate, f.at, f.due = f.top, at, f.left.end(at, f.top)
	p.solo = f
	if f.due < p.armed {
		p.armAt(f.due)
	}
}

// began turns the only flow into a running one if its start is not in the future.
func (p *Pool) began() {
	if f := p.solo; f != nil && f.at <= p.engine.Now() {
		p.solo = nil
		p.count(f)
		p.enter(f, f.at)
	}
}

// disturb ends the special treatment of the only flow, because something else happens in the pool.
// A flow that has started becomes a running one; one that has not gets an event for its start.
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

// disturbed is the Actor that starts a flow which has lost its special treatment before its start.
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
