package histo

import (
	"fmt"
	"iter"
	"math"

	"github.com/sigview/sigview/trace"
)

// Distribution is the latency bins of a selection. Bin i holds latencies from i*WidthNs up to, not including,
// (i+1)*WidthNs.
//
// Invariant: Counts sum to Count.
type Distribution struct {
	Counts  []uint64 // the last bin is open
	WidthNs int64
	Count   uint64

	// Underflow reports that the lowest bin may hold negative latencies.
	Underflow bool

	// Sum of all latencies, also of those in the open bin; see variance.
	sumNs float64
}

// Distribution returns the latency bins of a selection. There are bins per tag
// and size and bins per tag and kind, but none per size and kind. A narrower
// selection is possible if counts show that one of these holds exactly its
// packets. Otherwise the error gives the reason.
func (s *Snapshot) Distribution(q Query) (*Distribution, error) {
	sc, err := s.resolve(q)
	if err != nil {
		return nil, err
	}
	total, err := s.total(sc)
	if err != nil {
		return nil, err
	}
	return s.distribution(sc, total)
}

// distribution is Distribution of a resolved query. total has the packets that its bins have to hold. It
// returns an error if increments were lost to full counters, or if no bins hold just these packets.
func (s *Snapshot) distribution(sc scope, total sums) (*Distribution, error) {
	if sc.after >= 0 {
		return nil, fmt.Errorf("histo: After: no latency bins are kept by sequence")
	}
	l := s.l
	d := &Distribution{
		Counts:  make([]uint64, l.plan.bins),
		WidthNs: l.widthNs(trace.Stage(sc.stage)),
		Count:   total.count,
		sumNs:   float64(total.sum) * (1e9 / float64(l.spec.TickHz)),
	}
	for _, tag := range sc.tags {
		d.Underflow = d.Underflow || s.losses[l.underflowWord(tag, trace.Stage(sc.stage))] > 0
	}
	// A bin that was full has lost packets, so that counts prove nothing.
	if n := s.losses[lossOver]; n > 0 {
		return nil, fmt.Errorf("histo: latency bins: %d increments were lost to full counters", n)
	}
	if total.count == 0 {
		return d, nil
	}
	var kept string
	if len(s.bySize) > 0 {
		lo, hi, _ := l.sizeRows.cover(sc.sizes)
		// Bins by size hold all kinds. If they hold as many packets as the selection, they hold just those.
		n := addBins(d.Counts, s.bySize, sc.tags, len(l.sizeRows), lo, hi, sc.stage)
		if n == total.count {
			return d, nil
		}
		kept = fmt.Sprintf(", but hold %d in %v over all kinds", n, Range{l.sizeRows.of(lo).LoBytes, l.sizeRows[hi-1]})
	}
	if len(s.byKind) > 0 {
		clear(d.Counts)
		// The same with bins by kind, which hold all sizes.
		n := addBins(d.Counts, s.byKind, sc.groups, 1, 0, 1, sc.stage)
		if n == total.count {
			return d, nil
		}
		but := ", but hold"
		if kept != "" {
			but = ", and"
		}
		kept += fmt.Sprintf("%s %d of these kinds over all sizes", but, n)
	}
	if kept == "" {
		return nil, fmt.Errorf("histo: latency bins: none in this layout")
	}
	return nil, fmt.Errorf("histo: latency bins do not keep these %d packets apart%s", total.count, kept)
}

// addBins adds the latency bins of groups, each of so many rows, in rows [lo, hi).
// It returns the number of packets.
func addBins(into, bins []uint64, groups []int, rows, lo, hi, stage int) (n uint64) {
	for _, g := range groups {
		for row := lo; row < hi; row++ {
			for i, c := range bins[((g*rows+row)*stages+stage)*len(into):][:len(into)] {
				into[i] += c
				n += c
			}
		}
	}
	return n
}

// Percentile is a latency that a share of all packets do not exceed.
type Percentile struct {
	Ns         float64 // by linear interpolation within the bin, or the bound
	LoNs, HiNs float64 // ends of the bin; both are the lower end for the open bin
	LowerBound bool    // it is in the open top bin, and at least Ns
	UpperBound bool    // it is in the lowest bin, which tells no digit of it, and at most Ns
}

// Percentile returns the latency that share (0 to 1, exclusive) of the packets
// do not exceed. It fails if there are too few packets to expect at least one
// on either side.
func (d *Distribution) Percentile(share float64) (Percentile, error) {
	if !(share > 0 && share < 1) {
		return Percentile{}, fmt.Errorf("histo: percentile: share %v, want more than 0 and less than 1", share)
	}
	// The slack lets 100 packets suffice for 0.99: 1−0.99 is a little less
	// than a hundredth.
	tail := min(share, 1-share)
	if need := math.Ceil(1/tail - 1e-9); float64(d.Count) < need {
		return Percentile{}, fmt.Errorf("histo: percentile: %d packets, want at least %.0f for a share of %v", d.Count, need, share)
	}
	// The smallest number of packets that is the share or more; 1e-9 takes back what the product is rounded up
	// by.
	rank := uint64(math.Ceil(float64(share*float64(d.Count)) - 1e-9))
	rank = min(max(rank, 1), d.Count)
	var before uint64
	for i, c := range d.Counts {
		if before+c < rank {
			before += c
			continue
		}
		lo := float64(float64(i) * float64(d.WidthNs))
		if i == len(d.Counts)-1 {
			return Percentile{Ns: lo, LoNs: lo, HiNs: lo, LowerBound: true}, nil
		}
		hi := lo + float64(d.WidthNs)
		if i == 0 {
			return Percentile{Ns: hi, LoNs: lo, HiNs: hi, UpperBound: true}, nil
		}
		// The c packets of a bin stand at the middles of c equal parts of it.
		part := (float64(rank-before) - 0.5) / float64(c)
		return Percentile{Ns: lo + float64(part*float64(d.WidthNs)), LoNs: lo, HiNs: hi}, nil
	}
	panic(fmt.Sprintf("histo: distribution of %d packets has fewer than %d in its bins", d.Count, rank))
}

