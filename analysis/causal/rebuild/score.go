package rebuild

import (
	"math"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Score says how much of the waiting time of packets that a model knows a rebuilt account
// gives to the right cause. Times are sums over packets, in ps.
type Score struct {
	Packets  int   // in both accounts
	Whole    int64 // waiting of them, in the model's account
	Waiting  int64 // of it, between the first and the last recorded instant
	Resource int64 // of it, at the right resource
	Holder   int64 // of it, at the right resource for the right packet or process
	Culprit  int64 // of it, at the right resource for an actor of the right type, kind and node
	Invented int64 // waiting in the rebuilt account beyond the model's
	// Confusion is what the rebuilt account made of the waiting at each of the model's
	// resources: waiting at another resource, or none.
	Confusion map[Mistake]int64
}

// Mistake is waiting at one resource that was taken for waiting at another.
type Mistake struct{ Known, Taken waits.Resource }

// none stands in a Mistake for no waiting at all.
const none = waits.Resource(255)

// Compare scores a rebuilt account against the model's. A packet is the same in both if its
// sender and its number are.
func Compare(known, rebuilt *account.Account) Score {
	s := Score{Confusion: map[Mistake]int64{}}
	same := map[name]waits.ID{}
	for id := 1; id < len(rebuilt.Actors); id++ {
		if n, ok := nameOf(&rebuilt.Actors[id]); ok {
			same[n] = waits.ID(id)
		}
	}
	for id := 1; id < len(known.Actors); id++ {
		n, ok := nameOf(&known.Actors[id])
		if !ok {
			continue
		}
		other, ok := same[n]
		if !ok {
			continue
		}
		s.Packets++
		from, to := recorded(rebuilt, other)
		of := func(by keyOf) (map[key]int64, map[key]int64) {
			return shares(known, waits.ID(id), from, to, by), shares(rebuilt, other, from, to, by)
		}
		s.Resource += s.confuse(of(resourceOf))
		s.Holder += agreement(of(holderOf))
		s.Culprit += agreement(of(culpritOf))
		for _, t := range shares(known, waits.ID(id), math.MinInt64, math.MaxInt64, resourceOf) {
			s.Whole += t
		}
	}
	return s
}

// recorded returns the first recorded instant of a packet, and when the handler of its
// delivery begins.
func recorded(rebuilt *account.Account, id waits.ID) (from, to int64) {
	pieces := rebuilt.Of(id)
	// A packet of a rebuilt account has a piece at least; see write.
	return pieces[0].Begin, pieces[len(pieces)-1].Begin
}

// name identifies a packet in any account: by its sender and number.
type name struct {
	node   int32
	number int64
}

// nameOf returns the name of a packet, and false for other actors and packets without a number.
func nameOf(a *waits.Actor) (name, bool) {
	return name{a.Node, a.Number}, a.Type == waits.Packet && a.Number >= 0
}

// key is what is right or wrong of a piece of waiting.
type key struct {
	resource waits.Resource
	holder   waits.Actor
}

// resourceOf asks for the right resource only.
func resourceOf(_ *account.Account, p *account.Piece) key { return key{resource: p.Resource} }

// holderOf names the holder by what is the same in both accounts.
func holderOf(a *account.Account, p *account.Piece) key {
	h := worker(a, p.Holder)
	return key{p.Resource, waits.Actor{Type: h.Type, Node: h.Node, Number: h.Number}}
}

// culpritOf asks for an actor of the right type, program, kind and node, whichever it is.
func culpritOf(a *account.Account, p *account.Piece) key {
	h := worker(a, p.Holder)
	return key{p.Resource, waits.Actor{Type: h.Type, Node: h.Node, Tag: h.Tag, Kind: h.Kind}}
}

// worker returns the actor for whose sake a holder worked. Work that an interface does after
// a packet, its acknowledgement too, counts as the packet.
func worker(a *account.Account, id waits.ID) *waits.Actor {
	h := &a.Actors[id]
	if (h.Type == waits.Control || h.Type == waits.Task) && h.Cause != 0 {
		h = &a.Actors[h.Cause]
	}
	return h
}

// keyOf names what is right or wrong of a piece.
type keyOf func(*account.Account, *account.Piece) key

// shares sums an actor's waiting between two times by key.
func shares(a *account.Account, id waits.ID, from, to int64, of keyOf) map[key]int64 {
	out := map[key]int64{}
	pieces := a.Of(id)
	for i := range pieces {
		if p := &pieces[i]; p.What == waits.Waiting {
			out[of(a, p)] += max(0, min(p.End, to)-max(p.Begin, from))
		}
	}
	return out
}

// agreement returns how much time both give to the same keys.
func agreement(known, rebuilt map[key]int64) (sum int64) {
	for k, t := range known {
		sum += min(t, rebuilt[k])
	}
	return sum
}

// confuse adds one packet's waiting by resource, and returns how much of it is right. What
// is too little at one resource is taken for what is too much at others, in the order of
// the resources; the rest is none.
func (s *Score) confuse(known, rebuilt map[key]int64) int64 {
	right := agreement(known, rebuilt)
	for r := range waits.Resource(waits.NumResources) {
		k := key{resource: r}
		t := known[k]
		s.Waiting += t
		s.Confusion[Mistake{r, r}] += min(t, rebuilt[k])
		missing := t - min(t, rebuilt[k])
		for other := range waits.Resource(waits.NumResources) {
			o := key{resource: other}
			// Time is taken from rebuilt, so that no extra time stands for two missing ones.
			if extra := rebuilt[o] - known[o]; extra > 0 && missing > 0 {
				d := min(extra, missing)
				s.Confusion[Mistake{r, other}] += d
				rebuilt[o] -= d
				missing -= d
			}
		}
		s.Confusion[Mistake{r, none}] += missing
	}
	for r := range waits.Resource(waits.NumResources) {
		k := key{resource: r}
		s.Invented += max(0, rebuilt[k]-known[k])
	}
	return right
}
