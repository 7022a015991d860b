package explain

import (
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace"
)

// LongestOperations returns the longest operations of each kind, so many at most, and where the
// time of nodes went. It reads a trace of any length batch by batch, and hands the operations and
// their steps to others on the way.
func LongestOperations(dir string, most int, operations func([]trace.SpanRow), steps func([]trace.StepRow)) (spans.Found, error) {
	sums := spans.NewSums(most)
	err := scan(dir, func(rows []trace.SpanRow) error {
		sums.AddSpans(rows)
		if operations != nil {
			operations(rows)
		}
		return nil
	})
	if err == nil {
		err = scan(dir, func(rows []trace.StepRow) error {
			sums.AddSteps(rows)
			if steps != nil {
				steps(rows)
			}
			return nil
		})
	}
	return sums.Done(), err
}

// Operation returns an operation of a run, nil if there is none of this number.
func Operation(dir string, id spans.ID) (*spans.One, error) {
	s := spans.Search{ID: id}
	err := scan(dir, func(rows []trace.SpanRow) error { s.AddSpans(rows); return nil })
	if err == nil {
		err = scan(dir, func(rows []trace.StepRow) error { s.AddSteps(rows); return nil })
	}
	return s.Done(), err
}
