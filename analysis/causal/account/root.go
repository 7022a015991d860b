package account

import (
	"iter"
	"slices"
	"sort"

	"github.com/sigview/sigview/trace/waits"
)

// Rooted is a part of a piece in which the chain of holders ends at one actor, the root.
type Rooted struct {
	Piece
	Root         waits.ID       // 0: the piece has no holder
	RootResource waits.Resource // meaningful with a root
}

// Parts cuts an actor's pieces into parts with one holder and one root each, and returns those with time
// between from and to, in ps. They are computed at each call, because there may be several times as
// many as pieces.
func (a *Account) Parts(id waits.ID, from, to int64) iter.Seq[Rooted] {
	return func(yield func(Rooted) bool) {
		t := Tracer{Account: a}
		own := a.Of(id)
		for _, p := range own[sort.Search(len(own), func(i int) bool { return own[i].End > from }):] {
			if p.Begin >= to {
				return
			}
			for _, part := range t.Parts(id, p) {
				if part.End > from && part.Begin < to && !yield(part) {
					return
				}
			}
		}
	}
}

// Tracer cuts waiting pieces by the chains of their holders.
//
// The chain goes from a holder to the one for whom it waits itself. An actor that has
// not begun is represented by the one that will begin it. The chain ends at an actor
// that is served or idle, at one that waits for nobody or is not in the log then, at one
// that has a processor or a bus, and before an actor that is in it already.
type Tracer struct {
	*Account
	chain []waits.ID // actors before the present one, from the one that waits on
	out   []Rooted   // parts found so far, in order of time
}

// Parts cuts a piece of an actor into parts with one holder and one root each. The result is valid until
// the next call.
func (t *Tracer) Parts(id waits.ID, p Piece) []Rooted {
	t.out = t.out[:0]
	t.chain = append(t.chain[:0], id)
	if of := t.period; of != nil { // of others nothing is known at other times
		p.Begin, p.End = max(p.Begin, of.From), min(p.End, of.To)
	}
	for p := range t.Held(p) {
		if p.Holder == 0 {
			t.out = append(t.out, Rooted{Piece: p})
		} else {
			t.follow(p, p.Holder, p.Resource)
		}
	}
	return t.out
}

// follow appends the parts of p by what the actor by does meanwhile. Last is the resource for which the
// actor before it in the chain waits.
func (t *Tracer) follow(p Piece, by waits.ID, last waits.Resource) {
	// by has the resource and is served by it: it is the root, whatever it waits for.
	if last.Serves() {
		t.settle(p, by, last)
		return
	}
	// Invariant: chain holds the actors from the one that waits to by.
	t.chain = append(t.chain, by)
	defer func() { t.chain = t.chain[:len(t.chain)-1] }()
	actor := &t.Actors[by]
	// Before its begin it is represented by the actor that will begin it.
	if p.Begin < actor.Begin {
		early := p
		early.End = min(p.End, actor.Begin)
		t.step(early, by, actor.Cause, last)
		p.Begin = early.End
	}
	// While it is in the log, the chain goes on from each of its pieces.
	if p.Begin < min(p.End, actor.End) {
		i := t.At(by, p.Begin+1)
		for ; i >= 0 && i < t.First[by+1] && p.Begin < min(p.End, actor.End); i++ { // a part of a log may have none
			own, part := t.Pieces[i], p
			own.Begin, own.End = p.Begin, min(p.End, own.End)
			for own := range t.Held(own) {
				part.Begin, part.End = own.Begin, own.End
				t.step(part, by, own.Holder, own.Resource)
			}
			p.Begin = own.End
		}
	}
	// After its end nothing is known of it: it is the root.
	if p.Begin < p.End {
		t.settle(p, by, last)
	}
}

// step follows the chain to the next actor, or ends it at by if there is no next or the chain has it
// already.
func (t *Tracer) step(p Piece, by, next waits.ID, resource waits.Resource) {
	if next == 0 || slices.Contains(t.chain, next) {
		t.settle(p, by, resource)
		return
	}
	t.follow(p, next, resource)
}

// settle appends p with its root. It extends the part before instead if root and holder are the same.
func (t *Tracer) settle(p Piece, root waits.ID, resource waits.Resource) {
	if n := len(t.out) - 1; n >= 0 && t.out[n].Root == root && t.out[n].RootResource == resource && t.out[n].Holder == p.Holder {
		t.out[n].End = p.End
		return
	}
	t.out = append(t.out, Rooted{p, root, resource})
}
