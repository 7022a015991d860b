package causal

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// tally sums the waiting of an account by resource, holder and root.
type tally struct {
	*crowd
	owner         []waits.ID // by piece
	waited, known int64
	queues        [waits.NumResources]*queue
}

// queue is the waiting for one resource. Its slices are by who, and those of roots by the
// resource of the root and by who.
type queue struct {
	waited, unknown, onPath int64
	elsewhere, switching    int64
	holder, holderPath      []int64
	root, rootPath          []int64
	worst                   []Wait
	now                     Wait  // on the path, still growing
	first                   int32 // piece of that wait
}

// contended reports whether actors wait for a resource because others use it.
func contended(r waits.Resource) bool {
	return r != waits.Event && r != waits.Order && r != waits.Timer
}

// all sums the waiting between two instants.
func (t *tally) all(from, to int64) {
	for id := range t.Actors {
		for i := t.first[id]; i < t.first[id+1]; i++ {
			p := &t.Pieces[i]
			length := min(p.End, to) - max(p.Begin, from)
			if p.What != waits.Waiting || length <= 0 {
				continue
			}
			t.waited += length
			if p.Holder != 0 {
				t.known += length
			}
			if !contended(p.Resource) {
				continue
			}
			q := t.at(p.Resource)
			q.waited += length
			if p.Holder == 0 {
				q.unknown += length
				continue
			}
			q.holder[t.who(p.Holder)] += length
			q.root[t.rootOf(p)] += length
			if t.Actors[id].Peer != t.Actors[p.Root].Peer {
				q.elsewhere += length
			}
		}
	}
}

// at returns the queue of a resource.
func (t *tally) at(r waits.Resource) *queue {
	if t.queues[r] == nil {
		n := t.size()
		t.queues[r] = &queue{
			holder: make([]int64, n), holderPath: make([]int64, n),
			root: make([]int64, n*waits.NumResources), rootPath: make([]int64, n*waits.NumResources),
		}
	}
	return t.queues[r]
}

// rootOf returns the index of a piece's root in the slices of a queue.
func (t *tally) rootOf(p *Piece) int { return int(p.RootResource)*t.size() + int(t.who(p.Root)) }

// path adds a segment of the critical path to the queue that it bridges, or in which it
// is itself.
func (t *tally) path(s Segment) {
	i := s.Queue
	if i < 0 {
		i = s.Piece
	}
	if i < 0 {
		return
	}
	p := &t.Pieces[i]
	if p.What != waits.Waiting && !p.switching() || !contended(p.Resource) {
		return
	}
	q := t.at(p.Resource)
	q.onPath += s.Length()
	if p.switching() {
		q.switching += s.Length()
	}
	if p.Holder == 0 {
		return
	}
	q.holderPath[t.who(p.Holder)] += s.Length()
	q.rootPath[t.rootOf(p)] += s.Length()
	q.grow(t, i, s.Length())
}

// grow adds a part of the path to the wait that the piece i belongs to. The path meets the
// parts of a wait one after another, the last first.
func (q *queue) grow(t *tally, i int32, length int64) {
	first, id := i, t.owner[i]
	for first > t.first[id] && t.Pieces[first-1].What == waits.Waiting && t.Pieces[first-1].Resource == t.Pieces[i].Resource {
		first--
	}
	if first != q.first || q.now.Cost == 0 {
		q.keep()
		p := &t.Pieces[i]
		q.first, q.now = first, Wait{Actor: id, Holder: p.Holder, Begin: t.Pieces[first].Begin, End: p.End}
	}
	q.now.Cost += length
}

// keep keeps the present wait if it is among the worst.
func (q *queue) keep() {
	if q.now.Cost > 0 {
		q.worst = worst(q.worst, q.now)
	}
}

// queue returns the sums of a resource. It returns false if nobody waited there.
func (t *tally) queue(r waits.Resource) (Queue, bool) {
	q := t.queues[r]
	if q == nil {
		return Queue{}, false
	}
	q.keep()
	out := Queue{Resource: r, Waited: q.waited, Unknown: q.unknown, OnPath: q.onPath, Switching: q.switching, Elsewhere: q.elsewhere, Worst: q.worst}
	for w := range q.holder {
		out.Holders = add(out.Holders, Share{who(w), r, q.holder[w], q.holderPath[w]})
	}
	for i := range q.root {
		out.Roots = add(out.Roots, Share{who(i % t.size()), waits.Resource(i / t.size()), q.root[i], q.rootPath[i]})
	}
	for _, shares := range [][]Share{out.Holders, out.Roots} {
		slices.SortStableFunc(shares, func(a, b Share) int {
			return cmp.Or(cmp.Compare(b.OnPath, a.OnPath), cmp.Compare(b.Waited, a.Waited))
		})
	}
	return out, true
}

func add(list []Share, s Share) []Share {
	if s.Waited == 0 && s.OnPath == 0 {
		return list
	}
	return append(list, s)
}
