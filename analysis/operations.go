package analysis

import (
	"cmp"
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

// Times holds durations, sorted.
type Times struct {
	Ns    []int64
	SumNs int64
}

// StageTimes describes one step: one duration for each operation that has it. If an
// operation has a step more than once, the durations are added up.
type StageTimes struct {
	Stage string
	Times
	Share float64 // of the time of all operations

	offset float64 // mean time since the operation started
}

// Count returns how many durations there are.
func (t Times) Count() int64 { return int64(len(t.Ns)) }

// MeanNs returns the mean.
func (t Times) MeanNs() float64 { return float64(t.SumNs) / float64(len(t.Ns)) }

// Percentile returns the smallest duration that at least p per cent of all do not exceed.
func (t Times) Percentile(p int) int64 {
	return t.Ns[max(0, (len(t.Ns)*p+99)/100-1)]
}

func (t *Times) add(ns int64) {
	t.Ns = append(t.Ns, ns)
	t.SumNs += ns
}

// Operations describes the operations and phases of a traced run: by program in the order
// of tags, first operations by name, then phases in the order of their first start. The
// rows of steps have to be in the order of the spans.
func Operations(spans []trace.SpanRow, stages []trace.StepRow) []Operation {
	type key struct {
		tag             trace.Tag
		operation, name string
	}
	at := map[key]int{}
	var all []Operation
	i := 0
	for _, s := range spans {
		k := key{s.Tag, s.Operation, s.Name}
		n, ok := at[k]
		if !ok {
			n = len(all)
			at[k] = n
			all = append(all, Operation{Tag: s.Tag, Operation: s.Operation, Name: s.Name})
		}
		o := &all[n]
		o.Packets += s.Packets
		o.BoundNs = max(o.BoundNs, s.BoundNs)
		o.Duration.add(s.DurationNs)
		if s.Operation == string(trace.OpPhase) {
			continue
		}
		from := i
		for i < len(stages) && stages[i].Tag == s.Tag && stages[i].Span == s.Span && stages[i].Order == int64(i-from) {
			i++
		}
		o.addStages(s.BeginNs, stages[from:i])
	}
	for n := range all {
		all[n].settle()
	}
	slices.SortStableFunc(all, func(a, b Operation) int {
		if c := cmp.Or(cmp.Compare(a.Tag, b.Tag), cmp.Compare(len(a.Name), 0)-cmp.Compare(len(b.Name), 0)); c != 0 || a.Name != "" {
			return c // phases stay in the order of time
		}
		return cmp.Compare(a.Operation, b.Operation)
	})
	return all
}

// addStages adds the steps of one operation.
func (o *Operation) addStages(begin int64, rows []trace.StepRow) {
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
		o.Stages[n].offset += float64(r.BeginNs - begin)
	}
}

func (o *Operation) settle() {
	slices.Sort(o.Duration.Ns)
	for i := range o.Stages {
		s := &o.Stages[i]
		slices.Sort(s.Ns)
		s.offset /= float64(len(s.Ns))
		if o.Duration.SumNs > 0 {
			s.Share = float64(s.SumNs) / float64(o.Duration.SumNs)
		}
	}
	slices.SortStableFunc(o.Stages, func(a, b StageTimes) int { return cmp.Compare(a.offset, b.offset) })
}
