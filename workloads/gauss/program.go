package gauss

import (
	"math"

	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/sim/host"
)

// Run is the program of a process.
func (g *Gauss) Run(p *nx.Process) error {
	w := &worker{Gauss: g, p: p, columns: make([]int, g.spec.Order)}
	g.workers[p.Node()] = w
	w.load()
	w.cost = newCost(g.spec.Order, len(w.rows), p.Context().Host().Spec().L2Bytes())
	w.pivot = w.newRow()
	if err := p.Gsync(); err != nil {
		return err
	}
	for k := range g.spec.Order - 1 {
		if err := w.step(k); err != nil {
			return err
		}
	}
	return p.Gsync()
}

// load puts this node's rows into memory, as the parent of the program's
// processes leaves them.
func (w *worker) load() {
	input := w.input()
	for i := range w.spec.Order {
		var r row
		mine := w.owner(i) == w.p.Node()
		if mine {
			r = w.newRow()
			w.rows = append(w.rows, r)
		}
		for j := range w.spec.Order {
			if v := input.next(); mine {
				r.set(j, v)
			}
		}
		w.columns[i] = i
	}
}

func (g *Gauss) owner(row int) int { return row % g.spec.Nodes }

// below returns the index of this node's first row after row k.
func (w *worker) below(k int) int { return (k - w.p.Node() + w.spec.Nodes) / w.spec.Nodes }

// step eliminates column k.
func (w *worker) step(k int) error {
	left := w.spec.Order - k
	from := host.Addr(k * elementBytes)
	pivot := &w.pivot
	if w.owner(k) == w.p.Node() {
		pivot = &w.rows[k/w.spec.Nodes]
		if err := w.p.Csend(k, pivot.at+from, left*elementBytes, nx.Any); err != nil {
			return err
		}
		w.p.Compute(w.cost.search(left, false))
	} else {
		if err := w.p.Crecvx(k, pivot.at+from, left*elementBytes, w.owner(k)); err != nil {
			return err
		}
		w.p.Compute(w.cost.search(left, true))
	}
	w.exchange(pivot, k, largest(pivot, k, w.spec.Order))
	first := w.below(k)
	for i := first; i < len(w.rows); i++ {
		eliminate(&w.rows[i], pivot, k, w.spec.Order)
	}
	w.p.Compute(w.cost.eliminate(left, len(w.rows)-first))
	w.done += int64(left) * int64(len(w.rows)-first)
	return nil
}

// largest returns the column of the largest element from column k on, the
// first one of several.
func largest(r *row, k, n int) int {
	at, most := k, math.Abs(r.get(k))
	for j := k + 1; j < n; j++ {
		if v := math.Abs(r.get(j)); v > most {
			at, most = j, v
		}
	}
	return at
}

// exchange exchanges columns k and j in this node's rows, and in the pivot's
// when that is another node's.
func (w *worker) exchange(pivot *row, k, j int) {
	if j == k {
		return
	}
	w.columns[k], w.columns[j] = w.columns[j], w.columns[k]
	for i := range w.rows {
		swap(&w.rows[i], k, j)
	}
	if pivot == &w.pivot {
		swap(pivot, k, j)
	}
	w.p.Compute(w.cost.exchange(len(w.rows)))
}

func swap(r *row, k, j int) {
	a, b := r.get(k), r.get(j)
	r.set(k, b)
	r.set(j, a)
}

// eliminate subtracts from a row the multiple of the pivot's that makes its
// element in column k zero, and keeps the multiplier there.
func eliminate(r, pivot *row, k, n int) {
	f := r.get(k) / pivot.get(k)
	r.set(k, f)
	for j := k + 1; j < n; {
		page, at := j/pageElements, j%pageElements
		a, b := r.pages[page][at:], pivot.pages[page][at:]
		b = b[:len(a)]
		for i := range a {
			a[i] -= float64(f * b[i])
		}
		j += len(a)
	}
}
