package export

import (
	"context"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// scan calls take with the rows of a table, batch by batch, until the context ends.
func scan[R trace.Row](ctx context.Context, dir string, take func([]R) error) error {
	return rundir.Scan(dir, func(rows []R) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return take(rows)
	})
}

// hasTable reports whether a run has a table.
func hasTable[R trace.Row](m trace.Manifest) bool {
	var zero R
	for _, f := range m.Files {
		if f.Name == zero.TableName()+rundir.Ending {
			return true
		}
	}
	return false
}
