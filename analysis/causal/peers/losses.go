package peers

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace/waits"
)

// Loss is a node at one of whose links packets are lost, which other nodes have not.
type Loss struct {
	Node     int
	Other    int   // where all of them come from or go to, if it may be this node's link as well; -1: it is not
	Packets  int   // that wait for a timer because they were lost
	From, To int64 // ps: from the first loss until the last packet is sent again
}

// lossShare is the part of the waiting for lost packets, in tenths, that has to be for packets from or to one node.
const lossShare = 9

// Losses returns the node from or to which nearly all lost packets go, nil if there is none. If there are several, as
// where all go from one to one, it is the one that loses packets with the largest part of the nodes with which it exchanges any,
// then the one with the most others at their other ends, and then the sender. With two nodes it cannot be told which.
func Losses(a *account.Account) *Loss {
	of, all := map[int32]*losing{}, int64(0)
	partners := map[int32]map[int32]bool{} // by node: those with which it exchanges packets
	for id := range a.Actors {
		x := &a.Actors[id]
		if !x.Type.IsPacket() || x.Peer < 0 || x.Peer == x.Node { // its own link has none
			continue
		}
		entry(partners, x.Node)[x.Peer] = true
		entry(partners, x.Peer)[x.Node] = true
		for _, p := range a.Of(waits.ID(id)) {
			if p.What != waits.Waiting || p.Resource != waits.Timer {
				continue
			}
			all += p.Length()
			for _, ends := range [][2]int32{{x.Node, x.Peer}, {x.Peer, x.Node}} {
				if of[ends[0]] == nil {
					of[ends[0]] = &losing{Loss: Loss{Node: int(ends[0]), Other: -1, From: p.Begin}, others: map[int32]bool{}}
				}
				of[ends[0]].add(p, ends[1])
			}
			of[x.Node].sent += p.Length()
		}
	}
	if len(partners) < slowNodes {
		return nil
	}
	for node, x := range of {
		x.share = float64(len(x.others)) / float64(len(partners[node]))
	}
	var worst *losing
	for _, node := range slices.Sorted(maps.Keys(of)) {
		if x := of[node]; 10*x.ps >= lossShare*all && (worst == nil || x.worse(worst)) {
			worst = x
		}
	}
	if worst == nil {
		return nil
	}
	loss := worst.Loss
	for other := range worst.others {
		// The more nodes one exchanges packets with, the less likely all losses of its link are with one of them.
		less := float64(len(partners[other])) / float64(len(partners[int32(loss.Node)]))
		if len(worst.others) == 1 && portable.Pow(less, float64(loss.Packets-1)) < unlikely {
			loss.Other = int(other)
		}
	}
	return &loss
}

// unlikely is how many times less likely something is that is left out.
const unlikely = 20

// losing is the waiting for lost packets from or to a node.
type losing struct {
	Loss
	ps, sent int64          // of all, and of those that it sends
	others   map[int32]bool // nodes at their other ends
	share    float64        // of all nodes with which it exchanges packets, 0 to 1
}

// entry returns a node's set, a new one at first.
func entry(of map[int32]map[int32]bool, node int32) map[int32]bool {
	if of[node] == nil {
		of[node] = map[int32]bool{}
	}
	return of[node]
}

// add adds a wait for a packet whose other end is another node.
func (x *losing) add(p account.Piece, other int32) {
	x.Packets++
	x.From, x.To = min(x.From, p.Begin), max(x.To, p.End)
	x.ps += p.Length()
	x.others[other] = true
}

func (x *losing) worse(y *losing) bool {
	return cmp.Or(cmp.Compare(x.share, y.share), cmp.Compare(len(x.others), len(y.others)), cmp.Compare(x.sent, y.sent)) > 0
}
