package allreduce

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// take reads the oldest chunk of a lane into b and frees its slot.
func (w *worker) take(from *team.Lane, b []byte) []byte {
	at, n := from.Front()
	b = b[:n]
	w.Space.ReadAt(at, b)
	from.Free()
	return b
}

// own makes the node's own chunk the one at hand. It is in memory and takes no time.
func (w *worker) own(c chunk) {
	w.bytes = w.bytes[:c.bytes()]
	w.vectors.Fill(w.bytes, w.step, w.ID, c.first)
}

// added charges the addition of two chunks in memory that are too large for the cache: an addition, the
// loop and the address of each element, both read and one written.
func (w *worker) added(c chunk) {
	n := int64(c.elements)
	w.X.Compute(host.Work{Flops: n, Ints: n, Read: 2 * vectors.ElementBytes * n, Write: vectors.ElementBytes * n})
}

// post sends the chunk at hand. What it is sent from stands for the vector: putting it there
// takes no time.
func (w *worker) post(lanes ...*team.Lane) {
	for _, l := range lanes {
		at := w.Buffer()
		w.Space.WriteAt(at, w.bytes)
		l.Send(at, len(w.bytes), trace.Meta{Kind: trace.Data, Span: w.span})
	}
}

// summed compares the chunk at hand, which is part of the sum.
func (w *worker) summed(c chunk) {
	if len(w.bytes) != c.bytes() {
		w.Wrong("node %d, sum %d: %d B from element %d on, want %d", w.ID, w.step, len(w.bytes), c.first, c.bytes())
		return
	}
	if err := w.vectors.Differs(w.bytes, w.vectors.Total(w.step), c.first); err != nil {
		w.Wrong("node %d, sum %d: %v", w.ID, w.step, err)
	}
	w.compared += int64(c.elements)
}

// update charges what follows a sum: each parameter is moved by it. Of one multiplication and one addition
// for each element, with both vectors read and one written.
func (w *worker) update() {
	n := int64(w.spec.Elements)
	w.X.Compute(host.Work{Flops: 2 * n, Ints: n, Read: 2 * vectors.ElementBytes * n, Write: vectors.ElementBytes * n})
}
