package tui

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
)

// bins returns the latency bins of the selected stage as interfaces keep them: by
// size over all kinds, or of one kind over all sizes. They keep none by sender or
// receiver; a trace has them.
func (s *Selection) bins(d *Data) (rows []trace.HistogramRow, bySize bool, note string) {
	stage := s.histStage()
	if s.Stage != stage {
		note = "Net−LANai is a difference of means and has no histogram: Net is shown instead. "
	}
	if s.sliced(d) {
		return s.slice(d).bins[stage], true, note + "Counted " + s.sliceNote(d) + ". "
	}
	bySize = s.Kind == trace.AllKinds
	return d.hists[histKey{s.group(), stage, bySize}], bySize, note
}

// ofSize returns the latency bins of the size at the cursor.
func (s *Selection) ofSize(rows []trace.HistogramRow) []trace.HistogramRow {
	best := nearest(rows, func(r *trace.HistogramRow) float64 { return far(r.SizeHiBytes, s.SizeBytes) })
	return filter(rows, func(r trace.HistogramRow) bool { return r.Sizes == rows[best].Sizes })
}

// latencyCursor returns the index of the bin at or nearest to the cursor.
func (s *Selection) latencyCursor(rows []trace.HistogramRow) int {
	return nearest(rows, func(r *trace.HistogramRow) float64 { return far(r.LatencyLoNs, s.LatencyNs) })
}

// step is one point of a cumulative distribution: this share of the packets has
// at most this latency.
type step struct {
	share float64
	us    float64
	open  bool // the latency is at least this
}

// steps returns the cumulative distribution of a stage, for the size at the cursor
// or for all sizes.
func (s *Selection) steps(d *Data, stage trace.Stage, allSizes bool) []step {
	sel := *s
	sel.Stage = stage
	rows, bySize, _ := sel.bins(d)
	if len(rows) == 0 {
		return nil
	}
	if bySize && !allSizes {
		rows = s.ofSize(rows)
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b trace.HistogramRow) int { return cmp.Compare(a.LatencyLoNs, b.LatencyLoNs) })
	var out []step
	var sum int64
	all := float64(total(rows))
	for i, r := range rows {
		sum += r.Count
		if i+1 < len(rows) && rows[i+1].LatencyLoNs == r.LatencyLoNs {
			continue
		}
		st := step{share: float64(sum) / all, us: float64(r.LatencyLoNs) / 1000, open: true}
		if r.LatencyHiNs.OK {
			st.us, st.open = float64(r.LatencyHiNs.Value)/1000, false
		}
		out = append(out, st)
	}
	return out
}

// total returns the number of packets in bins.
func total(rows []trace.HistogramRow) int64 {
	var sum int64
	for _, r := range rows {
		sum += r.Count
	}
	return sum
}
