package tcp

import "github.com/sigview/sigview/sim"

// estimate is the mean of the round-trip time and its deviation (Jacobson).
type estimate struct{ mean, deviation sim.Duration }

// add adds a sample.
func (e *estimate) add(d sim.Duration) {
	if e.mean == 0 {
		e.mean, e.deviation = d, d/2
		return
	}
	off := d - e.mean
	e.mean += off / 8
	e.deviation += (max(off, -off) - e.deviation) / 4
}

// timeout returns how long to wait for an acknowledgement of what has been sent again some
// times in a row.
func (e *estimate) timeout(s *Spec, tries int) sim.Duration {
	first := s.FirstTimeout
	if e.mean > 0 {
		first = max(s.LeastTimeout, e.mean+4*e.deviation)
	}
	if first > s.MostTimeout>>tries {
		return s.MostTimeout
	}
	return first << tries
}
