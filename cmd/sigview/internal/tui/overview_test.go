package tui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
)

// told is what a made-up trace tells.
func told() *explain.Brief {
	node := 1
	return &explain.Brief{
		Findings: []causal.Finding{{
			Rank: 1, Grade: trace.Attributed, Cause: "receivers without room", Culprit: "data packets (90.0 %) of node 1", Node: &node, Share: 0.25,
			Evidence: []string{"data packet 7 from node 0 to 1 waits 9.0 µs"}, Commands: []causal.Command{{To: "see", Select: "row=1 from=20000000 to=21000000"}}, Text: "Receivers without room have 25.0 % of the run time.",
		}},
		Activity: activity.Activity{Length: 240e6, Phases: []activity.Phase{
			{Number: 1, To: 60e6, Packets: 9, Last: 2, Wait: 5e5}, {Number: 2, From: 60e6, To: 240e6, Packets: 90, Last: -1},
		}},
	}
}

// TestOverviewTellsWhatTheTraceTells in all sizes, once the trace is explained.
func TestOverviewTellsWhatTheTraceTells(t *testing.T) {
	shell := newShell(t)
	r := newRig(t, shell, "before")
	r.state.Refine(r.state.Data(), r.state.Data().WithExplained(told()))
	r.Keys("0")
	for _, size := range [][2]int{{60, 18}, {80, 24}, {120, 36}, {200, 60}} {
		text := Draw(r.state, size[0], size[1]).String()
		require.Contains(t, text, "attributed     25.0 %  receivers without room")
		require.Contains(t, text, "2 phases; the longest, 2: 60")
		require.Contains(t, text, "Longest: data packet 7")
	}
	require.Contains(t, r.Text(), "2 phases; the longest, 2: 60.0 to 240.0 ms, 75.0 % of the run")
	r.Keys("down")
	require.Contains(t, r.Text(), "a full queue (9 of 8)")
	r.Keys("up", "enter")
	require.Equal(t, "timeline", views.Kinds[r.state.View].Name)
	require.Equal(t, "from=20000000 to=21000000 row=1", r.state.Text())
	r.Keys("esc", "down", "enter")
	require.Equal(t, "at=5000000 row=1", r.state.Text())

	damage(t, "before/stages.arrow")
	r = newRig(t, shell, "before")
	r.Keys("0", "w")
	require.Contains(t, r.Text(), "stages.arrow")
}

// TestFindingsAreTheWorstFirst: by their share of the run time, those of few packets last.
func TestFindingsAreTheWorstFirst(t *testing.T) {
	d := sample(t, "busy", busy(2)).WithExplained(told())
	found := d.Findings
	require.True(t, slices.IsSortedFunc(found, func(a, b data.Finding) int {
		if a.Last != b.Last {
			return map[bool]int{true: 1, false: -1}[a.Last]
		}
		return cmp.Or(cmp.Compare(b.Cost.Value, a.Cost.Value), cmp.Compare(b.Waits, a.Waits))
	}))
	above := 0
	for _, f := range d.Diagnosis.Findings {
		if (f.Level == analysis.Above || f.Level == analysis.Below) && f.Stage != trace.NetMinusLANai {
			above++
			require.True(t, slices.ContainsFunc(found, func(c data.Finding) bool { return c.Grade == trace.Seen && c.Text() == f.Sentence(false) }), f.Brief())
		}
	}
	require.Len(t, found, above+1)
}

