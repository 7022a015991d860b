package causal

import "github.com/sigview/sigview/trace"

// Halts is how pause frames have halted ports in a run, as switches and cards count it.
type Halts struct {
	Ports int   // that were halted
	Times int64 // that they were, in all
	Mean  int64 // ps for which each was
	Most  int64 // bytes that stood before a port
}

// HaltsOf sums the ports of a network.
func HaltsOf(rows []trace.PortRow) (h Halts) {
	for _, r := range rows {
		if h.Most = max(h.Most, r.QueueBytes); r.Paused > 0 {
			h.Ports++
			h.Times += r.Paused
			h.Mean += 1000 * r.PausedNs
		}
	}
	h.Mean /= int64(max(h.Ports, 1))
	return h
}

// worth is that of pause frames: half the time for which a port is halted. How much of it the sender would have waited for without
// them is not known.
func (h Halts) worth() worth { return worth{cost: h.Mean / 2, most: h.Mean} }
