package slowest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

const us = 1e6 // ps

// fetch is a page fetch of 100 µs whose reply waits for another packet's transfer, and
// what it is made of. The operation begins at 5 µs.
func fetch(t testing.TB) (*account.Account, []trace.SpanRow, []trace.StepRow) {
	t.Helper()
	log := waits.NewLog()
	thread := log.Begin(waits.Actor{Type: waits.Process, Name: "thread 0"}, waits.Interval{Resource: waits.CPU})
	service := log.Begin(waits.Actor{Type: waits.Handler, Node: 1, Name: "service 1"}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: 1})
	other := log.Begin(waits.Actor{Kind: trace.Diff, Tag: 1, Span: 8, Node: 1, Peer: 0, Number: 3, Cause: service}, waits.Interval{Resource: waits.HostDMA, Instance: 1, Begin: 25 * us})
	log.Hold(waits.Hold{Resource: waits.HostDMA, Instance: 1, Actor: other, Begin: 25 * us, End: 65 * us})
	log.End(other, 65*us)
	request := log.Begin(waits.Actor{Kind: trace.PageRequest, Tag: 1, Span: 7, Peer: 1, Cause: thread}, waits.Interval{Resource: waits.Port, Instance: 1, Begin: 15 * us})
	log.Turn(thread, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: 15 * us}, 0)
	log.End(request, 25*us)
	log.Turn(service, waits.Interval{Resource: waits.CPU, Instance: 1, Begin: 25 * us}, request)
	reply := log.Begin(waits.Actor{Kind: trace.PageReply, Tag: 1, Span: 7, Node: 1, Cause: service}, waits.Interval{Resource: waits.HostDMA, What: waits.Waiting, Instance: 1, Begin: 35 * us})
	log.Turn(service, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: 1, Begin: 35 * us}, 0)
	log.Turn(reply, waits.Interval{Resource: waits.HostDMA, Instance: 1, Begin: 65 * us}, 0)
	log.End(reply, 95*us)
	log.Turn(thread, waits.Interval{Resource: waits.CPU, Begin: 95 * us}, reply)
	log.Finish(200 * us)
	account, err := account.Resolve(log)
	require.NoError(t, err)
	op := string(trace.OpPageFetch)
	steps := []trace.StepRow{
		{Tag: 1, Span: 7, Operation: op, Step: string(trace.StepTrap), BeginNs: 5000, DurationNs: 10_000},
		{Tag: 1, Span: 7, Operation: op, Order: 1, Step: string(trace.StepReply), Node: 1, BeginNs: 15_000, DurationNs: 90_000},
	}
	spans := []trace.SpanRow{
		{Operation: string(trace.OpPhase), Name: "all", DurationNs: 1e6},
		{Tag: 1, Span: 7, Operation: op, BeginNs: 5000, EndNs: 105_000, DurationNs: 100_000},
		{Tag: 1, Span: 8, Operation: string(trace.OpDiffFlush), Parent: 7, Node: 1, BeginNs: 25_000, EndNs: 65_000, DurationNs: 40_000},
		{Tag: 1, Span: 9, Operation: op, Node: 1, DurationNs: 10},
		{Span: 7, Operation: op, Node: 1, DurationNs: 10}, // of another program
	}
	return account, spans, steps
}

