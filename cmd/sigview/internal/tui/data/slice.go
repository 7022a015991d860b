package data

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// Sliced reports whether the selection needs the trace: it is limited to a sender, a receiver
// or a time.
func (s *Selection) Sliced(d *Data) bool {
	return (s.Sender != Everyone || s.Receiver != Everyone) && d.Packets != nil || s.Timed(d)
}

// Timed reports whether the selection is limited to a part of the run, and the packets that
// begin in it are known.
func (s *Selection) Timed(d *Data) bool { return s.ToNs > s.FromNs && d.Packets != nil }

// Key selects packets of any time, timedKey those that begin in the selected part of the run.
func (s *Selection) Key() SliceKey {
	return SliceKey{Group: s.Group(), Sender: s.Sender, Receiver: s.Receiver}
}

func (s *Selection) timedKey() SliceKey {
	key := s.Key()
	if s.ToNs > s.FromNs {
		key.from, key.to = s.FromNs, s.ToNs
	}
	return key
}

func (s *Selection) Slice(d *Data) *slice {
	key := s.timedKey()
	c := d.Packets.Slices
	c.mu.Lock()
	defer c.mu.Unlock()
	if out := c.made[key]; out != nil {
		return out
	}
	if len(c.made) >= 8 {
		c.made = nil
	}
	if c.made == nil {
		c.made = map[SliceKey]*slice{}
	}
	out := d.Packets.Slice(key, d.Bins[key.Group])
	c.made[key] = out
	return out
}

// TimeKept reports whether a time is selected and all its packets are kept one by one.
func (s *Selection) TimeKept(d *Data) bool {
	return s.Timed(d) && s.FromNs >= d.Packets.Listed.From && s.ToNs <= d.Packets.Listed.To
}

// SliceNote says which packets slices are made from.
func (s *Selection) SliceNote(d *Data) string {
	p := d.Packets
	if s.TimeKept(d) {
		return "from the trace's packets that begin in this time"
	}
	if p.Total > int64(len(p.List)) && p.Listed.From > 0 {
		return fmt.Sprintf("from %s of the trace's %s packets, from %s on", analysis.Digits(int64(len(p.List))), analysis.Digits(p.Total), analysis.Instant(p.Listed.From))
	}
	if p.Total > int64(len(p.List)) {
		return fmt.Sprintf("from the first %s of the trace's %s packets", analysis.Digits(int64(len(p.List))), analysis.Digits(p.Total))
	}
	return "from the trace's packets"
}

// Whole reports whether all packets of the trace are kept one by one.
func (p *Packets) Whole() bool { return p.Total == int64(len(p.List)) }

// Slice sums packets up by size. The baseline is that of all packets of a size.
func (p *Packets) Slice(key SliceKey, all []analysis.Packets) *slice {
	out := &slice{}
	groups, ends := p.gather(key, func(k *Packet) int64 { return sizeBin(int64(k.Size)) })
	for i, hi := range ends {
		col := analysis.Packets{Group: key.Group, Real: analysis.OfReal(all), Sizes: trace.Sizes{SizeLoBytes: hi - sizeStep, SizeHiBytes: hi}}
		groups[i].base, _ = Alike(col, all)
		col.Stats = groups[i].stats(trace.Stages())
		for st, ns := range groups[i].ns[:trace.NumStages] {
			out.Bins[st] = append(out.Bins[st], BinsOf(trace.HistogramRow{Group: key.Group, Sizes: col.Sizes, Stage: trace.Stage(st)}, ns)...)
		}
		out.Cols = append(out.Cols, col)
	}
	return out
}

// stats sorts and sums up the latencies of stages.
func (t *times) stats(of []trace.Stage) (out []trace.Stat) {
	for _, st := range of {
		if !t.made[st] {
			slices.Sort(t.ns[st])
			t.made[st], t.stat[st] = true, statOf(st, t.ns[st], t.base.Stat(st))
		}
		out = append(out, t.stat[st])
	}
	return out
}

// Add adds a packet's latencies in the stages whose instants are known.
func (t *times) Add(k *Packet) {
	for st := range trace.NumStages {
		if from, to, _ := k.Stage(st); from != Never && to != Never {
			t.ns[st] = append(t.ns[st], to-from)
		}
	}
	if !slices.Contains(k.At[1:5], Never) {
		derived := &t.ns[trace.NetMinusLANai]
		*derived = append(*derived, k.At[4]-k.At[2]-(k.At[3]-k.At[1]))
	}
}

// gather collects the latencies of the listed packets in groups, in the order of their numbers;
// a packet with a number below 0 is left out.
func (p *Packets) gather(key SliceKey, number func(*Packet) int64) (groups []*times, numbers []int64) {
	list, counts := p.begun(key), map[int64]int{}
	of := make([]int64, len(list))
	for i := range list {
		if of[i] = -1; key.Matches(&list[i]) {
			of[i] = number(&list[i])
		}
		counts[of[i]]++
	}
	delete(counts, -1)
	numbers = slices.Sorted(maps.Keys(counts))
	at := map[int64]*times{}
	for _, n := range numbers {
		t := &times{}
		for st := range t.ns {
			t.ns[st] = make([]int64, 0, counts[n])
		}
		at[n], groups = t, append(groups, t)
	}
	for i, n := range of {
		if n >= 0 {
			at[n].Add(&list[i])
		}
	}
	return groups, numbers
}

