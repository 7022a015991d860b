package export

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/report/export/perfetto"
	"github.com/sigview/sigview/trace"
)

// forest is the operations of a run as trees: an operation that is part of another lies
// within the step of it that covers its time, if nothing else does.
type forest struct {
	spans    []trace.SpanRow
	steps    [][]trace.StepRow // by operation
	children map[int][]int     // by operation: those within it, in the order of their begins
	roots    []int
}

// newForest makes the trees. Steps are in the order of spans.
func newForest(spans []trace.SpanRow, steps []trace.StepRow) *forest {
	f := &forest{spans: spans, steps: make([][]trace.StepRow, len(spans)), children: map[int][]int{}}
	type id struct {
		tag  trace.Tag
		span int64
	}
	at := map[id]int{}
	order := make([]int, len(spans))
	for i, s := range spans {
		order[i] = i
		if s.Span == 0 {
			continue // a phase
		}
		at[id{s.Tag, s.Span}] = i
		n := 0
		for n < len(steps) && steps[n].Tag == s.Tag && steps[n].Span == s.Span {
			n++
		}
		f.steps[i], steps = steps[:n], steps[n:]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(spans[a].BeginNs, spans[b].BeginNs), cmp.Compare(spans[b].EndNs, spans[a].EndNs))
	})
	for _, i := range order {
		parent, ok := at[id{spans[i].Tag, spans[i].Parent}]
		if spans[i].Parent != 0 && ok && parent != i && f.covers(parent, i) {
			f.children[parent] = append(f.children[parent], i)
		} else {
			f.roots = append(f.roots, i)
		}
	}
	return f
}

// covers reports whether a step of an operation covers another operation of its node, that
// begins when the last one within it has ended. Where the clocks' error makes steps overlap,
// none does.
func (f *forest) covers(parent, i int) bool {
	s, p := &f.spans[i], &f.spans[parent]
	if slices.ContainsFunc(f.steps[parent], func(x trace.StepRow) bool { return x.DurationNs < 0 }) {
		return false
	}
	if s.Node != p.Node || s.EndNs < s.BeginNs || f.stepAt(parent, s) < 0 {
		return false
	}
	within := f.children[parent]
	return len(within) == 0 || f.spans[within[len(within)-1]].EndNs <= s.BeginNs
}

// stepAt returns the step of an operation that covers another, -1 if none does.
func (f *forest) stepAt(parent int, s *trace.SpanRow) int {
	return slices.IndexFunc(f.steps[parent], func(x trace.StepRow) bool {
		return x.BeginNs <= s.BeginNs && s.EndNs <= x.BeginNs+x.DurationNs
	})
}

// write writes all operations, those of a node and a program on rows of their own.
func (f *forest) write(t *timeline) {
	type place struct {
		node int64
		tag  trace.Tag
		row  int32
	}
	rows := map[place]*lanes{}
	for _, i := range f.roots {
		s := &f.spans[i]
		p := place{s.Node, s.Tag, rowOperations}
		if s.Operation == string(trace.OpPhase) {
			p.row = rowPhases
		}
		if rows[p] == nil {
			rows[p] = &lanes{node: int32(s.Node), row: p.row, parent: t.nodes[s.Node], name: t.rowName(p.row)}
			if len(t.m.Tags) > 1 {
				rows[p].name += " of " + t.m.Program(s.Tag)
			}
		}
		begin, end := t.at(s.BeginNs), t.at(max(s.BeginNs, s.EndNs))
		f.slice(t, rows[p].free(t.w, begin, end), i)
	}
}

// slice writes an operation with its steps, and within these the operations that they cover.
func (f *forest) slice(t *timeline, track perfetto.Track, i int) {
	s := &f.spans[i]
	end := max(s.BeginNs, s.EndNs)
	slice := perfetto.Slice{Track: track, Name: cmp.Or(s.Name, s.Operation)}
	if s.Span != 0 {
		slice.Args = []perfetto.Arg{{Name: "span", Int: s.Span}, {Name: "tag", Int: int64(s.Tag)}, {Name: "packets", Int: s.Packets}, {Name: "bound_ns", Int: s.BoundNs}}
	}
	t.w.Begin(t.at(s.BeginNs), slice)
	at := s.BeginNs
	for n, x := range f.steps[i] {
		at = max(at, min(x.BeginNs, end)) // by the clocks' error it may be before
		t.w.Begin(t.at(at), perfetto.Slice{Track: track, Name: x.Step, Args: []perfetto.Arg{{Name: "node", Int: x.Node}}})
		for _, c := range f.children[i] {
			if f.stepAt(i, &f.spans[c]) == n {
				f.slice(t, track, c)
			}
		}
		at = max(at, min(x.BeginNs+x.DurationNs, end))
		t.w.End(t.at(at), track)
	}
	t.w.End(t.at(end), track)
}
