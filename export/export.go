package export

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/rundir"
)

// Files returns the files of the form that are to be written. There is one without a name if
// the form is a single file. It reads and checks the manifest; the rest is read when the files
// are written. Errors of a context that ends come from there.
func (s Spec) Files(ctx context.Context) ([]rundir.Part, error) {
	if len(s.Tables) > 0 && s.To != Parquet && s.To != CSV {
		return nil, fmt.Errorf("tables %v: %s has none, wanted parquet or csv", s.Tables, s.To)
	}
	m, err := rundir.ReadManifest(s.Dir)
	if err != nil {
		return nil, s.several(err)
	}
	switch s.To {
	case Parquet, CSV:
		return s.tables(ctx, m)
	case HLog:
		return s.log(m)
	case Perfetto:
		return s.timeline(ctx, m)
	case GOAL:
		return s.schedule(ctx, m)
	}
	return s.percentiles(m)
}

// several explains the error if the directory holds runs with several seeds.
func (s Spec) several(err error) error {
	if runs, _ := rundir.Members(s.Dir); len(runs) > 0 {
		return fmt.Errorf("%s holds %d runs, wanted one of them: %s", s.Dir, len(runs), runs[0])
	}
	return err
}
