package gauss

import (
	"unsafe"

	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Gauss is an elimination: its input and its program.
type Gauss struct {
	spec    Spec
	workers []*worker // by node
	done    int64     // elements that have been changed
}

// Progress returns how often elements have been changed, and of how often.
func (g *Gauss) Progress() (done, total int64) {
	n := int64(g.spec.Order)
	return g.done, (n - 1) * n * (n + 1) / 3
}

// New returns an elimination.
func New(spec Spec) (*Gauss, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	return &Gauss{spec: spec, workers: make([]*worker, spec.Nodes)}, nil
}

// EagerBytes returns the size of a receiver's slot that holds a row.
func (g *Gauss) EagerBytes() int {
	return max(16<<10, (g.spec.Order*elementBytes+host.PageBytes-1)/host.PageBytes*host.PageBytes)
}

// RowBytes returns the length of a row.
func (g *Gauss) RowBytes() int { return g.spec.Order * elementBytes }

// source yields the elements of the matrix in order of rows: numbers from −1
// to 1, evenly distributed.
type source struct{ stream sim.Stream }

func (g *Gauss) input() *source {
	return &source{sim.NewStream(g.spec.Seed, "workloads/gauss/input")}
}

func (s *source) next() float64 { return 2*float64(s.stream.Float64()) - 1 }

// worker is the program of one node.
type worker struct {
	*Gauss
	p       *nx.Process
	cost    cost
	rows    []row // this node's
	pivot   row   // of the step, when another node owns it
	columns []int // column of the input that each column is now
}

// row is a row of the matrix in the process's memory. It begins on a page, so
// that a message has the same place in its pages at both ends.
type row struct {
	at    host.Addr
	pages [][]float64
}

func (w *worker) newRow() row {
	n := w.spec.Order
	r := row{at: w.p.Alloc(int64(n) * elementBytes)}
	for from := 0; from < n; from += pageElements {
		b := w.p.Space().Bytes(r.at+host.Addr(from*elementBytes), min(n-from, pageElements)*elementBytes)
		r.pages = append(r.pages, unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/elementBytes))
	}
	return r
}

func (r *row) get(j int) float64    { return r.pages[j/pageElements][j%pageElements] }
func (r *row) set(j int, v float64) { r.pages[j/pageElements][j%pageElements] = v }
