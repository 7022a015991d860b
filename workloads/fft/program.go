package fft

import (
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// The program uses one lock and one barrier.
const (
	idLock   = 0
	startBar = 0
)

// worker is the program of one node.
type worker struct {
	*FFT
	*svm.Thread
	cost  cost
	first int          // row of the band
	roots []complex128 // private copy of umain
	row   []complex128
	block []complex128 // piece of a transpose: blockRows source rows
}

// blockRows is how many source rows a transpose reads before it writes the
// columns they make.
const blockRows = 64

// Run is the program of a thread.
func (f *FFT) Run(t *svm.Thread) {
	w := &worker{
		FFT: f, Thread: t, first: t.Node() * f.shape.rows,
		cost:  newCost(f.shape, t.Context().Host().Spec().L2Bytes()),
		roots: make([]complex128, f.shape.root-1),
		row:   make([]complex128, f.shape.root),
		block: make([]complex128, min(blockRows, f.shape.rows)*f.shape.rows),
	}
	w.Phase("start", w.start)
	w.Phase("transpose 1", func() { w.transpose(f.x, f.trans) })
	w.Phase("rows 1", func() { w.rows(f.trans, true) })
	w.Barrier(startBar)
	w.Phase("transpose 2", func() { w.transpose(f.trans, f.x) })
	w.Phase("rows 2", func() { w.rows(f.x, false) })
	w.Barrier(startBar)
	w.Phase("transpose 3", func() { w.transpose(f.x, f.trans) })
	w.Barrier(startBar)
	w.Barrier(startBar) // around the copy back, which only the original's self-test does
}

// start prepares a process: it increments the counter of threads, copies the
// small roots and touches its band. The counter has no other use. Bands belong
// to nodes, so a node remains home of its rows.
func (w *worker) start() {
	w.Lock(idLock)
	svm.View[uint32](w.WritePiece(w.global, svm.WordSize))[0]++
	w.Unlock(idLock)
	w.Barrier(startBar)

	shared.Load(w.roots, w.Read(w.umain, len(w.roots)*elementBytes))
	w.Compute(w.cost.touch(len(w.roots)))
	for r := w.first; r < w.first+w.shape.rows; r++ {
		for _, matrix := range [...]svm.Addr{w.x, w.trans, w.umain2} {
			w.touch(matrix + w.shape.at(r, 0))
		}
	}
	w.Barrier(startBar)
	w.Barrier(startBar)
}

// touch reads a row for the first time.
func (w *worker) touch(a svm.Addr) {
	for _, b := range w.Read(a, w.shape.root*elementBytes) {
		w.Compute(w.cost.touch(len(b) / elementBytes))
	}
}

// rows transforms the rows of the band and, when asked, multiplies them by
// their roots of unity.
func (w *worker) rows(matrix svm.Addr, twiddle bool) {
	bytes := w.shape.root * elementBytes
	for r := w.first; r < w.first+w.shape.rows; r++ {
		a := matrix + w.shape.at(r, 0)
		shared.Load(w.row, w.Write(a, bytes))
		transform(w.row, w.roots)
		if twiddle {
			for off, b := range w.Read(w.umain2+w.shape.at(r, 0), bytes) {
				row := w.row[off/elementBytes:]
				for i, u := range svm.View[complex128](b) {
					row[i] = mul(u, row[i])
				}
			}
		}
		shared.Store(w.Write(a, bytes), w.row)
		w.Compute(w.cost.row(twiddle))
	}
}

// transpose fills the band of dst with the columns of src. It begins with the
// rows of the next node and ends with its own, so not all nodes read from one
// at the same time.
func (w *worker) transpose(src, dst svm.Addr) {
	nodes := w.Nodes()
	for i := 1; i <= nodes; i++ {
		from := (w.Node() + i) % nodes
		for k := 0; k < w.shape.rows; k += blockRows {
			w.copyBlock(src, dst, from*w.shape.rows+k, min(blockRows, w.shape.rows-k), i < nodes)
		}
	}
}

// copyBlock moves the band's columns of n source rows, which begin at row v,
// into rows of the destination.
func (w *worker) copyBlock(src, dst svm.Addr, v, n int, remote bool) {
	rows := w.shape.rows
	defer func() { w.moved += int64(n * rows) }()
	for j := range n {
		if j == 1 {
			w.claim(dst, v, n)
		}
		shared.Load(w.block[j*rows:(j+1)*rows], w.Read(src+w.shape.at(v+j, w.first), rows*elementBytes))
		w.Compute(w.cost.segment(rows, remote))
	}
	for h := range rows {
		for off, b := range w.Write(dst+w.shape.at(w.first+h, v), n*elementBytes) {
			from := w.block[off/elementBytes*rows+h:]
			to := svm.View[complex128](b)
			for i := range to {
				to[i] = from[i*rows]
			}
		}
	}
}

// claim takes the write faults of a block after its first source row has
// arrived, as the program's inner loop does.
func (w *worker) claim(dst svm.Addr, v, n int) {
	for h := range w.shape.rows {
		for range w.Write(dst+w.shape.at(w.first+h, v), n*elementBytes) {
			continue
		}
	}
}
