package allreduce

import (
	"github.com/sigview/sigview/workloads/internal/team"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// connectRing makes the lanes between neighbours.
func (a *AllReduce) connectRing() error {
	for i, w := range a.workers {
		next := a.workers[(i+1)%len(a.workers)]
		l, err := team.NewLane(w.Member, next.Member, slots, a.spec.Options.ChunkBytes, team.ByWord)
		if err != nil {
			return err
		}
		w.after, next.before = l, l
	}
	return nil
}

// round is a part of the vector that goes around at a time: a segment for each node, of at most
// so many chunks.
type round struct {
	nodes, first, elements, longest int
}

// chunks yields the chunks of a segment.
func (r round) chunks(segment int) func(func(chunk) bool) {
	segment = (segment%r.nodes + r.nodes) % r.nodes
	at, end := r.elements*segment/r.nodes, r.elements*(segment+1)/r.nodes
	return func(yield func(chunk) bool) {
		for ; at < end; at += r.longest {
			if !yield(chunk{r.first + at, min(r.longest, end-at)}) {
				return
			}
		}
	}
}

// ring adds the vectors, one round after another. In hop 0 a node sends its own segment, in each
// later one that which has just come, up to the last.
func (w *worker) ring() {
	nodes, longest := w.spec.Nodes, w.spec.Options.ChunkBytes/vectors.ElementBytes
	most := nodes * slices * longest
	for first := 0; first < w.spec.Elements; first += most {
		r := round{nodes, first, min(most, w.spec.Elements-first), longest}
		for hop := range 2*nodes - 1 {
			if hop == nodes {
				w.Tell.Step(w.span, stepGather)
			}
			for c := range r.chunks(w.ID - hop) {
				w.hop(c, hop)
			}
		}
		if first+most < w.spec.Elements {
			w.Tell.Step(w.span, stepReduce)
		}
	}
}

// hop brings a chunk one node further.
func (w *worker) hop(c chunk, hop int) {
	last := 2*w.spec.Nodes - 2
	switch {
	case hop == 0:
		w.own(c)
	default:
		for !w.before.Ready() {
			w.Wait("a chunk from the node before")
		}
		w.bytes = w.take(w.before, w.bytes)
	}
	if hop > 0 && hop < w.spec.Nodes {
		w.vectors.Add(w.bytes, w.step, w.ID, c.first)
		w.added(c)
	}
	if hop >= w.spec.Nodes-1 {
		w.summed(c)
	}
	if hop < last {
		for !w.after.Room() {
			w.Wait("room at the node after")
		}
		w.post(w.after)
	}
}
