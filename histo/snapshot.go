package histo

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/trace"
)

// Snapshot is the host's copy of one or more banks, with counters wide enough
// for their sums. Later records do not change it.
type Snapshot struct {
	l        *Layout
	kind     []sums   // tag × kind × kindRows × stage
	all      []sums   // tag × allRows × stage
	bySize   []uint64 // tag × sizeRows × stage × bin
	byKind   []uint64 // tag × kind × stage × bin
	nodes    []nodePairs
	sequence []sums   // tag × sequence × sequenceRows × stage
	losses   []uint64 // as in SRAM
}

// nodePairs holds the sums by peer of one node's interface: tag × peer × class × stage.
// Their number grows with the square of the nodes, so they stay in the compact format of
// SRAM until they are read or merged with another snapshot of the node.
type nodePairs struct {
	node  int
	words []uint32
	cells []sums // instead of words
}

// cell returns the sums at an index.
func (n *nodePairs) cell(l *Layout, i int) sums {
	if n.cells != nil {
		return n.cells[i]
	}
	return l.decodeCell(n.words[i*l.step.cell:])
}

// merge adds the sums of another snapshot of the same node and reports whether
// all still fit.
func (n *nodePairs) merge(l *Layout, from nodePairs) bool {
	if n.cells == nil {
		n.cells, n.words = l.decodeSums(n.words), nil
	}
	ok := true
	for i := range n.cells {
		ok = n.cells[i].merge(from.cell(l, i)) && ok
	}
	return ok
}

// sums is a count with its sums of ticks and of squared ticks. The sum is signed: clock error makes latencies
// negative.
type sums struct {
	count   uint64
	sum     int64
	squares u128
	pinned  bool // squares overflowed in SRAM
}

// merge adds b and reports whether the sum still fits.
func (a *sums) merge(b sums) bool {
	sum := a.sum + b.sum
	// It overflows if the sum has a sign that neither term has.
	ok := (a.sum^sum)&(b.sum^sum) >= 0
	a.count += b.count
	a.sum = sum
	a.squares = a.squares.plus(b.squares)
	a.pinned = a.pinned || b.pinned
	return ok
}

// Empty returns a snapshot of no bank.
func (l *Layout) Empty() *Snapshot {
	s := &Snapshot{l: l}
	for _, a := range l.list {
		switch n := a.words() / a.size; a.name {
		case nameLosses:
			s.losses = make([]uint64, n)
		case nameKind:
			s.kind = make([]sums, n)
		case nameAll:
			s.all = make([]sums, n)
		case nameBySize:
			s.bySize = make([]uint64, n)
		case nameByKind:
			s.byKind = make([]uint64, n)
		case nameSequence:
			s.sequence = make([]sums, n)
		}
	}
	return s
}

// Snapshot copies the counters of the interface of node.
func (b *Bank) Snapshot(node int) *Snapshot {
	s := b.l.Empty()
	if err := s.AddBank(node, b); err != nil {
		panic(fmt.Sprintf("histo: snapshot of node %d: %v", node, err))
	}
	return s
}

// AddBank adds the counters of the interface of node. It returns an error if there is no such node, if the
// layouts differ, or if a sum of ticks exceeds 64 bits. After an error s must not be used.
func (s *Snapshot) AddBank(node int, b *Bank) error {
	l := s.l
	if node < 0 || node >= l.spec.Nodes {
		return fmt.Errorf("histo: node: %d, want 0 to %d", node, l.spec.Nodes-1)
	}
	if !l.Same(b.l) {
		return errLayouts
	}
	ok := true
	for _, a := range l.list {
		switch a.name {
		case nameLosses:
			b.addCounts(s.losses, a.base)
		case nameKind:
			ok = b.addSums(s.kind, a.base) && ok
		case nameAll:
			ok = b.addSums(s.all, a.base) && ok
		case nameBySize:
			b.addCounts(s.bySize, a.base)
		case nameByKind:
			b.addCounts(s.byKind, a.base)
		case nameSequence:
			ok = b.addSums(s.sequence, a.base) && ok
		case namePairs:
			ok = s.mergeNodes([]nodePairs{{node: node, words: b.cells(a)}}) && ok
		}
	}
	if !ok {
		return errSum
	}
	return nil
}

