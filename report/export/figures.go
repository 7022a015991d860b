package export

import (
	"context"
	"errors"
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// figures returns the files of a directory that holds no run but figures of many: of a
// measurement or a sweep. It returns false for other directories.
func (s Spec) figures(ctx context.Context) (files []rundir.Part, ok bool, err error) {
	var t table
	var labels []trace.Label
	m, err := bench.Read(s.Dir)
	switch {
	case err == nil:
		t, labels = measurement(m), m.Labels()
	case !errors.Is(err, bench.ErrNotMeasured):
		return nil, true, err
	case rundir.IsSweep(s.Dir):
		m, runs, err := rundir.ReadSweep(s.Dir)
		if err != nil {
			return nil, true, err
		}
		t, labels = tableIn(runs), m.Labels()
	default:
		return nil, false, nil
	}
	if !s.tabular() {
		return nil, true, fmt.Errorf("%s of %s: it is made from the packets of a run, and this is a directory of sigview %s; wanted parquet or csv", s.To, s.Dir, t.name)
	}
	for _, name := range s.Tables {
		if err := names.Check("table", name, []string{t.name}); err != nil {
			return nil, true, err
		}
	}
	return s.parts(ctx, []table{t}, labels), true, nil
}

// measurement returns the table of a measurement.
func measurement(m *bench.Measured) table {
	switch {
	case m.Perturb != nil:
		return tableIn(bench.PerturbRows(m.Perturb))
	case m.Injection != nil:
		return tableIn(bench.InjectionRows(m.Injection))
	case len(m.LogP) > 0:
		return tableIn(bench.LogPRows(m.LogP))
	case len(m.Verbs) > 0:
		return tableIn(bench.VerbsRows(m.Verbs))
	}
	return tableIn(bench.BandwidthRows(m.Bandwidth))
}

// tableIn is a table of rows in memory.
func tableIn[R trace.Row](rows []R) table {
	return tableFrom(func(context.Context, string) source[R] {
		return func(take func([]R) error) error { return take(rows) }
	})
}
