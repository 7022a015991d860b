package account

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// PartReader makes an account of a part of a log: of some pieces, and of the actors that these are of or wait for, with all
// that caused them. Waits and Holds come first, then Actors.
type PartReader struct {
	Reader
	*Members
	causes  []waits.ID        // by actor of the log
	lasting map[waits.ID]bool // processes and handlers
	only    *Members          // whose pieces it takes; nil: all
	next    int               // members whose rows have come
}

// PartOf returns a reader of the pieces with time in a period. causes are those of all actors of the log, by their numbers;
// the first entry is not used. lasting are its processes and handlers.
func PartOf(of Period, causes []waits.ID, lasting map[waits.ID]bool) *PartReader {
	r := &PartReader{Reader: *ReaderOf(of), causes: causes, lasting: lasting, Members: newMembers(len(causes))}
	r.known = len(causes)
	return r
}

// Only makes it take pieces of some actors alone, and returns their members, to be added before Waits.
func (r *PartReader) Only() *Members {
	r.only = newMembers(len(r.causes))
	return r.only
}

// Waits takes rows of the table waits in their order. Of processes and handlers it keeps those with time in the period, of other
// actors all if any has: they last for a moment.
func (r *PartReader) Waits(rows []trace.WaitRow) error {
	of, kept := r.a.period, rows[:0]
	in := func(x trace.WaitRow) bool { return x.EndPs > of.From && x.BeginPs < of.To }
	for from, to := 0, 0; from < len(rows); from = to {
		actor := rows[from].Actor
		for to < len(rows) && rows[to].Actor == actor {
			to++
		}
		own := rows[from:to]
		switch {
		case actor >= int64(r.known) || r.only != nil && !r.only.Has(waits.ID(actor)):
		case r.lasting[waits.ID(actor)]:
			kept = append(kept, slices.DeleteFunc(own, func(x trace.WaitRow) bool { return !in(x) })...)
		case slices.ContainsFunc(own, in):
			kept = append(kept, own...)
		}
	}
	return r.Reader.Waits(kept)
}

// Close finds the members, of which Actors is to have the rows.
func (r *PartReader) Close() {
	add := func(number waits.ID) {
		for ; number != 0 && int(number) < r.known && !r.Has(number); number = r.causes[number] {
			r.Members.Add(number)
		}
	}
	r.open(int64(r.known))
	for id := 1; id < r.known; id++ {
		if r.a.First[id] < r.a.First[id+1] {
			add(waits.ID(id))
		}
	}
	for i := range r.a.Pieces {
		add(r.a.Pieces[i].Holder)
	}
	for _, h := range r.holds {
		add(h.Actor)
	}
	if r.only != nil {
		r.only.each(add)
	}
	r.count()
	r.a.Actors, r.next = make([]waits.Actor, 1, len(r.of)), 1
}

// Wants reports whether there are members from one number up to another, without it.
func (r *PartReader) Wants(from, to waits.ID) bool {
	i, _ := slices.BinarySearch(r.of[1:], from)
	return i+1 < len(r.of) && r.of[i+1] < to
}

// Actors takes rows of the table actors, in their order: at least those of members.
func (r *PartReader) Actors(rows []trace.ActorRow) error {
	for _, row := range rows {
		if r.next == len(r.of) || row.Actor != int64(r.of[r.next]) {
			continue
		}
		x, err := readActor(row, int(row.Actor))
		if err != nil {
			return fmt.Errorf("table actors: %w", err)
		}
		x.Cause = r.ID(x.Cause)
		r.a.Actors = append(r.a.Actors, x)
		r.next++
	}
	return nil
}

// Account returns the account. Times of its actors are those of the log.
func (r *PartReader) Account() (*Account, error) {
	if r.next < len(r.of) {
		return nil, fmt.Errorf("table actors: no actor %d", r.of[r.next])
	}
	a := &r.a
	first := make([]int32, len(r.of)+1)
	for id, number := range r.of {
		first[id] = a.First[number]
	}
	first[len(r.of)] = int32(len(a.Pieces))
	a.First, a.part = first, r.Members
	for i := range a.Pieces {
		a.Pieces[i].Holder = r.ID(a.Pieces[i].Holder)
	}
	for i := range a.Beyond {
		a.Beyond[i].Actor = r.ID(a.Beyond[i].Actor)
	}
	for i := range r.holds {
		r.holds[i].Actor = r.ID(r.holds[i].Actor)
	}
	a.lines = tenures(r.holds)
	return a, nil
}
