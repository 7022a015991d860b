package peers

import (
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

// Losses returns the node from or to which nearly all lost packets go, nil if there is none. With two nodes
// it cannot be told which.
func Losses(a *account.Account) *Loss {
	sum := map[int32]int64{}
	var all int64
	visit(a, func(x *waits.Actor, p account.Piece) {
		all += p.Length()
		sum[x.Node] += p.Length()
		sum[x.Peer] += p.Length()
	})
	most := int32(-1)
	for node, ps := range sum {
		if most < 0 || ps > sum[most] || ps == sum[most] && node < most {
			most = node
		}
	}
	if most < 0 || len(sum) < slowNodes || 10*sum[most] < lossShare*all {
		return nil
	}
	// In a run of few losses another node may be at all of them too.
	for node, ps := range sum {
		if node != most && 10*ps >= lossShare*all {
			return nil
		}
	}
	out := Loss{Node: int(most), From: 1<<63 - 1}
	visit(a, func(x *waits.Actor, p account.Piece) {
		if x.Node == most || x.Peer == most {
			out.Packets++
			out.From, out.To = min(out.From, p.Begin), max(out.To, p.End)
		}
	})
	return &out
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
