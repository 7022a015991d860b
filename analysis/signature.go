package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// weakCount is the number of packets below which a mean counts as weak.
const weakCount = 30

// Signature is the performance signature of a run or of a baseline: the four
// latencies and Net less LANai per size bin, per size class, and per pair of
// nodes, for each tag. It is sorted, and the same records give the same rows.
type Signature struct {
	Rows    []trace.SignatureRow
	Classes []trace.ClassRow
	Pairs   []trace.PairRow
	// Sequences has the packets of kinds that follow others of their operation, by predecessor.
	Sequences []trace.SequenceRow
	Real      bool // of real hosts
	// Warnings say what is doubtful; they are printed with the figures.
	Warnings []string
}

// Of returns the signature that a run directory holds.
func Of(run trace.Run) Signature {
	return Signature{Rows: run.Signature, Classes: run.Classes, Pairs: run.Pairs, Sequences: run.Sequences, Real: run.Manifest.Real(), Warnings: run.Manifest.Warnings}
}

// Store puts the tables of the signature into a run and adds its warnings to those of
// the manifest.
func (s Signature) Store(run *trace.Run) {
	run.Signature, run.Classes, run.Pairs, run.Sequences = s.Rows, s.Classes, s.Pairs, s.Sequences
	run.Manifest.Warnings = Join(run.Manifest.Warnings, s.Warnings)
}

