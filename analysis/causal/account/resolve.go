package account

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// Resolve finds for whom each actor of a finished log waited. It returns an error if the
// intervals of an actor leave a gap or overlap.
//
// A wait that an actor ended is for that actor. Any other is cut by the holds of its
// resource, each part is for the actor that had it then. A request waits for the send
// slot while another has it, and otherwise for the interface processor while that is
// busy; a wait for the processor while nobody has it is idle, because the processor
// polls. A control packet, which the processor serves when nothing else is to be done, waits
// for the S engine then, if that is at work. A wait for another resource without a holder
// has none. A wait in a line is not cut: its parts are those of Held.
func Resolve(log *waits.Log) (*Account, error) {
	a := &Account{Actors: log.Actors, lines: map[Place]tenure{}}
	intervals := a.group(log.Intervals)
	r := resolver{a, tenures(log.Holds)}
	// Pieces may be more than intervals: a wait has one for each holder.
	direct := make([]Piece, 0, len(intervals))
	begin := make([]int32, len(a.First))
	for id := range a.Actors {
		begin[id] = int32(len(direct))
		for _, x := range intervals[a.First[id]:a.First[id+1]] {
			direct = r.cut(direct, x)
		}
	}
	begin[len(a.Actors)] = int32(len(direct))
	a.Pieces, a.First = direct, begin
	if err := a.check(); err != nil {
		return nil, err
	}
	a.Beyond = a.outlasting(log.Holds)
	return a, nil
}

// group sorts intervals by actor, keeping the order of each actor's.
func (a *Account) group(log []waits.Interval) []waits.Interval {
	a.First = make([]int32, len(a.Actors)+1)
	for i := range log {
		a.First[log[i].Actor+1]++
	}
	for id := range a.Actors {
		a.First[id+1] += a.First[id]
	}
	if slices.IsSortedFunc(log, func(a, b waits.Interval) int { return cmp.Compare(a.Actor, b.Actor) }) {
		return log
	}
	// next[id] is where the actor's next interval goes (a counting sort).
	next := append([]int32(nil), a.First...)
	out := make([]waits.Interval, len(log))
	for _, x := range log {
		out[next[x.Actor]] = x
		next[x.Actor]++
	}
	return out
}

// resolver finds the holders of waits: who has the resource, not the root of a chain.
type resolver struct {
	*Account
	tenures map[Place]tenure // all holds of the log
}

// cut appends the pieces of an interval, each with one holder.
func (r *resolver) cut(out []Piece, x waits.Interval) []Piece {
	whole := Piece{Begin: x.Begin, End: x.End, Instance: x.Instance, Resource: x.Resource, What: x.What}
	if x.What != waits.Waiting {
		return append(out, whole)
	}
	if x.By != 0 {
		whole.Holder = x.By
		return append(out, whole)
	}
	if x.Line {
		return r.line(out, whole)
	}
	// Only pieces of this interval, those from first on, may be joined.
	first := len(out)
	for at := x.Begin; at < x.End; {
		p := whole
		p.Begin = at
		r.hold(&p, x.Actor)
		at = p.End
		out = appendPiece(out, first, p)
	}
	return out
}

// line appends a wait in a line: one piece until the last holder ahead has let go, and one without a
// holder for the time after that, if there is any.
func (r *resolver) line(out []Piece, p Piece) []Piece {
	at := Place{p.Resource, p.Instance}
	by, until := r.tenures[at].Last(p.End)
	if until > p.Begin {
		// Held looks holders up later; places at which nobody waits in line need not be kept.
		r.lines[at] = r.tenures[at]
		ahead := p
		ahead.Holder, ahead.End = by, until
		first, end := r.tenures[at].Holder(p.Begin, 0)
		// With one holder all the time it is a piece as any other.
		ahead.Line = first != by || end < until
		out = append(out, ahead)
		p.Begin = until
	}
	if p.Begin < p.End {
		out = append(out, p)
	}
	return out
}

// hold finds the holder at the begin of a piece and ends it where that may change.
func (r *resolver) hold(p *Piece, self waits.ID) {
	candidates := []waits.Resource{p.Resource}
	if p.Resource == waits.Request {
		candidates = []waits.Resource{waits.Slot, waits.Processor}
	} else if p.Resource == waits.Processor && r.Actors[self].Type == waits.Control {
		candidates = []waits.Resource{waits.Processor, waits.SEngine}
	}
	for _, resource := range candidates {
		by, until := r.tenures[Place{resource, p.Instance}].Holder(p.Begin, self)
		p.End = min(p.End, until)
		if by != 0 {
			p.Holder, p.Resource = by, resource
			return
		}
	}
	if p.Resource == waits.Request || p.Resource == waits.Processor {
		p.What = waits.Idle
	}
}

// appendPiece appends p, or extends the last piece from index first on if they differ in
// time only.
func appendPiece(out []Piece, first int, p Piece) []Piece {
	if n := len(out) - 1; n >= first {
		last := p
		last.Begin, last.End = out[n].Begin, out[n].End
		if last == out[n] && last.End == p.Begin {
			out[n].End = p.End
			return out
		}
	}
	return append(out, p)
}
