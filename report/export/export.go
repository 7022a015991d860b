package export

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Files returns the files of the form that are to be written, with slashes in their names. There
// is one without a name if the form is a single file. Measurements of layers and sweeps have
// tables only. A directory of several runs becomes
// a folder seed=N for each, or a file seed-N, and for Perfetto one archive. The manifests are read and checked; the rest is
// read when the files are written. Errors of a context that ends come from there.
func (s Spec) Files(ctx context.Context) ([]rundir.Part, error) {
	if files, ok, err := s.figures(ctx); ok || err != nil {
		return files, err
	}
	runs, err := rundir.Members(s.Dir)
	if err != nil || len(runs) == 0 {
		files, _, err := s.run(ctx)
		return files, err
	}
	if s.To == Perfetto {
		return s.merged(ctx, runs)
	}
	var all []rundir.Part
	for _, dir := range runs {
		s.Dir = dir
		files, m, err := s.run(ctx)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if f.Name == "" {
				f.Name = fmt.Sprintf("seed-%d.%v", m.Seed, s.To)
			} else {
				f.Name = fmt.Sprintf("seed=%d/%s", m.Seed, f.Name)
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// run returns the files of one run, and its manifest.
func (s Spec) run(ctx context.Context) (files []rundir.Part, m trace.Manifest, err error) {
	if len(s.Tables) > 0 && !s.tabular() {
		return nil, m, fmt.Errorf("tables %v: %s has none, wanted parquet or csv", s.Tables, s.To)
	}
	if m, err = rundir.ReadManifest(s.Dir); err != nil {
		return nil, m, err
	}
	switch s.To {
	case Parquet, CSV:
		files, err = s.tables(ctx, m)
	case HLog:
		files, err = s.log(m)
	case Perfetto:
		files, err = s.timeline(ctx, m)
	case GOAL:
		files, err = s.schedule(ctx, m)
	case HTSim:
		files, err = s.connections(ctx, m)
	default:
		files, err = s.percentiles(m)
	}
	return files, m, err
}
