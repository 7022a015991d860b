package trace

import (
	"cmp"

	"fmt"
)

// HistogramRow is one bin of the interfaces' histograms, merged over nodes.
// Empty bins have no row. Rows by size are over all kinds and rows by kind over
// all sizes, so the two must not be added up together.
type HistogramRow struct {
	Group
	Sizes
	Stage       Stage      `col:"stage" doc:"which latency"`
	LatencyLoNs int64      `col:"latency_lo_ns" unit:"ns" doc:"latency is at least this"`
	LatencyHiNs Opt[int64] `col:"latency_hi_ns" unit:"ns" doc:"latency is less than this; null for the top bin, which takes everything above"`
	Count       int64      `col:"count" range:"1.." doc:"packets"`
}

// TableName implements Row.
func (HistogramRow) TableName() string { return "histograms" }

// Conditions implements the interface of that name.
func (r HistogramRow) Conditions() error {
	switch {
	case r.Stage >= NumStages:
		return fmt.Errorf("stage: %v, wanted a recorded one", r.Stage)
	case r.LatencyHiNs.OK && r.LatencyHiNs.Value <= r.LatencyLoNs:
		return fmt.Errorf("latency bin: [%d, %d) ns, wanted lo < hi", r.LatencyLoNs, r.LatencyHiNs.Value)
	}
	return cmp.Or(r.Group.check(), r.Sizes.check())
}
