package tui

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/trace"
)

// Limits of what is read of who waited for whom, which bound time and memory: of a log of more
// intervals than wholeWaits only parts of the run are read, of about partWaits.
const (
	wholeWaits = 4_000_000
	partWaits  = 1 << 19
)

// clocks is by how much instants of packets may differ from the simulation's time, ns.
const clocks = 100_000

// waitRows returns how many intervals of waiting the run's directory holds.
func (d *Data) waitRows() int64 { return d.Run.Manifest.Rows(trace.WaitRow{}) }

// shortLog reports whether all of who waited for whom is read.
func (d *Data) shortLog() bool {
	n := d.waitRows()
	return n > 0 && n <= wholeWaits
}

// heardAtOnce returns the longest part of the run, in ns, of which who waited for whom is read.
func (d *Data) heardAtOnce() int64 {
	if d.shortLog() {
		return d.Packets.endNs
	}
	return int64(float64(d.Packets.endNs) * partWaits / float64(max(d.waitRows(), 1)))
}

// heard reports whether it is known who waited for whom in a part of the run, in ns.
func (d *Data) heard(from, to int64) bool { return d.account.Covers(1000*from, 1000*to) }

// withWaits returns a copy of the run that includes who waited for whom, in a period if that is
// not nil.
func (d *Data) withWaits(of *account.Period) (*Data, error) {
	account, err := explain.ReadWaits(d.Dir, of)
	if err != nil {
		return nil, err
	}
	out := *d
	out.account, out.lanes = account, d.lanes.With(account)
	if of == nil {
		out.path = lanes.NewPath(d.nodes)
		graph.New(account).Path(1000*d.Run.Manifest.RunTimeNs(), func(s graph.Segment) { out.path.Add(account, s) })
		out.path.Done()
	}
	return &out, nil
}
