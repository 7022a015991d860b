package graph

import (
	"math"

	"github.com/sigview/sigview/trace/waits"
)

// acquire asks for the grants of a piece from g on, and begins it when it has all. A place that
// is free is had at once; a processor that is free finds after its poll what had waited for it.
// A free send slot still takes up the messages of a node one after another.
func (r *rerun) acquire(i, g int32) {
	for ; g >= 0; g = r.list[g].next {
		x := &r.list[g]
		at := &r.places[x.place]
		switch free := r.free[at.Resource]; {
		case !free, at.Resource == waits.Slot && x.several:
			r.ask(g)
			return
		case at.Resource == waits.Processor && x.ready < r.begun(g) && !x.goes && !r.polled[g]:
			r.polled[g] = true
			r.add(event{at: r.now + r.phase, what: has, index: g})
			return
		case x.next < 0:
			r.foretell(i, 0)
		}
	}
	r.start(i)
}

// ask puts a grant in the line of its place.
func (r *rerun) ask(g int32) {
	x := &r.list[g]
	r.keys[g] = r.now
	if x.goes {
		r.keys[g] = math.MinInt64
	}
	r.lines[x.place] = append(r.lines[x.place], g)
	r.turn(x.place)
}

func (r *rerun) turn(at int32) {
	if !r.turning[at] {
		r.turning[at] = true
		r.turned = append(r.turned, at)
	}
}

func (r *rerun) release(at int32) {
	r.busy[at]--
	r.turn(at)
}

// give gives grants, those of processors only if there are no others. It returns false if there
// is none to give.
func (r *rerun) give() (given bool) {
	list := r.turned
	r.turned = nil
	for _, processors := range []bool{false, true} {
		for _, at := range list {
			if (r.places[at].Resource == waits.Processor) == processors && r.turning[at] {
				r.turning[at] = false
				given = r.giveAt(at) || given
			}
		}
		if given && !processors {
			for _, at := range list {
				if r.turning[at] {
					r.turned = append(r.turned, at)
				}
			}
			return true
		}
	}
	return given
}

// giveAt gives a place to the first in its line, if it is not busy.
func (r *rerun) giveAt(at int32) bool {
	line := r.lines[at]
	if r.busy[at] > 0 || len(line) == 0 {
		return false
	}
	best := 0
	for k := range line {
		if r.ahead(line[k], line[best]) {
			best = k
		}
	}
	g := line[best]
	r.lines[at] = append(line[:best], line[best+1:]...)
	r.busy[at]++
	r.moment.grants++
	if rank := r.list[g].rank; rank < r.latest[at] {
		r.moved++
	} else {
		r.latest[at] = rank
	}
	lag := r.list[g].lag
	if r.list[g].next < 0 {
		r.foretell(r.list[g].piece, lag)
	}
	if lag == 0 {
		r.acquire(r.list[g].piece, r.list[g].next)
	} else {
		r.add(event{at: r.now + lag, what: has, index: g})
	}
	return true
}

// got goes on with the piece of a grant.
func (r *rerun) got(g int32) {
	x := &r.list[g]
	if x.next < 0 && r.free[r.places[x.place].Resource] {
		r.foretell(x.piece, 0)
	}
	r.acquire(x.piece, x.next)
}

// ahead reports whether one in a line comes before another: what goes on, then the kind that
// processors serve first, then who was ready first.
func (r *rerun) ahead(g, h int32) bool {
	x, y := &r.list[g], &r.list[h]
	switch {
	case x.goes != y.goes:
		return x.goes
	case r.level[x.kind] != r.level[y.kind]:
		return r.level[x.kind] > r.level[y.kind]
	case r.keys[g] != r.keys[h]:
		return r.keys[g] < r.keys[h]
	}
	return x.rank < y.rank
}
