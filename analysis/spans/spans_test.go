package spans

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace"
)

// drawn is a made-up trace of a node: phases one after another, and operations in them, some
// of them part of others.
func drawn(t *rapid.T) (spans []trace.SpanRow, steps []trace.StepRow) {
	at, n := int64(0), int64(0)
	for _, name := range []string{"one", "two"} {
		begin := at
		for range rapid.IntRange(0, 20).Draw(t, "operations") {
			at += rapid.Int64Range(0, 50).Draw(t, "gap")
			n++
			s := trace.SpanRow{Span: n, Operation: rapid.SampledFrom([]string{"barrier", "page_fetch"}).Draw(t, "operation"), Node: 2, BeginNs: at}
			for i, step := range []string{"a", "b", "a"} {
				d := rapid.Int64Range(0, 9).Draw(t, "step")
				steps = append(steps, trace.StepRow{Span: n, Operation: s.Operation, Order: int64(i), Step: step, Node: 2, BeginNs: at, DurationNs: d})
				at += d
			}
			s.EndNs, s.DurationNs = at, at-s.BeginNs
			if rapid.Bool().Draw(t, "part") {
				s.Parent = rapid.Int64Range(1, 60).Draw(t, "parent")
			}
			spans = append(spans, s)
		}
		at++
		spans = append(spans, trace.SpanRow{Operation: string(trace.OpPhase), Name: name, Node: 2, BeginNs: begin, EndNs: at, DurationNs: at - begin})
	}
	return spans, steps
}

const kept = 10

func found(spans []trace.SpanRow, steps []trace.StepRow, batch int) Found {
	s := NewSums(kept)
	for part := range slices.Chunk(spans, batch) {
		s.AddSpans(part)
	}
	for part := range slices.Chunk(steps, batch) {
		s.AddSteps(part)
	}
	return s.Done()
}

// TestLongest compares with a stable sort of all operations of a kind.
func TestLongest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans, steps := drawn(t)
		got := found(spans, steps, rapid.IntRange(1, 9).Draw(t, "batch"))
		byKind := map[Kind][]trace.SpanRow{}
		for _, s := range spans {
			k := Kind{s.Tag, s.Operation, s.Name}
			byKind[k] = append(byKind[k], s)
		}
		require.Len(t, got.Longest, len(byKind))
		for k, all := range byKind {
			slices.SortStableFunc(all, func(a, b trace.SpanRow) int { return int(b.DurationNs - a.DurationNs) })
			list := got.Longest[k]
			require.Len(t, list, min(len(all), kept))
			for i, o := range list {
				require.Equal(t, all[i], o.SpanRow)
				for _, s := range o.Steps {
					require.Equal(t, o.Span, s.Span)
				}
				if k.Name == "" {
					require.Len(t, o.Steps, 3)
				}
				for _, p := range o.Parts {
					require.Equal(t, o.Span, p.Parent)
				}
			}
		}
	})
}

// TestSearch finds each operation with its steps and parts, and nothing that is not there.
func TestSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans, steps := drawn(t)
		id := ID{Span: rapid.Int64Range(1, 45).Draw(t, "span")}
		s := Search{ID: id}
		for part := range slices.Chunk(spans, 7) {
			s.AddSpans(part)
		}
		for part := range slices.Chunk(steps, 5) {
			s.AddSteps(part)
		}
		got := s.Done()
		at := slices.IndexFunc(spans, func(r trace.SpanRow) bool { return r.Span == id.Span })
		if at < 0 {
			require.Nil(t, got)
			return
		}
		require.Equal(t, spans[at], got.SpanRow)
		require.Len(t, got.Steps, 3)
		for _, st := range got.Steps {
			require.Equal(t, id.Span, st.Span)
		}
		parts := 0
		for _, r := range spans {
			if r.Parent == id.Span && r.Span != id.Span {
				parts++
			}
		}
		require.Len(t, got.Parts, parts)
	})
}

