package scene

import (
	"cmp"
	"math"
	"slices"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/trace"
)

// Bins returns the latency bins of the selected stage as interfaces keep them: by
// size over all kinds, or of one kind over all sizes. They keep none by sender or
// receiver; a trace has them.
func Bins(s *data.Selection, d *data.Data) (rows []trace.HistogramRow, bySize bool, note string) {
	stage := s.HistStage()
	if s.Stage != stage {
		note = d.StageName(s.Stage) + " is a difference of means and has no histogram: Net is shown instead. "
	}
	if s.Sliced(d) {
		return s.Slice(d).Bins[stage], true, note + "Counted " + s.SliceNote(d) + ". "
	}
	bySize = s.Kind == trace.AllKinds
	return d.Hists[data.HistKey{Group: s.Group(), Stage: stage, BySize: bySize}], bySize, note
}

// RowsOfSize returns the latency bins of the size at the cursor.
func RowsOfSize(s *data.Selection, rows []trace.HistogramRow) []trace.HistogramRow {
	best := lists.Nearest(rows, func(r *trace.HistogramRow) float64 { return math.Abs(float64(r.SizeHiBytes - s.SizeBytes)) })
	return lists.Filter(rows, func(r trace.HistogramRow) bool { return r.Sizes == rows[best].Sizes })
}

// LatencyCursor returns the index of the bin at or nearest to the cursor.
func LatencyCursor(s *data.Selection, rows []trace.HistogramRow) int {
	return lists.Nearest(rows, func(r *trace.HistogramRow) float64 { return math.Abs(float64(r.LatencyLoNs - s.LatencyNs)) })
}

// Step is one point of a cumulative distribution: this share of the packets has
// at most this latency.
type Step struct {
	Share float64
	Us    float64
	Open  bool // the latency is at least this
}

// Steps returns the cumulative distribution of a stage, for the size at the cursor
// or for all sizes.
func Steps(s *data.Selection, d *data.Data, stage trace.Stage, allSizes bool) []Step {
	sel := *s
	sel.Stage = stage
	rows, bySize, _ := Bins(&sel, d)
	if len(rows) == 0 {
		return nil
	}
	if bySize && !allSizes {
		rows = RowsOfSize(s, rows)
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b trace.HistogramRow) int { return cmp.Compare(a.LatencyLoNs, b.LatencyLoNs) })
	var out []Step
	var sum int64
	all := float64(Total(rows))
	for i, r := range rows {
		sum += r.Count
		if i+1 < len(rows) && rows[i+1].LatencyLoNs == r.LatencyLoNs {
			continue
		}
		st := Step{Share: float64(sum) / all, Us: float64(r.LatencyLoNs) / 1000, Open: true}
		if r.LatencyHiNs.OK {
			st.Us, st.Open = float64(r.LatencyHiNs.Value)/1000, false
		}
		out = append(out, st)
	}
	return out
}

// Total returns the number of packets in bins.
func Total(rows []trace.HistogramRow) int64 {
	var sum int64
	for _, r := range rows {
		sum += r.Count
	}
	return sum
}
