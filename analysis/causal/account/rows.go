package account

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// ActorRows returns the table of actors.
func (a *Account) ActorRows() iter.Seq[trace.ActorRow] {
	return func(yield func(trace.ActorRow) bool) {
		for id := 1; id < len(a.Actors); id++ {
			x := &a.Actors[id]
			row := trace.ActorRow{
				Actor: int64(id), Type: x.Type.String(), Tag: x.Tag, Span: int64(x.Span), Node: int64(x.Node),
				Peer: int64(x.Peer), Size: int64(x.Size), Number: x.Number, Name: x.Name, Cause: int64(x.Cause),
				BeginPs: x.Begin, EndPs: x.End,
			}
			if x.Type.IsPacket() {
				row.Kind = x.Kind.String()
			}
			if !yield(row) {
				return
			}
		}
	}
}

// WaitRows returns the table of waiting, by actor and time: pieces, cut by their roots unless actors wait in line.
func (a *Account) WaitRows() iter.Seq[trace.WaitRow] {
	return func(yield func(trace.WaitRow) bool) {
		for id := range a.Actors {
			order := int64(0)
			for p := range a.rows(waits.ID(id)) {
				var beyond int64
				// Other services end with their pieces, so that only a processor's has a time beyond.
				if p.Serves(waits.Processor) {
					beyond = a.Outlasted(waits.ID(id), p.End)
				}
				row := trace.WaitRow{
					Actor: int64(id), Order: order, Resource: p.Resource.String(), Instance: int64(p.Instance),
					What: p.What.String(), BeginPs: p.Begin, EndPs: p.End, Holder: int64(p.Holder), Root: int64(p.Root), BeyondPs: beyond,
					Line: trace.Opt[bool]{Value: p.Line, OK: p.Line},
				}
				if p.Root != 0 {
					row.RootResource = p.RootResource.String()
				}
				order++
				if !yield(row) {
					return
				}
			}
		}
	}
}

// rows returns the parts of an actor's pieces. With lines they are the pieces themselves: the roots of one may be
// as many as there are actors ahead.
func (a *Account) rows(id waits.ID) iter.Seq[Rooted] {
	if !a.Lines() {
		return a.Parts(id, a.Actors[id].Begin, a.Actors[id].End)
	}
	return func(yield func(Rooted) bool) {
		for _, p := range a.Of(id) {
			if !yield(Rooted{Piece: p}) {
				return
			}
		}
	}
}

// Holds returns who has had the places at which actors wait in line, by Place and time.
func (a *Account) Holds() iter.Seq[waits.Hold] {
	places := slices.SortedFunc(maps.Keys(a.lines), func(x, y Place) int {
		return cmp.Or(cmp.Compare(x.Resource, y.Resource), cmp.Compare(x.Instance, y.Instance))
	})
	return func(yield func(waits.Hold) bool) {
		for _, at := range places {
			for _, h := range a.lines[at].holds {
				if !yield(h) {
					return
				}
			}
		}
	}
}

// HoldRows returns the table of holds.
func (a *Account) HoldRows() iter.Seq[trace.HoldRow] {
	return func(yield func(trace.HoldRow) bool) {
		for h := range a.Holds() {
			if !yield(trace.HoldRow{Resource: h.Resource.String(), Instance: int64(h.Instance), Actor: int64(h.Actor), BeginPs: h.Begin, EndPs: h.End}) {
				return
			}
		}
	}
}

// Lines reports whether actors wait in line, so that there is a table of holds.
func (a *Account) Lines() bool { return len(a.lines) > 0 }

// Reader makes an account of the tables, the inverse of ActorRows, WaitRows and HoldRows: all
// rows of the first, then those of the others.
type Reader struct {
	a     Account
	Last  Rooted       // the last row of waits that was read
	holds []waits.Hold // with time in the period
	known int          // actors of the log, with 0; 0: those that have been read
}

// actors returns how many actors there are, with 0.
func (r *Reader) actors() int64 { return int64(max(r.known, len(r.a.Actors))) }

// ReaderOf returns a reader that keeps only the pieces with time in a period. Account.Waited still
// returns all waiting of an actor.
func ReaderOf(of Period) *Reader { return &Reader{a: Account{period: &of}} }

// Actors takes rows of the table actors. It returns an error if a name is not known.
func (r *Reader) Actors(rows []trace.ActorRow) error {
	if len(r.a.Actors) == 0 {
		r.a.Actors = make([]waits.Actor, 1)
	}
	for _, row := range rows {
		x, err := readActor(row, len(r.a.Actors))
		if err != nil {
			return fmt.Errorf("table actors: %w", err)
		}
		r.a.Actors = append(r.a.Actors, x)
	}
	return nil
}

