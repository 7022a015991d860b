package analysis

import (
	"fmt"
	"math"
	"sort"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// Baseline gives the mean latency of packets of any size from the signature of an
// unloaded run, or of another run to compare with. It uses the rows of all kinds
// together: single messages. What the packets of a program's operations take beyond
// that, one operation at a time, is added with WithOperations.
type Baseline struct {
	bins   [trace.NumStages + 1][]bin // none of a stage without packets
	smooth bool                       // latency grows smoothly with size, as it does without load
	played map[trace.Tag]played
}

// bin is one size bin of one stage.
type bin struct {
	trace.Sizes
	mean estimate
}

// mid returns the middle of the bin in bytes.
func (b bin) mid() float64 { return float64(float64(b.SizeLoBytes+b.SizeHiBytes) / 2) }

// NewBaseline takes the rows of one tag of an unloaded run. It returns an error if they
// hold no packets.
func NewBaseline(s Signature, tag trace.Tag) (Baseline, error) {
	b, err := reference(s, tag)
	b.smooth = true
	return b, err
}

// BaselineOf takes the only program of an unloaded run. If the run has several programs
// or none, the error names their tags.
func BaselineOf(run trace.Run) (Baseline, error) {
	s := Of(run)
	tag, err := s.onlyTag()
	if err != nil {
		return Baseline{}, err
	}
	return NewBaseline(s, tag)
}

// SetBaseline compares the signature of a run with a baseline, in place of the one that it has.
func SetBaseline(run *trace.Run, b Baseline) { Of(*run).Against(b).Store(run) }

// reference takes the rows of one tag of any run. A stage without packets, as NI of hosts whose driver does not
// stamp, has no baseline.
func reference(s Signature, tag trace.Tag) (Baseline, error) {
	var b Baseline
	for _, r := range s.Rows {
		if r.Tag == tag && whole(r.Group) && r.MeanNs.OK {
			b.bins[r.Stage] = append(b.bins[r.Stage], bin{r.Sizes, of(r.Stat)})
		}
	}
	some := false
	for _, bins := range b.bins {
		some = some || len(bins) > 0
		sort.Slice(bins, func(i, j int) bool { return bins[i].SizeLoBytes < bins[j].SizeLoBytes })
	}
	if !some {
		return b, fmt.Errorf("baseline: tag %d has no packets, wanted some of every size", tag)
	}
	return b, nil
}

// whole reports whether a group is all kinds and all parts of messages.
func whole(g trace.Group) bool { return g.Kind == trace.AllKinds && !g.First.OK }

// onlyTag returns the tag of a signature of one program. If it has several programs or
// none, the error names their tags.
func (s Signature) onlyTag() (trace.Tag, error) {
	tags := s.Tags()
	if len(tags) != 1 {
		return 0, fmt.Errorf("signature: packets of tags %v, wanted one tag", tags)
	}
	return tags[0], nil
}

// Tags lists the tags that have packets, in order.
func (s Signature) Tags() []trace.Tag {
	var tags []trace.Tag
	for _, r := range s.Classes {
		if len(tags) == 0 || tags[len(tags)-1] != r.Tag {
			tags = append(tags, r.Tag)
		}
	}
	return tags
}

// at returns the baseline of a size bin: that of the same bin, or else interpolated
// linearly between the middles of the nearest measured bins on either side. Outside the
// measured sizes there is none.
func (b Baseline) at(stage trace.Stage, s trace.Sizes) (e estimate, from string, ok bool) {
	bins := b.bins[stage]
	i := sort.Search(len(bins), func(i int) bool { return bins[i].SizeLoBytes >= s.SizeLoBytes })
	if i < len(bins) && bins[i].Sizes == s {
		if !b.smooth {
			return bins[i].mean, trace.BaselineBin, true
		}
		return withSizes(bins, i), trace.BaselineBin, true
	}
	x := bin{Sizes: s}.mid()
	j := sort.Search(len(bins), func(i int) bool { return bins[i].mid() >= x })
	if j < len(bins) && bins[j].mid() == x {
		return bins[j].mean, trace.BaselineBetween, true
	}
	if j == 0 || j == len(bins) {
		return e, trace.BaselineNone, false
	}
	lo, hi := bins[j-1], bins[j]
	w := (x - lo.mid()) / (hi.mid() - lo.mid())
	e = estimate{value: float64(lo.mean.value*(1-w)) + float64(hi.mean.value*w)}
	if lo.mean.df > 0 && hi.mean.df > 0 {
		e.se = portable.Hypot(lo.mean.se*(1-w), hi.mean.se*w)
		e.df = min(lo.mean.df, hi.mean.df)
	}
	return e, trace.BaselineBetween, true
}

// withSizes returns the mean of bin i with the uncertainty due to its width: the packets
// of a run and of the baseline may have any size in the bin. The slope of latency is
// taken from the neighbouring bins.
func withSizes(bins []bin, i int) estimate {
	lo, hi := max(i-1, 0), min(i+1, len(bins)-1)
	e := bins[i].mean
	if lo == hi || e.df == 0 {
		return e
	}
	slope := (bins[hi].mean.value - bins[lo].mean.value) / (bins[hi].mid() - bins[lo].mid())
	width := float64(bins[i].SizeHiBytes - bins[i].SizeLoBytes)
	e.se = portable.Hypot(e.se, slope*width/math.Sqrt(12))
	return e
}

// part is some packets of a size bin. The count may be a fraction, because the sizes
// of a pair's packets are known only in proportion.
type part struct {
	trace.Sizes
	count   float64
	unknown bool // the sizes are in no row
}

// missingShare is the largest share of packets beyond the baseline's sizes for which a
// mixed baseline is given.
const missingShare = 0.01

// mix returns the mean that packets of these sizes would have in the unloaded run, with a
// comment on the packets that it leaves out. It returns false if these are too many.
func (b Baseline) mix(stage trace.Stage, parts []part) (e estimate, comment string, ok bool) {
	var total, covered, sum, squares float64
	known, df := true, int64(math.MaxInt64)
	for _, p := range parts {
		total += p.count
		m, _, ok := b.at(stage, p.Sizes)
		if !ok || p.unknown {
			continue
		}
		covered += p.count
		sum += float64(p.count * m.value)
		w := float64(p.count * m.se)
		squares += float64(w * w)
		known, df = known && m.df > 0, min(df, m.df)
	}
	if total == 0 {
		return e, "no packets", false
	}
	if covered < total {
		share := 1 - covered/total
		comment = fmt.Sprintf("the baseline does not cover the sizes of %.2g %% of the packets", 100*share)
		if share > missingShare {
			return e, comment, false
		}
	}
	e.value = sum / covered
	if known {
		e.se, e.df = math.Sqrt(squares)/covered, df
	}
	return e, comment, true
}

// Against returns the signature with baseline, deviation and its interval filled in. The
// packets of a tag with operations are compared with their kinds in these: the baseline of
// several kinds is the mean of theirs, weighted by their packets. Classes and pairs are compared with the baseline's means, weighted by the sizes of
// their own packets. A pair's sizes are known by class only; within a class they are
// taken to be those of the whole run.
func (s Signature) Against(b Baseline) Signature {
	out := Signature{Real: s.Real, Warnings: s.Warnings}
	x := b.excesses(s)
	for _, r := range s.Rows {
		e, from, ok := b.at(r.Stage, r.Sizes)
		x.setDeviation(&r.Stat, e, from, "", ok, r.Tag, x.ofBin(r.Group, r.Sizes, r.Stage))
		out.Rows = append(out.Rows, r)
	}
	m := newMixes(s)
	for _, r := range s.Classes {
		e, comment, ok := b.mix(r.Stage, m.class(r.Group, r.Class, r.Stage))
		x.setDeviation(&r.Stat, e, trace.BaselineMixed, comment, ok, r.Tag, x.ofClass(r.Group, r.Class, r.Stage))
		out.Classes = append(out.Classes, r)
	}
	for i, r := range s.Pairs {
		e, comment, ok := b.mix(r.Stage, m.pair(s.Pairs, i))
		x.setDeviation(&r.Stat, e, trace.BaselineMixed, comment, ok, r.Tag, x.ofPair(r, m))
		out.Pairs = append(out.Pairs, r)
	}
	for _, r := range s.Sequences {
		e, from, ok := b.at(r.Stage, r.Sizes)
		if m.whole[classKey{r.Group, r.Class}] == r.Sizes { // its sizes are known of the kind only
			e, _, ok = b.mix(r.Stage, m.class(r.Group, r.Class, r.Stage))
			from = trace.BaselineMixed
		}
		x.setDeviation(&r.Stat, e, from, "", ok, r.Tag, x.ofSequence(r))
		out.Sequences = append(out.Sequences, r)
	}
	return out
}

// setDeviation sets the baseline of a row, its deviation and the intervals.
func setDeviation(s *trace.Stat, base estimate, from, comment string, ok bool) {
	s.BaselineNs, s.DeviationNs = trace.Opt[float64]{}, trace.Opt[float64]{}
	s.DeviationCILoNs, s.DeviationCIHiNs = trace.Opt[float64]{}, trace.Opt[float64]{}
	s.BySizeNs, s.BaselineFrom = trace.Opt[float64]{}, trace.BaselineNone
	s.BaselineNote = comment
	if lo, hi, ok := of(*s).interval(); ok { // of the mean alone
		s.CILoNs, s.CIHiNs = trace.Some(lo), trace.Some(hi)
	}
	if !ok {
		if comment == "" {
			s.BaselineNote = "the baseline does not cover this size"
		}
		return
	}
	s.BaselineNs, s.BaselineFrom = trace.Some(base.value), from
	if !s.MeanNs.OK {
		return
	}
	d := of(*s).minus(base)
	s.DeviationNs = trace.Some(d.value)
	if lo, hi, ok := d.interval(); ok {
		s.DeviationCILoNs, s.DeviationCIHiNs = trace.Some(lo), trace.Some(hi)
		// The mean's interval includes the uncertainty of the baseline: it contains
		// the baseline exactly when the deviation's interval contains zero.
		s.CILoNs, s.CIHiNs = trace.Some(base.value+lo), trace.Some(base.value+hi)
	}
}

// mixes holds the sizes of the packets of each class and pair.
type mixes struct {
	parts map[mixKey][]part        // by class: size bins with their counts; the counts of a bin may be split
	pairs map[pairKey]int64        // packets
	whole map[classKey]trace.Sizes // range of each class
}

// classKey identifies a class of a group of packets; mixKey one of its latencies; pairKey one between two nodes.
type classKey struct {
	group trace.Group
	class string
}

type mixKey struct {
	group trace.Group
	class string
	stage trace.Stage
}

type pairKey struct {
	group            trace.Group
	sender, receiver int64
	class            string
	stage            trace.Stage
}

// newMixes divides size bins among classes. A bin may straddle two classes: (96, 128]
// contains 127 and 128. Both are in the order of size, so counts tell how many of its
// packets belong to each.
func newMixes(s Signature) mixes {
	bins := map[mixKey][]part{}
	for _, r := range s.Rows {
		k := mixKey{group: r.Group, stage: r.Stage}
		bins[k] = append(bins[k], part{Sizes: r.Sizes, count: float64(r.Count)})
	}
	m := mixes{parts: map[mixKey][]part{}, pairs: map[pairKey]int64{}, whole: map[classKey]trace.Sizes{}}
	for _, c := range s.Classes { // small classes first
		m.whole[classKey{c.Group, c.Class}] = c.Sizes
		k := mixKey{group: c.Group, stage: c.Stage}
		want := float64(c.Count)
		for want > 0 && len(bins[k]) > 0 {
			p := bins[k][0]
			p.count = min(p.count, want)
			want -= p.count
			if bins[k][0].count -= p.count; bins[k][0].count == 0 {
				bins[k] = bins[k][1:]
			}
			k.class = c.Class
			m.parts[k] = append(m.parts[k], p)
			k.class = ""
		}
		if want > 0 {
			k.class = c.Class
			m.parts[k] = append(m.parts[k], part{Sizes: c.Sizes, count: want, unknown: true})
		}
	}
	for _, r := range s.Pairs {
		m.pairs[pairKey{r.Group, r.Sender, r.Receiver, r.Class, r.Stage}] = r.Count
	}
	return m
}

// class returns the sizes of the packets of a class.
func (m mixes) class(g trace.Group, class string, stage trace.Stage) []part {
	return m.parts[mixKey{g, class, stage}]
}

// pair returns the sizes of a row of pairs: those of the run's classes, in the
// proportions of the pair's own classes.
func (m mixes) pair(rows []trace.PairRow, i int) []part {
	r := rows[i]
	if r.Class != trace.AllSizes {
		return m.class(r.Group, r.Class, r.Stage)
	}
	var out []part
	for _, class := range trace.Classes() {
		n := m.pairs[pairKey{r.Group, r.Sender, r.Receiver, class, r.Stage}]
		parts := m.class(r.Group, class, r.Stage)
		var total float64
		for _, p := range parts {
			total += p.count
		}
		if n == 0 || total == 0 {
			continue
		}
		for _, p := range parts {
			p.count = p.count / total * float64(n)
			out = append(out, p)
		}
	}
	return out
}
