package trace

import (
	"cmp"
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

// fetch is a page fetch of node 1 from node 0, as both took it down.
func fetch() []Mark {
	return []Mark{
		{Node: 0, Span: 4, Act: ActStep, Step: StepHandler, AtNs: 60_000, BoundNs: 90},
		{Node: 0, Span: 4, Act: ActStep, Step: StepReply, AtNs: 66_000},
		{Node: 1, Span: 4, Act: ActBegin, Operation: OpPageFetch, Step: StepTrap, Parent: 2, AtNs: 1_000},
		{Node: 1, Span: 4, Act: ActStep, Step: StepRequest, AtNs: 17_000},
		{Node: 1, Span: 4, Act: ActStep, Step: StepResume, AtNs: 150_000},
		{Node: 1, Span: 4, Act: ActEnd, AtNs: 160_000},
	}
}

func fetchPackets(noticedNs int64) iter.Seq[PacketRow] {
	return slices.Values([]PacketRow{
		{Kind: "page-request", Span: 4, Sender: 1, Receiver: 0, T3Ns: Some[int64](20_000), T6Ns: Some[int64](40_000), BoundNs: Some[int64](300)},
		{Kind: "page-reply", Span: 4, Sender: 0, Receiver: 1, T3Ns: Some[int64](80_000), T6Ns: Some[int64](130_000)},
		{Kind: "page-reply", Span: 4, Sender: 0, Receiver: 1, T3Ns: Some[int64](110_000), T6Ns: Some(noticedNs)},
		{Kind: "page-reply", Span: 5, Sender: 0, Receiver: 1, T3Ns: Some[int64](110_000), T6Ns: Some[int64](111_000)},
	})
}

type stageOf struct {
	name     string
	node     int64
	duration int64
}

func stagesOf(rows []StepRow) []stageOf {
	var out []stageOf
	for _, r := range rows {
		out = append(out, stageOf{r.Step, r.Node, r.DurationNs})
	}
	return out
}

// assembled collects the rows of operations.
func assembled(m *Marks, packets iter.Seq[PacketRow]) (spans []SpanRow, steps []StepRow, open int, err error) {
	a, err := m.Assemble(packets)
	spans, steps = slices.AppendSeq([]SpanRow{}, a.Spans()), slices.AppendSeq([]StepRow{}, a.Steps())
	return spans, steps, a.Open, cmp.Or(err, a.Err())
}

func TestAssemble(t *testing.T) {
	spans, stages, open, _ := assembled(MarksOf(fetch()...), nil)
	require.Zero(t, open)
	require.Equal(t, []SpanRow{{
		Span: 4, Operation: "page_fetch", Parent: 2, Node: 1, BeginNs: 1_000, EndNs: 160_000, DurationNs: 159_000, BoundNs: 90,
	}}, spans)
	require.Equal(t, []stageOf{{"trap", 1, 16_000}, {"request", 1, 43_000}, {"handler", 0, 6_000}, {"reply", 0, 84_000}, {"resume", 1, 10_000}}, stagesOf(stages))
	require.NoError(t, CheckSteps(slices.Values(spans), slices.Values(stages)))

	spans, stages, _, _ = assembled(MarksOf(fetch()...), fetchPackets(145_000))
	require.EqualValues(t, 3, spans[0].Packets)
	require.EqualValues(t, 300, spans[0].BoundNs)
	require.Equal(t, []stageOf{
		{"trap", 1, 16_000}, {"request", 1, 23_000}, {"queue", 0, 20_000}, {"handler", 0, 6_000},
		{"reply", 0, 79_000}, {"notice", 1, 5_000}, {"resume", 1, 10_000},
	}, stagesOf(stages))
	require.NoError(t, CheckSteps(slices.Values(spans), slices.Values(stages)))

	// The interface notices the end of the deposit after the program has.
	_, stages, _, _ = assembled(MarksOf(fetch()...), fetchPackets(155_000))
	require.Equal(t, []stageOf{{"reply", 0, 84_000}, {"notice", 1, 0}, {"resume", 1, 10_000}}, stagesOf(stages)[4:])
}

func TestAssembleCountsWhatIsCut(t *testing.T) {
	whole := fetch()
	for i, want := range []int{0, 0, 1, 0, 0, 1} { // without the begin, without the end
		marks := append(append([]Mark(nil), whole[:i]...), whole[i+1:]...)
		spans, stages, open, _ := assembled(MarksOf(marks...), nil)
		require.Equal(t, want, open, "without mark %d", i)
		require.Len(t, spans, 1-want)
		require.NoError(t, CheckSteps(slices.Values(spans), slices.Values(stages)))
	}
	_, _, open, _ := assembled(MarksOf(append(fetch(), fetch()...)...), nil)
	require.Equal(t, 1, open, "a number that came again")
	spans, _, open, _ := assembled(NewMarks(), nil)
	require.NotNil(t, spans, "a run without operations still has its table")
	require.Zero(t, open)
}

func TestPhases(t *testing.T) {
	mark := func(node int, tag Tag, name string, at int64) Mark {
		return Mark{Node: node, Tag: tag, Act: ActPhase, Name: name, AtNs: at}
	}
	spans, stages, open, _ := assembled(MarksOf([]Mark{
		mark(0, 0, "a", 10), mark(0, 1, "x", 15), mark(0, 0, "b", 30), mark(0, 0, "", 35), mark(0, 0, "c", 50), mark(0, 0, "", 60), mark(1, 0, "a", 11),
	}...), nil)
	require.Empty(t, stages)
	require.Equal(t, 2, open, "x, and a on node 1")
	var got [][3]any
	for _, s := range spans {
		require.NoError(t, CheckRow(&s))
		got = append(got, [3]any{s.Name, s.BeginNs, s.DurationNs})
	}
	require.Equal(t, [][3]any{{"a", int64(10), int64(20)}, {"b", int64(30), int64(5)}, {"c", int64(50), int64(10)}}, got)
}

// TestStagesAlwaysSum: whatever the nodes took down and in which order, the stages
// of an operation sum to it.
func TestStagesAlwaysSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var marks []Mark
		var packets []PacketRow
		for i := range rapid.IntRange(0, 60).Draw(t, "marks") {
			m := Mark{
				Node: rapid.IntRange(0, 3).Draw(t, "node"), Tag: Tag(rapid.IntRange(0, 1).Draw(t, "tag")),
				Span: Span(rapid.IntRange(1, 5).Draw(t, "span")), Act: Act(rapid.IntRange(0, 2).Draw(t, "act")),
				Operation: OpBarrier, Step: StepRequest, AtNs: int64(rapid.IntRange(-100, 1000).Draw(t, "at")),
			}
			marks = append(marks, m)
			if i%3 == 0 {
				packets = append(packets, PacketRow{
					Tag: m.Tag, Span: int64(m.Span), Kind: Kind(rapid.IntRange(0, int(Flag)).Draw(t, "kind")).String(),
					Sender: int64(m.Node), Receiver: int64(m.Node+1) % 4, T3Ns: Some(m.AtNs), T6Ns: Some(m.AtNs + 50),
				})
			}
		}
		spans, stages, _, _ := assembled(MarksOf(marks...), slices.Values(packets))
		if err := CheckSteps(slices.Values(spans), slices.Values(stages)); err != nil {
			t.Fatal(err)
		}
		if err := CheckRows(stages); err != nil {
			t.Fatal(err)
		}
	})
}

