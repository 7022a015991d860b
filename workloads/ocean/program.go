package ocean

import (
	"math"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// The program uses one lock and one barrier.
const (
	idLock    = 0
	idBarrier = 0
)

// worker is the program of one node. It works on a copy of its band, which costs
// nothing: the modelled program works in place.
type worker struct {
	*Ocean
	*svm.Thread
	cost       cost
	first, end int
	psi        [][]float64 // rows first−1 to end
	source     [][]float64 // rows first to end−1
	worst      float64     // residual of this sweep
}

// Run is the program of a thread.
func (o *Ocean) Run(t *svm.Thread) {
	w := &worker{Ocean: o, Thread: t, cost: newCost(o.shape, t.Context().Host().Spec().L2Bytes())}
	w.first, w.end = o.shape.band(t.Node())
	w.Barrier(idBarrier)
	for r := w.first - 1; r <= w.end; r++ {
		w.psi = append(w.psi, w.read(w.Ocean.psi, r))
		if r >= w.first && r < w.end {
			w.source = append(w.source, w.read(w.Ocean.source, r))
		}
	}
	w.Barrier(idBarrier)
	for sweep := range o.spec.sweeps() {
		w.worst = 0
		w.Phase("red", func() { w.half(0) })
		w.Barrier(idBarrier)
		w.Phase("black", func() { w.half(1) })
		w.Phase("residual", func() { w.report(sweep) })
		if svm.View[float64](w.ReadPiece(w.slot(sweep), elementBytes))[0] <= tolerance {
			break
		}
	}
	w.Barrier(idBarrier)
}

// slot is where the residual of a sweep is.
func (o *Ocean) slot(sweep int) svm.Addr { return o.residual + svm.Addr(sweep%3)*elementBytes }

// report merges the node's residual into the slot of the sweep and waits for all
// nodes. Node 0 clears the slot of the next sweep, which was last read two
// barriers ago.
func (w *worker) report(sweep int) {
	w.Lock(idLock)
	largest := svm.View[float64](w.WritePiece(w.slot(sweep), elementBytes))
	largest[0] = max(largest[0], w.worst)
	if w.Node() == 0 {
		svm.View[float64](w.WritePiece(w.slot(sweep+1), elementBytes))[0] = 0
	}
	w.Unlock(idLock)
	w.Barrier(idBarrier)
}

// half relaxes the points of one colour. The rows of the neighbours are fetched
// when the relaxation reaches them.
func (w *worker) half(colour int) {
	points, rows := 0, 0
	spend := func() {
		w.Compute(w.cost.relax(points, rows))
		points, rows = 0, 0
	}
	for r := w.first; r < w.end; r++ {
		if r == w.first && r > 1 {
			w.fetch(r - 1)
		}
		if r == w.end-1 && r < w.shape.points {
			spend()
			w.fetch(r + 1)
		}
		points += w.relax(r, colour)
		rows++
		w.write(r)
	}
	spend()
}

// relax relaxes the points of one colour in a row and returns their number.
func (w *worker) relax(r, colour int) int {
	i := r - w.first
	north, row, south := w.psi[i], w.psi[i+1], w.psi[i+2]
	source := w.source[i]
	points := 0
	for c := 1 + (r+1+colour)%2; c <= w.shape.points; c += 2 {
		change := float64(0.25*(north[c]+south[c]+row[c-1]+row[c+1]-source[c])) - row[c]
		w.worst = max(w.worst, math.Abs(change))
		row[c] += float64(w.omega * change)
		points++
	}
	return points
}

// fetch reads a neighbour's row again.
func (w *worker) fetch(r int) {
	w.copyRow(w.psi[r-w.first+1], w.Ocean.psi, r)
	w.Compute(w.cost.fetched())
}

func (w *worker) read(matrix svm.Addr, r int) []float64 {
	row := make([]float64, w.shape.width)
	w.copyRow(row, matrix, r)
	w.Compute(w.cost.fetched())
	return row
}

func (w *worker) copyRow(row []float64, matrix svm.Addr, r int) {
	shared.Load(row, w.Read(matrix+w.shape.at(r), w.shape.rowBytes()))
}

func (w *worker) write(r int) {
	shared.Store(w.Write(w.Ocean.psi+w.shape.at(r), w.shape.rowBytes()), w.psi[r-w.first+1])
}
