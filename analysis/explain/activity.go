package explain

import (
	"errors"
	"slices"

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
	return out, lookAt(dir, out.Bursts)
}

// lookAt finds what the packets of bursts are, in one pass over the batches that can have them.
func lookAt(dir string, bursts []activity.Burst) error {
	if len(bursts) == 0 {
		return nil
	}
	index, err := rundir.ReadIndex(dir)
	if err != nil {
		return err
	}
	in := func(batch int) bool {
		return index == nil || slices.ContainsFunc(bursts, func(b activity.Burst) bool {
			return rundir.Section{FromNs: b.From, ToNs: b.To, Nodes: []int64{int64(b.Node)}}.Touches(index[batch])
		})
	}
	return rundir.ScanBatches(dir, in, func(rows []activity.Member) error {
		for i := range bursts {
			bursts[i].Look(rows)
		}
		return nil
	})
}
