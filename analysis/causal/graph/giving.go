package graph

import (
	"math"

	"github.com/sigview/sigview/trace/waits"
)

// acquire asks for the grants of piece i from g on, one after another, and begins the piece when it
// has all. A resource that is free in the what-if grants at once; a free processor only when its
// poll finds what had waited for it, phase ps later. A free send slot still takes up the messages of
// several packets of a node one after another.
func (r *rerun) acquire(i, g int32) {
	for ; g >= 0; g = r.list[g].next {
		x := &r.list[g]
		at := &r.places[x.place]
		switch free := r.free[at.Resource]; {
		// The piece goes on when the grant is given; see got.
		case !free, at.Resource == waits.Slot && x.multi:
			r.ask(g)
			return
		// polled keeps a grant from waiting for a second poll.
		case at.Resource == waits.Processor && x.ready < r.begun(g) && !x.continues && !r.polled[g]:
			r.polled[g] = true
			r.add(event{at: r.now + r.phase, what: has, index: g})
			return
		// Nothing is left to wait for, so that the instants before the piece are known.
		case x.next < 0:
			r.scheduleBefore(i, 0)
		}
	}
	r.start(i)
}

// ask puts grant g in the line of its place.
func (r *rerun) ask(g int32) {
	x := &r.list[g]
	r.keys[g] = r.now
	// What continues a service is first in the line, whoever asked before.
	if x.continues {
		r.keys[g] = math.MinInt64
	}
	r.lines[x.place] = append(r.lines[x.place], g)
	r.turn(x.place)
}

// turn notes that a place may have a grant to give.
func (r *rerun) turn(at int32) {
	if !r.turning[at] {
		r.turning[at] = true
		r.turned = append(r.turned, at)
	}
}

// release ends the present grant of a place.
func (r *rerun) release(at int32) {
	r.busy[at]--
	r.turn(at)
}

// give gives grants at the present time and reports whether it gave any. Processors give only if no
// other place does: what is granted elsewhere can make another actor ready for a processor first.
func (r *rerun) give() (given bool) {
	// Giving may turn places again, which are for the next call.
	list := r.turned
	r.turned = nil
	for _, processors := range []bool{false, true} {
		for _, at := range list {
			if (r.places[at].Resource == waits.Processor) == processors && r.turning[at] {
				r.turning[at] = false
				given = r.giveAt(at) || given
			}
		}
		// Processors that have not given yet are asked again.
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

// giveAt gives a place to the first in its line, unless it is busy, and reports whether it did. The
// piece goes on lag ps later: that is the recorded time between grant and service.
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
	// It moved if a grant that followed it in the recorded run has been given before.
	if rank := r.list[g].rank; rank < r.latest[at] {
		r.moved++
	} else {
		r.latest[at] = rank
	}
	lag := r.list[g].lag
	// Only the last grant of a piece says when the piece begins.
	if r.list[g].next < 0 {
		r.scheduleBefore(r.list[g].piece, lag)
	}
	if lag == 0 {
		r.acquire(r.list[g].piece, r.list[g].next)
	} else {
		r.add(event{at: r.now + lag, what: has, index: g})
	}
	return true
}

// got goes on with the piece of grant g, whose lag has passed.
func (r *rerun) got(g int32) {
	x := &r.list[g]
	// A free processor has polled: acquire does not ask it again, so the instants before the piece are
	// scheduled here.
	if x.next < 0 && r.free[r.places[x.place].Resource] {
		r.scheduleBefore(x.piece, 0)
	}
	r.acquire(x.piece, x.next)
}

// ahead reports whether grant g comes before grant h in the line of a place. First comes what
// continues the service before, then the kind of a higher level, then who was ready first, then who
// was first in the recorded run.
func (r *rerun) ahead(g, h int32) bool {
	x, y := &r.list[g], &r.list[h]
	switch {
	case x.continues != y.continues:
		return x.continues
	case r.level[x.kind] != r.level[y.kind]:
		return r.level[x.kind] > r.level[y.kind]
	case r.keys[g] != r.keys[h]:
		return r.keys[g] < r.keys[h]
	}
	return x.rank < y.rank
}
