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

// intervals are those of all logs of the run, and what these leave out.
func (s Spec) intervals(m trace.Manifest) (all []histo.Interval, leftOut []string, err error) {
	for _, f := range m.Files {
		if !strings.HasSuffix(f.Name, logEnding) {
			continue
		}
		data, err := rundir.ReadFile(s.Dir, f)
		if err != nil {
			return nil, nil, err
		}
		list, err := histo.ReadLog(data)
		if err != nil {
			return nil, nil, fmt.Errorf("run directory %s: %s: %w", s.Dir, f.Name, err)
		}
		all = append(all, list...)
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "#"+trace.LeftOut) {
				leftOut = append(leftOut, f.Name+" has "+strings.TrimSpace(line[1:]))
			}
		}
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("histograms of %s: %w: nothing was recorded", s.Dir, errNothing)
	}
	return all, leftOut, nil
}

// log is the logs of the run as one, with its labels as comments.
func (s Spec) log(m trace.Manifest) ([]rundir.Part, error) {
	list, leftOut, err := s.intervals(m)
	if err != nil {
		return nil, err
	}
	about := append(append(comments(m), "values are nanoseconds"), leftOut...)
	return single(func(w io.Writer) error { return histo.WriteLog(w, m.Began, list, about...) }), nil
}

// percentiles are files with the percentiles of one histogram each, in microseconds.
func (s Spec) percentiles(m trace.Manifest) (files []rundir.Part, err error) {
	list, leftOut, err := s.intervals(m)
	if err != nil {
		return nil, err
	}
	about := append(append(comments(m), "values are microseconds"), leftOut...)
	for _, v := range list {
		files = append(files, rundir.Part{Name: strings.ReplaceAll(v.Tag, "/", "-") + ".hgrm", Write: func(w io.Writer) error {
			return histo.WritePercentiles(w, v.Hist, about...)
		}})
	}
	return files, nil
}
