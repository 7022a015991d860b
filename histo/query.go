package histo

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// Part selects packets by their place in a message.
type Part uint8

// Parts of messages.
const (
	AnyPart Part = iota
	FirstPackets
	LaterPackets
)

// Query selects packets and a stage. The zero Query selects the Source latency
// of all packets.
type Query struct {
	Tags  []trace.Tag  // nil for all
	Kinds []trace.Kind // nil for all with histograms
	Part  Part
	After trace.Opt[trace.Predecessor] // of one kind that has sequences
	Sizes Range                        // zero for all; otherwise whole rows of the layout
	Stage trace.Stage
}

// Moments holds the count, mean and variance of a selection. Latencies are in ns.
type Moments struct {
	Count  uint64
	MeanNs float64 // 0 when Count is 0

	// Variance is the sample variance in ns². VarianceFrom is its origin; with
	// Unknown it is 0 and VarianceReason gives the reason.
	Variance       float64
	VarianceFrom   VarianceFrom
	VarianceReason string
}

// VarianceFrom is the origin of a variance.
type VarianceFrom uint8

// Origins of a variance.
const (
	Unknown     VarianceFrom = iota
	FromSquares              // exact, from sums of squares
	FromBins                 // from latency bins, each assumed uniformly filled
	BoundByBins              // like FromBins, but with packets in the open top bin: a lower bound
)

var origins = names.NewEnum[VarianceFrom]("variance", "unknown", "squares", "bins", "bins, lower bound")

func (v VarianceFrom) String() string { return origins.Name(v) }

// scope is a query resolved against a layout: indices in its arrays.
type scope struct {
	tags   []int
	groups []int // of a tag, a kind and a part, as the arrays by kind have them
	all    bool  // all kinds and parts
	sizes  Range
	stage  int
	after  int // index of a sequence; −1 for all
}

// resolve turns a query into indices. It returns an error that names the field which this layout cannot tell
// apart, or which is out of range.
func (s *Snapshot) resolve(q Query) (scope, error) {
	spec := s.l.spec
	sc := scope{sizes: q.Sizes, stage: int(q.Stage), after: -1}
	if q.Stage >= trace.NumStages {
		return sc, fmt.Errorf("histo: Stage: %v, want %v to %v", q.Stage, trace.Source, trace.NumStages-1)
	}
	if q.Sizes == (Range{}) {
		sc.sizes = Range{0, spec.MaxBytes}
	}
	if sc.sizes.LoBytes < 0 || sc.sizes.HiBytes <= sc.sizes.LoBytes || sc.sizes.LoBytes >= spec.MaxBytes {
		return sc, fmt.Errorf("histo: Sizes: %v, want a range within (0,%d] B", sc.sizes, spec.MaxBytes)
	}
	for t := range spec.Tags {
		if q.Tags == nil || slices.Contains(q.Tags, trace.Tag(t)) {
			sc.tags = append(sc.tags, t)
		}
	}
	for _, t := range q.Tags {
		if int(t) >= spec.Tags {
			return sc, fmt.Errorf("histo: Tags: %d, want 0 to %d", t, spec.Tags-1)
		}
	}
	kinds := q.Kinds
	if kinds == nil {
		kinds = spec.Kinds
	}
	var slots []int
	for _, k := range kinds {
		first := slices.Index(spec.Kinds, k)
		if first < 0 {
			return sc, fmt.Errorf("histo: Kinds: %v is not told apart by this layout", k)
		}
		later := slices.Index(spec.Later, k)
		if q.Part != AnyPart && later < 0 {
			return sc, fmt.Errorf("histo: Part: first and later packets of kind %v are not told apart by this layout", k)
		}
		// Kinds whose later packets are not apart have one slot for both.
		if q.Part != LaterPackets {
			slots = append(slots, first)
		}
		if q.Part != FirstPackets && later >= 0 {
			slots = append(slots, len(spec.Kinds)+later)
		}
	}
	if q.After.OK {
		if len(q.Kinds) != 1 || q.Part != AnyPart || len(s.sequence) == 0 || s.l.sequence[q.Kinds[0]][q.After.Value] < 0 {
			return sc, fmt.Errorf("histo: After: predecessors of kinds %v are not told apart by this layout", q.Kinds)
		}
		sc.after = int(s.l.sequence[q.Kinds[0]][q.After.Value])
	}
	slices.Sort(slots)
	// A kind may be named twice.
	slots = slices.Compact(slots)
	sc.all = len(slots) == spec.slots()
	for _, tag := range sc.tags {
		for _, slot := range slots {
			sc.groups = append(sc.groups, tag*spec.slots()+slot)
		}
	}
	return sc, nil
}

