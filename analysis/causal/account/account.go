package account

import (
	"fmt"
	"iter"
	"sort"

	"github.com/sigview/sigview/trace/waits"
)

// Piece is a part of an actor's time in which it does one thing and, if it waits, one
// actor holds it up.
type Piece struct {
	Begin, End int64 // ps
	// Holder is who holds the actor up; 0: nobody known, or it does not wait.
	Holder   waits.ID
	Instance int32 // of the resource
	Resource waits.Resource
	What     waits.What
	// Line says that it waits in a line. Holder is then the one that let go at its end; Held
	// tells who had the resource before.
	Line bool
}

// Length returns the piece's duration in ps.
func (p Piece) Length() int64 { return p.End - p.Begin }

// Beyond is a time after a piece of service in which the processor still works for a packet
// that has gone on.
type Beyond struct {
	Actor      waits.ID
	Begin, End int64 // ps
}

// Account is the time of all actors in pieces. Those of one actor follow each other
// without a gap from its begin to its end.
type Account struct {
	Actors []waits.Actor    // by ID, from 1; the first entry is not used
	Pieces []Piece          // by actor, then by time
	Beyond []Beyond         // by actor, then by time
	lines  map[Place]tenure // holds of the places at which actors wait in line
	First  []int32          // by actor: its first piece; one entry more than actors
	waited []int64          // by actor: all its waiting in ps; nil: the sum over its pieces
	period *Period          // the account has only pieces with time in it; nil: all pieces
	part   *Members         // the account has only these actors of a log; nil: all
}

// Period is the time between two instants.
type Period struct{ From, To int64 } // ps

// Covers reports whether the account has all pieces between two instants, in ps.
func (a *Account) Covers(from, to int64) bool {
	return a != nil && (a.period == nil || a.period.From <= from && to <= a.period.To)
}

// Part reports whether the account is of a part of a log.
func (a *Account) Part() bool { return a.part != nil }

// Number returns the number of an actor in the log that the account is of.
func (a *Account) Number(id waits.ID) waits.ID {
	if a.part == nil {
		return id
	}
	return a.part.of[id]
}

// ID returns the actor of a number in the log that the account is of; 0: the account does not have it.
func (a *Account) ID(number waits.ID) waits.ID {
	if a.part == nil {
		return number
	}
	return a.part.ID(number)
}

// Waited returns how long an actor waits in all, in ps.
func (a *Account) Waited(id waits.ID) (sum int64) {
	if a.waited != nil {
		return a.waited[id]
	}
	for _, p := range a.Of(id) {
		if p.What == waits.Waiting {
			sum += p.Length()
		}
	}
	return sum
}

// Of returns the pieces of an actor.
func (a *Account) Of(id waits.ID) []Piece { return a.Pieces[a.First[id]:a.First[id+1]] }

// Held cuts a piece into parts with one holder each. A piece in a line has several, any other is its
// own only part.
func (a *Account) Held(p Piece) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		if !p.Line {
			yield(p)
			return
		}
		for at, end := p.Begin, p.End; at < end; at = p.End {
			p = a.heldAt(p, at, end)
			// A part ends where its holder lets go, or where another hold of the place begins.
			if !yield(p) {
				return
			}
		}
	}
}

// heldAt returns the part with one holder of a piece in a line that begins at at and ends at end at the
// latest, both in ps.
func (a *Account) heldAt(p Piece, at, end int64) Piece {
	by, until := a.lines[Place{p.Resource, p.Instance}].Holder(at, 0)
	p.Begin, p.End, p.Holder, p.Line = at, min(until, end), by, false
	return p
}

// Holder returns for whom the actor of piece i waits just before upTo, in ps; 0 if for nobody known.
func (a *Account) Holder(i int32, upTo int64) waits.ID {
	p := a.Pieces[i]
	// In a line the piece's own Holder is the last one only.
	if p.Line && upTo < p.End {
		return a.heldAt(p, upTo-1, p.End).Holder
	}
	return p.Holder
}

// At returns the index of the actor's piece with Begin < t <= End, in ps; -1 if there is none.
func (a *Account) At(id waits.ID, t int64) int32 {
	lo, hi := a.First[id], a.First[id+1]
	// Pieces leave no gap: the first that ends at t or later has t in it, unless the actor begins later.
	i := lo + int32(sort.Search(int(hi-lo), func(i int) bool { return a.Pieces[lo+int32(i)].End >= t }))
	if i == hi || a.Pieces[i].Begin >= t {
		return -1
	}
	return i
}

// check returns an error that names an actor whose pieces leave a gap, overlap or end too early, or
// that refers to an actor or a hold that is not there.
func (a *Account) check() error {
	for id := 1; id < len(a.Actors); id++ {
		actor := &a.Actors[id]
		if int(actor.Cause) >= len(a.Actors) {
			return fmt.Errorf("actor %d: cause %d, wanted less than %d", id, actor.Cause, len(a.Actors))
		}
		at := actor.Begin
		// Invariant: all pieces before this one follow each other, and the last of them ends at at.
		for _, p := range a.Of(waits.ID(id)) {
			if p.Begin != at || p.End <= p.Begin {
				return fmt.Errorf("actor %d: interval at %s from %d to %d ps, wanted it to begin at %d", id, p.Resource, p.Begin, p.End, at)
			}
			if int(p.Holder) >= len(a.Actors) {
				return fmt.Errorf("actor %d: holder %d, wanted less than %d", id, p.Holder, len(a.Actors))
			}
			if _, ok := a.lines[Place{p.Resource, p.Instance}]; p.Line && !ok {
				// Held finds the holders of a line in the holds of its place.
				return fmt.Errorf("actor %d: waits in line for %s %d, wanted a hold of it in the table holds", id, p.Resource, p.Instance)
			}
			at = p.End
		}
		if at != actor.End {
			return fmt.Errorf("actor %d: its intervals end at %d ps, wanted %d", id, at, actor.End)
		}
	}
	return nil
}

// Serves reports whether a piece is service of a resource.
func (p *Piece) Serves(r waits.Resource) bool { return p.Resource == r && p.What == waits.Service }
