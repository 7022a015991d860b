package tui

import (
	"bytes"
	"slices"
	"testing"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestSlicesAgreeWithWhatInterfacesKeep: by pair the means are those of the
// pairs' table, and over all pairs the counts are those of the signature.
func TestSlicesAgreeWithWhatInterfacesKeep(t *testing.T) {
	d := sample(t, "run", busy(2))
	counts := map[int64]int64{}
	for from := range d.Nodes {
		for to := range d.Nodes {
			sel := data.NewSelection()
			sel.Sender, sel.Receiver = from, to
			cols, note := sel.Columns(d)
			if from == to {
				require.Empty(t, cols)
				continue
			}
			require.Contains(t, note, "trace's packets")
			var sum, n float64
			for _, c := range cols {
				m := c.Stat(trace.Net)
				sum += m.MeanNs.Value * float64(m.Count)
				n += float64(m.Count)
				counts[c.SizeHiBytes] += c.Count()
				require.True(t, m.BaselineNs.OK, "%d B", c.SizeHiBytes)
			}
			kept, ok := sel.OfPair(d, from, to)
			require.True(t, ok)
			require.Equal(t, float64(kept.Count()), n)
			require.InEpsilon(t, kept.Stat(trace.Net).MeanNs.Value, sum/n, 0.001)
		}
	}
	for _, c := range d.Bins[trace.Group{Kind: trace.AllKinds}] {
		require.Equal(t, c.Count(), counts[c.SizeHiBytes], "%d B", c.SizeHiBytes)
	}
}

func TestSlicesByKindAndPart(t *testing.T) {
	d := sample(t, "run", busy(2))
	sel := data.NewSelection()
	sel.Sender = 1
	require.NoError(t, sel.SetKind("page-reply"))
	cols, _ := sel.Columns(d)
	require.NotEmpty(t, cols)
	for _, c := range cols {
		require.GreaterOrEqual(t, c.SizeHiBytes, int64(1024))
	}
	require.NoError(t, sel.SetKind("page-reply/later"))
	none, _ := sel.Columns(d)
	require.Empty(t, none, "the made-up trace has first packets only")
	rows, bySize, note := scene.Bins(&sel, d)
	require.Empty(t, rows)
	require.True(t, bySize)
	require.Contains(t, note, "trace")
}

// TestLongTraceIsSlicedAsFarAsItIsKept: the note says so, and what interfaces
// keep of all packets comes first.
func TestLongTraceIsSlicedAsFarAsItIsKept(t *testing.T) {
	d := sample(t, "run", busy(2))
	d.Packets.Total = 1_000_000
	sel := data.NewSelection()
	sel.Receiver = 2
	cols, note := sel.Columns(d)
	require.NotEmpty(t, cols[0].Class)
	require.Contains(t, note, "size class")
	require.NoError(t, sel.SetKind("data"))
	cols, note = sel.Columns(d)
	require.Empty(t, cols[0].Class)
	require.Contains(t, note, "first 2,340 of the trace's 1,000,000")

	s := NewState(look(t, "mono", cell.Block, cell.NoColour))
	s.Add(d)
	for view, kinds := range map[string]map[string]bool{"signature": {"all": true, "data": false}, "histogram": {"all": false, "data": false}, "percentiles": {"all": false}, "matrix": {"all": true}} {
		for kind, whole := range kinds {
			at, err := views.ViewOf(view)
			require.NoError(t, err)
			s.show(at)
			require.NoError(t, s.selectAfresh("receiver=2 kind="+kind))
			err = Write(&bytes.Buffer{}, s, 80, 24, "x.csv", "")
			if require.Equal(t, whole, err == nil, "%s of %s: %v", view, kind, err); !whole {
				require.ErrorContains(t, err, "from the first 2,340 of the trace's 1,000,000 packets")
			}
		}
	}
}

// TestSlicesAreComparedWithSlices: of a run without a trace there is no
// distribution of the same packets.
func TestSlicesAreComparedWithSlices(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	s.Sel.Sender, s.Sel.Receiver = 1, 2
	for _, v := range []int{1, 2, 4} {
		s.show(v)
		golden(t, views.Kinds[v].Name+"-pair.txt", Draw(s, 80, 24).String())
	}
	require.NotEmpty(t, views.SecondBins(&s.Scene, trace.Sizes{SizeLoBytes: 4064, SizeHiBytes: 4096}))
	plain := busy(2)
	plain.traced = false
	s.Runs[0] = sample(t, "before", plain)
	require.Empty(t, views.SecondBins(&s.Scene, trace.Sizes{SizeLoBytes: 4064, SizeHiBytes: 4096}))
	s.show(2)
	require.Contains(t, Draw(s, 140, 24).String(), "one of the two has no trace")
}

func TestBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64Range(0, 1<<50).Draw(t, "v")
		lo, hi := data.BinOf(v)
		require.True(t, lo <= v && v < hi)
		again, _ := data.BinOf(lo)
		last, _ := data.BinOf(hi - 1)
		next, _ := data.BinOf(hi)
		require.Equal(t, []int64{lo, lo, hi}, []int64{again, last, next}, "bins have no gaps")
		require.LessOrEqual(t, hi-lo, max(v/8, 1))
	})
	var total int64
	rows := data.BinsOf(trace.HistogramRow{}, []int64{-5, 0, 7, 100, 101, 5000})
	for _, r := range rows {
		total += r.Count
	}
	require.Equal(t, int64(6), total)
}

func TestPercentilesNeedPackets(t *testing.T) {
	values := make([]int64, 100)
	for i := range values {
		values[i] = int64(i)
	}
	require.Equal(t, int64(49), data.PercentileOf(values, 50).Ns.Value)
	require.Equal(t, int64(98), data.PercentileOf(values, 99).Ns.Value)
	require.Contains(t, data.PercentileOf(values[:99], 99).Reason, "at least 100")
	require.Contains(t, data.PercentileOf(values[:1], 50).Reason, "at least 2")
}

// TestMedianOfAnEvenCount is the lower of the two in the middle, of slices and operations
// alike, and the mean of a step is over the operations that have it.
func TestMedianOfAnEvenCount(t *testing.T) {
	require.Equal(t, int64(20), data.PercentileOf([]int64{10, 20, 30, 40}, 50).Ns.Value)
	var spans []trace.SpanRow
	for i, ns := range []int64{30_000, 10_000, 40_000, 20_000} {
		spans = append(spans, trace.SpanRow{Span: int64(i), Operation: "lock_acquire", DurationNs: ns})
	}
	steps := []trace.StepRow{{Operation: "lock_acquire", Step: "reply", DurationNs: 5_000}}
	of := analysis.Operations(slices.Values(spans), slices.Values(steps))[0]
	require.Equal(t, int64(20_000), of.Duration.Percentile(50))
	row := analysis.OperationsView([]analysis.Operation{of}, data.NameOf).Pick("step", "in", "mean_us", "p50_us").Rows
	require.Equal(t, []any{"whole", int64(4), 25.0, 20.0}, []any{row[0][0].Value, row[0][1].Value, row[0][2].Value, row[0][3].Value})
	require.Equal(t, []any{"reply", int64(1), 5.0, 5.0}, []any{row[1][0].Value, row[1][1].Value, row[1][2].Value, row[1][3].Value})
}
