package causal

import (
	"fmt"
	"iter"

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

// WaitRows returns the table of pieces, by actor and time.
func (a *Account) WaitRows() iter.Seq[trace.WaitRow] {
	return func(yield func(trace.WaitRow) bool) {
		for id := range a.Actors {
			for i, p := range a.Of(waits.ID(id)) {
				row := trace.WaitRow{
					Actor: int64(id), Order: int64(i), Resource: p.Resource.String(), Instance: int64(p.Instance),
					What: p.What.String(), BeginPs: p.Begin, EndPs: p.End, Holder: int64(p.Holder), Root: int64(p.Root),
				}
				if p.Root != 0 {
					row.RootResource = p.RootResource.String()
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}

// Read makes an account of the two tables, the inverse of ActorRows and WaitRows. It
// returns an error if a name is not known, or if the pieces of an actor leave a gap.
func Read(actors iter.Seq[trace.ActorRow], rows iter.Seq[trace.WaitRow]) (*Account, error) {
	a := &Account{Actors: make([]waits.Actor, 1)}
	for row := range actors {
		x, err := readActor(row, len(a.Actors))
		if err != nil {
			return nil, fmt.Errorf("table actors: %w", err)
		}
		a.Actors = append(a.Actors, x)
	}
	a.first = make([]int32, 1, len(a.Actors)+1)
	for row := range rows {
		if row.Actor < int64(len(a.first)-1) || row.Actor >= int64(len(a.Actors)) {
			return nil, fmt.Errorf("table waits: actor %d, wanted the order and the numbers of the table actors", row.Actor)
		}
		for int64(len(a.first)) <= row.Actor {
			a.first = append(a.first, int32(len(a.Pieces)))
		}
		p, err := readPiece(row)
		if err != nil {
			return nil, fmt.Errorf("table waits: actor %d: %w", row.Actor, err)
		}
		a.Pieces = append(a.Pieces, p)
	}
	for len(a.first) <= len(a.Actors) {
		a.first = append(a.first, int32(len(a.Pieces)))
	}
	return a, a.check()
}

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

func readPiece(row trace.WaitRow) (p Piece, err error) {
	p = Piece{
		Begin: row.BeginPs, End: row.EndPs, Instance: int32(row.Instance),
		Holder: waits.ID(row.Holder), Root: waits.ID(row.Root),
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