// TestNodeTimesAreThoseOfTheReport: each share is the mean that the report has, and each bar
// as long as its node runs.
func TestNodeTimesAreThoseOfTheReport(t *testing.T) {
	d := sample(t, "busy", busy(2))
	d.Run.Manifest.Shares = []trace.Shares{
		{Node: 0, RunTimeNs: 100e6, ComputingNs: 50e6, PageWaitNs: 40e6, LockNs: 10e6},
		{Node: 1, RunTimeNs: 50e6, ComputingNs: 40e6, BarrierNs: 10e6},
	}
	c := cell.New(40, 10, cell.ASCII)
	views.DrawNodeTimes(c, d, 0)
	text := c.String()
	v := analysis.RunTimeView(d.Run.Manifest.Shares, true)
	columns, rows := v.Shown(true)
	for i, col := range columns {
		if slices.Contains([]string{"comp.", "pages", "locks", "barriers"}, col.Name) {
			require.Contains(t, text, col.Name+" "+rows[2][i].Text+" %")
		}
	}
	require.Contains(t, text, "0 "+strings.Repeat("c", 18)+strings.Repeat("p", 14)+strings.Repeat("l", 3)+"\n")
	require.Contains(t, text, "1 "+strings.Repeat("c", 14)+strings.Repeat("b", 4)+"\n")
}

// study is the answer of a made-up test: what the host-DMA engine costs is known.
func study() *why.Explanation {
	s := why.Study{Workload: "fft", Programs: []string{"fft"}, Seeds: []uint64{1, 2}, Parts: []why.Part{{trace.HDMA}}, Outcomes: map[why.Variant][]why.Outcome{}}
	for i, ns := range map[why.Variant]float64{{}: 100e6, {Free: why.First(1)}: 80e6, why.Fast(0): 90e6} {
		for k := range s.Seeds {
			s.Outcomes[i] = append(s.Outcomes[i], why.Outcome{Programs: []why.Program{{RunTimeNs: ns + float64(k)*1000}}})
		}
	}
	x := why.Explain(s)
	return &x
}

// TestCauseIsTested: W runs the test, its answer is among the findings, and enter shows the
// split as the report has it.
func TestCauseIsTested(t *testing.T) {
	shell := newShell(t)
	shell.why = func(_ context.Context, dir string, watch experiment.Watch) (*why.Explanation, error) {
		require.Equal(t, "before", dir)
		watch(experiment.Progress{Stage: "pci free", Done: 1, Total: 4})
		return study(), nil
	}
	r := newRig(t, shell, "before")
	r.Keys("W")
	require.Empty(t, r.state.Testing)
	require.Contains(t, r.state.Note, "tested")
	require.Contains(t, r.Text(), "tested         20.0 %  20.00 ms saved when nothing waits for the host-DMA engine")
	r.Keys("enter")
	for _, line := range strings.Split(report.Text(report.Why{Explanation: *study()}, report.Style{Width: 98}), "\n")[:8] {
		require.Contains(t, r.Text(), line)
	}
	r.send(tea.WindowSizeMsg{Width: 80, Height: 18})
	r.Keys("down")
	require.NotContains(t, r.Text(), "Why fft on")
	r.Keys("esc")
	require.Contains(t, r.Text(), "Findings, worst")

	shell.tested = study()
	require.Contains(t, newRig(t, shell, "before").Text(), "tested         20.0 %")
}

// TestTestOfACauseCanBeStopped, and a failure gives a message.
func TestTestOfACauseCanBeStopped(t *testing.T) {
	shell := newShell(t)
	shell.why = func(ctx context.Context, _ string, _ experiment.Watch) (*why.Explanation, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	r := newRig(t, shell, "before")
	cmd := r.test()
	require.Contains(t, r.Text(), "Testing the cause")
	r.Keys("W")
	require.Contains(t, r.state.Note, "in progress")
	r.Keys("x")
	r.run(cmd, 0)
	require.Contains(t, r.state.Note, "stopped")
	require.Nil(t, r.tester)

	shell.why = func(context.Context, string, experiment.Watch) (*why.Explanation, error) {
		return nil, errors.New("no specification")
	}
	r = newRig(t, shell, "before")
	r.Keys("W")
	require.Contains(t, r.Text(), "no specification")
	require.Contains(t, newRig(t, shell).textAfter("W"), "no finished run")
}

func (r *rig) textAfter(keys ...string) string {
	r.Keys(keys...)
	return r.Text()
}
