package account

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace/waits"
)

// Link is an actor in a chain of waiting, with what it does at the instant.
type Link struct {
	Actor waits.ID
	Piece
}

// Chain returns who holds up an actor at an instant, who holds up that one, and so on. The
// first link is the actor itself, the last one is served, waits for nobody, is in the chain
// already or is not in the log then. A link without a duration is to an actor that has not begun
// or has ended.
func (a *Account) Chain(id waits.ID, at int64) (out []Link) {
	for id != 0 && !slices.ContainsFunc(out, func(l Link) bool { return l.Actor == id }) {
		x := &a.Actors[id]
		// An actor that has not begun waits for whoever will begin it.
		if at < x.Begin {
			out = append(out, Link{Actor: id, Piece: Piece{Begin: at, End: at, Holder: x.Cause}})
			id = x.Cause // who will begin it
			continue
		}
		i := a.At(id, at+1)
		if i < 0 {
			return append(out, Link{Actor: id})
		}
		p := a.Pieces[i]
		if p.Line {
			p.Holder = a.heldAt(p, at, p.End).Holder
		}
		out = append(out, Link{id, p})
		// Who has a processor or a bus is served by it, whatever its own piece says: the chain ends there.
		if id = p.Holder; p.Resource.Serves() && id != 0 {
			return append(out, Link{id, Piece{Begin: p.Begin, End: p.End, Resource: p.Resource, Instance: p.Instance}})
		}
	}
	return out
}

// ChainText writes a chain, without the actor that it begins with.
func (a *Account) ChainText(chain []Link) string {
	words := func(p Piece) string { return strings.ReplaceAll(p.Resource.String(), "_", " ") }
	text := fmt.Sprintf("%s of node %d", words(chain[0].Piece), chain[0].Instance)
	if chain[0].Resource == waits.Port {
		text = fmt.Sprintf("port of channel %d", chain[0].Instance)
	}
	for _, l := range chain[1:] {
		text += " ← " + a.Name(l.Actor)
		switch {
		case l.Length() == 0:
		case l.What == waits.Waiting:
			text += ", which waits for " + words(l.Piece)
		case l.What == waits.Service:
			text += ", at " + words(l.Piece)
		default:
			text += ", idle"
		}
	}
	return text
}

// Waits returns the pieces in which an actor waits, the longest first.
func (a *Account) Waits(id waits.ID) (out []Piece) {
	for _, p := range a.Of(id) {
		if p.What == waits.Waiting {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b Piece) int { return cmp.Compare(b.Length(), a.Length()) })
	return out
}

// Packet returns the actor of a packet by its sender and the number that its monitor gave it,
// 0 if there is none.
func (a *Account) Packet(sender int, number int64) waits.ID {
	for id := range a.Actors {
		if x := &a.Actors[id]; x.Type.IsPacket() && int(x.Node) == sender && x.Number == number {
			return waits.ID(id)
		}
	}
	return 0
}