// Waits takes rows of the table waits. It returns an error if a name is not known, or if
// the rows are not in the order of actors.
func (r *Reader) Waits(rows []trace.WaitRow) error {
	for _, row := range rows {
		if row.Actor < int64(len(r.a.First)-1) || row.Actor >= r.actors() {
			return fmt.Errorf("table waits: actor %d, wanted the order and the numbers of the table actors", row.Actor)
		}
		opens := r.open(row.Actor)
		// Rows outside of the period count as waiting of their actor, and are dropped.
		if of := r.a.period; of != nil && r.known == 0 {
			if r.a.waited == nil {
				r.a.waited = make([]int64, len(r.a.Actors))
			}
			if row.What == waits.Waiting.String() {
				r.a.waited[row.Actor] += row.EndPs - row.BeginPs
			}
			if row.EndPs <= of.From || row.BeginPs >= of.To {
				// No row goes on with one that was dropped.
				r.Last = Rooted{}
				continue
			}
		}
		p, err := r.read(row)
		if err != nil {
			return fmt.Errorf("table waits: actor %d: %w", row.Actor, err)
		}
		// WaitRows cuts a piece by its roots; its rows become one piece again.
		if !opens && p.goesOn(r.Last) {
			r.a.Pieces[len(r.a.Pieces)-1].End = p.End
		} else {
			r.a.Pieces = append(r.a.Pieces, p.Piece)
		}
		r.Last = p
		if row.BeyondPs > 0 {
			r.a.Beyond = append(r.a.Beyond, Beyond{waits.ID(row.Actor), p.End, p.End + row.BeyondPs})
		}
	}
	return nil
}

// Holds takes rows of the table holds. It returns an error if a name is not known.
func (r *Reader) Holds(rows []trace.HoldRow) error {
	for _, row := range rows {
		resource, err := waits.ParseResource(row.Resource)
		if err != nil {
			return fmt.Errorf("table holds: %w", err)
		}
		if row.Actor >= r.actors() {
			return fmt.Errorf("table holds: actor %d, wanted less than %d", row.Actor, r.actors())
		}
		if of := r.a.period; of == nil || row.EndPs > of.From && row.BeginPs < of.To {
			r.holds = append(r.holds, waits.Hold{Resource: resource, Instance: int32(row.Instance), Actor: waits.ID(row.Actor), Begin: row.BeginPs, End: row.EndPs})
		}
	}
	return nil
}

// goesOn reports whether a part is of the same piece as the one before it: they differ by
// their roots.
func (p Rooted) goesOn(before Rooted) bool {
	same := p.Piece
	same.Begin, same.End = before.Begin, before.End
	return same == before.Piece && p.Begin == before.End && (p.Root != before.Root || p.RootResource != before.RootResource)
}

// open notes that the next piece is of an actor, and reports whether it is its first.
func (r *Reader) open(actor int64) (opens bool) {
	for int64(len(r.a.First)) <= actor {
		r.a.First, opens = append(r.a.First, int32(len(r.a.Pieces))), true
	}
	return opens
}

// Account returns the account. It returns an error if the pieces of an actor leave a gap,
// unless it is of a period.
func (r *Reader) Account() (*Account, error) {
	r.open(int64(len(r.a.Actors)))
	r.a.lines = tenures(r.holds)
	// A period begins and ends within pieces, so that check would find gaps.
	if err := r.a.check(); r.a.period == nil && err != nil {
		return nil, fmt.Errorf("table waits: %w", err)
	}
	return &r.a, nil
}

// readActor reads a row of the table actors. It returns an error if its number is not want, or if a
// name is not known.
func readActor(row trace.ActorRow, want int) (x waits.Actor, err error) {
	if row.Actor != int64(want) {
		return x, fmt.Errorf("actor %d, wanted %d", row.Actor, want)
	}
	x = waits.Actor{
		Tag: row.Tag, Span: trace.Span(row.Span), Node: int32(row.Node), Peer: int32(row.Peer), Size: int32(row.Size),
		Number: row.Number, Name: row.Name, Cause: waits.ID(row.Cause), Begin: row.BeginPs, End: row.EndPs,
	}
	if x.Type, err = waits.ParseType(row.Type); err == nil && row.Kind != "" {
		x.Kind, err = trace.ParseKind(row.Kind)
	}
	return x, err
}

// read reads a row of the table waits. It returns an error if a name or an actor is not known.
func (r *Reader) read(row trace.WaitRow) (p Rooted, err error) {
	if n := r.actors(); row.Holder < 0 || row.Root < 0 || row.Holder >= n || row.Root >= n {
		return p, fmt.Errorf("holder %d, root %d, wanted less than %d", row.Holder, row.Root, n)
	}
	p = Rooted{
		Piece: Piece{Begin: row.BeginPs, End: row.EndPs, Instance: int32(row.Instance), Holder: waits.ID(row.Holder), Line: row.Line.Value},
		Root:  waits.ID(row.Root),
	}
	if p.Resource, err = waits.ParseResource(row.Resource); err != nil {
		return p, err
	}
	if row.RootResource != "" {
		if p.RootResource, err = waits.ParseResource(row.RootResource); err != nil {
			return p, err
		}
	}
	p.What, err = waits.ParseWhat(row.What)
	return p, err
}
