package histo

import (
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/sigview/sigview/trace"
)

// wordBytes is the size of a counter in SRAM.
const (
	wordBytes = 4
	stages    = int(trace.NumStages)
)

// axis is one dimension of an array: its name and its length.
type axis struct {
	name string
	n    int
}

// array is a block of words in row-major order, the last axis fastest. Each
// element takes size words.
type array struct {
	name string
	what string // what an element holds
	axes []axis
	size int
	base int // first word
}

// words returns the number of words of an array: size times the lengths of all axes.
func (a array) words() int {
	n := a.size
	for _, x := range a.axes {
		n *= x.n
	}
	return n
}

// Names of the arrays, in the order in which they lie in SRAM.
const (
	nameLosses   = "losses"
	nameKind     = "sums by kind"
	nameAll      = "sums, all kinds"
	nameBySize   = "latency by size"
	nameByKind   = "latency by kind"
	namePairs    = "sums by peer"
	nameSequence = "sums by sequence"
	// Offsets of counters in losses, and the number of those before the ones per tag, kind and stage.
	lossOver    = 0 // increments lost to full counters
	lossTag     = 1 // records with a tag beyond the last one
	lossSize    = 2 // records of packets longer than MaxBytes
	lossMiscN   = 3
	cellWords   = 3 // count, low and high word of the sum
	squareWords = 2 // low and high word of the sum of squares
)

// countWords returns the number of words of all arrays.
func countWords(arrays []array) int {
	n := 0
	for _, a := range arrays {
		n += a.words()
	}
	return n
}

// slots returns the number of separate kinds. Slots 0 to len(Kinds)-1 are the kinds; later packets of a message
// have slots of their own behind them.
func (s Spec) slots() int { return len(s.Kinds) + len(s.Later) }

// cell returns the words of an element of the sums, and what it holds.
func (s Spec) cell() (words int, what string) {
	if s.Variance {
		return cellWords + squareWords, "count, sum, squares"
	}
	return cellWords, "count, sum"
}

// arrays lists the arrays of plan p in the order in which they lie in SRAM, one behind the other.
func (s Spec) arrays(p plan) []array {
	tag, stage := axis{"tag", s.Tags}, axis{"stage", stages}
	kind := axis{"kind", s.slots()}
	rowAxis := func(g grain) axis { return axis{"size", len(newRows(g, s.SizeBytes, s.MaxBytes))} }
	bin := axis{"bin", p.bins}
	cell, what := s.cell()

	// Behind the single counters: underflows by tag and stage, then kinds without histograms by kind and stage.
	lossN := lossMiscN + stages*(s.Tags+int(trace.NumKinds))
	list := []array{{name: nameLosses, what: "count", axes: []axis{{"counter", lossN}}, size: 1}}
	if p.kindRows != absent {
		list = append(list, array{name: nameKind, what: what, axes: []axis{tag, kind, rowAxis(p.kindRows), stage}, size: cell})
	}
	if p.allRows != absent {
		list = append(list, array{name: nameAll, what: what, axes: []axis{tag, rowAxis(p.allRows), stage}, size: cell})
	}
	if p.sizeRows != absent {
		list = append(list, array{name: nameBySize, what: "count", axes: []axis{tag, rowAxis(p.sizeRows), stage, bin}, size: 1})
	}
	if p.kindBins {
		list = append(list, array{name: nameByKind, what: "count", axes: []axis{tag, kind, stage, bin}, size: 1})
	}
	if p.pairs > 0 {
		list = append(list, array{name: namePairs, what: what, axes: []axis{tag, {"peer", s.Nodes}, {"class", p.pairs}, stage}, size: cell})
	}
	if p.sequences != absent {
		list = append(list, array{name: nameSequence, what: what, axes: []axis{tag, {"sequence", len(s.sequences())}, rowAxis(p.sequences), stage}, size: cell})
	}
	// The arrays lie one behind the other from word 0 on.
	base := 0
	for i := range list {
		list[i].base = base
		base += list[i].words()
	}
	return list
}

// place is the offset in words, within an entry of the other axes, at which a payload size lies in each array;
// 0 in arrays without sizes.
type place struct{ kind, all, bySize, peer, sequence uint32 }

