package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
)

// TestWayToTheSlowestOperation: enter leads from a kind to its longest operation with its
// packets, and from there to the timeline of its node at its time; esc leads back.
func TestWayToTheSlowestOperation(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("5", "down")
	d := r.state.Data()
	kind := views.Listed(&r.state.Sel, d)[1]
	list := views.Longest(d, kind)
	require.Len(t, list, data.KeptOperations)
	r.Keys("enter", "down")
	o := list[1]
	require.Contains(t, r.Text(), fmt.Sprintf("2 of the 10 longest: %s, span %d of node %d: %s", o.Operation, o.Span, o.Node, analysis.Time(float64(o.DurationNs))))
	packets, all := views.Of(d.Packets, o)
	require.True(t, all)
	require.Len(t, packets, 1)
	k := packets[0]
	require.Contains(t, r.Text(), fmt.Sprintf("%2d>%-2d %5dB %s", k.Sender, k.Receiver, k.Size, k.Kind))
	require.Equal(t, []int64{o.BeginNs, o.EndNs}, []int64{r.state.Sel.FromNs, r.state.Sel.ToNs})
	before := r.Text()
	r.Keys("+")
	require.NotEqual(t, before, r.Text())
	r.Keys("-", "enter")
	require.Equal(t, "timeline", views.Kinds[r.state.View].Name)
	require.EqualValues(t, o.Node, r.state.view().(*views.TimelineView).Lane.Row)
	require.LessOrEqual(t, r.state.Sel.FromNs, o.BeginNs)
	require.GreaterOrEqual(t, r.state.Sel.ToNs, o.BeginNs)
	r.Keys("esc")
	require.Contains(t, r.Text(), "2 of the 10 longest")
	r.Keys("esc")
	require.Contains(t, r.Text(), "The longest, µs")
}

// TestPartsOfTime: the arrows and zooming move through the icicle, whose figures are those of
// its table.
func TestPartsOfTime(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("5", "m", "m", "down", "right", "down", "down")
	parts, at := r.state.view().(*views.SpansView).Path.Down(r.state.Data().Found.Time[0])
	require.Equal(t, []int{1, 0, 0}, at)
	require.Contains(t, r.Text(), fmt.Sprintf("all nodes › node 1 › %s › %s", parts[2].Name, parts[3].Name))
	require.Contains(t, r.Text(), analysis.Time(float64(parts[3].Ns)))
	r.Keys("up", "up", "+")
	require.NotContains(t, strings.Join(strings.Split(r.Text(), "\n")[4:15], ""), "node 2")
	r.Keys("-")
	require.Contains(t, r.Text(), "node 2")
	r.Keys("enter")
	require.Equal(t, "timeline", views.Kinds[r.state.View].Name)
	require.Equal(t, 1, r.state.view().(*views.TimelineView).Lane.Row)
}

// TestWhoWaited: the picture has the edges of the graph, and says when there is none.
func TestWhoWaited(t *testing.T) {
	reader := account.ReaderOf(account.Period{To: 1 << 40})
	require.NoError(t, reader.Actors([]trace.ActorRow{{Actor: 1, Type: "packet", Kind: "diff"}, {Actor: 2, Type: "process", Name: "svm thread 3"}}))
	require.NoError(t, reader.Waits([]trace.WaitRow{{Actor: 1, Resource: "cpu", What: "waiting", EndPs: 1e9}, {Actor: 2, Resource: "cpu", What: "waiting", EndPs: 3e9, Holder: 1}}))
	account, err := reader.Account()
	require.NoError(t, err)
	s := NewState(look(t, "mono", cell.Braille, cell.NoColour))
	d := sample(t, "run", busy(2))
	s.Add(d)
	require.NoError(t, s.goTo(data.Place{View: "spans", Sel: "metric=3"}))
	s.Runs[0] = d.WithExplained(&explain.Brief{Note: "no log"})
	require.Contains(t, Draw(s, 80, 24).String(), "no log.")
	s.Runs[0] = d.WithExplained(&explain.Brief{Graph: spans.Blocked(account)})
	golden(t, "spans-blocked.txt", Draw(s, 80, 24).String())
}
