package spans

import "github.com/sigview/sigview/trace"

// Search finds one operation in a trace of any length: all spans are added first, then all
// steps.
type Search struct {
	ID
	found *One
	parts []trace.SpanRow
}

// AddSpans adds operations, in any order. All of them come before the first steps.
func (s *Search) AddSpans(rows []trace.SpanRow) {
	for i := range rows {
		switch r := &rows[i]; {
		case r.Tag != s.Tag:
		case r.Span == s.Span:
			s.found = &One{SpanRow: *r}
		case r.Parent == s.Span:
			s.parts = append(s.parts, *r)
		}
	}
}

// AddSteps adds steps of operations.
func (s *Search) AddSteps(rows []trace.StepRow) {
	for i := range rows {
		if r := &rows[i]; s.found != nil && r.Tag == s.Tag && r.Span == s.Span {
			s.found.Steps = append(s.found.Steps, *r)
		}
	}
}

// Done returns the operation, nil if there is none.
func (s *Search) Done() *One {
	if s.found != nil {
		s.found.Parts = s.parts
	}
	return s.found
}
