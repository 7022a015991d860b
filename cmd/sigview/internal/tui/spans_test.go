package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// TestWayToTheSlowestOperation: enter leads from a kind to its longest operation with its
// packets, and from there to the timeline of its node at its time; esc leads back.
func TestWayToTheSlowestOperation(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys("5", "down")
	d := r.state.data()
	kind := r.state.Sel.listed(d)[1]
	list := d.longest(kind)
	require.Len(t, list, keptOperations)
	r.keys("enter", "down")
	o := list[1]
	require.Contains(t, r.text(), fmt.Sprintf("2 of the 10 longest: %s, span %d of node %d: %s", o.Operation, o.Span, o.Node, analysis.Time(float64(o.DurationNs))))
	packets, all := d.Packets.of(o)
	require.True(t, all)
	require.Len(t, packets, 1)
	k := packets[0]
	require.Contains(t, r.text(), fmt.Sprintf("%2d>%-2d %5dB %s", k.sender, k.receiver, k.size, k.kind))
	require.Equal(t, []int64{o.BeginNs, o.EndNs}, []int64{r.state.Sel.FromNs, r.state.Sel.ToNs})
	before := r.text()
	r.keys("+")
	require.NotEqual(t, before, r.text())
	r.keys("-", "enter")
	require.Equal(t, "timeline", kinds[r.state.View].name)
	require.EqualValues(t, o.Node, r.state.view().(*timelineView).lane.row)
	require.LessOrEqual(t, r.state.Sel.FromNs, o.BeginNs)
	require.GreaterOrEqual(t, r.state.Sel.ToNs, o.BeginNs)
	r.keys("esc")
	require.Contains(t, r.text(), "2 of the 10 longest")
	r.keys("esc")
	require.Contains(t, r.text(), "The longest, µs")
}

// TestPartsOfTime: the arrows and zooming move through the icicle, whose figures are those of
// its table.
func TestPartsOfTime(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys("5", "m", "m", "down", "right", "down", "down")
	parts, at := r.state.view().(*spansView).path.down(r.state.data().found.Time[0])
	require.Equal(t, []int{1, 0, 0}, at)
	require.Contains(t, r.text(), fmt.Sprintf("all nodes › node 1 › %s › %s", parts[2].Name, parts[3].Name))
	require.Contains(t, r.text(), analysis.Time(float64(parts[3].Ns)))
	r.keys("up", "up", "+")
	require.NotContains(t, strings.Join(strings.Split(r.text(), "\n")[4:15], ""), "node 2")
	r.keys("-")
	require.Contains(t, r.text(), "node 2")
	r.keys("enter")
	require.Equal(t, "timeline", kinds[r.state.View].name)
	require.Equal(t, 1, r.state.view().(*timelineView).lane.row)
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
	s.add(d)
	require.NoError(t, s.goTo(Place{"spans", "metric=3"}))
	s.Runs[0] = d.withExplained(&explain.Brief{Note: "no log"})
	require.Contains(t, Draw(s, 80, 24).String(), "no log.")
	s.Runs[0] = d.withExplained(&explain.Brief{Graph: spans.Blocked(account)})
	golden(t, "spans-blocked.txt", Draw(s, 80, 24).String())
}