// ofTimedPair returns the packets of the selected kind, class and time from one node to another,
// with the statistics of some stages. Their baselines are those of the pair over the whole run.
func (s *Selection) ofTimedPair(d *Data, from, to int, stages []trace.Stage) (analysis.Packets, bool) {
	key, c := s.timedKey(), d.Packets.Slices
	key.Sender, key.Receiver = Everyone, Everyone
	sizes := SizesOf(d.Signature)[s.Class]
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pairs == nil || c.pairsOf != key || c.class != s.Class {
		c.pairsOf, c.class, c.pairs = key, s.Class, d.Packets.pairs(key, sizes)
	}
	t := c.pairs[PairKey{s.Tag, int64(from), int64(to)}]
	if t == nil {
		return analysis.Packets{}, false
	}
	if t.base.Stats == nil {
		whole := *s
		whole.FromNs, whole.ToNs = 0, 0
		t.base, _ = whole.OfPair(d, from, to)
	}
	return analysis.Packets{Group: key.Group, Real: d.Signature.Real, Sizes: sizes, Class: s.Class, Stats: t.stats(stages)}, true
}

// Linked returns the pairs of nodes that have packets of the selected time, in order.
func (s *Selection) Linked(d *Data) []PairKey {
	if !s.Timed(d) {
		return d.Linked[s.Tag]
	}
	s.ofTimedPair(d, 0, 0, nil) // so that they are known
	c := d.Packets.Slices
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Keys(c.pairs), func(a, b PairKey) int {
		return cmp.Or(cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Receiver, b.Receiver))
	})
}

// pairs collects the latencies of packets of some sizes by sender and receiver.
func (p *Packets) pairs(key SliceKey, sizes trace.Sizes) map[PairKey]*times {
	groups, pairs := p.gather(key, func(k *Packet) int64 {
		if !sizes.Holds(int64(k.Size)) {
			return -1
		}
		return int64(k.Sender)<<16 | int64(k.Receiver)
	})
	out := map[PairKey]*times{}
	for i, pair := range pairs {
		out[PairKey{key.Group.Tag, pair >> 16, pair & math.MaxUint16}] = groups[i]
	}
	return out
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
	s.MeanNs, half = MeanOf(sorted)
	s.MinNs, s.MaxNs = trace.Some(sorted[0]), trace.Some(sorted[n-1])
	s.P50, s.P90, s.P99 = PercentileOf(sorted, 50), PercentileOf(sorted, 90), PercentileOf(sorted, 99)
	s.Unloaded = like.Unloaded
	s.DeviationNs = Minus(s.MeanNs, s.BaselineNs)
	if !half.OK {
		return s
	}
	s.CILoNs, s.CIHiNs = trace.Some(s.MeanNs.Value-half.Value), trace.Some(s.MeanNs.Value+half.Value)
	if s.DeviationNs.OK {
		own := (like.DeviationCIHiNs.Value - like.DeviationCILoNs.Value) / 2
		likely := 1.96 * like.SENs.Value
		doubt := float64(own*own) - float64(likely*likely)
		w := math.Sqrt(float64(half.Value*half.Value) + max(doubt, 0))
		s.DeviationCILoNs, s.DeviationCIHiNs = trace.Some(s.DeviationNs.Value-w), trace.Some(s.DeviationNs.Value+w)
	}
	return s
}

// PercentileOf returns a percentile if at least one packet lies beyond it.
func PercentileOf(sorted []int64, percent int) trace.Percentile {
	n := len(sorted)
	if need := (100 + 99 - percent) / (100 - percent); n < need {
		return trace.Percentile{Reason: fmt.Sprintf("%d packets, want at least %d", n, need)}
	}
	return trace.Percentile{Ns: trace.Some(portable.Percentile(sorted, percent))}
}

// BinsOf counts sorted latencies in bins of an eighth of an octave, below 8 ns of
// 1 ns. Latencies below 0, from clock errors, count in the lowest bin.
func BinsOf(of trace.HistogramRow, sorted []int64) []trace.HistogramRow {
	var out []trace.HistogramRow
	for _, v := range sorted {
		v = max(v, 0)
		if n := len(out); n == 0 || v >= out[n-1].LatencyHiNs.Value {
			of.LatencyLoNs, of.LatencyHiNs.Value = BinOf(v)
			of.LatencyHiNs.OK = true
			out = append(out, of)
		}
		out[len(out)-1].Count++
	}
	return out
}

func BinOf(v int64) (lo, hi int64) {
	shift := max(bits.Len64(uint64(v))-4, 0)
	lo = v >> shift << shift
	return lo, lo + 1<<shift
}

// Minus returns b less a if both are known.
func Minus(b, a trace.Opt[float64]) trace.Opt[float64] {
	return trace.Opt[float64]{Value: b.Value - a.Value, OK: a.OK && b.OK}
}
