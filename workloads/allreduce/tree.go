package allreduce

import (
	"github.com/sigview/sigview/workloads/internal/team"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// connectTrees makes the lanes of one or both trees. In the first tree the children of node i are 2i+1 and
// 2i+2, in the other one the nodes are numbered from the last to the first.
func (a *AllReduce) connectTrees(trees int) error {
	nodes := len(a.workers)
	for tree := range trees {
		at := func(place int) *worker {
			if tree == 1 {
				place = nodes - 1 - place
			}
			return a.workers[place]
		}
		for place := range nodes {
			w := at(place)
			b := &branch{index: tree}
			w.trees = append(w.trees, b)
			if place == 0 {
				continue
			}
			parent := at((place - 1) / 2)
			of := parent.trees[tree]
			var err error
			if b.up, err = team.NewLane(w.Member, parent.Member, slots, a.spec.Options.ChunkBytes, team.ByWord); err != nil {
				return err
			}
			if b.down, err = team.NewLane(parent.Member, w.Member, slots, a.spec.Options.ChunkBytes, team.ByWord); err != nil {
				return err
			}
			of.from, of.to = append(of.from, b.up), append(of.to, b.down)
		}
	}
	return nil
}

// chunk returns the chunk of a tree with that number; the trees take turns.
func (w *worker) chunk(b *branch, number int) chunk {
	longest := w.spec.Options.ChunkBytes / vectors.ElementBytes
	first := (number*len(w.trees) + b.index) * longest
	return chunk{first, min(longest, w.spec.Elements-first)}
}

// tree adds the vectors: whatever chunk can move moves, sums first.
func (w *worker) tree() {
	for _, b := range w.trees {
		b.risen, b.descended = 0, 0
	}
	rising := true
	for {
		left, moved, rises := false, false, false
		for _, b := range w.trees {
			moved = w.descend(b) || w.rise(b) || moved
			left = left || w.chunk(b, b.descended).elements > 0
			rises = rises || w.chunk(b, b.risen).elements > 0
		}
		switch {
		case !left:
			return
		case rising && !rises:
			rising = false
			w.Tell.Step(w.span, stepGather)
		case !moved:
			w.Wait("a chunk or room in the tree")
		}
	}
}

// descend passes a chunk of the sum on to the children, if one has come and they have room.
func (w *worker) descend(b *branch) bool {
	if b.down == nil || !b.down.Ready() || !room(b.to) {
		return false
	}
	w.bytes = w.take(b.down, w.bytes)
	w.spread(b)
	return true
}

// spread compares the chunk at hand and passes it on to the children.
func (w *worker) spread(b *branch) {
	w.summed(w.chunk(b, b.descended))
	b.descended++
	w.post(b.to...)
}

// rise adds a chunk of the children to the node's own and passes it up, if the children's have come
// and there is room.
func (w *worker) rise(b *branch) bool {
	c := w.chunk(b, b.risen)
	if c.elements <= 0 || b.up != nil && !b.up.Room() || b.up == nil && !room(b.to) {
		return false
	}
	for _, l := range b.from {
		if !l.Ready() {
			return false
		}
	}
	b.risen++
	w.own(c)
	for _, l := range b.from {
		w.more = w.take(l, w.more)
		vectors.Plus(w.bytes, w.more)
		w.added(c)
	}
	if b.up == nil {
		w.spread(b)
	} else {
		w.post(b.up)
	}
	return true
}

func room(lanes []*team.Lane) bool {
	for _, l := range lanes {
		if !l.Room() {
			return false
		}
	}
	return true
}
