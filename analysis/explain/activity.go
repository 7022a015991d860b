package explain

import (
	"errors"

	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// phasesAndBursts finds the phases of a run of this length, in ns, by the barriers among its operations or
// else by its rate of packets. It also finds the first bursts, so many at most.
func phasesAndBursts(dir string, operations []trace.SpanRow, length int64, top int) (activity.Activity, error) {
	out := activity.Activity{Phases: activity.Barriers(operations, length), Dir: dir}
	series, tally := activity.NewSeries(), activity.NewTally(out.Phases)
	err := rundir.Scan(dir, func(rows []activity.Passage) error {
		series.Add(rows)
		tally.Add(rows)
		return nil
	})
	if err != nil && !errors.Is(err, rundir.ErrNoTable) {
		return out, err
	}
	out.Length = max(length, series.End())
	if out.ByRate = len(out.Phases) == 0; out.ByRate {
		out.Phases = series.Rates()
	}
	// As many as may be similar to a stop, or to an event of a phase alone.
	out.Silent = series.Silences(out.Length / 1000)
	out.Bursts = series.Bursts()
	out.More = max(len(out.Bursts)-top, 0)
	out.Bursts = out.Bursts[:len(out.Bursts)-out.More]
	for i := range out.Bursts {
		b := &out.Bursts[i]
		in := rundir.Section{FromNs: b.From, ToNs: b.To, Nodes: []int64{int64(b.Node)}}
		if err := ScanPackets(dir, in, func(rows []trace.PacketRow) error { b.Look(rows); return nil }); err != nil {
			return out, err
		}
	}
	return out, nil
}