// Moments returns count, mean and variance of a selection. The error gives the
// reason why the layout cannot separate the selection.
func (s *Snapshot) Moments(q Query) (Moments, error) {
	sc, err := s.resolve(q)
	if err != nil {
		return Moments{}, err
	}
	total, err := s.total(sc)
	if err != nil {
		return Moments{}, err
	}
	m := s.moments(total)
	if m.VarianceFrom == Unknown && total.count > 1 && !s.l.spec.Variance {
		if d, err := s.distribution(sc, total); err != nil {
			m.VarianceReason = err.Error()
		} else {
			m.Variance, m.VarianceFrom = d.variance()
			m.VarianceReason = ""
		}
	}
	return m, nil
}

// moments turns sums into moments, without the help of bins.
func (s *Snapshot) moments(t sums) Moments {
	m := Moments{Count: t.count}
	if t.count == 0 {
		m.VarianceReason = "no packets"
		return m
	}
	nsPerTick := 1e9 / float64(s.l.spec.TickHz)
	m.MeanNs = s.meanNs(t)
	switch {
	case t.count == 1:
		m.VarianceReason = "one packet"
	case !s.l.spec.Variance:
		m.VarianceReason = "no sums of squares in this layout"
	case t.pinned:
		m.VarianceReason = "the sum of squares overflowed"
	default:
		// (n·Σt² − (Σt)²) / (n·(n−1)) in integers, to avoid cancellation.
		n := new(big.Int).SetUint64(t.count)
		sum := big.NewInt(t.sum)
		num := new(big.Int).Mul(n, t.squares.big())
		num.Sub(num, sum.Mul(sum, sum))
		den := new(big.Int).Mul(n, new(big.Int).SetUint64(t.count-1))
		// In ticks². The conversion to ns² is the square of the one to ns.
		ticks2, _ := new(big.Rat).SetFrac(num, den).Float64()
		m.Variance, m.VarianceFrom = ticks2*nsPerTick*nsPerTick, FromSquares
	}
	return m
}

// meanNs returns the mean as a ratio of integers, rounded once: sum*nsNum / (count*nsDen). That is exact for
// sums beyond 2⁵³ ticks too.
func (s *Snapshot) meanNs(t sums) float64 {
	if t.count == 0 {
		return 0
	}
	l := s.l
	const whole = 1 << 53 // integers up to here are exact as floats
	if t.sum <= whole/l.nsNum && t.sum >= -whole/l.nsNum && t.count <= uint64(whole/l.nsDen) {
		return float64(t.sum*l.nsNum) / float64(int64(t.count)*l.nsDen)
	}
	mean, _ := new(big.Rat).SetFrac(
		new(big.Int).Mul(big.NewInt(t.sum), big.NewInt(l.nsNum)),
		new(big.Int).Mul(new(big.Int).SetUint64(t.count), big.NewInt(l.nsDen)),
	).Float64()
	return mean
}

