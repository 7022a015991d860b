package peers

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// Loss is a node at one of whose links packets are lost, which other nodes have not.
type Loss struct {
	Node     int
	Packets  int   // that wait for a timer because they were lost
	From, To int64 // ps: from the first loss until the last packet is sent again
}

// lossShare is the part of the waiting for lost packets, in tenths, that has to be for packets from or to one node.
const lossShare = 9

// Losses returns the node from or to which nearly all lost packets go, nil if there is none. If there are several, as
// where all go from one to one, it is the one with the most others at their other ends, and then the sender. With two
// nodes it cannot be told which.
func Losses(a *account.Account) *Loss {
	of, all := map[int32]*losing{}, int64(0)
	at := func(node int32) *losing {
		if of[node] == nil {
			of[node] = &losing{others: map[int32]bool{}}
		}
		return of[node]
	}
	visit(a, func(x *waits.Actor, p account.Piece) {
		all += p.Length()
		from, to := at(x.Node), at(x.Peer)
		from.ps, to.ps, from.sent = from.ps+p.Length(), to.ps+p.Length(), from.sent+p.Length()
		from.others[x.Peer], to.others[x.Node] = true, true
	})
	if len(of) < slowNodes {
		return nil
	}
	worst := int32(-1)
	for _, node := range slices.Sorted(maps.Keys(of)) {
		if x := of[node]; 10*x.ps >= lossShare*all && (worst < 0 || x.worse(of[worst])) {
			worst = node
		}
	}
	if worst < 0 {
		return nil
	}
	out := Loss{Node: int(worst), From: math.MaxInt64}
	visit(a, func(x *waits.Actor, p account.Piece) {
		if x.Node == worst || x.Peer == worst {
			out.Packets++
			out.From, out.To = min(out.From, p.Begin), max(out.To, p.End)
		}
	})
	return &out
}

// losing is the waiting for lost packets from or to a node.
type losing struct {
	ps, sent int64          // of all, and of those that it sends
	others   map[int32]bool // nodes at their other ends
}

func (x *losing) worse(y *losing) bool {
	return cmp.Or(cmp.Compare(len(x.others), len(y.others)), cmp.Compare(x.sent, y.sent)) > 0
}

// visit calls a function for each wait of a packet for a timer.
func visit(a *account.Account, wait func(*waits.Actor, account.Piece)) {
	for id := range a.Actors {
		x := &a.Actors[id]
		if !x.Type.IsPacket() || x.Peer < 0 {
			continue
		}
		for _, p := range a.Of(waits.ID(id)) {
			if p.What == waits.Waiting && p.Resource == waits.Timer {
				wait(x, p)
			}
		}
	}
}
