package causal

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

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

// pausing is the cause of ports that pause frames halt.
const pausing = "pause frames"

// halted makes the finding of halted ports.
func (e *Explanation) halted() Finding {
	w := e.Halts.worth()
	f := e.priced(w, 0, e.Halts.Mean)
	f.Cause, f.Resource, f.Culprit = pausing, waits.Port.String(), nobody
	f.Text = fmt.Sprintf("Pause frames halt %s for %s each: %s.", analysis.Plural(e.Halts.Ports, "port"), span(e.Halts.Mean), e.costs(w))
	f.More = fmt.Sprintf("They do %d times in all; at most %d B stand before a port of a switch. Where it has room for more, its threshold is low.", e.Halts.Times, e.Halts.Most)
	f.Commands = e.commands(nil, waits.Port, &f)
	return f
}
