package causal

import (
	"fmt"
	"sort"

	"github.com/sigview/sigview/trace/waits"
)

// Piece is a part of an actor's time in which it does one thing and, if it waits, one
// actor holds it up.
type Piece struct {
	Begin, End int64 // ps
	Holder     waits.ID
	Instance   int32 // of the resource
	Resource   waits.Resource
	What       waits.What
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
	Actors []waits.Actor // by ID, from 1; the first entry is not used
	Pieces []Piece       // by actor, then by time
	Beyond []Beyond      // by actor, then by time
	first  []int32       // by actor: its first piece; one entry more than actors
	waited []int64       // ps, by actor: all its waiting; nil: that of its pieces
	period *Period       // of which it has the pieces; nil: all
}

// Period is the time between two instants.
type Period struct{ From, To int64 } // ps

// Covers reports whether the account has all pieces between two instants, in ps.
func (a *Account) Covers(from, to int64) bool {
	return a != nil && (a.period == nil || a.period.From <= from && to <= a.period.To)
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
func (a *Account) Of(id waits.ID) []Piece { return a.Pieces[a.first[id]:a.first[id+1]] }

// at returns the index of the actor's piece that ends at or after t and begins before
// it, -1 if there is none.
func (a *Account) at(id waits.ID, t int64) int32 {
	lo, hi := a.first[id], a.first[id+1]
	i := lo + int32(sort.Search(int(hi-lo), func(i int) bool { return a.Pieces[lo+int32(i)].End >= t }))
	if i == hi || a.Pieces[i].Begin >= t {
		return -1
	}
	return i
}

// check returns an error unless the pieces of every actor fill its time.
func (a *Account) check() error {
	for id := 1; id < len(a.Actors); id++ {
		actor := &a.Actors[id]
		if int(actor.Cause) >= len(a.Actors) {
			return fmt.Errorf("actor %d: cause %d, wanted less than %d", id, actor.Cause, len(a.Actors))
		}
		at := actor.Begin
		for _, p := range a.Of(waits.ID(id)) {
			if p.Begin != at || p.End <= p.Begin {
				return fmt.Errorf("actor %d: interval at %s from %d to %d ps, wanted it to begin at %d", id, p.Resource, p.Begin, p.End, at)
			}
			if int(p.Holder) >= len(a.Actors) {
				return fmt.Errorf("actor %d: holder %d, wanted less than %d", id, p.Holder, len(a.Actors))
			}
			at = p.End
		}
		if at != actor.End {
			return fmt.Errorf("actor %d: its intervals end at %d ps, wanted %d", id, at, actor.End)
		}
	}
	return nil
}
