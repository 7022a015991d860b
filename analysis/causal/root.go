package causal

import (
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// trace cuts the waiting pieces by the chains of their holders and sets their roots.
//
// The chain goes from a holder to the one for whom it waits itself. An actor that has
// not begun is represented by the one that will begin it. The chain ends at an actor
// that is served or idle, at one that waits for nobody or is not in the log then, at one
// that has a processor or a bus, and before an actor that is in it already.
func (a *Account) trace() {
	t := tracer{Account: a, out: make([]Piece, 0, len(a.Pieces))}
	begin := make([]int32, len(a.first))
	for id := range a.Actors {
		begin[id] = int32(len(t.out))
		for _, p := range a.Of(waits.ID(id)) {
			t.first = len(t.out)
			if p.Holder == 0 {
				t.out = append(t.out, p)
				continue
			}
			t.chain = append(t.chain[:0], waits.ID(id))
			t.follow(p, p.Holder, p.Resource)
		}
	}
	begin[len(a.Actors)] = int32(len(t.out))
	a.Pieces, a.first = t.out, begin
}

type tracer struct {
	*Account
	chain []waits.ID // actors before the present one
	out   []Piece
	first int // in out: of the interval that is being cut
}

// follow appends the parts of p by what the actor does meanwhile. Last is the resource
// for which the actor before it waits.
func (t *tracer) follow(p Piece, by waits.ID, last waits.Resource) {
	if last.Serves() {
		t.settle(p, by, last)
		return
	}
	t.chain = append(t.chain, by)
	defer func() { t.chain = t.chain[:len(t.chain)-1] }()
	actor := &t.Actors[by]
	if p.Begin < actor.Begin {
		early := p
		early.End = min(p.End, actor.Begin)
		t.step(early, by, actor.Cause, last)
		p.Begin = early.End
	}
	if p.Begin < min(p.End, actor.End) {
		for i := t.at(by, p.Begin+1); p.Begin < min(p.End, actor.End); i++ {
			own, part := &t.Pieces[i], p
			part.End = min(p.End, own.End)
			t.step(part, by, own.Holder, own.Resource)
			p.Begin = part.End
		}
	}
	if p.Begin < p.End {
		t.settle(p, by, last)
	}
}

// step goes on to the next actor of the chain, or ends it at by.
func (t *tracer) step(p Piece, by, next waits.ID, resource waits.Resource) {
	if next == 0 || slices.Contains(t.chain, next) {
		t.settle(p, by, resource)
		return
	}
	t.follow(p, next, resource)
}

func (t *tracer) settle(p Piece, root waits.ID, resource waits.Resource) {
	p.Root, p.RootResource = root, resource
	t.out = appendPiece(t.out, t.first, p)
}
