package causal

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/trace/waits"
)

// tally sums the waiting of an account by resource, holder and root.
type tally struct {
	*account.Crowd
	owner         []waits.ID // by piece
	slow          slowness
	chains        account.Tracer
	waited, known int64
	queues        [waits.NumResources]*queue
}

// queue is the waiting for one resource. Its slices are by who, and those of roots by the
// resource of the root and by who.
type queue struct {
	waited, unknown, onPath int64
	own                     int64 // on the path, for the actor's own chain of messages
	elsewhere, switching    int64
	holder, holderPath      []int64
	at                      map[int32]Spot        // by instance
	through                 map[[2]int32]*Through // by instance and port
	root, rootPath          []int64
	worst                   []Wait
	now                     Wait  // on the path, still growing
	first                   int32 // piece of that wait
}

// contended reports whether actors wait for a resource because others use it, or for the
// time after which a lost packet is sent again.
func contended(r waits.Resource) bool { return r != waits.Event && r != waits.Order }

// all sums the waiting between two instants.
func (t *tally) all(from, to int64) {
	lines := map[account.Place]*inLine{}
	for id := range t.Actors {
		for i := t.First[id]; i < t.First[id+1]; i++ {
			p := &t.Pieces[i]
			length := min(p.End, to) - max(p.Begin, from)
			if p.What != waits.Waiting || length <= 0 {
				continue
			}
			t.waited += length
			if p.Line {
				entry(lines, account.Place{Resource: p.Resource, Instance: p.Instance}, inLine{piece: i}).join(t.Actors[id].Peer, max(p.Begin, from), min(p.End, to))
				continue
			}
			if p.Holder != 0 {
				t.known += length
			}
			if !contended(p.Resource) {
				continue
			}
			for part, length := range t.roots(i, from, to) {
				elsewhere := int64(0)
				if t.Actors[id].Peer != t.Actors[part.Root].Peer {
					elsewhere = length
				}
				t.add(i, part, length, elsewhere)
			}
		}
	}
	for _, l := range lines {
		t.line(l)
	}
}

// line sums the waiting of all in a line: for who has the place, they all wait.
func (t *tally) line(l *inLine) {
	p := t.Pieces[l.piece]
	p.Begin, p.End = l.all.Span()
	for _, part := range t.chains.Parts(0, p) {
		length := l.all.Between(part.Begin, part.End)
		if length == 0 {
			continue
		}
		elsewhere := length
		if same := l.to[t.Actors[part.Root].Peer]; same != nil {
			elsewhere -= same.Between(part.Begin, part.End)
		}
		if part.Holder != 0 {
			t.known += length
		}
		t.add(l.piece, &part, length, elsewhere)
	}
}

// add adds so much waiting of a part of piece i, and how much of it is for packets to others.
func (t *tally) add(i int32, part *account.Rooted, length, elsewhere int64) {
	decided := &t.Pieces[graph.Refusal(t.Crowd.Account, i, part.Holder, part.Begin)]
	q := t.At(decided.Resource)
	q.waited += length
	q.spend(decided.Instance, length, 0)
	if part.Holder == 0 {
		q.unknown += length
		return
	}
	q.holder[t.Who(part.Holder)] += length
	q.root[t.rootOf(part)] += length
	q.elsewhere += elsewhere
	if part.RootResource != waits.Port || !t.Lines() {
		return
	}
	if k := t.Account.At(part.Root, part.Begin+1); k >= 0 && t.Pieces[k].Resource == waits.Port {
		at := [2]int32{decided.Instance, t.Pieces[k].Instance}
		x := entry(q.through, at, Through{At: at[0], Port: at[1]})
		x.Waited += length
		x.Elsewhere += elsewhere
	}
}

// roots returns the parts of a piece by holder and root, with the time of each that lies between two
// instants.
func (t *tally) roots(i int32, from, to int64) iter.Seq2[*account.Rooted, int64] {
	return func(yield func(*account.Rooted, int64) bool) {
		p := t.Pieces[i]
		if p.Line { // it may have many parts
			p.Begin, p.End = max(p.Begin, from), min(p.End, to)
		}
		parts := t.chains.Parts(t.owner[i], p)
		for k := range parts {
			if length := min(parts[k].End, to) - max(parts[k].Begin, from); length > 0 && !yield(&parts[k], length) {
				return
			}
		}
	}
}