func TestCheckStages(t *testing.T) {
	spans, stages, _, _ := assembled(MarksOf(fetch()...), nil)
	for name, damage := range map[string]func(s []SpanRow, x []StepRow) ([]SpanRow, []StepRow){
		"begins at":           func(s []SpanRow, x []StepRow) ([]SpanRow, []StepRow) { x[2].DurationNs++; return s, x },
		"sum to":              func(s []SpanRow, x []StepRow) ([]SpanRow, []StepRow) { return s, x[:4] },
		"wanted page_fetch":   func(s []SpanRow, x []StepRow) ([]SpanRow, []StepRow) { x[1].Operation = "barrier"; return s, x },
		"the 0 stages":        func(s []SpanRow, x []StepRow) ([]SpanRow, []StepRow) { return s, nil },
		"belongs to no row":   func(s []SpanRow, x []StepRow) ([]SpanRow, []StepRow) { return nil, x },
		"the 5 stages of pag": func(s []SpanRow, x []StepRow) ([]SpanRow, []StepRow) { s[0].EndNs++; return s, x },
	} {
		s, x := damage(append([]SpanRow(nil), spans...), append([]StepRow(nil), stages...))
		require.ErrorContains(t, CheckSteps(slices.Values(s), slices.Values(x)), name)
	}
}

func TestNumbers(t *testing.T) {
	a, b := Numbers{Node: 0}, Numbers{Node: 1}
	seen := map[Span]bool{0: true}
	for range 1000 {
		for _, s := range []Span{a.Next(), b.Next()} {
			require.False(t, seen[s])
			seen[s] = true
		}
	}
}

// counter is Spans and Recorder that count.
type counter struct{ begun, staged, ended, phases, records int }

func (c *counter) Begin(Span, Operation, Step, Span) { c.begun++ }
func (c *counter) Step(Span, Step)                   { c.staged++ }
func (c *counter) End(Span)                          { c.ended++ }
func (c *counter) Phase(string)                      { c.phases++ }
func (c *counter) Record(bool)                       { c.records++ }

func TestInstrument(t *testing.T) {
	use := func(i Instrument) {
		i.Begin(1, OpFile, StepRequest, 0)
		i.Step(1, StepReply)
		i.End(1)
		i.Phase("x")
		i.Record(true)
	}
	use(Instrument{})
	c := &counter{}
	use(Instrument{Recorder: c})
	require.Equal(t, counter{records: 1}, *c)
	use(Instrument{c, c})
	require.Equal(t, counter{1, 1, 1, 1, 2}, *c)
	require.False(t, Instrument{}.On())
}