// strides are the distances in words between neighbours along each axis. Record finds a counter as
//
//	base + tag*stride + slot*stride + offset of the size (place) + stage*stride + bin.
type strides struct {
	cell                  int // per stage, in the arrays of sums
	kindTag, kindSlot     int
	allTag                int
	bySizeTag, bins       int // bins also per stage, in the arrays of bins
	byKindTag, byKindSlot int
	peerTag, peer         int
	sequenceTag, sequence int
}

// Layout is a choice of arrays that fits a budget. It is immutable; all
// interfaces of a run share one.
type Layout struct {
	spec  Spec
	plan  plan
	list  []array
	notes []string
	words int

	kindRows, allRows, sizeRows, sequenceRows rows
	classes                                   []Class
	scale                                     [trace.NumStages]scale
	step                                      strides
	place                                     []place                 // by payload size
	slot                                      [2][trace.NumKinds]int8 // by later or not; −1 for kinds counted apart

	sequence [trace.NumKinds][trace.NumPredecessors]int16 // its index; −1 for kinds without sequences

	nsNum, nsDen int64 // ns per tick as a reduced fraction

	// First words of the arrays, −1 for those left out.
	kindBase, allBase, bySizeBase, byKindBase, pairBase, sequenceBase int
}

// newLayout lays out the arrays of a plan. It returns an error if a latency cannot be binned exactly.
func newLayout(s Spec, p plan) (*Layout, error) {
	l := &Layout{
		spec: s, plan: p, list: s.arrays(p), notes: s.notes(p),
		kindRows:     newRows(p.kindRows, s.SizeBytes, s.MaxBytes),
		allRows:      newRows(p.allRows, s.SizeBytes, s.MaxBytes),
		sizeRows:     newRows(p.sizeRows, s.SizeBytes, s.MaxBytes),
		sequenceRows: newRows(p.sequences, s.SizeBytes, s.MaxBytes),
		classes:      classesUpTo(s.MaxBytes),
	}
	l.words = countWords(l.list)
	for stage := range l.scale {
		var err error
		if l.scale[stage], err = newScale(s.TickHz, l.widthNs(trace.Stage(stage)), p.bins); err != nil {
			return nil, err
		}
	}
	l.kindBase, l.allBase = l.base(nameKind), l.base(nameAll)
	l.bySizeBase, l.byKindBase, l.pairBase = l.base(nameBySize), l.base(nameByKind), l.base(namePairs)
	l.sequenceBase = l.base(nameSequence)
	l.setStrides()
	l.setSequences()
	// 1e9/TickHz, reduced: mean latencies are computed in whole ticks and converted once.
	tick := big.NewRat(1_000_000_000, s.TickHz)
	l.nsNum, l.nsDen = tick.Num().Int64(), tick.Denom().Int64()
	for part := range l.slot {
		for k := range l.slot[part] {
			l.slot[part][k] = -1
		}
	}
	for i, k := range s.Kinds {
		// Later packets share the slot of their kind unless they have one of their own, which follows.
		l.slot[0][k], l.slot[1][k] = int8(i), int8(i)
	}
	for i, k := range s.Later {
		l.slot[1][k] = int8(len(s.Kinds) + i)
	}
	return l, nil
}

// base returns the first word of an array, -1 if the layout does not have it.
func (l *Layout) base(name string) int {
	for _, a := range l.list {
		if a.name == name {
			return a.base
		}
	}
	return -1
}

