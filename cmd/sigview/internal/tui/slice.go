package tui

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// slice is the packets of some senders or receivers, summed up from a trace.
// Interfaces do not record these.
type slice struct {
	cols []analysis.Packets
	bins [trace.NumStages][]trace.HistogramRow
}

// sliced reports whether the selection needs the trace: it is limited to a sender, a receiver
// or a time.
func (s *Selection) sliced(d *Data) bool {
	return (s.Sender != everyone || s.Receiver != everyone) && d.Packets != nil || s.timed(d)
}

// timed reports whether the selection is limited to a part of the run, and the packets that
// begin in it are known.
func (s *Selection) timed(d *Data) bool { return s.ToNs > s.FromNs && d.Packets != nil }

// key selects packets of any time, timedKey those that begin in the selected part of the run.
func (s *Selection) key() sliceKey {
	return sliceKey{group: s.group(), sender: s.Sender, receiver: s.Receiver}
}

func (s *Selection) timedKey() sliceKey {
	key := s.key()
	if s.ToNs > s.FromNs {
		key.from, key.to = s.FromNs, s.ToNs
	}
	return key
}

func (s *Selection) slice(d *Data) *slice {
	key := s.timedKey()
	c := &d.Packets.slices
	c.mu.Lock()
	defer c.mu.Unlock()
	if out := c.made[key]; out != nil {
		return out
	}
	if len(c.made) >= 8 {
		c.made = nil
	}
	if c.made == nil {
		c.made = map[sliceKey]*slice{}
	}
	out := d.Packets.slice(key, d.bins[key.group])
	c.made[key] = out
	return out
}

// timeKept reports whether a time is selected and all its packets are kept one by one.
func (s *Selection) timeKept(d *Data) bool {
	return s.timed(d) && s.FromNs >= d.Packets.listed.from && s.ToNs <= d.Packets.listed.to
}

// sliceNote says which packets slices are made from.
func (s *Selection) sliceNote(d *Data) string {
	p := d.Packets
	if s.timeKept(d) {
		return "from the trace's packets that begin in this time"
	}
	if p.Total > int64(len(p.list)) && p.listed.from > 0 {
		return fmt.Sprintf("from %s of the trace's %s packets, from %s on", analysis.Digits(int64(len(p.list))), analysis.Digits(p.Total), analysis.Instant(p.listed.from))
	}
	if p.Total > int64(len(p.list)) {
		return fmt.Sprintf("from the first %s of the trace's %s packets", analysis.Digits(int64(len(p.list))), analysis.Digits(p.Total))
	}
	return "from the trace's packets"
}

// cut returns an error if the packets of some sender or receiver are summed up from a part of
// the trace only. Where columns are shown, those of pairs of nodes as recorded come first.
func (s *Scene) cut(columns bool) error {
	for _, d := range s.shown() {
		made, _ := s.Sel.fromTrace(d)
		if s.Sel.sliced(d) && !d.Packets.whole() && !s.Sel.timeKept(d) && (made || !columns) {
			return fmt.Errorf("these are sums %s, so that a file of them would lack the others: select all senders and receivers, or write all packets with sigview export %s --to csv -o DIR", s.Sel.sliceNote(d), quote(d.Dir))
		}
	}
	return nil
}

// whole reports whether all packets of the trace are kept one by one.
func (p *Packets) whole() bool { return p.Total == int64(len(p.list)) }

// slice sums packets up by size. The baseline is that of all packets of a size.
func (p *Packets) slice(key sliceKey, all []analysis.Packets) *slice {
	sizes := gather(p, key, func(k *packet) (int64, bool) { return sizeBin(int64(k.size)), true })
	var order []int64
	for hi := range sizes {
		order = append(order, hi)
	}
	slices.Sort(order)
	out := &slice{}
	for _, hi := range order {
		col := analysis.Packets{Group: key.group, Sizes: trace.Sizes{SizeLoBytes: hi - sizeStep, SizeHiBytes: hi}}
		base, _ := alike(col, all)
		col.Stats = sizes[hi].stats(base)
		for _, st := range trace.Stages() {
			values := sizes[hi][st]
			if st < trace.NumStages {
				out.bins[st] = append(out.bins[st], binsOf(trace.HistogramRow{Group: key.group, Sizes: col.Sizes, Stage: st}, values)...)
			}
		}
		out.cols = append(out.cols, col)
	}
	return out
}

// times are the latencies of packets by stage.
type times [trace.NumStages + 1][]int64

// stats summarizes latencies, and sorts them.
func (t *times) stats(base analysis.Packets) (out []trace.Stat) {
	for _, st := range trace.Stages() {
		slices.Sort(t[st])
		out = append(out, statOf(st, t[st], base.Stat(st)))
	}
	return out
}