// TestPartsSumToTheWhole: on every level, and the phases to their durations, since
// operations follow each other in them.
func TestPartsSumToTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans, steps := drawn(t)
		whole := found(spans, steps, 5).Time[0]
		require.NotNil(t, whole)
		var ran, own int64
		exists := map[int64]bool{}
		for _, s := range spans {
			exists[s.Span] = s.Span > 0
			if s.Name != "" {
				ran += s.DurationNs
			}
		}
		require.Equal(t, ran, whole.Ns)
		var check func(p *Part)
		check = func(p *Part) {
			sum := int64(0)
			for _, q := range p.Parts {
				check(q)
				sum += q.Ns
				if q.Name == computing {
					own += q.Ns
				}
			}
			if len(p.Parts) > 0 {
				require.Equal(t, p.Ns, sum, p.Name)
			}
		}
		check(whole)
		for _, s := range spans {
			if s.Name == "" && (s.Parent == 0 || !exists[s.Parent]) {
				own += s.DurationNs
			}
		}
		require.Equal(t, ran, own, "operations that are part of none, and the rest")
	})
}

// told is what the tables of who waited for whom say, of which the test has the waiting only.
func told(t *testing.T, actors []trace.ActorRow, waits []trace.WaitRow, holds []trace.HoldRow) *account.Account {
	t.Helper()
	r := account.ReaderOf(account.Period{To: 1 << 40})
	require.NoError(t, r.Actors(actors))
	require.NoError(t, r.Waits(waits))
	require.NoError(t, r.Holds(holds))
	a, err := r.Account()
	require.NoError(t, err)
	return a
}

// TestBlockedInLine: who waits in line waits for each that has the place meanwhile, and for nobody while none has it.
func TestBlockedInLine(t *testing.T) {
	line := trace.Some(true)
	g := Blocked(told(t,
		[]trace.ActorRow{{Actor: 1, Type: "packet", Kind: "diff"}, {Actor: 2, Type: "packet", Kind: "data"}},
		[]trace.WaitRow{
			{Actor: 1, Resource: "port", Instance: 4, What: "waiting", EndPs: 100, Holder: 2, Line: line},
			{Actor: 1, Resource: "port", Instance: 4, What: "waiting", BeginPs: 20, EndPs: 50, Holder: 2, Line: line},
		},
		[]trace.HoldRow{
			{Resource: "port", Instance: 4, Actor: 1, EndPs: 30}, {Resource: "port", Instance: 4, Actor: 2, BeginPs: 40, EndPs: 100},
			{Resource: "port", Instance: 5, Actor: 2, EndPs: 100},
		}))
	require.EqualValues(t, 130, g.WaitedPs)
	require.EqualValues(t, 30+10+60+10, g.WithHolderPs)
	require.Equal(t, []Sum{{"data packets", 70}, {"diff packets", 40}, {"nobody known", 20}}, g.Holder)
}

func TestBlocked(t *testing.T) {
	g := Blocked(told(t,
		[]trace.ActorRow{{Actor: 1, Type: "packet", Kind: "diff"}, {Actor: 2, Type: "process", Name: "svm thread 3"}, {Actor: 3, Type: "packet", Kind: "diff"}},
		[]trace.WaitRow{
			{Actor: 1, Resource: "host_dma", Instance: 4, What: "waiting", EndPs: 10, Holder: 3},
			{Actor: 1, Resource: "host_dma", Instance: 4, What: "service", EndPs: 1000},
			{Actor: 2, Resource: "event", What: "waiting", EndPs: 1000, Holder: 3},
			{Actor: 2, Resource: "cpu", What: "waiting", EndPs: 5, Holder: 3},
			{Actor: 2, Resource: "host_dma", Instance: 1, What: "waiting", EndPs: 20, Holder: 1},
			{Actor: 3, Resource: "cpu", What: "waiting", BeginPs: 5, EndPs: 7},
		}, nil))
	require.Equal(t, []Edge{
		{"svm thread process", "diff packets", 25, []Use{{"host_dma", 1, 20}, {"cpu", 0, 5}}},
		{"diff packets", "diff packets", 10, []Use{{"host_dma", 4, 10}}},
		{"diff packets", "nobody known", 2, []Use{{"cpu", 0, 2}}},
	}, g.Edges)
	require.EqualValues(t, 37, g.WaitedPs)
	require.EqualValues(t, 35, g.WithHolderPs)
	require.Equal(t, []Sum{{"diff packets", 35}, {"nobody known", 2}}, g.Holder)
}