func TestWaterfallOfAFetch(t *testing.T) {
	found := three(t)
	require.Len(t, found, 4)
	require.EqualValues(t, 0, found[0].Tag)
	require.Empty(t, found[0].Packets, "packets of another program's operation of the same number")
	o := found[2]
	require.Equal(t, "page_fetch", o.Operation)
	require.Equal(t, 2, o.Count)
	require.True(t, o.Longest)
	require.False(t, found[3].Longest)
	require.Equal(t, []Waiting{{Resource: waits.HostDMA, Length: 30 * us, Holder: 3}}, o.Waiting)
	require.Equal(t, "reply 90 %, trap 10 %", o.longestSteps())

	type line struct {
		sort, name string
		node       int
		begin, end int64
		holder     string
		bar        string
	}
	var got []line
	for _, r := range o.waterfall() {
		got = append(got, line{r.sort, r.name, r.node, r.begin / us, r.end / us, r.holder, o.bar(r)})
	}
	other := "diff packet 3 from node 1 to 0" // of the reply as long as the reply itself, and first
	require.Equal(t, []line{
		{"step", "trap", 0, 0, 10, "", "███"},
		{"step", "reply", 1, 10, 100, other, "  ██████████████████████"},
		{"operation", "diff_flush", 1, 20, 60, "", "    ███████████"},
		{"packet", "page-request to 1", 0, 10, 20, "", "  ███"},
		{"packet", "page-reply to 0", 1, 30, 90, "", "       ▒▒▒▒▒▒▒████████"},
		{"wait", "host_dma", 1, 30, 60, other, "       ▒▒▒▒▒▒▒▒"},
	}, got)
}

// find returns the longest operations of each kind.
func find(a *account.Account, operations []trace.SpanRow, steps []trace.StepRow, top int) []Operation {
	s := spans.NewSums(top)
	s.AddSpans(operations)
	s.AddSteps(steps)
	return Of(a, s.Done())
}

// three are the longest operations of fetch.
func three(t testing.TB) []Operation {
	a, operations, steps := fetch(t)
	return find(a, operations, steps, 3)
}

func TestViewForPrograms(t *testing.T) {
	data, err := json.Marshal(View(three(t), nil))
	require.NoError(t, err)
	var rows []struct {
		Operation string
		Span      int
		Duration  float64 `json:"duration_us"`
		Steps     []struct {
			Step     string
			Duration float64 `json:"duration_us"`
		}
		Waiting []struct {
			Resource, Holder string
			Waited           float64 `json:"waited_us"`
		}
		Waterfall []struct{ Sort, Name string }
	}
	require.NoError(t, json.Unmarshal(data, &rows))
	require.Len(t, rows[2].Waterfall, 6)
	require.Empty(t, rows[3].Waterfall)
	require.Equal(t, 100., rows[2].Duration)
	require.Equal(t, 100., rows[2].Steps[0].Duration+rows[2].Steps[1].Duration)
	require.Equal(t, 30., rows[2].Waiting[0].Waited)
}

// TestTheLongestOfEachKindAreFound compares with a search for each kind by itself.
func TestTheLongestOfEachKindAreFound(t *testing.T) {
	account, _, _ := fetch(t)
	rapid.Check(t, func(t *rapid.T) {
		var spans []trace.SpanRow
		byKind := map[string][]int64{}
		for i := range rapid.IntRange(0, 30).Draw(t, "spans") {
			s := trace.SpanRow{
				Span: int64(i + 100), Operation: rapid.SampledFrom([]string{"barrier", "page_fetch", "phase"}).Draw(t, "operation"),
				DurationNs: rapid.Int64Range(0, 10).Draw(t, "duration"),
			}
			spans = append(spans, s)
			byKind[s.Operation] = append(byKind[s.Operation], s.DurationNs)
		}
		top := rapid.IntRange(1, 4).Draw(t, "top")
		got := map[string][]int64{}
		longest := map[string]int{}
		for _, o := range find(account, spans, nil, top) {
			require.Equal(t, len(byKind[o.Operation]), o.Count)
			got[o.Operation] = append(got[o.Operation], o.DurationNs)
			if o.Longest {
				longest[o.Operation]++
				require.Len(t, got[o.Operation], 1, "the first is the longest")
			}
		}
		delete(byKind, "phase")
		require.Len(t, got, len(byKind))
		for kind, all := range byKind {
			require.Equal(t, 1, longest[kind])
			for range min(top, len(all)) {
				at := 0
				for i := range all {
					if all[i] > all[at] {
						at = i
					}
				}
				require.Equal(t, all[at], got[kind][0])
				all, got[kind] = append(all[:at:at], all[at+1:]...), got[kind][1:]
			}
			require.Empty(t, got[kind])
		}
	})
}
