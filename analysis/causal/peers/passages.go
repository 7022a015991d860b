package peers

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Phase is a part of a packet's way, at one node.
type Phase uint8

// Phases of a packet's way.
const (
	Leaving   Phase = iota // from its begin until it is on the link, at the sender
	Arriving               // from its begin until the receiver's interface has it, at the receiver
	Delivered              // from there until the receiver's host has it, at the receiver
	numPhases
)

// passage is a packet in one phase of its way.
//
// Invariant: from <= own <= to.
type passage struct {
	from, to int64 // ps
	own      int64 // ps: from when on it is at the node of the crossing, as far as the log knows
	packet   waits.ID
}

// crossing is where packets pass: a phase at a node.
type crossing struct {
	phase Phase
	node  int32
}

// passages returns the passages at each crossing by their ends. A packet that never leaves, or never arrives, has
// only the phases before.
func passages(a *account.Account) map[crossing][]passage {
	out := map[crossing][]passage{}
	for id := 1; id < len(a.Actors); id++ {
		x := &a.Actors[id]
		if !x.Type.IsPacket() || x.Node == x.Peer || x.Peer < 0 {
			continue
		}
		left, near, arrived, ok := flight(a.Of(waits.ID(id)))
		if !ok {
			continue
		}
		add := func(phase Phase, node int32, p passage) {
			p.packet = waits.ID(id)
			out[crossing{phase, node}] = append(out[crossing{phase, node}], p)
		}
		add(Leaving, x.Node, passage{from: x.Begin, own: x.Begin, to: left})
		add(Arriving, x.Peer, passage{from: x.Begin, own: near, to: arrived})
		if x.End > arrived {
			add(Delivered, x.Peer, passage{from: arrived, own: arrived, to: x.End})
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b passage) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.packet, b.packet)) })
	}
	return out
}

// flight returns when a packet is first on a link, when it has reached the receiver's link, and when the receiver's
// interface has it, in ps, and false if it is never on one. A packet that is lost is on its way until it arrives at last.
func flight(own []account.Piece) (left, near, arrived int64, ok bool) {
	for _, p := range own {
		switch {
		case p.Resource == waits.Port && p.What == waits.Service && !ok:
			left, ok = p.Begin, true
			near, arrived = p.Begin, p.End
		case ok && (p.Resource == waits.Port || p.Resource == waits.Timer):
			if arrived = p.End; p.What == waits.Waiting { // behind another packet, or lost
				near = p.End
			}
		case ok && p.Resource == waits.Ring:
			arrived = p.End
		}
	}
	return left, near, arrived, ok
}
