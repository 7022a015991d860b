package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// logEnding is the file name ending of HdrHistogram logs.
const logEnding = ".hlog"

// intervals are those of all logs of the run.
func (s Spec) intervals(m trace.Manifest) (all []histo.Interval, err error) {
	for _, f := range m.Files {
		if !strings.HasSuffix(f.Name, logEnding) {
			continue
		}
		data, err := rundir.ReadFile(s.Dir, f)
		if err != nil {
			return nil, err
		}
		list, err := histo.ReadLog(data)
		if err != nil {
			return nil, fmt.Errorf("run directory %s: %s: %w", s.Dir, f.Name, err)
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("histograms of %s: %w: nothing was recorded", s.Dir, errNothing)
	}
	return all, nil
}

// log is the logs of the run as one, with its labels as comments.
func (s Spec) log(m trace.Manifest) ([]rundir.Part, error) {
	list, err := s.intervals(m)
	if err != nil {
		return nil, err
	}
	about := append(comments(m), "values are nanoseconds")
	return single(func(w io.Writer) error { return histo.WriteLog(w, list, about...) }), nil
}

// percentiles are files with the percentiles of one histogram each, in microseconds.
func (s Spec) percentiles(m trace.Manifest) (files []rundir.Part, err error) {
	list, err := s.intervals(m)
	if err != nil {
		return nil, err
	}
	about := append(comments(m), "values are microseconds")
	for _, v := range list {
		files = append(files, rundir.Part{Name: strings.ReplaceAll(v.Tag, "/", "-") + ".hgrm", Write: func(w io.Writer) error {
			return histo.WritePercentiles(w, v.Hist, about...)
		}})
	}
	return files, nil
}
