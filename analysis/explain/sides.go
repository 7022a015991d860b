package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Side reads what is on one side of a comparison: a run or measurement, or a directory of
// several.
func Side(dir string) (compare.Side, error) {
	s := compare.Side{Name: dir}
	members, err := rundir.Members(dir)
	if err != nil {
		return s, err
	}
	if len(members) == 0 {
		members = []string{dir}
	}
	for _, m := range members {
		r, err := compared(m)
		if err != nil {
			return s, err
		}
		s.Runs = append(s.Runs, r)
	}
	return s, nil
}

// compared reads a run, or the document of a measurement.
func compared(dir string) (compare.Run, error) {
	for _, name := range compare.Documents() {
		data, err := inputfile.ReadText(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid):
			continue
		case err != nil:
			return compare.Run{}, fmt.Errorf("directory %s: %s: %w", dir, name, inputfile.Cause(err))
		}
		r, err := compare.OfDocument(dir, name, data)
		if err != nil {
			return r, fmt.Errorf("directory %s: %w", dir, err)
		}
		return r, nil
	}
	run, err := ReadSummary(dir)
	if err != nil {
		return compare.Run{}, err
	}
	r := compare.Of(run)
	if text, err := inputfile.ReadText(filepath.Join(dir, trace.PlatformFile)); err == nil && json.Valid(text) {
		r.Platform = text // which runs of earlier versions do not have
	}
	return r, nil
}
