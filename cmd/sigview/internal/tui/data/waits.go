package data

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/trace"
)

// PartWaits is about how many intervals are read of who waited for whom in a log of more than explain.LongTrace, which bounds
// time and memory.
const PartWaits = 1 << 19

// WaitRows returns how many intervals of waiting the run's directory holds.
func (d *Data) WaitRows() int64 { return d.Run.Manifest.Rows(trace.WaitRow{}) }

// ShortLog reports whether all of who waited for whom is read.
func (d *Data) ShortLog() bool {
	n := d.WaitRows()
	return n > 0 && n <= explain.LongTrace
}

// HeardAtOnce returns the longest part of the run, in ns, of which who waited for whom is read.
func (d *Data) HeardAtOnce() int64 {
	if d.ShortLog() {
		return d.Packets.EndNs
	}
	return int64(float64(d.Packets.EndNs) * PartWaits / float64(max(d.WaitRows(), 1)))
}

// Heard reports whether it is known who waited for whom in a part of the run, in ns.
func (d *Data) Heard(from, to int64) bool { return d.Account.Covers(1000*from, 1000*to) }

// WithWaits returns a copy of the run that includes who waited for whom, in a period if that is
// not nil.
func (d *Data) WithWaits(of *account.Period) (*Data, error) {
	account, err := explain.ReadWaits(d.Dir, of)
	if err != nil {
		return nil, err
	}
	out := *d
	out.Account, out.Lanes = account, d.Lanes.With(account)
	if of == nil {
		out.Path = lanes.NewPath(d.Nodes)
		graph.New(account).Path(1000*d.Run.Manifest.RunTimeNs(), func(s graph.Segment) { out.Path.Add(account, s) })
		out.Path.Done()
	}
	return &out, nil
}
