package histo

import (
	"fmt"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/sigview/sigview/trace"
)

// Latency is the HdrHistogram of one tag, kind and stage, made on the host from
// the latency bins. Every packet is counted at the midpoint of its bin, in
// nanoseconds, and those of the open top bin at its lower end.
type Latency struct {
	Tag      trace.Tag
	Kind     trace.Kind
	AllKinds bool // Kind does not apply
	Stage    trace.Stage

	Hist      *hdrhistogram.Histogram // values in ns
	WidthNs   int64                   // of the bins that the values come from
	Top       uint64                  // values that are lower bounds
	Underflow uint64                  // latencies of this tag and stage, of any kind, that were negative and are left out
}

// Label names the latency in logs: "tag0.page-reply.net", "tag1.all.source".
func (h Latency) Label() string {
	kind := h.Kind.String()
	if h.AllKinds {
		kind = "all"
	}
	return fmt.Sprintf("tag%d.%s.%v", h.Tag, kind, h.Stage)
}

// digits returns the precision at which an HdrHistogram separates the midpoints
// of so many bins: n digits resolve one part in 10ⁿ.
func digits(bins int) int {
	// An HdrHistogram has at most five digits.
	d, parts := 3, 1000
	for parts < 2*bins && d < 5 {
		d, parts = d+1, parts*10
	}
	return d
}

// Latencies returns the HdrHistograms of every tag, kind and stage that has
// packets: for each tag first all kinds together, then each kind with separate
// latency bins. Negative latencies are left out. How many of a kind these are is not
// known: of the lowest bin of each, as many as all kinds have.
func (s *Snapshot) Latencies() []Latency {
	spec := s.l.spec
	var list []Latency
	for tag := range spec.Tags {
		// -1 is all kinds together.
		for i := -1; i < len(spec.Kinds); i++ {
			q := Query{Tags: []trace.Tag{trace.Tag(tag)}}
			if i >= 0 {
				q.Kinds = spec.Kinds[i : i+1]
			}
			for q.Stage = 0; q.Stage < trace.NumStages; q.Stage++ {
				// Kinds without bins of their own are left out, and latencies that nobody has.
				d, err := s.Distribution(q)
				if err != nil || d.Count == 0 {
					continue
				}
				h := Latency{Tag: trace.Tag(tag), AllKinds: i < 0, Stage: q.Stage, WidthNs: d.WidthNs, Underflow: s.Underflow(trace.Tag(tag), q.Stage)}
				d.Counts[0] -= min(d.Counts[0], h.Underflow)
				h.Hist = d.HDR()
				if i >= 0 {
					h.Kind = spec.Kinds[i]
				}
				h.Top, _ = d.Top()
				h.Hist.SetTag(h.Label())
				list = append(list, h)
			}
		}
	}
	return list
}

// HDR returns the distribution as an HdrHistogram of nanoseconds.
func (d *Distribution) HDR() *hdrhistogram.Histogram {
	// The highest value is the lower end of the open bin, which is within this.
	h := hdrhistogram.New(1, int64(len(d.Counts))*d.WidthNs, digits(len(d.Counts)))
	for i, c := range d.Counts {
		ns := int64(i)*d.WidthNs + d.WidthNs/2
		if i == len(d.Counts)-1 {
			ns = int64(i) * d.WidthNs
		}
		if err := h.RecordValues(ns, int64(c)); err != nil {
			panic(fmt.Sprintf("histo: HdrHistogram of %d bins of %d ns: %d packets at %d ns: %v", len(d.Counts), d.WidthNs, c, ns, err))
		}
	}
	return h
}

// String returns count and percentiles in one line, in µs. A value in the open
// bin is marked as a lower bound.
func (h Latency) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d packets", h.Label(), h.Hist.TotalCount())
	below := h.Hist.TotalCount() - int64(h.Top)
	for _, p := range []float64{50, 90, 99, 100} {
		mark, name := " ", fmt.Sprintf("p%.0f", p)
		if p == 100 {
			name = "max"
		}
		// The percentile lies in the open bin.
		if h.Top > 0 && float64(h.Hist.TotalCount())*p/100 > float64(below) {
			mark = " ≥ "
		}
		fmt.Fprintf(&b, ", %s%s%.1f µs", name, mark, float64(h.Hist.ValueAtPercentile(p))/1000)
	}
	return b.String()
}
