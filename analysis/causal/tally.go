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
//
// all fills in the sums of waiting, of one account or of one after another, then path those of the critical path, a segment at a time.
type tally struct {
	*account.Crowd
	owner         []waits.ID // by piece; only for path
	outliers      *outliers
	portions      *portions
	chains        account.Tracer
	waited, known int64 // ps: all waiting, and the part with a holder
	queues        [waits.NumResources]*queue
}

// queue is the waiting for one resource while it is summed up, in ps; see Queue for the sums.
type queue struct {
	waited, unknown, onPath int64
	own                     int64 // on the path, for the actor's own chain of messages
	elsewhere, switching    int64
	holder, holderPath      []int64               // by Who: waited and onPath
	at                      map[int32]Spot        // by instance
	through                 map[[2]int32]*Through // by instance and port
	root, rootPath          []int64               // by Who and resource of the root; see rootOf
	worst                   []Wait
	now                     Wait  // the wait on the path whose parts are still being added
	first                   int32 // the first piece of that wait
}

// contended reports whether actors wait for a resource because others use it: not for an event or their
// place in an order. The timer of lost packets counts too. Devices have findings of their own.
func contended(r waits.Resource) bool {
	return r != waits.Event && r != waits.Order && r != waits.Device
}

// all sums the waiting in the crowd's account between from and to, in ps.
func (t *tally) all(from, to int64) {
	t.chains = account.Tracer{Account: t.Account}
	lines := map[account.Place]*inLine{}
	for id := range t.Actors {
		for i := t.First[id]; i < t.First[id+1]; i++ {
			p := &t.Pieces[i]
			length := min(p.End, to) - max(p.Begin, from)
			if p.What != waits.Waiting || length <= 0 {
				continue
			}
			t.waited += length
			// A line is summed up once for all in it, below: its parts are many.
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
			for part, length := range t.roots(waits.ID(id), i, from, to) {
				elsewhere := int64(0)
				// Behind a packet to another receiver; actors that are no packets have no peer (-1).
				if t.Actors[id].Peer != t.Actors[part.Root].Peer {
					elsewhere = length
				}
				t.add(i, part, length, elsewhere)
			}
		}
	}
	// Sums are whole numbers, so that the order of the map does not matter.
	for _, l := range lines {
		t.line(l)
	}
}

// line sums the waiting of all actors in a line at once: each of them waits for whoever has the place.
func (t *tally) line(l *inLine) {
	p := t.Pieces[l.piece]
	// One piece stands for all: from the first that waits to the last.
	p.Begin, p.End = l.all.Span()
	for _, part := range t.chains.Parts(0, p) {
		length := l.all.Between(part.Begin, part.End)
		if length == 0 {
			continue
		}
		elsewhere := length
		// Those that wait for the root's own receiver do not count.
		if same := l.to[t.Actors[part.Root].Peer]; same != nil {
			elsewhere -= same.Between(part.Begin, part.End)
		}
		if part.Holder != 0 {
			t.known += length
		}
		t.add(l.piece, &part, length, elsewhere)
	}
}

