package trace

import (
	"fmt"
	"iter"
)

// SpanRow is one operation of an upper layer, or a phase of a program. Its
// steps are rows of the table stages, its packets those of the table packets
// with the same tag and span.
type SpanRow struct {
	Tag        Tag    `col:"tag" doc:"the program"`
	Span       int64  `col:"span" range:"0.." doc:"number of the operation within its program; 0 for a phase"`
	Operation  string `col:"operation" named:"yes" doc:"what it is"`
	Name       string `col:"name" doc:"name of a phase; empty for everything else"`
	Parent     int64  `col:"parent" range:"0.." doc:"operation that it is part of; 0: none. That one may have no row"`
	Node       int64  `col:"node" range:"0.." doc:"node whose program it belongs to"`
	BeginNs    int64  `col:"begin_ns" unit:"ns" doc:"global time since recording began"`
	EndNs      int64  `col:"end_ns" unit:"ns" doc:"global time since recording began"`
	DurationNs int64  `col:"duration_ns" unit:"ns" doc:"end less begin"`
	BoundNs    int64  `col:"bound_ns" range:"0.." unit:"ns" doc:"largest bound of the error of its instants by the clocks"`
	Packets    int64  `col:"packets" range:"0.." doc:"recorded packets that belong to it"`
}

// TableName implements Row.
func (SpanRow) TableName() string { return "spans" }

// Conditions implements the interface of that name.
func (r *SpanRow) Conditions() error {
	switch {
	case (r.Operation == string(OpPhase)) != (r.Name != ""):
		return fmt.Errorf("name: %q of operation %q, wanted one for a phase and none for others", r.Name, r.Operation)
	case (r.Operation == string(OpPhase)) != (r.Span == 0):
		return fmt.Errorf("span: %d of operation %q, wanted 0 for a phase and none for others", r.Span, r.Operation)
	case r.DurationNs != r.EndNs-r.BeginNs:
		return fmt.Errorf("duration_ns: %d, wanted end_ns - begin_ns, %d", r.DurationNs, r.EndNs-r.BeginNs)
	}
	return nil
}

// StepRow is one step of an operation. The steps of an operation follow each
// other without a gap, so they sum to the whole. A step that occurs twice in an
// operation has two rows. Files call steps stages.
type StepRow struct {
	Tag        Tag    `col:"tag" doc:"the program"`
	Span       int64  `col:"span" range:"1.." doc:"number of the operation within its program"`
	Operation  string `col:"operation" named:"yes" doc:"the operation"`
	Order      int64  `col:"order" range:"0.." doc:"place among the operation's stages, from 0"`
	Step       string `col:"stage" named:"yes" doc:"what the operation did or waited for"`
	Node       int64  `col:"node" range:"0.." doc:"node at which the stage began"`
	BeginNs    int64  `col:"begin_ns" unit:"ns" doc:"global time since recording began"`
	DurationNs int64  `col:"duration_ns" unit:"ns" doc:"until the next stage began, or the operation's end; may be below 0 by the clocks' error"`
}

// TableName implements Row.
func (StepRow) TableName() string { return "stages" }

// CheckSteps checks that the steps of each operation begin where it begins,
// follow each other, and sum to its duration. Steps are in the order of spans.
func CheckSteps(spans iter.Seq[SpanRow], steps iter.Seq[StepRow]) error {
	next, stop := iter.Pull(steps)
	defer stop()
	x, more := next()
	n, i := 0, 0
	for s := range spans {
		n++
		if s.Operation == string(OpPhase) {
			continue
		}
		at, order := s.BeginNs, int64(0)
		for ; more && x.Tag == s.Tag && x.Span == s.Span && x.Order == order; x, more = next() {
			i++
			if x.BeginNs != at || x.Operation != s.Operation {
				return fmt.Errorf("stages: row %d: %s of %s begins at %d ns, wanted %s, %d ns: the end of the stage before it",
					i, x.Step, x.Operation, x.BeginNs, s.Operation, at)
			}
			at += x.DurationNs
			order++
		}
		if at != s.EndNs || order == 0 {
			return fmt.Errorf("spans: row %d: the %d stages of %s %d sum to %d ns, wanted its duration, %d ns",
				n, order, s.Operation, s.Span, at-s.BeginNs, s.DurationNs)
		}
	}
	if more {
		return fmt.Errorf("stages: row %d: belongs to no row of spans", i+1)
	}
	return nil
}
