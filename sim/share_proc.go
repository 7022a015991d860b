package sim

// Resume lets a parked process go on within the present event, without one of
// its own: for an Actor that waits on behalf of a process, as a CPU does. It may
// be called only from Act, never by another process. A process that is not
// parked is left alone.
func (p *Proc) Resume() {
	if p.done || !p.parked {
		return
	}
	p.parked = false
	p.run()
}
