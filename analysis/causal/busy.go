package causal

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/trace/waits"
)

// Busy is a place on whose service the run time rests: a device, or an engine or link that has much more of the critical path than
// others.
type Busy struct {
	account.Place
	OnPath int64 // ps: its service, of a device also the waits for it
	Apart  bool  // it is a device, or has much more than others
	Saved  int64 // ps by which the run is shorter in a replay in which it takes half the time
	Worst  []Wait
	Ends   Ends // of the packets on a link
}

// Ends are the nodes from which packets come and to which they go; several if they are not one.
type Ends struct{ From, To int32 }

const several = -1

// and returns the ends of more packets.
func (e Ends) and(o Ends) Ends {
	if e.From != o.From {
		e.From = several
	}
	if e.To != o.To {
		e.To = several
	}
	return e
}

// node returns the node whose link packets with these ends use, into it or out of it; several if either may be.
func (e Ends) node() (node int32, into bool) {
	switch {
	case e.From == several:
		return e.To, true
	case e.To == several:
		return e.From, false
	}
	return several, false
}

const (
	busyShare = 0.25 // of the run time, from which on an engine is busy
	busyMore  = 2    // times the path of the next node's engine
	restShare = 0.1  // of the run time, from which on an engine is told if hardly anything else is
)

// busy sums the critical path at places of nodes.
type busy map[account.Place]*Busy

// take adds a segment of the path if it is at such a place.
func (b busy) take(a *account.Account, s graph.Segment) {
	if s.Piece < 0 {
		return
	}
	p := &a.Pieces[s.Piece]
	engine := p.What == waits.Service && (p.Resource == waits.CPU || p.Resource == waits.Pipeline || p.Resource.Single())
	if !engine && p.Resource != waits.Device {
		return
	}
	at := account.Place{Resource: p.Resource, Instance: p.Instance}
	actor := &a.Actors[s.Actor]
	ends := Ends{actor.Node, actor.Peer}
	if b[at] == nil {
		b[at] = &Busy{Place: at, Ends: ends}
	}
	x := b[at]
	x.Ends = x.Ends.and(ends)
	x.OnPath += s.Length()
	x.Worst = worst(x.Worst, Wait{Actor: s.Actor, Begin: s.Begin, End: s.End, Cost: s.Length()})
}

// computed returns the time of host processors by node, in ps.
func (b busy) computed() map[int]int64 {
	out := map[int]int64{}
	for at, x := range b {
		if at.Resource == waits.CPU {
			out[int(at.Instance)] = x.OnPath
		}
	}
	return out
}

// found returns the busy places of a run of length ps on so many nodes, and the first few that are not apart from others, with what
// replays save in which they take half the time. Of two nodes, one has more of anything.
func (b busy) found(r replayer, length int64, nodes int) (out []Busy) {
	all := slices.SortedFunc(maps.Values(b), func(x, y *Busy) int {
		return cmp.Or(cmp.Compare(y.OnPath, x.OnPath), cmp.Compare(x.Resource, y.Resource), cmp.Compare(x.Instance, y.Instance))
	})
	rest := 0
	for _, x := range all {
		if x.Resource != waits.Device && nodes < 3 {
			continue
		}
		if node, _ := x.Ends.node(); x.Resource == waits.Port && node == several {
			continue
		}
		if x.Apart = x.Resource == waits.Device || x.apart(all, length); !x.Apart {
			if rest == fewFindings || float64(x.OnPath) < restShare*float64(length) {
				continue
			}
			rest++
		}
		x.Saved = length - r.WhatIf(graph.Change{Places: map[account.Place]float64{x.Place: 0.5}}).Length
		out = append(out, *x)
	}
	return out
}

// apart reports whether an engine has much of the path, and much more than those of other nodes.
func (x *Busy) apart(all []*Busy, length int64) bool {
	if float64(x.OnPath) < busyShare*float64(length) {
		return false
	}
	return !slices.ContainsFunc(all, func(y *Busy) bool {
		return y != x && y.Resource == x.Resource && busyMore*y.OnPath > x.OnPath
	})
}