var errLayouts = errors.New("histo: merge: snapshots of different layouts")

// addCounts adds the counters from word base on. Those of a page that was never allocated are 0.
func (b *Bank) addCounts(into []uint64, base int) {
	for len(into) > 0 {
		at := base % pageWords
		n := min(pageWords-at, len(into))
		if page := b.pages[base/pageWords]; page != nil {
			for i, count := range page[at : at+n] {
				into[i] += uint64(count)
			}
		}
		into, base = into[n:], base+n
	}
}

// addSums adds the cells from word base on and reports whether all sums still fit.
func (b *Bank) addSums(into []sums, base int) bool {
	ok := true
	for i := 0; i < len(into); {
		word := base + i*b.l.step.cell
		w := b.peek(word)
		if w == nil { // nor have the cells that begin in the rest of the page
			i += (pageWords-word%pageWords-1)/b.l.step.cell + 1
			continue
		}
		ok = into[i].merge(b.l.decodeCell(w)) && ok
		i++
	}
	return ok
}

// cells returns a copy of the words of an array of sums.
func (b *Bank) cells(a array) []uint32 {
	words := make([]uint32, a.words())
	for i := 0; i < len(words); i += a.size {
		copy(words[i:i+a.size], b.peek(a.base+i))
	}
	return words
}

func (l *Layout) decodeSums(words []uint32) []sums {
	cells := make([]sums, len(words)/l.step.cell)
	for i := range cells {
		cells[i] = l.decodeCell(words[i*l.step.cell:])
	}
	return cells
}

// decodeCell reads a cell as Bank.add writes it: count, sum, and with variance the squares, each low word
// first.
func (l *Layout) decodeCell(w []uint32) sums {
	c := sums{count: uint64(w[0]), sum: int64(uint64(w[2])<<32 | uint64(w[1]))}
	if l.spec.Variance {
		c.squares.lo = uint64(w[4])<<32 | uint64(w[3])
		// All ones mark a sum that has overflowed; see addSquare.
		c.pinned = c.squares.lo == math.MaxUint64
	}
	return c
}

