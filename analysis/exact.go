package analysis

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// mostExact is the number of packets up to which percentiles are exact. They are all in memory for that.
const mostExact = 1 << 20

// Exact takes percentiles and extremes from the packets of a trace where it has all of a row's, and is not
// longer than mostExact. Bins tell them only to their width. A percentile wants a packet on either side.
func (s *Signature) Exact(rows iter.Seq[trace.PacketRow]) {
	if rows == nil {
		return
	}
	var packets []sample
	for r := range rows {
		if len(packets) == mostExact {
			return
		}
		packets = append(packets, sampleOf(&r))
	}
	s.exact(packets)
}

// sample is what counts of a packet here. A latency that it has not is never.
type sample struct {
	tag   trace.Tag
	kind  string
	first bool
	bytes int64
	ns    [trace.NumStages]int64
}

const never = math.MinInt64

func sampleOf(r *trace.PacketRow) sample {
	p := sample{tag: r.Tag, kind: r.Kind, first: r.First, bytes: r.SizeBytes}
	for stage, v := range [...]trace.Opt[int64]{trace.Source: r.SourceNs, trace.LANai: r.LANaiNs, trace.Net: r.NetNs, trace.Dest: r.DestNs} {
		if p.ns[stage] = never; v.OK {
			p.ns[stage] = v.Value
		}
	}
	return p
}

func (s *Signature) exact(packets []sample) {
	groups := map[trace.Group][]sample{}
	of := func(g trace.Group) []sample {
		list, known := groups[g]
		if !known {
			list = packetsOf(g, packets)
			groups[g] = list
		}
		return list
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		exact(&r.Stat, within(of(r.Group), r.Sizes))
	}
	for i := range s.Classes {
		r := &s.Classes[i]
		exact(&r.Stat, within(of(r.Group), r.Sizes))
	}
}

// packetsOf returns the packets of a group by size.
func packetsOf(g trace.Group, packets []sample) (out []sample) {
	for _, p := range packets {
		if p.tag == g.Tag && (g.Kind == trace.AllKinds || g.Kind == p.kind) && (!g.First.OK || g.First.Value == p.first) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b sample) int { return cmp.Compare(a.bytes, b.bytes) })
	return out
}

// within returns the packets whose sizes a range holds.
func within(bySize []sample, r trace.Sizes) []sample {
	from := sort.Search(len(bySize), func(i int) bool { return bySize[i].bytes > r.SizeHiBytes || r.Holds(bySize[i].bytes) })
	to := sort.Search(len(bySize), func(i int) bool { return bySize[i].bytes > r.SizeHiBytes })
	return bySize[from:to]
}

// exact sets the percentiles of a stage if the packets are those that it counts.
func exact(s *trace.Stat, packets []sample) {
	if s.Stage >= trace.NumStages {
		return // a difference of means
	}
	var ns []int64
	for i := range packets {
		if v := packets[i].ns[s.Stage]; v != never {
			ns = append(ns, v)
		}
	}
	if len(ns) == 0 || int64(len(ns)) != s.Count {
		return
	}
	slices.Sort(ns)
	s.MinNs, s.MaxNs = trace.Some(ns[0]), trace.Some(ns[len(ns)-1])
	for percent, p := range map[int]*trace.Percentile{50: &s.P50, 90: &s.P90, 99: &s.P99} {
		if need := 100 / (100 - percent); len(ns) < need {
			*p = trace.NoPercentile(fmt.Sprintf("%s, want at least %d", Plural(len(ns), "packet"), need))
		} else {
			*p = trace.Percentile{Ns: trace.Some(portable.Percentile(ns, percent))}
		}
	}
}
