package watch

import (
	"math"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// The banks of a run have bins of one width, which one long latency makes wide. So its percentiles, and its table of
// histograms, are of the kernel's bins instead, which are a 32nd of their latencies wide.

// fine are the kernel's histograms, which rows of tables ask.
type fine map[sort]*histogram

// of returns a stage of all messages of a group and of sizes.
func (f fine) of(g trace.Group, z trace.Sizes, stage trace.Stage) (b binned) {
	for s, h := range f {
		if s.program == int(g.Tag) && (g.Kind == trace.AllKinds || g.Kind == kindOf(s.udp).String()) && z.Holds(int64(h.filed())) {
			b.add(&h.Stages[stage])
		}
	}
	return b
}

// refine puts percentiles and extremes into a signature.
func (f fine) refine(s *analysis.Signature) {
	for i := range s.Rows {
		r := &s.Rows[i]
		f.stat(&r.Stat, r.Group, r.Sizes)
	}
	for i := range s.Classes {
		r := &s.Classes[i]
		f.stat(&r.Stat, r.Group, r.Sizes)
	}
}

// rows replaces the rows of a table of histograms.
func (f fine) rows(old []trace.HistogramRow) (out []trace.HistogramRow) {
	done := map[trace.HistogramRow]bool{}
	for _, r := range old {
		r.LatencyLoNs, r.LatencyHiNs, r.Count = 0, trace.Opt[int64]{}, 0
		if !done[r] {
			b := f.of(r.Group, r.Sizes, r.Stage)
			out = append(out, b.rows(r)...)
		}
		done[r] = true
	}
	return out
}

// rows are the bins with latencies as rows like one.
func (b *binned) rows(like trace.HistogramRow) (out []trace.HistogramRow) {
	for bin, n := range b.Bins {
		if n == 0 {
			continue
		}
		r := like
		low, width := binRange(bin)
		r.LatencyLoNs, r.LatencyHiNs, r.Count = low, trace.Some(low+width), int64(n)
		if bin == numBins-1 {
			r.LatencyHiNs = trace.Opt[int64]{}
		}
		out = append(out, r)
	}
	return out
}

// stat sets the percentiles and extremes of a stage if the bins have just its messages.
func (f fine) stat(s *trace.Stat, g trace.Group, z trace.Sizes) {
	if s.Stage >= trace.NumStages || s.Count == 0 {
		return // the first is a difference of means
	}
	b := f.of(g, z, s.Stage)
	if int64(b.total()) != s.Count {
		return
	}
	for share, p := range map[float64]*trace.Percentile{0.50: &s.P50, 0.90: &s.P90, 0.99: &s.P99} {
		if float64(s.Count)*(1-share) > 1-1e-9 { // one is expected to be longer
			*p = b.percentile(share)
		}
	}
	low, high, open := b.extremes()
	s.MinNs, s.MaxNs = trace.Some(low), trace.Some(high)
	if open {
		s.MaxNs = trace.Opt[int64]{}
	}
}

// percentile is the latency that a share of all do not exceed, between the ends of its bin.
func (b *binned) percentile(share float64) trace.Percentile {
	rank := uint64(max(math.Ceil(float64(share*float64(b.total()))-1e-9), 1))
	var below uint64
	for bin, n := range b.Bins {
		if below += uint64(n); below < rank {
			continue
		}
		low, width := binRange(bin)
		if bin == numBins-1 {
			return trace.Percentile{Ns: trace.Some(low), LowerBound: true}
		}
		// The messages of a bin stand at the middles of as many equal parts of it.
		part := (float64(rank-(below-uint64(n))) - 0.5) / float64(n)
		return trace.Percentile{Ns: trace.Some(low + int64(float64(part*float64(width))))}
	}
	return trace.Percentile{}
}

// extremes are the ends of the lowest and of the highest bin that has a latency; open: that is the last one.
func (b *binned) extremes() (low, high int64, open bool) {
	low = -1
	for bin, n := range b.Bins {
		if n == 0 {
			continue
		}
		from, width := binRange(bin)
		if low < 0 {
			low = from
		}
		high, open = from+width, bin == numBins-1
	}
	return low, high, open
}