// gather collects the latencies of the packets of a trace in groups; without one, a packet is
// left out.
func gather[G comparable](p *Packets, key sliceKey, group func(*packet) (G, bool)) map[G]*times {
	out := map[G]*times{}
	for i := range p.list {
		k := &p.list[i]
		if !key.matches(k) {
			continue
		}
		g, ok := group(k)
		if !ok {
			continue
		}
		if out[g] == nil {
			out[g] = &times{}
		}
		var ns [trace.NumStages]int64
		known := [trace.NumStages]bool{}
		for st := range trace.NumStages {
			from, to, _ := k.stage(st)
			if known[st] = from != never && to != never; known[st] {
				ns[st] = to - from
				out[g][st] = append(out[g][st], ns[st])
			}
		}
		if known[trace.Net] && known[trace.LANai] {
			out[g][trace.NetMinusLANai] = append(out[g][trace.NetMinusLANai], ns[trace.Net]-ns[trace.LANai])
		}
	}
	return out
}

// timedPairs returns the packets of the selected kind, class and time by sender and receiver.
// Their baselines are those of the pairs over the whole run.
func (s *Selection) timedPairs(d *Data) map[pairKey]analysis.Packets {
	key, c := s.timedKey(), &d.Packets.slices
	key.sender, key.receiver = everyone, everyone
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pairs != nil && c.pairsOf == key && c.class == s.Class {
		return c.pairs
	}
	whole := *s
	whole.FromNs, whole.ToNs = 0, 0
	sizes := sizesOf(d.Signature)[s.Class]
	c.pairsOf, c.class, c.pairs = key, s.Class, map[pairKey]analysis.Packets{}
	for at, t := range gather(d.Packets, key, func(k *packet) (pairKey, bool) {
		return pairKey{k.tag, int64(k.sender), int64(k.receiver)}, int64(k.size) > sizes.SizeLoBytes && int64(k.size) <= sizes.SizeHiBytes
	}) {
		base, _ := whole.ofPair(d, int(at.sender), int(at.receiver))
		c.pairs[at] = analysis.Packets{Group: key.group, Sizes: sizes, Class: s.Class, Stats: t.stats(base)}
	}
	return c.pairs
}

// sizeStep is the width of the signature's size bins.
const sizeStep = 32

// sizeBin returns the upper end of the bin of a size.
func sizeBin(size int64) int64 { return max((size+sizeStep-1)/sizeStep, 1) * sizeStep }

// statOf summarizes sorted latencies. Intervals assume independent packets; those of
// deviations include the uncertainty of the baseline, which like has.
func statOf(stage trace.Stage, sorted []int64, like trace.Stat) trace.Stat {
	n := len(sorted)
	s := trace.Stat{Stage: stage, Measured: trace.Measured{Count: int64(n)}, Judged: trace.Judged{Weak: n < 30}}
	if n == 0 {
		return s
	}
	var half trace.Opt[float64]
	s.MeanNs, half = meanOf(sorted)
	s.MinNs, s.MaxNs = trace.Some(sorted[0]), trace.Some(sorted[n-1])
	s.P50, s.P90, s.P99 = percentileOf(sorted, 50), percentileOf(sorted, 90), percentileOf(sorted, 99)
	s.Unloaded = like.Unloaded
	s.DeviationNs = less(s.MeanNs, s.BaselineNs)
	if !half.OK {
		return s
	}
	s.CILoNs, s.CIHiNs = trace.Some(s.MeanNs.Value-half.Value), trace.Some(s.MeanNs.Value+half.Value)
	if s.DeviationNs.OK {
		own := (like.DeviationCIHiNs.Value - like.DeviationCILoNs.Value) / 2
		doubt := float64(own*own) - math.Pow(1.96*like.SENs.Value, 2)
		w := math.Sqrt(float64(half.Value*half.Value) + max(doubt, 0))
		s.DeviationCILoNs, s.DeviationCIHiNs = trace.Some(s.DeviationNs.Value-w), trace.Some(s.DeviationNs.Value+w)
	}
	return s
}

// percentileOf returns a percentile if at least one packet lies beyond it.
func percentileOf(sorted []int64, percent int) trace.Percentile {
	n := len(sorted)
	if need := (100 + 99 - percent) / (100 - percent); n < need {
		return trace.Percentile{Reason: fmt.Sprintf("%d packets, want at least %d", n, need)}
	}
	return trace.Percentile{Ns: trace.Some(sorted[(n*percent+99)/100-1])}
}

// binsOf counts sorted latencies in bins of an eighth of an octave, below 8 ns of
// 1 ns. Latencies below 0, from clock errors, count in the lowest bin.
func binsOf(of trace.HistogramRow, sorted []int64) []trace.HistogramRow {
	var out []trace.HistogramRow
	for _, v := range sorted {
		v = max(v, 0)
		if n := len(out); n == 0 || v >= out[n-1].LatencyHiNs.Value {
			of.LatencyLoNs, of.LatencyHiNs.Value = binOf(v)
			of.LatencyHiNs.OK = true
			out = append(out, of)
		}
		out[len(out)-1].Count++
	}
	return out
}

func binOf(v int64) (lo, hi int64) {
	shift := max(bits.Len64(uint64(v))-4, 0)
	lo = v >> shift << shift
	return lo, lo + 1<<shift
}
