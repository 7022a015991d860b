package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// withOperations adds a lock, two page fetches and a phase of two nodes.
func withOperations(t testing.TB, run trace.Run) trace.Run {
	t.Helper()
	mark := func(s trace.Span, act trace.Act, op trace.Operation, step trace.Step, at int64) trace.Mark {
		return trace.Mark{Span: s, Act: act, Operation: op, Step: step, AtNs: at}
	}
	a, err := trace.MarksOf([]trace.Mark{
		{Act: trace.ActPhase, Name: "rows 1", AtNs: 0}, {Act: trace.ActPhase, AtNs: 1_500_000},
		{Node: 1, Act: trace.ActPhase, Name: "rows 1", AtNs: 0}, {Node: 1, Act: trace.ActPhase, AtNs: 1_700_000},
		mark(7, trace.ActBegin, trace.OpPageFetch, trace.StepTrap, 1_000), mark(7, trace.ActStep, "", trace.StepRequest, 16_000),
		mark(7, trace.ActStep, "", trace.StepReply, 100_000), mark(7, trace.ActEnd, "", "", 250_000),
		mark(8, trace.ActBegin, trace.OpPageFetch, trace.StepTrap, 300_000), mark(8, trace.ActStep, "", trace.StepRequest, 320_000),
		mark(8, trace.ActStep, "", trace.StepReply, 400_000), mark(8, trace.ActEnd, "", "", 440_000),
		mark(9, trace.ActBegin, trace.OpLockAcquire, trace.StepRequest, 500_000), mark(9, trace.ActStep, "", trace.StepHeld, 550_000),
		mark(9, trace.ActEnd, "", "", 900_000),
	}...).Assemble(nil)
	require.NoError(t, err)
	run.Spans, run.Steps = a.Spans(), a.Steps()
	require.Len(t, slices.Collect(run.Spans), 5)
	return run
}

func TestOperationsSection(t *testing.T) {
	run := sample(t)
	require.NotContains(t, Text(Of(run), Style{}), "Operations")
	r := Of(withOperations(t, run))
	goldie.New(t, golden...).Assert(t, "operations80", []byte(Style{}.render(r.operations())))
	for _, text := range []string{Text(r, Style{}), Markdown(r), HTML(r)} {
		require.Contains(t, text, "Operations")
		require.Contains(t, text, "Phases")
		require.Contains(t, text, "rows 1")
	}
	for _, line := range strings.Split(Text(r, Style{Width: 80}), "\n") {
		require.LessOrEqual(t, len([]rune(line)), 80, line)
	}
}

func TestOperationsInJSON(t *testing.T) {
	type times struct {
		Count  int64    `json:"count"`
		MeanUs float64  `json:"mean_us"`
		P50Us  float64  `json:"p50_us"`
		P99Us  float64  `json:"p99_us"`
		MaxUs  float64  `json:"max_us"`
		Share  *float64 `json:"share"`
		Stage  string   `json:"stage"`
	}
	var doc struct {
		Operations []struct {
			times
			Operation string  `json:"operation"`
			Name      string  `json:"name"`
			Stages    []times `json:"stages"`
		} `json:"operations"`
	}
	data, err := JSON(Of(sample(t)))
	require.NoError(t, err)
	require.Contains(t, string(data), `"operations": []`)
	data, err = JSON(Of(withOperations(t, sample(t))))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Len(t, doc.Operations, 3)
	fetch := doc.Operations[1]
	require.Equal(t, "page_fetch", fetch.Operation)
	require.Equal(t, times{Count: 2, MeanUs: 194.5, P50Us: 140, P99Us: 249, MaxUs: 249}, fetch.times)
	sum := 0.0
	for _, s := range fetch.Stages {
		sum += *s.Share
	}
	require.InDelta(t, 1, sum, 1e-12)
	require.Equal(t, "rows 1", doc.Operations[2].Name)
	require.Empty(t, doc.Operations[2].Stages)
}

func TestGapsSection(t *testing.T) {
	run := sample(t)
	require.NotContains(t, Text(Of(run), Style{}), "Gaps")
	run.Gaps = []trace.GapRow{
		{Node: 1, Lost: 2, Why: trace.NoClock, ToNs: trace.Some[int64](1500)},
		{Node: 1, Lost: 5, Why: trace.RingFull, FromNs: trace.Some[int64](2000), ToNs: trace.Some[int64](3000)},
		{Node: 1, Lost: 9, Why: trace.RingFull, FromNs: trace.Some[int64](4000)},
	}
	text := Text(Of(run), Style{})
	require.Regexp(t, `1 +1 +2 +2 +start +1\.50 +no clock table`, text)
	require.Regexp(t, `1 +2 +14 +9 +2\.00 +end +ring full`, text)
	var doc struct {
		Gaps []struct {
			Lost int      `json:"lost"`
			ToUs *float64 `json:"to_us"`
		} `json:"gaps"`
	}
	data, err := JSON(Of(run))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Equal(t, 14, doc.Gaps[1].Lost)
	require.Nil(t, doc.Gaps[1].ToUs)
}

func TestOnlineSection(t *testing.T) {
	run := sample(t)
	require.NotContains(t, Text(Of(run), Style{}), "Found while")
	for i := range 12 {
		run.Online = append(run.Online, trace.OnlineRow{
			TimeNs: int64(i) * 1_500_000, Node: 2, Policy: "homes", Finding: "a finding", Evidence: "its evidence", Action: "Nothing is done",
		})
	}
	text := Text(Of(run), Style{})
	require.Contains(t, text, "- 1.500 ms, node 2: a finding (its evidence). Nothing is done.\n")
	require.Contains(t, text, "- 4 more are in the table online.\n")
	var doc struct {
		Online []struct {
			TimeUs float64 `json:"time_us"`
			Action string  `json:"action"`
		} `json:"online"`
	}
	data, err := JSON(Of(run))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Len(t, doc.Online, 12)
	require.Equal(t, 1500., doc.Online[1].TimeUs)
	require.Equal(t, "Nothing is done", doc.Online[0].Action)
}
