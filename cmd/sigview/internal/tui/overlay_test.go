package tui

import (
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
)

// TestOneRun draws every view without a run laid over, and the matrix of
// differences with one.
func TestOneRun(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	s.View = 3
	require.NoError(t, s.selectBy("metric=3"))
	s.Sel.Sender, s.Sel.Receiver = 1, 2
	golden(t, "matrix-difference.txt", Draw(s, 80, 24).String())
	s.Over = -1
	require.Contains(t, Draw(s, 80, 24).String(), "no run laid over")
	s.views = views.FreshViews()
	s.Sel = data.NewSelection()
	for i, v := range views.Kinds {
		s.show(i)
		golden(t, v.Name+"-single.txt", Draw(s, 80, 24).String())
	}
}

// TestSecondRunIsInEveryView: its marks and the difference go when it goes.
func TestSecondRunIsInEveryView(t *testing.T) {
	s := two(t, look(t, "mono", cell.ASCII, cell.NoColour))
	s.Sel.Sender, s.Sel.Receiver = data.Everyone, data.Everyone
	for i, v := range views.Kinds {
		if v.Name == "LogP" {
			continue
		}
		s.show(i)
		if v.Name == "matrix" {
			s.Sel.Sender, s.Sel.Receiver = 0, 1
		}
		with := Draw(s, 120, 40).String()
		s.Over = -1
		without := Draw(s, 120, 40).String()
		s.Over = 0
		body := func(text string) string { return strings.Join(strings.Split(text, "\n")[3:], "\n") }
		require.NotEqual(t, body(with), body(without), v.Name)
		if v.Name != "compare" {
			require.Contains(t, with, "other", v.Name)
			require.NotContains(t, body(without), "other run", v.Name)
		}
		s.Sel = data.NewSelection()
	}
}

// TestSecondRunOfAnotherShape: fewer nodes, no trace, no clock, nothing at all.
func TestSecondRunOfAnotherShape(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	small := busy(5)
	small.nodes, small.traced = 2, false
	s.Runs[0] = sample(t, "small", small)
	s.Compared = data.NewCompared(s.Second(), s.Data())
	want := map[string]string{"spans": "was not traced", "timeline": "was not traced"}
	for i, v := range views.Kinds {
		s.show(i)
		require.NoError(t, s.selectBy("row=3"))
		require.Contains(t, Draw(s, 120, 40).String(), want[v.Name], v.Name)
		if v.Name == "clock" {
			require.Contains(t, Draw(s, 120, 40).String(), "no node 3")
		}
	}
	s.Runs[0] = data.NewData("bare", bare(t), nil)
	s.Compared = nil
	for i := range views.Kinds {
		s.show(i)
		Draw(s, 120, 40)
	}
}

func TestTablesHoldTheSecondRun(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	for i, v := range views.Kinds {
		s.show(i)
		tb := s.view().Table(&s.Scene)
		var runs, differences int
		for _, r := range tb.Rows {
			require.Len(t, r, len(tb.Columns), v.Name)
			for k, c := range tb.Columns {
				if c.Key == "run" && r[k].Value == "before" {
					runs++
				}
				if c.Key == "difference_us" && r[k].Value != nil {
					differences++
				}
			}
		}
		if v.Name != "LogP" {
			require.Positive(t, runs+differences, v.Name)
		}
	}
}

func TestPairDifference(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	s.Sel.Stage = trace.Dest
	m := &views.MatrixView{Metric: views.PairDifference}
	v := m.Value(&s.Scene, 0, 1)
	require.True(t, v.OK)
	require.InDelta(t, 8.8, v.Value, 1, "Dest is 8.8 µs slower")
	s.Runs[1], s.Runs[0] = s.Runs[0], s.Runs[1]
	require.InDelta(t, -v.Value, m.Value(&s.Scene, 0, 1).Value, 1e-9)
}

func TestMeanOf(t *testing.T) {
	mean, half := data.MeanOf(nil)
	require.False(t, mean.OK || half.OK)
	mean, half = data.MeanOf([]int64{1, 3})
	require.Equal(t, 2.0, mean.Value)
	require.False(t, half.OK, "too few for an interval")
	values := make([]int64, 100)
	for i := range values {
		values[i] = int64(i % 2)
	}
	mean, half = data.MeanOf(values)
	require.Equal(t, 0.5, mean.Value)
	require.InDelta(t, 1.96*0.0502519, half.Value, 1e-6)
}