// total adds up the sums of a scope. It takes the array over all kinds if it can, whose rows are the finest. It
// returns an error if the sizes are no whole rows, or if a sum exceeds 64 bits.
func (s *Snapshot) total(sc scope) (sums, error) {
	l := s.l
	if sc.after >= 0 {
		return s.followed(sc)
	}
	if sc.all && len(s.all) > 0 {
		lo, hi, exact := l.allRows.cover(sc.sizes)
		if !exact {
			return sums{}, s.coarse(sc.sizes, Range{l.allRows.of(lo).LoBytes, l.allRows[hi-1]}, "")
		}
		return sumOf(s.all, sc.tags, len(l.allRows), lo, hi, sc.stage)
	}
	if len(s.kind) == 0 {
		return sums{}, fmt.Errorf("histo: Kinds: this layout keeps no sums by kind")
	}
	lo, hi, exact := l.kindRows.cover(sc.sizes)
	total, err := sumOf(s.kind, sc.groups, len(l.kindRows), lo, hi, sc.stage)
	if exact || err != nil || total.count == 0 {
		return total, err
	}
	// The rows by kind reach beyond the sizes asked for. The figures are still
	// right if no packet is in the excess, and zero if none is within the
	// sizes.
	wide := Range{l.kindRows.of(lo).LoBytes, l.kindRows[hi-1]}
	if len(s.all) > 0 {
		// If the counts of all kinds are equal, no packet at all is in the excess.
		outer, errOuter := s.countAll(sc, wide)
		inner, errInner := s.countAll(sc, sc.sizes)
		switch {
		case errOuter != nil || errInner != nil:
		case inner == 0:
			return sums{}, nil
		case inner == outer:
			return total, nil
		}
	}
	return sums{}, s.coarse(sc.sizes, wide, " by kind")
}

// followed adds up the sums of a sequence.
func (s *Snapshot) followed(sc scope) (sums, error) {
	r := s.l.sequenceRows
	lo, hi, exact := r.cover(sc.sizes)
	if !exact {
		return sums{}, s.coarse(sc.sizes, Range{r.of(lo).LoBytes, r[hi-1]}, " by sequence")
	}
	var groups []int
	for _, tag := range sc.tags {
		groups = append(groups, tag*len(s.l.spec.sequences())+sc.after)
	}
	return sumOf(s.sequence, groups, len(r), lo, hi, sc.stage)
}

// coarse returns the error of sizes that are not whole rows.
func (s *Snapshot) coarse(asked, kept Range, how string) error {
	return fmt.Errorf("histo: Sizes: %v is not apart in this layout, which keeps sums%s of %v together", asked, how, kept)
}

// countAll returns the number of packets of all kinds in a range of sizes, in the programs of a scope. It
// returns an error if the range is not whole rows.
func (s *Snapshot) countAll(sc scope, sizes Range) (uint64, error) {
	lo, hi, exact := s.l.allRows.cover(sizes)
	if !exact {
		return 0, s.coarse(sizes, Range{s.l.allRows.of(lo).LoBytes, s.l.allRows[hi-1]}, "")
	}
	t, err := sumOf(s.all, sc.tags, len(s.l.allRows), lo, hi, sc.stage)
	return t.count, err
}

// sumOf adds up the cells of groups, each of so many rows, in rows [lo, hi).
func sumOf(cells []sums, groups []int, rows, lo, hi, stage int) (total sums, err error) {
	for _, g := range groups {
		for row := lo; row < hi; row++ {
			if !total.merge(cells[(g*rows+row)*stages+stage]) {
				return total, errSum
			}
		}
	}
	return total, nil
}

var errSum = errors.New("histo: a sum of ticks exceeds 64 bits")

// Pair names a packet's sender and receiver.
type Pair struct{ Sender, Receiver int }

// Pair returns count and mean, and with sums of squares the variance, of the
// packets from one node to another. Sums by pair are over all kinds, for whole
// size classes or for all sizes. Pair fails if the interface was not read out;
// a pair without packets has count 0.
func (s *Snapshot) Pair(p Pair, q Query) (Moments, error) {
	spec := s.l.spec
	sc, lo, hi, err := s.pairScope(q)
	if err != nil {
		return Moments{}, err
	}
	for _, n := range []int{p.Sender, p.Receiver} {
		if n < 0 || n >= spec.Nodes {
			return Moments{}, fmt.Errorf("histo: Pair: node %d, want 0 to %d", n, spec.Nodes-1)
		}
	}
	at, peer := ends(p, q.Stage)
	i, found := s.findNode(at)
	if !found {
		return Moments{}, fmt.Errorf("histo: Pair: the interface of node %d, where %v is recorded, was not read out", at, q.Stage)
	}
	total, err := s.nodes[i].sum(s.l, sc.tags, peer, lo, hi, sc.stage)
	if err != nil {
		return Moments{}, err
	}
	return s.moments(total), nil
}

