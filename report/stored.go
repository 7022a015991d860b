package report

import (
	"errors"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// OfStored makes the report of a run that is kept in its directory, of whose trace it reads what the
// report shows: operations, and on demand packets over time.
func OfStored(run *trace.Run, timeline bool) (Run, error) {
	r := Of(*run)
	var err error
	if run.Spans == nil && run.Manifest.Rows(trace.SpanRow{}) > 0 {
		if err := addOperations(run.Dir, &r); err != nil {
			return r, err
		}
		told, err := explain.Causes(run.Dir, *run)
		if err != nil {
			return r, err
		}
		r.Causes, r.Events = told.Findings, told.Events
	}
	if timeline {
		r.Timeline, err = timelineOf(run.Dir, run.Manifest)
	}
	return r, err
}

// wholeTrace is the largest number of packets that a report reads all of.
const wholeTrace = 1_000_000

// timelineOf reads the packets of a stored run, a sample of them if they are many: those of
// some slots. It returns nil for a run that has none.
func timelineOf(dir string, m trace.Manifest) (*Timeline, error) {
	rows := m.Rows(trace.PacketRow{})
	if dir == "" || rows == 0 {
		return nil, nil
	}
	t := newTimeline(m)
	if rows <= wholeTrace {
		return t, rundir.Scan(dir, func(batch []trace.PacketRow) error { t.Add(batch, 0, slots); return nil })
	}
	step := int(rows/wholeTrace) + 1
	for slot := 0; slot < slots; slot += step {
		from, to := t.Window(slot)
		err := rundir.ScanSection(dir, rundir.Section{FromNs: from, ToNs: to}, func(batch []trace.PacketRow) error { t.Add(batch, slot, slot+1); return nil })
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// addOperations reads the operations and phases of a stored run batch by batch.
func addOperations(dir string, r *Run) error {
	var sums analysis.OperationSums
	err := rundir.Scan(dir, func(rows []trace.SpanRow) error {
		sums.AddSpans(rows)
		r.AddPhases(rows)
		return nil
	})
	if err == nil {
		err = rundir.Scan(dir, func(rows []trace.StepRow) error { sums.AddSteps(rows); return nil })
	}
	if errors.Is(err, rundir.ErrNoTable) {
		return nil
	}
	r.Operations = sums.Done()
	return err
}