// Top returns the number of packets in the open top bin and its lower end.
func (d *Distribution) Top() (count uint64, fromNs int64) {
	i := len(d.Counts) - 1
	return d.Counts[i], int64(i) * d.WidthNs
}

// Min returns the lower end of the lowest bin that holds a packet, and false
// when none does.
func (d *Distribution) Min() (ns int64, ok bool) {
	for i, c := range d.Counts {
		if c > 0 {
			return int64(i) * d.WidthNs, true
		}
	}
	return 0, false
}

// Max returns the upper end of the highest bin that holds a packet, and false
// when none does. For the open bin it is the lower end, and open is true.
func (d *Distribution) Max() (ns int64, open, ok bool) {
	for i := len(d.Counts) - 1; i >= 0; i-- {
		switch {
		case d.Counts[i] == 0:
		case i == len(d.Counts)-1:
			return int64(i) * d.WidthNs, true, true
		default:
			return int64(i+1) * d.WidthNs, false, true
		}
	}
	return 0, false, false
}

// variance estimates the sample variance. Bins count as uniformly filled, which adds
// width²/12 to the variance of the midpoints. All packets of the open bin are placed at
// the mean that the known sum of all packets implies, or at the bin's lower end. Their
// spread is unknown, so the result is a lower bound.
func (d *Distribution) variance() (float64, VarianceFrom) {
	w := float64(d.WidthNs)
	last := len(d.Counts) - 1
	var n, sum float64
	for i, c := range d.Counts[:last] {
		n += float64(c)
		// At the middle of the bin.
		sum += float64(float64(c) * (float64(i) + 0.5) * w)
	}
	from, top := FromBins, 0.0
	if c := float64(d.Counts[last]); c > 0 {
		from = BoundByBins
		// What the known sum leaves for the packets of the open bin.
		top = max((d.sumNs-sum)/c, float64(last)*w)
		n += c
		sum += float64(c * top)
	}
	mean := sum / n
	var squares float64
	for i, c := range d.Counts[:last] {
		dev := float64((float64(i)+0.5)*w) - mean
		// A uniform distribution of width w has the variance w²/12.
		squares += float64(float64(c) * (float64(dev*dev) + float64(w*w)/12))
	}
	dev := top - mean
	squares += float64(float64(d.Counts[last]) * float64(dev*dev))
	return squares / (n - 1), from
}

// Bin is one counter of the latency bins.
type Bin struct {
	Tag        trace.Tag
	Kind       trace.Kind // only with ByKind
	ByKind     bool       // a counter of one kind and all sizes, not of all kinds and one range of sizes
	Later      bool       // of later packets of a message; only with ByKind
	Sizes      Range
	Stage      trace.Stage
	LoNs, HiNs int64 // HiNs is LoNs for the open top bin
	Open       bool
	Count      uint64
}

// Bins yields every latency bin that is not empty: first those by size, then
// those by kind, each by tag, row, stage and latency.
func (s *Snapshot) Bins() iter.Seq[Bin] {
	l := s.l
	return func(yield func(Bin) bool) {
		_ = l.each(s.bySize, len(l.sizeRows), func(b *Bin, row int) { b.Sizes = l.sizeRows.of(row) }, yield) &&
			l.each(s.byKind, l.spec.slots(), func(b *Bin, slot int) {
				b.ByKind, b.Kind, b.Later = true, l.kindOf(slot), slot >= len(l.spec.Kinds)
				b.Sizes = Range{0, l.spec.MaxBytes}
			}, yield)
	}
}

// each yields the bins of an array with so many rows per tag; of fills in a bin from
// its row.
func (l *Layout) each(bins []uint64, rows int, of func(b *Bin, row int), yield func(Bin) bool) bool {
	for i, c := range bins {
		if c == 0 {
			continue
		}
		// The array is group × stage × bin, the last fastest.
		bin, stage, group := i%l.plan.bins, trace.Stage(i/l.plan.bins%stages), i/(l.plan.bins*stages)
		w := l.widthNs(stage)
		b := Bin{Tag: trace.Tag(group / rows), Stage: stage, LoNs: int64(bin) * w, HiNs: int64(bin+1) * w, Count: c}
		if bin == l.plan.bins-1 {
			b.HiNs, b.Open = b.LoNs, true
		}
		if of(&b, group%rows); !yield(b) {
			return false
		}
	}
	return true
}

// kindOf returns the kind of a slot; slots of later packets follow those of first ones.
func (l *Layout) kindOf(slot int) trace.Kind {
	if n := len(l.spec.Kinds); slot >= n {
		return l.spec.Later[slot-n]
	}
	return l.spec.Kinds[slot]
}
