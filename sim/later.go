package sim

// A flow that is the only one of its pool from its start on needs no event for its start: when
// it ends is known before. Until it has started, any other change of the pool gives it that event.

// StartLater is Start at a time that has not come, if nothing else is in the pool. It reports
// whether it has done so. The flow cannot be stopped before it has started.
func (p *Pool) StartLater(at Time, f *Flow, bytes int64, limit Rate, uses uint32, a Actor, op uint32, arg uint64) bool {
	if len(p.flows) > 0 || p.later != nil || p.accounts || p.deferred {
		return false
	}
	p.prepare(f, bytes, limit, uses, a, op, arg)
	f.top = p.top(f)
	f.at, f.due = at, f.left.end(at, f.top)
	p.later = f
	p.arm()
	return true
}

// begin makes the later flow a running one if its time has come.
func (p *Pool) begin() {
	if f := p.later; f != nil && f.at <= p.engine.Now() {
		p.later = nil
		p.count(f)
		p.enter(f, f.at)
		f.rate = f.top
	}
}

// disturb gives the later flow an event for its start, unless it has started.
func (p *Pool) disturb() {
	if p.later == nil {
		return
	}
	p.begin()
	if f := p.later; f != nil {
		p.later = nil
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