// setStrides sets the strides and the place of each payload size. In each array the axes are, the slowest
// first: tag; kind, peer or sequence; size; stage; bin. See Spec.arrays.
func (l *Layout) setStrides() {
	s, p := l.spec, l.plan
	cell, _ := s.cell()
	l.step = strides{cell: cell, bins: p.bins}
	d := &l.step
	d.kindSlot = len(l.kindRows) * stages * cell
	d.kindTag = s.slots() * d.kindSlot
	d.allTag = len(l.allRows) * stages * cell
	d.bySizeTag = len(l.sizeRows) * stages * p.bins
	d.byKindSlot = stages * p.bins
	d.byKindTag = s.slots() * d.byKindSlot
	d.peer = p.pairs * stages * cell
	d.peerTag = s.Nodes * d.peer

	d.sequence = len(l.sequenceRows) * stages * cell
	d.sequenceTag = len(s.sequences()) * d.sequence

	l.place = make([]place, s.MaxBytes+1)
	first := func(r rows, n, words int) uint32 {
		if len(r) == 0 {
			return 0
		}
		return uint32(r.find(n) * stages * words)
	}
	var classRows rows
	// One class per peer needs no rows: its place is 0.
	if p.pairs > 1 {
		classRows = newRows(classes, s.SizeBytes, s.MaxBytes)
	}
	for n := range l.place {
		l.place[n] = place{
			kind: first(l.kindRows, n, cell), all: first(l.allRows, n, cell),
			bySize: first(l.sizeRows, n, p.bins), peer: first(classRows, n, cell),
			sequence: first(l.sequenceRows, n, cell),
		}
	}
}

// slotOf returns the index of a kind among those with histograms, −1 for others.
func (l *Layout) slotOf(k trace.Kind, later bool) int {
	if later {
		return int(l.slot[1][k])
	}
	return int(l.slot[0][k])
}

// row is the first word, that of stage 0, of the counters of packets of one sort in each array; −1 in arrays
// that the layout does not have.
type row struct{ kind, all, sequence, bySize, byKind, peers int }

// rows returns the row of packets by tag, kind (slot is its index), predecessor and size in bytes. The row by
// peer is that of peer 0.
func (l *Layout) rows(tag, slot int, k trace.Kind, after trace.Predecessor, size int) row {
	at, d, pl := row{-1, -1, -1, -1, -1, -1}, &l.step, &l.place[size]
	if l.kindBase >= 0 {
		at.kind = l.kindBase + tag*d.kindTag + slot*d.kindSlot + int(pl.kind)
	}
	if l.allBase >= 0 {
		at.all = l.allBase + tag*d.allTag + int(pl.all)
	}
	if l.sequenceBase >= 0 {
		if i := int(l.sequence[k][after]); i >= 0 {
			at.sequence = l.sequenceBase + tag*d.sequenceTag + i*d.sequence + int(pl.sequence)
		}
	}
	if l.bySizeBase >= 0 {
		at.bySize = l.bySizeBase + tag*d.bySizeTag + int(pl.bySize)
	}
	if l.byKindBase >= 0 {
		at.byKind = l.byKindBase + tag*d.byKindTag + slot*d.byKindSlot
	}
	if l.pairBase >= 0 {
		at.peers = l.pairBase + tag*d.peerTag + int(pl.peer)
	}
	return at
}

// Followed is a kind of packets with their predecessor.
type Followed struct {
	Kind  trace.Kind
	After trace.Predecessor
}

// sequences lists what the sums by sequence tell apart: of each kind with sequences the
// packets without a predecessor first.
func (s Spec) sequences() []Followed {
	var list []Followed
	for _, k := range s.Kinds {
		first := true
		for _, q := range s.Sequences {
			if q.Kind != k {
				continue
			}
			// A kind's packets without a predecessor come before those with one.
			if first {
				list, first = append(list, Followed{Kind: k}), false
			}
			for class := range classesUpTo(s.MaxBytes) {
				list = append(list, Followed{k, trace.After(q.After, class)})
			}
		}
	}
	return list
}

// setSequences sets the index of each kind and predecessor among the sequences. A predecessor that has no sums
// of its own counts with the packets without one.
func (l *Layout) setSequences() {
	for k := range l.sequence {
		for after := range l.sequence[k] {
			l.sequence[k][after] = -1
		}
	}
	for i, q := range l.spec.sequences() {
		at := &l.sequence[q.Kind]
		if q.After != 0 {
			at[q.After] = int16(i)
			continue
		}
		// The packets without a predecessor come first in the list, so that later entries overwrite theirs.
		for after := range at {
			at[after] = int16(i)
		}
	}
}

// widthNs returns the width of the latency bins of a stage in ns.
func (l *Layout) widthNs(stage trace.Stage) int64 {
	return l.spec.LatencyNs[stage] * int64(l.plan.widen)
}

