package lu

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// The program uses one barrier.
const idBarrier = 0

// worker is the program of one node. It works on copies of blocks, which cost
// nothing: the modelled program works in place.
type worker struct {
	*LU
	*svm.Thread
	cost cost
	own  []float64   // the block that is worked on
	diag []float64   // the diagonal block, or a block of its column
	row  [][]float64 // blocks of the diagonal block's row that the node needs, by j
}

// Run is the program of a thread.
func (f *LU) Run(t *svm.Thread) {
	size := f.shape.block * f.shape.block
	w := &worker{
		LU: f, Thread: t,
		cost: newCost(f.shape, t.Context().Host().Spec().L2Bytes()),
		own:  make([]float64, size), diag: make([]float64, size),
		row: make([][]float64, f.shape.blocks),
	}
	for j := range w.row {
		if j%f.shape.columns == t.Node()%f.shape.columns {
			w.row[j] = make([]float64, size)
		}
	}
	w.Barrier(idBarrier)
	for k := range f.shape.blocks {
		w.Phase("diagonal", func() { w.diagonal(k) })
		w.Phase("perimeter", func() { w.perimeter(k) })
		w.Phase("interior", func() { w.interior(k) })
	}
	w.Barrier(idBarrier)
}

func (w *worker) mine(i, j int) bool { return w.shape.owner(i, j) == w.Node() }

// diagonal factors a block.
func (w *worker) diagonal(k int) {
	if w.mine(k, k) {
		w.change(k, k, func() { factor(w.own, w.shape.block); w.Compute(w.cost.factor()) })
	}
	w.Barrier(idBarrier)
}

// perimeter solves for the node's blocks below and beside the diagonal one.
func (w *worker) perimeter(k int) {
	loaded := false
	solve := func(i, j int, kernel func(block, diagonal []float64, n int), cost host.Work) {
		if !w.mine(i, j) {
			return
		}
		if !loaded {
			loaded = true
			w.load(w.diag, k, k)
		}
		w.change(i, j, func() { kernel(w.own, w.diag, w.shape.block); w.Compute(cost) })
	}
	for i := k + 1; i < w.shape.blocks; i++ {
		solve(i, k, right, w.cost.right())
	}
	for j := k + 1; j < w.shape.blocks; j++ {
		solve(k, j, left, w.cost.left())
	}
	w.Barrier(idBarrier)
}

// interior updates the node's blocks below and beside the perimeter.
func (w *worker) interior(k int) {
	first := true
	for i := k + 1; i < w.shape.blocks; i++ {
		if i%w.shape.rows != w.Node()/w.shape.columns {
			continue
		}
		column := false
		for j := k + 1; j < w.shape.blocks; j++ {
			if !w.mine(i, j) {
				continue
			}
			if !column {
				column = true
				w.load(w.diag, i, k)
			}
			if first {
				w.load(w.row[j], k, j)
			}
			w.change(i, j, func() { update(w.own, w.diag, w.row[j], w.shape.block); w.Compute(w.cost.update()) })
		}
		first = false
	}
}

// load reads a block.
func (w *worker) load(to []float64, i, j int) {
	shared.Load(to, w.Read(w.matrix+w.shape.at(i, j), w.shape.blockBytes()))
	if !w.mine(i, j) {
		w.Compute(w.cost.fetched())
	}
}

// change updates a block of the node's own.
func (w *worker) change(i, j int, work func()) {
	a, bytes := w.matrix+w.shape.at(i, j), w.shape.blockBytes()
	shared.Load(w.own, w.Write(a, bytes))
	work()
	shared.Store(w.Write(a, bytes), w.own)
	w.changed++
}