// At returns the queue of a resource.
func (t *tally) At(r waits.Resource) *queue {
	if t.queues[r] == nil {
		n := t.Size()
		t.queues[r] = &queue{
			at: map[int32]Spot{}, through: map[[2]int32]*Through{},
			holder: make([]int64, n), holderPath: make([]int64, n),
			root: make([]int64, n*waits.NumResources), rootPath: make([]int64, n*waits.NumResources),
		}
	}
	return t.queues[r]
}

// rootOf returns the index of a piece's root in the slices of a queue.
func (t *tally) rootOf(p *account.Rooted) int {
	return int(p.RootResource)*t.Size() + int(t.Who(p.Root))
}

// path adds a segment of the critical path to the queue that it bridges, or in which it
// is itself. A wait for which no other is responsible counts itself, because it is what the
// others wait for. So does the time by which a slow place serves longer than others.
func (t *tally) path(s graph.Segment) {
	s.End -= t.slow.take(s)
	i := s.Queue
	if i < 0 || t.alone(s.Piece) {
		i = s.Piece
	}
	if i < 0 {
		return
	}
	p := &t.Pieces[i]
	switching := graph.Switching(t.Crowd.Account, i, t.owner[i])
	if p.What != waits.Waiting && !switching || !contended(p.Resource) {
		return
	}
	for part, length := range t.roots(i, s.Begin, s.End) {
		k := graph.Refusal(t.Crowd.Account, i, part.Holder, part.Begin)
		decided := &t.Pieces[k]
		q := t.At(decided.Resource)
		if t.own(k, part) {
			q.own += length
			continue
		}
		q.onPath += length
		q.spend(decided.Instance, 0, length)
		if switching {
			q.switching += length
		}
		q.grow(t, i, length)
		if part.Holder != 0 {
			q.holderPath[t.Who(part.Holder)] += length
			q.rootPath[t.rootOf(part)] += length
		}
	}
}

// alone reports whether a piece is a wait that nobody in the log is responsible for.
func (t *tally) alone(i int32) bool {
	if i < 0 {
		return false
	}
	p := &t.Pieces[i]
	return p.What == waits.Waiting && contended(p.Resource) && (p.Holder == 0 || p.Resource == waits.Timer)
}

// spend adds waiting at an instance.
func (q *queue) spend(instance int32, waited, onPath int64) {
	s := q.at[instance]
	q.at[instance] = Spot{int(instance), s.Waited + waited, s.OnPath + onPath}
}

// grow adds a part of the path to the wait that the piece i belongs to. The path meets the
// parts of a wait one after another, the last first.
func (q *queue) grow(t *tally, i int32, length int64) {
	first, id := i, t.owner[i]
	for first > t.First[id] && t.Pieces[first-1].What == waits.Waiting && t.Pieces[first-1].Resource == t.Pieces[i].Resource {
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
	out := Queue{Resource: r, Waited: q.waited, Unknown: q.unknown, OnPath: q.onPath, Own: q.own, Switching: q.switching, Elsewhere: q.elsewhere, Worst: q.worst}
	if r != waits.Port { // its instances are channels
		out.At = spots(q.at)
	}
	for _, x := range q.through {
		out.Through = append(out.Through, *x)
	}
	slices.SortFunc(out.Through, func(a, b Through) int {
		return cmp.Or(cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.Port, b.Port), cmp.Compare(a.At, b.At))
	})
	for w := range q.holder {
		out.Holders = add(out.Holders, Share{account.Who(w), r, q.holder[w], q.holderPath[w]})
	}
	for i := range q.root {
		out.Roots = add(out.Roots, Share{account.Who(i % t.Size()), waits.Resource(i / t.Size()), q.root[i], q.rootPath[i]})
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

// spots returns the places of a queue, the largest first.
func spots(of map[int32]Spot) []Spot {
	return slices.SortedFunc(maps.Values(of), func(a, b Spot) int {
		return cmp.Or(cmp.Compare(b.OnPath, a.OnPath), cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.Node, b.Node))
	})
}
