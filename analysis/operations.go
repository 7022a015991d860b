package analysis

import (
	"cmp"
	"iter"
	"slices"

	"github.com/sigview/sigview/trace"
)

// Operation describes all operations of one kind, or all instances of a phase, of one
// program.
type Operation struct {
	Tag       trace.Tag
	Operation string
	Name      string // of a phase
	Packets   int64
	BoundNs   int64 // largest bound on the clock's error of an instant
	Duration  Times
	// Stages are the steps in the order in which an operation reaches them on average.
	// Their sums add up to that of the whole.
	Stages []StageTimes
}

// StageTimes describes one step: one duration for each operation that has it. If an
// operation has a step more than once, the durations are added up.
type StageTimes struct {
	Stage string
	Times
	Share float64 // of the time of all operations

	offset float64 // mean time since the operation started
}

// Operations describes the operations and phases of a run, nil if it was not traced: see
// OperationSums.
func Operations(spans iter.Seq[trace.SpanRow], steps iter.Seq[trace.StepRow]) []Operation {
	if spans == nil {
		return nil
	}
	var s OperationSums
	for r := range spans {
		s.AddSpans([]trace.SpanRow{r})
	}
	for r := range steps {
		s.AddSteps([]trace.StepRow{r})
	}
	return s.Done()
}

// OperationSums sums up the operations and phases of a traced run of any length, whose
// tables are added batch by batch: all spans, then all steps.
type OperationSums struct {
	at   map[operationKey]int // place in all
	all  []Operation
	open []trace.StepRow // of the last operation, which may have more
}

type operationKey struct {
	tag             trace.Tag
	operation, name string
}

// AddSpans adds operations and phases.
func (s *OperationSums) AddSpans(rows []trace.SpanRow) {
	if s.at == nil {
		s.at = map[operationKey]int{}
	}
	for _, r := range rows {
		k := operationKey{r.Tag, r.Operation, r.Name}
		n, ok := s.at[k]
		if !ok {
			n = len(s.all)
			s.at[k] = n
			s.all = append(s.all, Operation{Tag: r.Tag, Operation: r.Operation, Name: r.Name})
		}
		o := &s.all[n]
		o.Packets += r.Packets
		o.BoundNs = max(o.BoundNs, r.BoundNs)
		o.Duration.add(r.DurationNs)
	}
}

// AddSteps adds steps of operations. Those of one follow each other.
func (s *OperationSums) AddSteps(rows []trace.StepRow) {
	for _, r := range rows {
		if r.Order == 0 {
			s.close()
		}
		s.open = append(s.open, r)
	}
}

// close adds the steps of the last operation.
func (s *OperationSums) close() {
	if len(s.open) == 0 {
		return
	}
	if n, ok := s.at[operationKey{s.open[0].Tag, s.open[0].Operation, ""}]; ok {
		s.all[n].addStages(s.open)
	}
	s.open = s.open[:0]
}

// Done returns the sums: by program in the order of tags, first operations by name, then
// phases in the order of their first start. Nothing can be added afterwards.
func (s *OperationSums) Done() []Operation {
	s.close()
	for n := range s.all {
		s.all[n].settle()
	}
	slices.SortStableFunc(s.all, func(a, b Operation) int {
		if c := cmp.Or(cmp.Compare(a.Tag, b.Tag), cmp.Compare(len(a.Name), 0)-cmp.Compare(len(b.Name), 0)); c != 0 || a.Name != "" {
			return c // phases stay in the order of time
		}
		return cmp.Compare(a.Operation, b.Operation)
	})
	return s.all
}

// addStages adds the steps of one operation, which begins with the first.
func (o *Operation) addStages(rows []trace.StepRow) {
	for i, r := range rows {
		same := func(x trace.StepRow) bool { return x.Step == r.Step }
		if slices.ContainsFunc(rows[:i], same) {
			continue // added with the first
		}
		sum := int64(0)
		for _, x := range rows[i:] {
			if same(x) {
				sum += x.DurationNs
			}
		}
		n := slices.IndexFunc(o.Stages, func(s StageTimes) bool { return s.Stage == r.Step })
		if n < 0 {
			n = len(o.Stages)
			o.Stages = append(o.Stages, StageTimes{Stage: r.Step})
		}
		o.Stages[n].add(sum)
		o.Stages[n].offset += float64(r.BeginNs - rows[0].BeginNs)
	}
}

func (o *Operation) settle() {
	o.Duration.settle()
	for i := range o.Stages {
		s := &o.Stages[i]
		s.settle()
		s.offset /= float64(s.count)
		if o.Duration.SumNs > 0 {
			s.Share = float64(s.SumNs) / float64(o.Duration.SumNs)
		}
	}
	slices.SortStableFunc(o.Stages, func(a, b StageTimes) int { return cmp.Compare(a.offset, b.offset) })
}
