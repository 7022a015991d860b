package tui

import (
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/stretchr/testify/require"
)

// TestMarksMeasureAndSelect: the time between two marks is said, and M selects it for the other views.
func TestMarksMeasureAndSelect(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("6", "M")
	require.Contains(t, r.state.Note, "not two marks")
	r.Keys("l", "l", "l", ">")
	require.Contains(t, r.Text(), "> 12.000000 ms")
	r.Keys("h", "h", "<")
	require.Contains(t, r.Text(), "< 4.000000 ms, > 12.000000 ms, 8.000 ms between")
	r.Keys("l")
	require.Regexp(t, `<[─┴▲]+>`, r.Text(), "on the axis")
	again := r.state.Text()
	require.Contains(t, again, "marks=4000000-12000000")
	require.NoError(t, r.state.selectAfresh(again))
	require.Equal(t, again, r.state.Text())

	all := r.state.Data().Packets.Total
	r.Keys("M")
	require.Equal(t, [2]int64{4_000_000, 12_000_000}, [2]int64{r.state.Sel.FromNs, r.state.Sel.ToNs})
	r.Keys("1")
	require.Contains(t, r.line2(), "4.000 to 12.000 ms")
	cols, _ := r.state.Sel.Columns(r.state.Data())
	some := int64(0)
	for _, c := range cols {
		some += c.Count()
	}
	require.Positive(t, some)
	require.Less(t, some, all/10)
	r.undo()
	r.undo()
	require.Equal(t, "timeline", views.Kinds[r.state.View].Name)
	require.Zero(t, r.state.Sel.ToNs)
	require.Error(t, r.state.selectBy("marks=4"))
	require.Error(t, r.state.selectBy("marks=a-b"))
}
