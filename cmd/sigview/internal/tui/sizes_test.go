package tui

import (
	"testing"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
)

// TestLineOfTheOtherRunHasGaps: it joins neighbouring sizes only, and sizes without neighbours
// have marks.
func TestLineOfTheOtherRunHasGaps(t *testing.T) {
	var cols []analysis.Packets
	for _, hi := range []int64{32, 64, 512} {
		cols = append(cols, analysis.Packets{Sizes: trace.Sizes{SizeLoBytes: hi - 32, SizeHiBytes: hi}})
	}
	list := scene.OverSeries(cols, func(p *analysis.Packets) trace.Opt[float64] { return trace.Some(1000 * float64(p.SizeHiBytes)) })
	var line []float64
	for _, p := range list[0].Points {
		line = append(line, map[bool]float64{true: -1, false: p.Y}[p.Missing])
	}
	require.Equal(t, []float64{-1, 32, 64, -1, 512}, line)
	require.Len(t, list[1].Points, 1)
	require.Equal(t, 512.0, list[1].Points[0].Y)
}

// TestHistogramStepsByItsBins: each key goes to the next size bin that the histogram has.
func TestHistogramStepsByItsBins(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	s.show(2)
	rows, bySize, _ := scene.Bins(&s.Sel, s.Data())
	require.True(t, bySize)
	bins := map[trace.Sizes]bool{}
	for i := range rows {
		if rows[i].SizeHiBytes <= 512 {
			rows[i].Sizes = trace.Sizes{SizeHiBytes: 512} // wider than the bins of the signature
		}
		bins[rows[i].Sizes] = true
	}
	cols, _ := s.Sel.Columns(s.Data())
	require.Less(t, len(bins), len(cols))
	seen := map[trace.Sizes]bool{}
	for range bins {
		seen[scene.RowsOfSize(&s.Sel, rows)[0].Sizes] = true
		require.True(t, s.view().Act(&s.Scene, action.GoLeft))
		s.Settle()
	}
	require.Equal(t, bins, seen)
}

// TestReasonOfDashes: a size without percentiles says why, and what its class has.
func TestReasonOfDashes(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	p := analysis.Packets{Sizes: trace.Sizes{SizeLoBytes: 4064, SizeHiBytes: 4096}, Stats: []trace.Stat{{Stage: trace.Net}}}
	p.Stats[0].MeanNs = trace.Some(5e4)
	p.Stats[0].P50.Reason = "bins do not keep them apart"
	text := views.Unknown(&s.Scene, p, trace.Net)
	require.Contains(t, text, "no percentiles, and no interval, so that it is not judged (?): bins do not keep them apart; its class 4096: p50 ")
	p.Stats[0].P50 = trace.Percentile{Ns: trace.Some[int64](1)}
	require.Empty(t, views.Unknown(&s.Scene, p, trace.Net))
}