// sum adds up the cells of a peer in classes [lo, hi).
func (n *nodePairs) sum(l *Layout, tags []int, peer, lo, hi, stage int) (total sums, err error) {
	for _, tag := range tags {
		for class := lo; class < hi; class++ {
			if !total.merge(n.cell(l, ((tag*l.spec.Nodes+peer)*l.plan.pairs+class)*stages+stage)) {
				return total, errSum
			}
		}
	}
	return total, nil
}

// PairMean is the count and mean of one stage of the packets from one node to
// another.
type PairMean struct {
	Count  uint64
	MeanNs float64 // 0 when Count is 0
}

// EachPair calls f for every pair of nodes with recorded packets, in ascending order of
// sender and then receiver, with the result of [Snapshot.Pair] for each stage. The Stage
// of q is not used. It is faster than calling Pair for each pair.
func (s *Snapshot) EachPair(q Query, f func(Pair, *[trace.NumStages]PairMean)) error {
	q.Stage = 0
	sc, lo, hi, err := s.pairScope(q)
	if err != nil {
		return err
	}
	nodes := s.l.spec.Nodes
	if len(s.nodes) != nodes {
		return fmt.Errorf("histo: Pair: %d of %d interfaces were read out", len(s.nodes), nodes)
	}
	var mean [trace.NumStages]PairMean
	for sender := range nodes {
		for receiver := range nodes {
			some := false
			for st := range mean {
				at, peer := ends(Pair{sender, receiver}, trace.Stage(st))
				total, err := s.nodes[at].sum(s.l, sc.tags, peer, lo, hi, st)
				if err != nil {
					return err
				}
				mean[st] = PairMean{total.count, s.meanNs(total)}
				some = some || total.count > 0
			}
			if some {
				f(Pair{sender, receiver}, &mean)
			}
		}
	}
	return nil
}

// ends returns the node that records a stage of a pair's packets, and the peer under which it records it:
// Source and LANai are recorded where the packet is sent, Net and Dest where it arrives.
func ends(p Pair, stage trace.Stage) (at, peer int) {
	if stage == trace.Net || stage == trace.Dest {
		return p.Receiver, p.Sender
	}
	return p.Sender, p.Receiver
}

// pairScope resolves a query for sums by peer, over classes [lo, hi).
func (s *Snapshot) pairScope(q Query) (sc scope, lo, hi int, err error) {
	if sc, err = s.resolve(q); err != nil {
		return sc, 0, 0, err
	}
	switch {
	case s.l.plan.pairs == 0:
		err = fmt.Errorf("histo: Pair: this layout keeps no sums by peer")
	case !sc.all:
		err = fmt.Errorf("histo: Kinds: sums by peer are kept over all kinds together")
	default:
		lo, hi, err = s.l.pairClasses(sc.sizes)
	}
	return sc, lo, hi, err
}

// pairClasses returns the classes [lo, hi) of the sums by peer that make up a
// range of sizes.
func (l *Layout) pairClasses(sizes Range) (lo, hi int, err error) {
	if sizes.LoBytes == 0 && sizes.HiBytes >= l.spec.MaxBytes {
		return 0, l.plan.pairs, nil
	}
	if l.plan.pairs > 1 {
		r := newRows(classes, l.spec.SizeBytes, l.spec.MaxBytes)
		lo, hi, exact := r.cover(sizes)
		if exact {
			return lo, hi, nil
		}
	}
	return 0, 0, fmt.Errorf("histo: Sizes: sums by peer are kept for %d size classes, not for %v", l.plan.pairs, sizes)
}