// Join puts lists of warnings together, each warning once.
func Join(lists ...[]string) []string {
	var out []string
	for _, w := range slices.Concat(lists...) {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// Summarize computes the signature, without a baseline, from the merged snapshots of
// all interfaces of a run. There are rows for all kinds together, for each kind, and
// for first and later packets where the layout tells them apart; empty rows are left
// out. What the layout cannot tell apart becomes a warning. An overflow of a sum is an
// error.
//
// The standard error of a class treats the packets from one node to another as a
// cluster, because those of one burst resemble each other. The same widening applies to
// the class's size bins and kinds, for which pairs are not kept. Where pairs are kept
// only for all sizes together, the widening comes from these.
func Summarize(snap *histo.Snapshot) Signature {
	b := builder{snap: snap, layout: snap.Layout(), left: map[string]omission{}}
	spec := b.layout.Spec()
	for tag := range spec.Tags {
		b.tag(trace.Tag(tag), spec)
	}
	b.warn(snap.Losses())
	return b.out
}

// builder computes a signature from a snapshot.
type builder struct {
	snap   *histo.Snapshot
	layout *histo.Layout
	out    Signature
	left   map[string]omission // rows left out, by group
	groups []string            // these groups in the order of their first omission
}

// omission counts rows that are left out, with the reason for the first one.
type omission struct {
	rows   int
	reason string
}

// selection is one group of packets with the query that finds them in a snapshot.
type selection struct {
	group trace.Group
	query histo.Query
}

func selections(tag trace.Tag, spec histo.Spec) []selection {
	tags := []trace.Tag{tag}
	all := []selection{{trace.Group{Tag: tag, Kind: trace.AllKinds}, histo.Query{Tags: tags}}}
	for _, k := range spec.Kinds {
		q := histo.Query{Tags: tags, Kinds: []trace.Kind{k}}
		all = append(all, selection{trace.Group{Tag: tag, Kind: k.String()}, q})
		if !slices.Contains(spec.Later, k) {
			continue
		}
		first, rest := q, q
		first.Part, rest.Part = histo.FirstPackets, histo.LaterPackets
		all = append(all,
			selection{trace.Group{Tag: tag, Kind: k.String(), First: trace.Some(true)}, first},
			selection{trace.Group{Tag: tag, Kind: k.String(), First: trace.Some(false)}, rest})
	}
	return all
}

func (b *builder) tag(tag trace.Tag, spec histo.Spec) {
	var widen widening
	for _, sel := range selections(tag, spec) {
		if n, err := b.count(sel.query); err == nil && n == 0 {
			continue
		}
		all := sel.group.Kind == trace.AllKinds
		if all && b.layout.PairClasses() == 1 {
			b.cluster(trace.AllSizes, b.stats(sel.group, sel.query), sel.query, &widen)
		}
		for _, c := range b.layout.Classes() {
			q := sel.query
			q.Sizes = c.Range
			stats := b.stats(sel.group, q)
			if all && b.layout.PairClasses() != 1 {
				stats = b.cluster(c.Name, stats, q, &widen)
			} else {
				stats = widen.apply(c.Name, stats)
			}
			for _, s := range stats {
				b.out.Classes = append(b.out.Classes, trace.ClassRow{Group: sel.group, Class: c.Name, Sizes: sizes(c.Range), Stat: s})
			}
		}
		for _, r := range b.kept(sel.group, sel.query) {
			q := sel.query
			q.Sizes = r
			for _, s := range widen.apply(b.classOf(r), b.stats(sel.group, q)) {
				b.out.Rows = append(b.out.Rows, trace.SignatureRow{Group: sel.group, Sizes: sizes(r), Stat: s})
			}
		}
		if all {
			b.pairs(sel.group, sel.query)
		}
	}
	b.sequences(tag)
}

// kept returns the size bins of a group. Where the layout keeps a kind's packets of several
// bins together, it returns what is kept, so that the rows of kinds have all packets.
func (b *builder) kept(g trace.Group, q histo.Query) (out []histo.Range) {
	bins, rows := b.layout.Bins(), b.layout.KindSizes()
	if g.Kind == trace.AllKinds || len(rows) == 0 {
		return bins
	}
	var fine, wide []histo.Range // up to the next size at which both end
	apart := true
	for len(bins) > 0 {
		r := bins[0]
		bins, fine, q.Sizes = bins[1:], append(fine, r), r
		_, err := b.count(q)
		apart = apart && err == nil
		for len(rows) > 0 && rows[0].HiBytes <= r.HiBytes {
			rows, wide = rows[1:], append(wide, rows[0])
		}
		if len(wide) == 0 || wide[len(wide)-1].HiBytes != r.HiBytes {
			continue
		}
		if !apart {
			fine = wide
		}
		out = append(out, fine...)
		fine, wide, apart = nil, nil, true
	}
	return append(out, fine...)
}

// sequences adds the rows of each kind and predecessor. They have no intervals unless
// the layout keeps squares.
func (b *builder) sequences(tag trace.Tag) {
	for _, f := range b.layout.Sequences() {
		g := trace.Group{Tag: tag, Kind: f.Kind.String()}
		for _, r := range b.layout.SequenceSizes() {
			q := histo.Query{Tags: []trace.Tag{tag}, Kinds: []trace.Kind{f.Kind}, After: trace.Some(f.After), Sizes: r}
			for _, s := range b.stats(g, q) {
				b.out.Sequences = append(b.out.Sequences, trace.SequenceRow{Group: g, After: f.After.String(), Class: b.classOf(r), Sizes: sizes(r), Stat: s})
			}
		}
	}
}

func sizes(r histo.Range) trace.Sizes {
	return trace.Sizes{SizeLoBytes: int64(r.LoBytes), SizeHiBytes: int64(r.HiBytes)}
}

// classOf names the class of most sizes of a bin.
func (b *builder) classOf(r histo.Range) string {
	mid := (r.LoBytes + 1 + r.HiBytes) / 2
	name := ""
	for _, c := range b.layout.Classes() {
		if mid > c.LoBytes {
			name = c.Name
		}
	}
	return name
}

func (b *builder) count(q histo.Query) (n uint64, err error) {
	for stage := range trace.NumStages {
		q.Stage = stage
		m, err := b.snap.Moments(q)
		if err != nil {
			return 0, err
		}
		n += m.Count
	}
	return n, nil
}

// stats describes a group's packets of a range of sizes in every stage, the derived one
// last. It returns nil if there are no packets or the layout does not keep them apart.
func (b *builder) stats(g trace.Group, q histo.Query) []trace.Stat {
	stats, err := stagesOf(q, b.snap.Moments, b.snap.Distribution)
	if err != nil {
		b.leaveOut(g, err)
		return nil
	}
	return stats
}

// stagesOf describes packets in every stage, the derived one last. It returns nil if
// there are none.
func stagesOf(q histo.Query, moments func(histo.Query) (histo.Moments, error), bins func(histo.Query) (*histo.Distribution, error)) ([]trace.Stat, error) {
	var stats []trace.Stat
	some := false
	for stage := range trace.NumStages {
		q.Stage = stage
		m, err := moments(q)
		if err != nil {
			return nil, err
		}
		s := describe(stage, m)
		percentiles(&s, func() (*histo.Distribution, error) { return bins(q) })
		some = some || m.Count > 0
		stats = append(stats, s)
	}
	if !some {
		return nil, nil
	}
	return append(stats, difference(stats[trace.Net], stats[trace.LANai])), nil
}

func (b *builder) leaveOut(g trace.Group, err error) {
	group := fmt.Sprintf("tag %d, %s", g.Tag, g.Kind)
	o := b.left[group]
	if o.rows++; o.rows == 1 {
		o.reason = plain(err)
		b.groups = append(b.groups, group)
	}
	b.left[group] = o
}

func plain(err error) string { return strings.TrimPrefix(err.Error(), "histo: ") }

func (b *builder) warn(l histo.Losses) {
	for _, g := range b.groups {
		o := b.left[g]
		text := fmt.Sprintf("left out: %s: %s", g, o.reason)
		if o.rows > 1 {
			text += fmt.Sprintf(", and %d more sizes", o.rows-1)
		}
		b.out.Warnings = append(b.out.Warnings, text)
	}
	for _, w := range []struct {
		n    uint64
		text string
	}{
		{l.Overflow, "increments were lost to full counters: counts are lower bounds"},
		{l.UnknownTag, "latencies had a tag without histograms and are in no row"},
		{l.Oversize, "latencies of packets longer than the largest size bin are counted there"},
		{l.Underflow, "latencies were negative, which only a clock error can cause; the means include them"},
	} {
		if w.n > 0 {
			b.out.Warnings = append(b.out.Warnings, fmt.Sprintf("%d %s", w.n, w.text))
		}
	}
	for _, n := range b.layout.Notes() {
		b.out.Warnings = append(b.out.Warnings, "histograms coarsened: "+n)
	}
}

// describe turns moments into a row's figures.
func describe(stage trace.Stage, m histo.Moments) trace.Stat {
	s := trace.Stat{Stage: stage, Measured: trace.Measured{Count: int64(m.Count)}, Judged: trace.Judged{Weak: m.Count < weakCount}}
	if m.Count == 0 {
		return s
	}
	s.MeanNs = trace.Some(m.MeanNs)
	switch m.VarianceFrom {
	case histo.FromSquares:
		s.Spread = trace.SpreadSquares
	case histo.FromBins:
		s.Spread = trace.SpreadBins
	case histo.BoundByBins:
		s.Spread = trace.SpreadBinsBound
		s.Note = note(s.Note, "the top bin holds packets: the interval is too narrow")
	default:
		s.Note = note(s.Note, "no interval: "+m.VarianceReason)
		return s
	}
	s.VarianceNs2 = trace.Some(m.Variance)
	setError(&s, math.Sqrt(m.Variance/float64(m.Count)), int64(m.Count)-1)
	return s
}

func note(to, text string) string {
	if to == "" {
		return text
	}
	return to + "; " + text
}

// setError sets the standard error of a mean and the interval that follows.
func setError(s *trace.Stat, se float64, df int64) {
	s.SENs, s.DF = trace.Some(se), df
	if lo, hi, ok := of(*s).interval(); ok {
		s.CILoNs, s.CIHiNs = trace.Some(lo), trace.Some(hi)
	}
}

// of returns the mean of a row with its error.
func of(s trace.Stat) estimate {
	return estimate{value: s.MeanNs.Value, se: s.SENs.Value, df: s.DF}
}

func percentiles(s *trace.Stat, ask func() (*histo.Distribution, error)) {
	all := []*trace.Percentile{&s.P50, &s.P90, &s.P99}
	d, err := ask()
	if s.Count == 0 || err != nil {
		reason := "no packets"
		if err != nil {
			reason = plain(err)
		}
		for _, p := range all {
			*p = trace.NoPercentile(reason)
		}
		return
	}
	for i, share := range []float64{0.50, 0.90, 0.99} {
		p, err := d.Percentile(share)
		if err != nil {
			*all[i] = trace.NoPercentile(plain(err))
			continue
		}
		// Of all packets 1-share are as long or longer, so that a mean of none below 0 sets a limit.
		if most := s.MeanNs.Value / (1 - share); !p.UpperBound && !d.Underflow && s.MeanNs.OK && p.Ns > most {
			p.Ns = max(most, p.LoNs)
		}
		*all[i] = trace.Percentile{
			Ns: trace.Some(int64(math.Round(p.Ns))), LowerBound: p.LowerBound, UpperBound: p.UpperBound,
		}
	}
	if lo, ok := d.Min(); ok && !(d.Underflow && lo == 0) {
		s.MinNs = trace.Some(lo)
	}
	if hi, open, ok := d.Max(); ok && !open {
		s.MaxNs = trace.Some(hi)
	}
}

// unpaired is why Net less LANai has no percentiles.
const unpaired = "a difference of means: one packet's two latencies are recorded at different nodes"

// difference returns the mean Net at the receivers minus the mean LANai at the senders.
// Its error treats the two as independent. That is too wide, because both contain the
// injection; cluster replaces it if pairs are kept.
func difference(net, lanai trace.Stat) trace.Stat {
	s := trace.Stat{
		Stage:    trace.NetMinusLANai,
		Measured: trace.Measured{Count: min(net.Count, lanai.Count), P50: trace.NoPercentile(unpaired), P90: trace.NoPercentile(unpaired), P99: trace.NoPercentile(unpaired)},
		Judged:   trace.Judged{Weak: net.Weak || lanai.Weak},
	}
	if !net.MeanNs.OK || !lanai.MeanNs.OK {
		s.Count = 0
		s.Note = "needs packets in both latencies"
		return s
	}
	s.MeanNs = trace.Some(net.MeanNs.Value - lanai.MeanNs.Value)
	if net.Count != lanai.Count {
		s.Note = note(s.Note, fmt.Sprintf("%d packets in Net, %d in the latency that it exceeds", net.Count, lanai.Count))
	}
	if d := of(net).minus(of(lanai)); d.df > 0 {
		setError(&s, d.se, d.df)
	}
	return s
}

// Histograms returns the latency bins of a snapshot as rows of a table.
func Histograms(snap *histo.Snapshot) []trace.HistogramRow {
	later := snap.Layout().Spec().Later
	var rows []trace.HistogramRow
	for bin := range snap.Bins() {
		r := trace.HistogramRow{
			Group: trace.Group{Tag: bin.Tag, Kind: trace.AllKinds}, Sizes: sizes(bin.Sizes),
			Stage: bin.Stage, LatencyLoNs: bin.LoNs, Count: int64(bin.Count),
		}
		if !bin.Open {
			r.LatencyHiNs = trace.Some(bin.HiNs)
		}
		if bin.ByKind {
			r.Kind = bin.Kind.String()
			if slices.Contains(later, bin.Kind) {
				r.First = trace.Some(!bin.Later)
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// AddLosses adds the losses of histograms to a manifest's counts.
func AddLosses(to *trace.Lost, l histo.Losses) {
	to.Saturated += int64(l.Overflow)
	to.TopBin += int64(l.TopBin)
	to.NotRecorded += int64(l.UnknownTag)
	to.Oversize += int64(l.Oversize)
	to.Negative += int64(l.Underflow)
}
