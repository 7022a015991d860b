package analysis

import (
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// played holds the excess in ns of packets of operations over single messages of the same sizes, when two idle
// nodes run one operation at a time.
type played map[playedKey]estimate

// playedKey is a sequence, a packet after a predecessor, with a size class and a stage.
type playedKey struct {
	kind, after, class string
	stage              trace.Stage
}

// minPlayed is the least number of packets of a sequence that counts as the operation's
// own.
const minPlayed = 4

// WithOperations returns a baseline that compares the packets of a tag with those of
// operations played one at a time: packets of the same kind and predecessor. A packet
// whose predecessor is not one of its operation is compared with packets of its kind
// without a predecessor.
func (b Baseline) WithOperations(tag trace.Tag, operations Signature) Baseline {
	p := map[playedKey]*excess{}
	alone := operations.Against(Baseline{bins: b.bins, smooth: b.smooth})
	add := func(g trace.Group, after, class string, s trace.Stat) {
		if !g.First.OK && s.DeviationNs.OK {
			e := of(s)
			into(p, playedKey{g.Kind, after, class, s.Stage}).add(float64(s.Count), estimate{s.DeviationNs.Value, e.se, e.df}, true)
		}
	}
	sequences := map[string]bool{}
	for _, r := range alone.Sequences {
		sequences[r.Kind] = true
		add(r.Group, r.After, r.Class, r.Stat)
	}
	for _, r := range alone.Classes {
		if !sequences[r.Kind] {
			add(r.Group, trace.Predecessor(0).String(), r.Class, r.Stat)
		}
	}
	all := map[trace.Tag]played{tag: {}}
	for k, x := range p {
		if x.count >= minPlayed {
			all[tag][k] = x.mean()
		}
	}
	for t, q := range b.played {
		if t != tag {
			all[t] = q
		}
	}
	b.played = all
	return b
}

// of returns the excess of a sequence: of the nearest size class, first of the packet and
// then of its predecessor, that the operations have. If they never have this kind of
// predecessor, it is that of packets without one.
func (p played) of(kind, after, class string, stage trace.Stage) (estimate, bool) {
	for _, a := range append(alike(after), trace.Predecessor(0).String()) {
		for _, c := range nearest(class) {
			if e, ok := p[playedKey{kind, a, c, stage}]; ok {
				return e, true
			}
		}
	}
	return estimate{}, false
}

// alike lists the predecessors of the same kind, those of the nearest size class first.
func alike(after string) []string {
	kind, class, ok := strings.Cut(after, " ")
	if !ok {
		return []string{after}
	}
	var list []string
	for _, c := range nearest(class) {
		list = append(list, kind+" "+c)
	}
	return list
}

// nearest lists the size classes, the nearest ones first.
func nearest(class string) []string {
	names := trace.Classes()
	at := slices.Index(names, class)
	var list []string
	for far := range names {
		if at >= far {
			list = append(list, names[at-far])
		}
		if far > 0 && at+far < len(names) {
			list = append(list, names[at+far])
		}
	}
	return list
}

// excess is the mean excess of some packets over single messages.
type excess struct {
	count, sum float64
	squares    float64
	df         int64
	unknown    float64 // packets of kinds that no operation sends
}

// add adds count packets with the excess e in ns; ok is false if it is not known.
func (x *excess) add(count float64, e estimate, ok bool) {
	x.count += count
	if !ok {
		x.unknown += count
		return
	}
	x.sum += float64(count * e.value)
	x.squares += float64((count * e.se) * (count * e.se))
	if x.df == 0 || e.df < x.df {
		x.df = e.df
	}
}

// mean returns the mean excess in ns.
func (x *excess) mean() estimate {
	if x == nil || x.count == 0 {
		return estimate{}
	}
	return estimate{value: x.sum / x.count, se: math.Sqrt(x.squares) / x.count, df: x.df}
}

// excesses holds the mean excess of the packets of a signature, by what its rows tell
// apart.
type excesses struct {
	played map[trace.Tag]played
	class  map[mixKey]*excess
	bin    map[binKey]*excess // over all kinds
}

type binKey struct {
	tag   trace.Tag
	lo    int64
	stage trace.Stage
}

// excesses weights the excesses of sequences by the packets of a signature.
func (b Baseline) excesses(s Signature) excesses {
	x := excesses{b.played, map[mixKey]*excess{}, map[binKey]*excess{}}
	if len(b.played) == 0 {
		return x
	}
	for _, r := range s.Sequences {
		e, ok := b.played[r.Tag].of(r.Kind, r.After, r.Class, r.Stage)
		into(x.class, mixKey{r.Group, r.Class, r.Stage}).add(float64(r.Count), e, ok)
	}
	for _, r := range s.Classes {
		if r.Kind == trace.AllKinds || r.First.OK || b.played[r.Tag] == nil {
			continue
		}
		k := mixKey{r.Group, r.Class, r.Stage}
		if x.class[k] == nil {
			e, ok := b.played[r.Tag].of(r.Kind, trace.Predecessor(0).String(), r.Class, r.Stage)
			into(x.class, k).add(float64(r.Count), e, ok)
		}
		all := mixKey{trace.Group{Tag: r.Tag, Kind: trace.AllKinds}, r.Class, r.Stage}
		into(x.class, all).merge(x.class[k], float64(r.Count))
	}
	for _, r := range s.Rows {
		if r.Kind != trace.AllKinds && !r.First.OK && b.played[r.Tag] != nil {
			into(x.bin, binKey{r.Tag, r.SizeLoBytes, r.Stage}).merge(x.class[mixKey{r.Group, className(r.Sizes), r.Stage}], float64(r.Count))
		}
	}
	return x
}

// merge adds so many packets with the mean excess of others.
func (x *excess) merge(from *excess, count float64) {
	if from == nil || from.count == 0 {
		x.add(count, estimate{}, false)
		return
	}
	x.add(count, from.mean(), true)
	x.unknown += count * from.unknown / from.count
}

func into[K comparable](m map[K]*excess, k K) *excess {
	if m[k] == nil {
		m[k] = &excess{}
	}
	return m[k]
}

// className returns the class of most sizes of a bin.
func className(s trace.Sizes) string {
	return trace.Classes()[histo.ClassOf(int(s.SizeLoBytes+1+s.SizeHiBytes)/2)]
}

func (x excesses) ofClass(g trace.Group, class string, stage trace.Stage) *excess {
	g.First = trace.Opt[bool]{}
	return x.class[mixKey{g, class, stage}]
}

func (x excesses) ofBin(g trace.Group, s trace.Sizes, stage trace.Stage) *excess {
	if whole(g) {
		if e := x.bin[binKey{g.Tag, s.SizeLoBytes, stage}]; e != nil {
			return e
		}
	}
	return x.ofClass(g, className(s), stage)
}

func (x excesses) ofSequence(r trace.SequenceRow) *excess {
	e, ok := x.played[r.Tag].of(r.Kind, r.After, r.Class, r.Stage)
	one := &excess{}
	one.add(1, e, ok)
	return one
}

// ofPair returns the excess of a pair's packets. Their kinds are known of the whole run
// only, by class.
func (x excesses) ofPair(r trace.PairRow, m mixes) *excess {
	if r.Class != trace.AllSizes {
		return x.ofClass(r.Group, r.Class, r.Stage)
	}
	all := &excess{}
	for _, class := range trace.Classes() {
		if n := m.pairs[pairKey{r.Group, r.Sender, r.Receiver, class, r.Stage}]; n > 0 {
			all.merge(x.ofClass(r.Group, class, r.Stage), float64(n))
		}
	}
	return all
}

// setDeviation sets the baseline of a row: that by size and, for programs with
// operations, what these take beyond it.
func (x excesses) setDeviation(s *trace.Stat, bySize estimate, from, comment string, ok bool, tag trace.Tag, more *excess) {
	e := bySize
	if ok && x.played[tag] != nil {
		from = trace.BaselineIdle
		m := more.mean()
		e.value += m.value
		if e.se = portable.Hypot(e.se, m.se); m.df > 0 {
			e.df = min(e.df, m.df)
		}
		if more != nil && more.unknown > missingShare*more.count {
			comment = note(comment, "kinds that no operation sends are compared with single messages")
		}
	}
	setDeviation(s, e, from, comment, ok)
	if ok {
		s.BySizeNs = trace.Some(bySize.value)
	}
}