// Spec returns the specification of the layout.
func (l *Layout) Spec() Spec { return l.spec.clone() }

// Words returns the SRAM that a bank takes, in four-byte words. The host reads
// them all for one snapshot.
func (l *Layout) Words() int { return l.words }

// Bytes returns the SRAM that a bank takes.
func (l *Layout) Bytes() int { return l.words * wordBytes }

// TouchedWords returns how many words of SRAM one Record updates. A negative
// latency, an oversize packet and a full counter update one more each.
func (l *Layout) TouchedWords() int {
	n := 0
	for _, a := range l.list[1:] { // one element of each array but the losses
		n += a.size
	}
	return n
}

// Notes returns sentences on what was coarsened to fit the budget, none if
// nothing was.
func (l *Layout) Notes() []string { return append([]string(nil), l.notes...) }

// Bins returns the size bins, in order: (0,32], (32,64], … with the published
// dimensions. They are wider where the sums over all kinds were coarsened.
func (l *Layout) Bins() []Range {
	r := l.allRows
	if l.plan.allRows == absent {
		r = l.kindRows
	}
	var bins []Range
	for i := range r {
		row := r.of(i)
		// A row that ends within a size bin because a class does is joined with
		// the next one.
		if n := len(bins); n > 0 && bins[n-1].HiBytes%l.spec.SizeBytes != 0 && l.plan.allRows != classes {
			bins[n-1].HiBytes = row.HiBytes
			continue
		}
		bins = append(bins, row)
	}
	return bins
}

// Classes returns the size classes that packets of this layout can fall into.
func (l *Layout) Classes() []Class { return append([]Class(nil), l.classes...) }

// PairClasses returns the number of size classes per pair of nodes: one if all
// sizes are together, zero if there are no sums by pair.
func (l *Layout) PairClasses() int { return l.plan.pairs }

// Sequences lists what the sums by sequence tell apart, nothing if there are none.
func (l *Layout) Sequences() []Followed {
	if l.plan.sequences == absent {
		return nil
	}
	return l.spec.sequences()
}

// KindSizes returns the rows of the sums by kind.
func (l *Layout) KindSizes() []Range { return l.kindRows.list() }

// SequenceSizes returns the rows of the sums by sequence.
func (l *Layout) SequenceSizes() []Range { return l.sequenceRows.list() }

// LatencyBins returns the number of latency bins per row, the open top bin
// included, and the width of those of stage in nanoseconds.
func (l *Layout) LatencyBins(stage trace.Stage) (bins int, widthNs int64) {
	return l.plan.bins, l.widthNs(stage)
}

// Same reports whether two layouts are for the same specification, and so are
// equal.
func (l *Layout) Same(m *Layout) bool {
	return l == m || reflect.DeepEqual(l.spec, m.spec)
}

// String returns the table of arrays: dimensions, words and bytes, then what
// was coarsened.
func (l *Layout) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Histograms in SRAM: %d of %d bytes, %d words touched per latency recorded\n",
		l.Bytes(), l.spec.BudgetBytes, l.TouchedWords())
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "array\tdimensions\telement\twords\tbytes")
	for _, a := range l.list {
		dims := make([]string, len(a.axes))
		for i, x := range a.axes {
			dims[i] = x.name + " " + strconv.Itoa(x.n)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\n", a.name, strings.Join(dims, " × "), a.what, a.words(), a.words()*wordBytes)
	}
	fmt.Fprintf(w, "total\t\t\t%d\t%d\n", l.words, l.Bytes())
	w.Flush()
	if l.plan.sizeRows != absent || l.plan.kindBins {
		b.WriteString("latency bins, the last one open:")
		for stage := range l.scale {
			bins, ns := l.LatencyBins(trace.Stage(stage))
			fmt.Fprintf(&b, " %v %d × %s µs", trace.Stage(stage), bins, strconv.FormatFloat(float64(ns)/1000, 'f', -1, 64))
			if stage < stages-1 {
				b.WriteByte(',')
			}
		}
		b.WriteByte('\n')
	}
	for _, n := range l.notes {
		b.WriteString("coarsened: " + n + "\n")
	}
	return b.String()
}