// add adds length ps of waiting in a part of piece i, of which elsewhere ps wait for a packet to
// another receiver.
func (t *tally) add(i int32, part *account.Rooted, length, elsewhere int64) {
	// A packet before a full ring holds others up: the ring counts, not what they wait at.
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
	// Only logs with lines tell the ports by name.
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

// roots cuts piece i of an actor into parts with one holder and one root each, and returns them with the time in
// ps of each that lies between from and to.
func (t *tally) roots(id waits.ID, i int32, from, to int64) iter.Seq2[*account.Rooted, int64] {
	return func(yield func(*account.Rooted, int64) bool) {
		p := t.Pieces[i]
		if p.Line { // it may have many parts
			p.Begin, p.End = max(p.Begin, from), min(p.End, to)
		}
		parts := t.chains.Parts(id, p)
		for k := range parts {
			if length := min(parts[k].End, to) - max(parts[k].Begin, from); length > 0 && !yield(&parts[k], length) {
				return
			}
		}
	}
}

// At returns the queue of a resource, a new one at first.
func (t *tally) At(r waits.Resource) *queue {
	q := t.queues[r]
	if q == nil {
		q = &queue{at: map[int32]Spot{}, through: map[[2]int32]*Through{}}
		t.queues[r] = q
	}
	// Another account of the crowd may have more classes.
	if more := t.Size() - len(q.holder); more > 0 {
		for _, of := range []*[]int64{&q.holder, &q.holderPath} {
			*of = append(*of, make([]int64, more)...)
		}
		for _, of := range []*[]int64{&q.root, &q.rootPath} {
			*of = append(*of, make([]int64, more*waits.NumResources)...)
		}
	}
	return q
}

// rootOf returns the index of a piece's root in the slices of a queue.
func (t *tally) rootOf(p *account.Rooted) int {
	return int(t.Who(p.Root))*waits.NumResources + int(p.RootResource)
}

// path adds a segment of the critical path to the queue of the wait that it bridges, or of the wait or
// switch that it is itself. A wait without a responsible actor counts at its own resource even if another
// is bridged. What outliers are to blame for counts there, not here.
func (t *tally) path(s graph.Segment) {
	// What an outlier costs is its own finding, and is taken off the end of the segment.
	s.End -= t.outliers.take(s)
	i := s.Queue
	if i < 0 || t.alone(s.Piece) {
		i = s.Piece
	}
	if i < 0 {
		t.portions.add(s, 0, nil)
		return
	}
	p := &t.Pieces[i]
	switching := graph.Switching(t.Crowd.Account, i, t.owner[i])
	if p.What != waits.Waiting && !switching || !contended(p.Resource) {
		t.portions.add(s, 0, nil)
		return
	}
	t.portions.add(s, t.owner[i], p)
	// The segment may be at another actor than the wait: of the wait the same time counts.
	for part, length := range t.roots(t.owner[i], i, s.Begin, s.End) {
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

// alone reports whether piece i is a wait for which no actor of the log is responsible.
func (t *tally) alone(i int32) bool {
	if i < 0 {
		return false
	}
	p := &t.Pieces[i]
	return p.What == waits.Waiting && contended(p.Resource) && (p.Holder == 0 || p.Resource == waits.Timer)
}

// spend adds waiting at an instance, in ps.
func (q *queue) spend(instance int32, waited, onPath int64) {
	s := q.at[instance]
	q.at[instance] = Spot{int(instance), s.Waited + waited, s.OnPath + onPath}
}

// grow adds length ps of the path to the wait that piece i belongs to. The path meets the parts of a
// wait one after another, the latest first, so that only one wait grows at a time.
func (q *queue) grow(t *tally, i int32, length int64) {
	first, id := i, t.owner[i]
	// A wait in pieces by holder is one wait.
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

// keep keeps the wait that has grown if it is among the worst.
func (q *queue) keep() {
	if q.now.Cost > 0 {
		q.worst = worst(q.worst, q.now)
	}
}

// queue returns the sums of a resource, and false if nobody waited for it.
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
	slices.SortFunc(out.Through, byWaiting)
	for w := range q.holder {
		out.Holders = add(out.Holders, Share{account.Who(w), r, q.holder[w], q.holderPath[w]})
	}
	// Those at one resource follow each other, so that this order is that of equal shares.
	for r := range waits.Resource(waits.NumResources) {
		for w := range q.holder {
			i := w*waits.NumResources + int(r) // as rootOf
			out.Roots = add(out.Roots, Share{account.Who(w), r, q.root[i], q.rootPath[i]})
		}
	}
	for _, shares := range [][]Share{out.Holders, out.Roots} {
		slices.SortStableFunc(shares, func(a, b Share) int {
			return cmp.Or(cmp.Compare(b.OnPath, a.OnPath), cmp.Compare(b.Waited, a.Waited))
		})
	}
	return out, true
}

// byWaiting puts first what has most waiting.
func byWaiting(a, b Through) int {
	return cmp.Or(cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.Port, b.Port), cmp.Compare(a.At, b.At))
}

// longest returns the sums of all resources, the most waiting first.
func (t *tally) longest() (out []Queue) {
	for resource := range waits.Resource(waits.NumResources) {
		if q, ok := t.queue(resource); ok {
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(a, b Queue) int { return cmp.Compare(b.Waited, a.Waited) })
	return out
}

// add appends a share unless it is zero.
func add(list []Share, s Share) []Share {
	if s.Waited == 0 && s.OnPath == 0 {
		return list
	}
	return append(list, s)
}

// spots returns the places of a queue, the largest first: by the critical path, by all waiting, then by node.
func spots(of map[int32]Spot) []Spot {
	return slices.SortedFunc(maps.Values(of), func(a, b Spot) int {
		return cmp.Or(cmp.Compare(b.OnPath, a.OnPath), cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.Node, b.Node))
	})
}
