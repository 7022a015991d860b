package histo

import (
	"fmt"
	"slices"
)

// knob is one way to make the arrays smaller, by levels.
type knob uint8

// The knobs. Level 0 is the finest.
const (
	knobSizeRows  knob = iota // rows of the latency bins by size
	knobBins                  // latency bins per row
	knobKindRows              // rows of the sums by kind
	knobAllRows               // rows of the sums over all kinds
	knobPairs                 // size classes per peer
	knobKindBins              // latency bins by kind
	knobSequences             // sums by sequence
	numKnobs
)

// ladder is the order in which a layout is coarsened. What the published
// signature needs (means per 32 B bin over all kinds, at 1 and 2 µs) is
// coarsened last. The range of the latency bins is kept longer than the
// resolution of sizes, because a percentile in the open bin is only a bound.
var ladder = [...]knob{
	knobSequences, // classes
	knobSizeRows,  // dense
	knobSizeRows,  // graded
	knobBins,      // 192
	knobKindRows,  // dense, sums over all kinds apart
	knobKindRows,  // graded
	knobBins,      // 128
	knobKindRows,  // classes
	knobSizeRows,  // classes
	knobBins,      // 96
	knobPairs,     // one class
	knobBins,      // 64
	knobKindBins,  // dropped
	knobBins,      // 48 of twice the width
	knobAllRows,   // dense
	knobAllRows,   // graded
	knobBins,      // 32 of four times the width
	knobPairs,     // dropped
	knobSequences, // dropped
	knobKindRows,  // dropped
	knobSizeRows,  // one row
	knobAllRows,   // classes
}

// binSteps gives the minimum number of bins per row and the factor on their
// width at each level of knobBins; level 0 uses the Spec's.
var binSteps = [...]struct{ bins, widen int }{{0, 1}, {192, 1}, {128, 1}, {96, 1}, {64, 1}, {48, 2}, {32, 4}}

var (
	sizeRowSteps  = [...]grain{fine, dense, graded, classes, whole}
	kindRowSteps  = [...]grain{fine, dense, graded, classes, absent}
	sequenceSteps = [...]grain{graded, classes, absent}
	allRowSteps   = [...]grain{fine, dense, graded, classes}
)

// plan is what the levels of all knobs come to: which arrays there are, and how fine each is.
type plan struct {
	sizeRows  grain // latency bins by size
	kindRows  grain // sums by kind
	allRows   grain // sums over all kinds; absent when kindRows is as fine
	kindBins  bool
	sequences grain // sums by sequence
	pairs     int   // size classes per peer, 0 for no pairs
	bins      int   // latency bins per row
	widen     int   // factor on their width
}

// planAt returns the plan at the levels of the knobs, with the dimensions that the specification asks for.
func (s Spec) planAt(level [numKnobs]int) plan {
	p := plan{
		sizeRows:  absent,
		kindRows:  absent,
		allRows:   allRowSteps[level[knobAllRows]],
		kindBins:  s.Dims&LatencyByKind != 0 && level[knobKindBins] == 0,
		sequences: absent,
		bins:      s.LatencyTop,
		widen:     1,
	}
	// Never more bins than the specification asks for.
	if b := binSteps[level[knobBins]]; b.bins > 0 {
		p.bins, p.widen = min(b.bins, s.LatencyTop), b.widen
	}
	if s.Dims&LatencyBySize != 0 {
		p.sizeRows = sizeRowSteps[level[knobSizeRows]]
	}
	if s.Dims&SumsByKind != 0 {
		p.kindRows = kindRowSteps[level[knobKindRows]]
	}
	// Sums over all kinds are then exact sums of those by kind.
	if p.kindRows == fine {
		p.allRows = absent
	}
	if s.Dims&SumsBySequence != 0 && len(s.Sequences) > 0 {
		p.sequences = sequenceSteps[level[knobSequences]]
	}
	if s.Dims&Pairs != 0 {
		p.pairs = [...]int{len(classesUpTo(s.MaxBytes)), 1, 0}[level[knobPairs]]
	}
	return p
}

// Plan chooses arrays that fit into the budget of spec. It starts from full
// resolution and goes down the ladder until the arrays fit. It then undoes
// every unnecessary step, the latest first, and uses the remaining budget for
// more latency bins. Layout.Notes states what was coarsened. It returns an
// error if spec is invalid or if even the coarsest arrays do not fit.
func Plan(spec Spec) (*Layout, error) {
	if err := spec.validate(); err != nil {
		return nil, err
	}
	spec = spec.clone()
	budget := spec.BudgetBytes / wordBytes
	words := func(p plan) int { return countWords(spec.arrays(p)) }

	var level [numKnobs]int
	var taken []knob
	// Invariant: level counts the knobs in taken.
	for _, k := range ladder {
		if words(spec.planAt(level)) <= budget {
			break
		}
		level[k]++
		taken = append(taken, k)
	}
	if need := words(spec.planAt(level)); need > budget {
		return nil, refuse(spec, spec.planAt(level), need, budget)
	}
	// A later step may have saved so much that an earlier one was not needed.
	for i := len(taken) - 1; i >= 0; i-- {
		finer := level
		finer[taken[i]]--
		if words(spec.planAt(finer)) <= budget {
			level = finer
		}
	}

	p := spec.planAt(level)
	for p.widen == 1 && p.bins < spec.LatencyTop {
		more := p
		more.bins = min(p.bins+8, spec.LatencyTop)
		if words(more) > budget {
			break
		}
		p = more
	}
	return newLayout(spec, p)
}

// refuse returns the error of a budget that the coarsest plan exceeds, with the words that it needs and has.
func refuse(s Spec, p plan, need, budget int) error {
	largest := slices.MaxFunc(s.arrays(p), func(a, b array) int { return a.words() - b.words() })
	return fmt.Errorf("histo: BudgetBytes: %d holds %d counters, but %d tags, %d kinds and %d nodes need %d at the coarsest (%d for %s); want at least %d bytes, fewer tags or fewer dimensions",
		s.BudgetBytes, budget, s.Tags, len(s.Kinds), s.Nodes, need, largest.words(), largest.name, need*wordBytes)
}

// notes states in words where p is coarser than s.
func (s Spec) notes(p plan) []string {
	// The plan at full resolution.
	want := s.planAt([numKnobs]int{})
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if p.sizeRows != want.sizeRows {
		add("latency bins by size: rows of %s instead of %s", p.sizeRows.describe(s), want.sizeRows.describe(s))
	}
	if want.kindBins && !p.kindBins {
		add("latency bins by kind: dropped")
	}
	if want.sequences != absent && p.sequences == absent {
		add("sums by sequence: dropped")
	}
	if p.bins != want.bins {
		add("latency bins: %d per row instead of %d", p.bins, want.bins)
	}
	if p.widen != 1 {
		add("latency bins: %d times as wide as asked for", p.widen)
	}
	switch {
	case p.kindRows == want.kindRows:
	case p.kindRows == absent:
		add("sums by kind: dropped")
	default:
		add("sums by kind: rows of %s instead of %s", p.kindRows.describe(s), want.kindRows.describe(s))
	}
	if p.allRows != absent && p.allRows != fine {
		add("sums over all kinds: rows of %s instead of %s", p.allRows.describe(s), fine.describe(s))
	}
	switch {
	case p.pairs == want.pairs:
	case p.pairs == 0:
		add("sums per pair of nodes: dropped")
	default:
		add("sums per pair of nodes: over all sizes instead of %d size classes", want.pairs)
	}
	return notes
}