// Together returns the sum of banks of one layout, of which the i-th is node i's.
func Together(banks []*Bank) (*Snapshot, error) {
	all := banks[0].l.Empty()
	for i, b := range banks {
		if err := all.AddBank(i, b); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Merge adds snapshots of any nodes; the result is the same in every order. It
// returns an error if there are none, if their layouts differ, or if a sum of
// ticks exceeds 64 bits.
func Merge(snapshots ...*Snapshot) (*Snapshot, error) {
	if len(snapshots) == 0 {
		return nil, fmt.Errorf("histo: merge: no snapshots")
	}
	m := snapshots[0].clone()
	for _, s := range snapshots[1:] {
		if err := m.Add(s); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Add merges another snapshot into s. It returns an error if the layouts differ, or if a sum of ticks exceeds
// 64 bits. After an error s must not be used.
func (s *Snapshot) Add(t *Snapshot) error {
	if !s.l.Same(t.l) {
		return errLayouts
	}
	ok := mergeSums(s.kind, t.kind) && mergeSums(s.all, t.all) && mergeSums(s.sequence, t.sequence)
	mergeCounts(s.bySize, t.bySize)
	mergeCounts(s.byKind, t.byKind)
	mergeCounts(s.losses, t.losses)
	if !ok || !s.mergeNodes(t.nodes) {
		return errSum
	}
	return nil
}

func (s *Snapshot) clone() *Snapshot {
	c := &Snapshot{
		l: s.l, kind: slices.Clone(s.kind), all: slices.Clone(s.all),
		bySize: slices.Clone(s.bySize), byKind: slices.Clone(s.byKind), losses: slices.Clone(s.losses),
		sequence: slices.Clone(s.sequence),
	}
	for _, n := range s.nodes {
		c.nodes = append(c.nodes, n.clone())
	}
	return c
}

// clone copies the mutable parts; words never change.
func (n nodePairs) clone() nodePairs {
	n.cells = slices.Clone(n.cells)
	return n
}

func mergeCounts(into, from []uint64) {
	for i, n := range from {
		into[i] += n
	}
}

func mergeSums(into, from []sums) bool {
	ok := true
	for i := range from {
		ok = into[i].merge(from[i]) && ok
	}
	return ok
}

// mergeNodes adds sums by peer, of each node to those of the same node. Invariant: s.nodes are in the order of
// their numbers, each once.
func (s *Snapshot) mergeNodes(from []nodePairs) bool {
	ok := true
	for _, n := range from {
		i, found := s.findNode(n.node)
		if found {
			ok = s.nodes[i].merge(s.l, n) && ok
		} else {
			s.nodes = slices.Insert(s.nodes, i, n.clone())
		}
	}
	return ok
}

func (s *Snapshot) findNode(node int) (int, bool) {
	return slices.BinarySearchFunc(s.nodes, node, func(n nodePairs, node int) int { return n.node - node })
}

// Layout returns the layout of the banks that were read.
func (s *Snapshot) Layout() *Layout { return s.l }

// Underflow returns how many latencies of a tag and stage were negative. They
// are in the lowest bin.
func (s *Snapshot) Underflow(tag trace.Tag, stage trace.Stage) uint64 {
	if int(tag) >= s.l.spec.Tags || stage >= trace.NumStages {
		return 0
	}
	return s.losses[s.l.underflowWord(int(tag), stage)]
}

// Apart returns how many latencies of a kind without histograms were counted
// but not binned.
func (s *Snapshot) Apart(kind trace.Kind, stage trace.Stage) uint64 {
	if kind >= trace.NumKinds || stage >= trace.NumStages {
		return 0
	}
	return s.losses[s.l.apartWord(kind, stage)]
}

// Losses counts records that the arrays could not hold exactly.
type Losses struct {
	Underflow  uint64 // negative latencies, clamped into the lowest bin
	TopBin     uint64 // latencies in the open top bin; from the bins by size, or else by kind
	Overflow   uint64 // increments lost to full counters and sums
	UnknownTag uint64 // records of a tag beyond the last, not binned
	Oversize   uint64 // records of packets longer than MaxBytes, binned as the longest
	Apart      uint64 // records of kinds without histograms, not binned
}

// Losses returns the totals over tags, kinds and stages.
func (s *Snapshot) Losses() Losses {
	n := Losses{
		Overflow:   s.losses[lossOver],
		UnknownTag: s.losses[lossTag],
		Oversize:   s.losses[lossSize],
	}
	for i, c := range s.losses[lossMiscN:] {
		if i < stages*s.l.spec.Tags {
			n.Underflow += c
		} else {
			n.Apart += c
		}
	}
	bins := s.bySize
	if len(bins) == 0 {
		bins = s.byKind
	}
	// The last bin of each row.
	for i := s.l.plan.bins - 1; i < len(bins); i += s.l.plan.bins {
		n.TopBin += bins[i]
	}
	return n
}

// Take removes the records of an earlier snapshot of the same banks, so that those since then are left. It returns an
// error if the layouts differ.
func (s *Snapshot) Take(earlier *Snapshot) error {
	if !s.l.Same(earlier.l) {
		return errLayouts
	}
	takeSums(s.kind, earlier.kind)
	takeSums(s.all, earlier.all)
	takeSums(s.sequence, earlier.sequence)
	takeCounts(s.bySize, earlier.bySize)
	takeCounts(s.byKind, earlier.byKind)
	takeCounts(s.losses, earlier.losses)
	for _, n := range earlier.nodes {
		i, found := s.findNode(n.node)
		if !found {
			return fmt.Errorf("histo: node: %d is in the earlier snapshot only", n.node)
		}
		at := &s.nodes[i]
		if at.cells == nil {
			at.cells, at.words = s.l.decodeSums(at.words), nil
		}
		for j := range at.cells {
			at.cells[j].take(n.cell(s.l, j))
		}
	}
	return nil
}

func (a *sums) take(b sums) {
	a.count -= b.count
	a.sum -= b.sum
	a.squares = a.squares.minus(b.squares)
}

func takeSums(from, these []sums) {
	for i := range these {
		from[i].take(these[i])
	}
}

func takeCounts(from, these []uint64) {
	for i, n := range these {
		from[i] -= n
	}
}
