package tui

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
)

// withBadNode is a run of many nodes of which one receives late.
func withBadNode(t *testing.T, nodes, bad int) *data.Data {
	t.Helper()
	l := busy(2)
	l.nodes, l.traced, l.packets = nodes, false, map[int]int{64: 1}
	run := l.make(t)
	for i := range run.Pairs {
		if p := &run.Pairs[i]; p.Receiver == int64(bad) && p.Stage == trace.Net {
			p.MeanNs.Value += 40_000
		}
	}
	for i := range nodes {
		run.Manifest.Shares = append(run.Manifest.Shares, trace.Shares{Node: i, RunTimeNs: 1000, ComputingNs: 500 + int64(i), MessagingNs: 500 - int64(i)})
	}
	return data.NewData("many", run, nil)
}

// TestTheBadNodeIsFirst: the table of nodes opens on the column in which one node is unlike the others.
func TestTheBadNodeIsFirst(t *testing.T) {
	r := newRig(t, newShell(t))
	r.state.Add(withBadNode(t, 64, 37))
	r.Keys("m")
	require.Contains(t, r.Text(), "Nodes by Net, µs, largest first")
	require.Regexp(t, `^▶ +37 `, r.marked()[0])
	require.Contains(t, r.Text(), "the median of 64 nodes")
	r.Keys("enter")
	require.Equal(t, "matrix", views.Kinds[r.state.View].Name, "without a trace")
	require.Equal(t, 37, r.state.Sel.Sender)
}

// TestNodesAreOrderedByAnyColumn in both orders, at every size, with the column in view.
func TestNodesAreOrderedByAnyColumn(t *testing.T) {
	r := newRig(t, newShell(t))
	r.state.Add(withBadNode(t, 64, 37))
	r.state.Look = look(t, "mono", cell.Braille, cell.NoColour)
	r.Keys("m")
	v := viewOf[*views.OverviewView](r)
	columns := len(v.Nodes.View(&r.state.Scene).Columns)
	require.Equal(t, 9, columns)
	seen := map[string]bool{}
	for range columns {
		r.Keys("l")
		for range 2 {
			r.Keys("O")
			var figures []float64
			at, rising := v.Nodes.By(v.Nodes.View(&r.state.Scene))
			for _, row := range v.Nodes.View(&r.state.Scene).Rows {
				x, err := strconv.ParseFloat(strings.Fields(row[at].Text)[0], 64)
				require.NoError(t, err)
				figures = append(figures, x)
			}
			require.Len(t, figures, 64)
			mark := " ▲"
			if !rising {
				mark = " ▼"
				slices.Reverse(figures)
			}
			require.True(t, slices.IsSorted(figures), name(v, r, at))
			seen[name(v, r, at)] = true
			for _, size := range sizes {
				c := Draw(r.state, size[0], size[1])
				checkSize(t, c, size)
				require.Contains(t, c.String(), name(v, r, at)+mark, size)
			}
		}
	}
	require.Len(t, seen, columns)
}

// name is the heading of a column of the table of nodes.
func name(v *views.OverviewView, r *rig, column int) string {
	return v.Nodes.View(&r.state.Scene).Columns[column].Name
}
