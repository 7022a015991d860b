package spans

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Kind is the operations of one sort of a program, or the instances of a phase.
type Kind struct {
	Tag trace.Tag
	// Name is that of a phase, and empty for operations.
	Operation, Name string
}

// One is a single operation. Times are in ns.
type One struct {
	trace.SpanRow
	Steps []trace.StepRow
	Parts []trace.SpanRow // operations that it has begun
}

// Sums finds the longest operations of each kind and sums up their times by node, in a
// trace of any length: all spans are added first, then all steps.
type Sums struct {
	most    int // of each kind are kept
	longest map[Kind][]*One
	count   map[Kind]int
	parts   map[ID][]trace.SpanRow // by the operation that they are part of
	seen    map[trace.Tag]set      // operations that have a row
	nested  map[trace.Tag]set      // those that are part of one that has a row
	tree    tree
	kept    map[ID]*One
	open    []trace.StepRow // of the last operation, which may have more
}

// ID identifies an operation of a run.
type ID struct {
	Tag  trace.Tag
	Span int64
}

// set is a set of numbers from 0 on, a bit each. It is as large as the largest number in it.
type set []uint64

// has reports whether n, which is not negative, is in the set.
func (s set) has(n int64) bool { return int(n/64) < len(s) && s[n/64]>>(n%64)&1 != 0 }

// add returns the set with a number.
func (s set) add(n int64) set {
	for int(n/64) >= len(s) {
		s = append(s, 0)
	}
	s[n/64] |= 1 << (n % 64)
	return s
}

// NewSums returns sums of nothing, which keep at most so many operations of each kind.
func NewSums(most int) *Sums {
	return &Sums{most: most, longest: map[Kind][]*One{}, count: map[Kind]int{}, parts: map[ID][]trace.SpanRow{}, seen: map[trace.Tag]set{}, nested: map[trace.Tag]set{}, tree: newTree()}
}

// AddSpans adds operations and phases, in the order of their begins.
func (s *Sums) AddSpans(rows []trace.SpanRow) {
	for _, r := range rows {
		if r.Operation == string(trace.OpPhase) {
			s.tree.addPhase(r)
		}
		// Which parents are kept is known only when all have been added.
		if r.Parent != 0 {
			of := ID{r.Tag, r.Parent}
			s.parts[of] = append(s.parts[of], r)
		}
		s.seen[r.Tag] = s.seen[r.Tag].add(r.Span)
		k := Kind{r.Tag, r.Operation, r.Name}
		s.count[k]++
		list := s.longest[k]
		// Of equally long ones the first comes first.
		at, _ := slices.BinarySearchFunc(list, r.DurationNs, func(o *One, ns int64) int {
			return cmp.Or(cmp.Compare(ns, o.DurationNs), -1)
		})
		// Shorter than all that are kept.
		if at == s.most {
			continue
		}
		s.longest[k] = slices.Insert(list, at, &One{SpanRow: r})[:min(len(list)+1, s.most)]
	}
}

// AddSteps adds steps of operations. Those of one follow each other in the order of Order, which begins with 0.
// They may go on in the next batch.
func (s *Sums) AddSteps(rows []trace.StepRow) {
	if s.kept == nil {
		s.keep()
	}
	for _, r := range rows {
		if r.Order == 0 {
			s.close()
		}
		s.open = append(s.open, r)
	}
}

// keep notes the operations whose steps are kept, and which operations are part of others. It ends the adding
// of spans.
func (s *Sums) keep() {
	s.kept = map[ID]*One{}
	for k, list := range s.longest {
		if k.Name != "" {
			continue // a phase has neither steps nor parts
		}
		for _, o := range list {
			of := ID{o.Tag, o.Span}
			s.kept[of], o.Parts = o, s.parts[of]
		}
	}
	// An operation that is part of one without a row counts for itself.
	for of, parts := range s.parts {
		for _, r := range parts {
			if s.seen[of.Tag].has(of.Span) {
				s.nested[of.Tag] = s.nested[of.Tag].add(r.Span)
			}
		}
	}
	// No more spans can come: AddSteps has begun.
	s.parts, s.seen = nil, nil
	s.tree.sort()
}

// close adds the steps of the last operation: to the operation if it is kept, and to the sums by node.
func (s *Sums) close() {
	if len(s.open) == 0 {
		return
	}
	of := ID{s.open[0].Tag, s.open[0].Span}
	if o := s.kept[of]; o != nil {
		o.Steps = slices.Clone(s.open)
	}
	// Time that is in the steps of another operation is not counted twice.
	if !s.nested[of.Tag].has(of.Span) {
		s.tree.add(s.open)
	}
	s.open = s.open[:0]
}

// LongestStep returns the step of an operation that takes longest and its duration in ns; "" and 0 if it has
// none.
func (o *One) LongestStep() (name string, ns int64) {
	for _, s := range o.Steps {
		if s.DurationNs > ns {
			name, ns = s.Step, s.DurationNs
		}
	}
	return name, ns
}

// LongestView shows the longest operations of a kind, a row each, the longest first: time, node, begin, the
// longest step with its share, packets, and the number by which it is found.
func LongestView(list []*One) analysis.View {
	us := func(name, key string, ns func(*One) int64) analysis.Col[*One] {
		return analysis.Micro(name, key, func(o *One) float64 { return float64(ns(o)) / 1000 })
	}
	return analysis.Tabulate(list,
		us("time", "duration_us", func(o *One) int64 { return o.DurationNs }),
		analysis.Number("node", "node", func(o *One) int64 { return o.Node }),
		us("begin", "begin_us", func(o *One) int64 { return o.BeginNs }),
		analysis.Keyed("<mostly", "longest_step", func(o *One) analysis.Cell {
			name, ns := o.LongestStep()
			if name == "" {
				return analysis.Cell{Absent: true}
			}
			return analysis.Cell{Text: fmt.Sprintf("%s %.0f %%", name, 100*float64(ns)/float64(max(o.DurationNs, 1))), Value: name}
		}),
		analysis.Number("packets", "packets", func(o *One) int64 { return o.Packets }),
		analysis.Number("span", "span", func(o *One) int64 { return o.Span }))
}

// Found is what sums come to.
type Found struct {
	// Longest are the longest operations of each kind, the longest first.
	Longest map[Kind][]*One
	Count   map[Kind]int // of all operations
	// Time has the nodes as parts of each program, then phases, operations and steps.
	Time map[trace.Tag]*Part
}

// Done returns what was found. It completes the last operation. Nothing can be added afterwards.
func (s *Sums) Done() Found {
	if s.kept == nil {
		s.keep()
	}
	s.close()
	return Found{s.longest, s.count, s.tree.done()}
}
