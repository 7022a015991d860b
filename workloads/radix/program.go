package radix

import (
	"fmt"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// The program uses one barrier.
const idBarrier = 0

// worker is the program of one node.
type worker struct {
	*Sort
	*svm.Thread
	cost   cost
	first  int      // of the node's keys
	end    int      // of them
	counts []uint32 // keys by digit
	next   []uint32 // place of the next key with a digit
	sums   []uint32 // scratch
	open   [][]uint32
}

// Run is the program of a thread.
func (s *Sort) Run(t *svm.Thread) {
	radix := s.shape.radix
	w := &worker{
		Sort: s, Thread: t,
		cost:   newCost(s.shape, t.Context().Host().Spec().L2Bytes()),
		counts: make([]uint32, radix),
		next:   make([]uint32, radix),
		sums:   make([]uint32, radix),
		open:   make([][]uint32, radix),
	}
	w.first, w.end = shared.Part(s.shape.keys, s.shape.nodes, t.Node())
	w.Barrier(idBarrier)
	for pass := range s.shape.passes {
		from, to, shift := s.keys[pass%2], s.keys[(pass+1)%2], pass*s.shape.digit
		w.Phase(phase(histogram, pass), func() { w.count(from, shift) })
		w.Phase(phase(prefix, pass), w.prefix)
		w.Phase(phase(permutation, pass), func() { w.move(from, to, shift) })
		w.Phase(phase(flush, pass), func() { w.Barrier(idBarrier) })
		w.moved += int64(w.end - w.first)
	}
}

// digit returns a key's digit.
func (w *worker) digit(key uint32, shift int) uint32 {
	return key >> shift & uint32(w.shape.radix-1)
}

// count makes the histogram of the node's own keys.
func (w *worker) count(from svm.Addr, shift int) {
	clear(w.counts)
	for _, b := range w.Read(from+svm.Addr(w.first)*keyBytes, (w.end-w.first)*keyBytes) {
		keys := svm.View[uint32](b)
		for _, k := range keys {
			w.counts[w.digit(k, shift)]++
		}
		w.Compute(w.cost.count(len(keys)))
	}
}

// prefix turns the histograms of all nodes into the places of this node's
// keys: after those of lower digits, and after those of the same digit that
// nodes to the left have.
func (w *worker) prefix() {
	w.leaf()
	for level := 1; level < w.shape.levels; level++ {
		w.Barrier(idBarrier)
		w.merge(level)
	}
	w.Barrier(idBarrier)

	radix := w.shape.radix
	clear(w.next)
	for level := range w.shape.levels {
		if i := w.Node() >> level; i%2 == 1 {
			_, at := w.shape.entry(level, i-1)
			w.add(w.next, w.tree+at+svm.Addr(radix*keyBytes), true)
		}
	}
	root, at := w.shape.entry(w.shape.levels-1, 0)
	clear(w.sums)
	w.add(w.sums, w.tree+at, root != w.Node())
	for d := 1; d < radix; d++ {
		w.next[d] += w.sums[d-1]
	}
	w.Compute(w.cost.sum(radix, 0))
	w.Barrier(idBarrier)
}

// leaf writes the node's own entry of the tree.
func (w *worker) leaf() {
	radix := w.shape.radix
	sum := uint32(0)
	for d, n := range w.counts {
		sum += n
		w.sums[d] = sum
	}
	at := w.tree + svm.Addr(w.Node()*w.shape.block)
	w.store(at, w.sums)
	w.store(at+svm.Addr(radix*keyBytes), w.counts)
	w.Compute(w.cost.sum(3*radix, 0))
}

// merge adds the two children of the node's entry at a level, if it writes one
// there. The histogram of the root is not needed.
func (w *worker) merge(level int) {
	i := w.Node() >> level
	writer, at := w.shape.entry(level, i)
	if writer != w.Node() || (2*i+1)<<(level-1) >= w.shape.nodes {
		return
	}
	_, left := w.shape.entry(level-1, 2*i)
	_, right := w.shape.entry(level-1, 2*i+1)
	tables := 2
	if level == w.shape.levels-1 {
		tables = 1
	}
	for k := range tables {
		off := svm.Addr(k * w.shape.radix * keyBytes)
		clear(w.sums)
		w.add(w.sums, w.tree+left+off, true)
		w.add(w.sums, w.tree+right+off, false)
		w.store(w.tree+at+off, w.sums)
	}
}

// add adds a table in shared memory to one of the node's own.
func (w *worker) add(to []uint32, at svm.Addr, fetched bool) {
	for off, b := range w.Read(at, len(to)*keyBytes) {
		for i, n := range svm.View[uint32](b) {
			to[off/keyBytes+i] += n
		}
	}
	cold := 0
	if fetched {
		cold = len(to)
	}
	w.Compute(w.cost.sum(len(to), cold))
}

// store writes a table to shared memory.
func (w *worker) store(at svm.Addr, table []uint32) {
	shared.Store(w.Write(at, len(table)*keyBytes), table)
}

// move writes the node's keys to their places. A page of the destination is
// fetched for the first key that goes there. For each digit, open holds the rest
// of the current page.
func (w *worker) move(from, to svm.Addr, shift int) {
	clear(w.open)
	for _, b := range w.Read(from+svm.Addr(w.first)*keyBytes, (w.end-w.first)*keyBytes) {
		keys := svm.View[uint32](b)
		for _, k := range keys {
			d := w.digit(k, shift)
			place := w.open[d]
			if len(place) == 0 {
				if int(w.next[d]) >= w.shape.keys {
					w.fail(d)
					return
				}
				a := to + svm.Addr(w.next[d])*keyBytes
				place = svm.View[uint32](w.WritePiece(a, svm.PageSize-a.Offset()))
				w.next[d] += uint32(len(place))
			}
			place[0] = k
			w.open[d] = place[1:]
		}
		w.Compute(w.cost.move(len(keys)))
		w.moved += int64(len(keys))
	}
	clear(w.open)
}

// fail records a place outside the destination. Only keys or histograms that
// were damaged on their way lead there.
func (w *worker) fail(digit uint32) {
	if w.damage == nil {
		w.damage = fmt.Errorf("radix: node %d at %v: key with digit %d goes to place %d, want below %d: shared memory is damaged",
			w.Node(), w.Now(), digit, w.next[digit], w.shape.keys)
	}
}
