package peers

import (
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

const (
	roomFrom = 4 // times the waiting at any node with as many packets from which on one has too little room
	// At least so often packets wait for it; for a window, which the node's own card opens again, few times are enough.
	roomWaits, windowWaits = 20, 4
	// roomLonger is how many times the median wait a wait counts at the most: a node that stops keeps others waiting for once.
	roomLonger = 3
	// roomAlike is by what factor the packets of nodes may differ that are alike, if none of the others waits.
	roomAlike = 1.5
)

// rooms adds receive rings and windows of nodes for which packets wait, and hardly for those of nodes with as many packets.
func (s Slowness) rooms(a *account.Account, work map[int32]*work) {
	each := map[account.Place][]int64{}
	// ps by sender: packets that have a send slot wait for the network; those of them that were lost
	held, late := map[int32]int64{}, map[int32]int64{}
	cards := false // on other interfaces a program that sends much at once takes all slots
	for id := range a.Actors {
		x := &a.Actors[id]
		for _, p := range a.Of(waits.ID(id)) {
			if cards = cards || p.Resource == waits.Pipeline; p.What != waits.Waiting {
				continue
			}
			if hasRoom(p.Resource) {
				at := account.Place{Resource: p.Resource, Instance: p.Instance}
				each[at] = append(each[at], p.Length())
			}
			if x.Type.IsPacket() && (p.Resource == waits.Port || p.Resource == waits.Ring || p.Resource == waits.Timer) {
				held[x.Node] += p.Length()
			}
			if x.Type.IsPacket() && p.Resource == waits.Timer {
				late[x.Node] += p.Length()
			}
		}
	}
	waited := map[account.Place]int64{}
	for at, list := range each {
		slices.Sort(list)
		for _, ps := range list {
			waited[at] += min(ps, roomLonger*list[(len(list)-1)/2])
		}
	}
	// Where an engine is slow, or packets wait for the network, send slots are taken for long.
	sick := map[int32]bool{}
	for _, slow := range s {
		sick[int32(slow.Node)] = sick[int32(slow.Node)] || !slow.Works
	}
	for at, ps := range waited {
		if at.Resource == waits.Slot && (!cards || sick[at.Instance] || held[at.Instance] >= ps) {
			continue
		}
		if at.Resource == waits.Window && late[at.Instance] >= ps { // it is full of lost packets
			continue
		}
		enough := roomWaits
		if at.Resource == waits.Window {
			enough = windowWaits
		}
		own, most := work[at.Instance], int64(1)
		for node := range work {
			if node != at.Instance {
				most = max(most, waited[account.Place{Resource: at.Resource, Instance: node}])
			}
		}
		factor, like := alike, 0
		if most == 1 {
			factor = roomAlike
		}
		for _, w := range work {
			if own != nil && near(own.using(at.Resource), w.using(at.Resource), factor) {
				like++
			}
		}
		if like >= slowNodes && len(each[at]) >= enough && ps >= roomFrom*most {
			s[at] = &Slow{Place: at, Node: int(at.Instance), Ratio: float64(ps) / float64(most), Other: -1}
		}
	}
}

// using is the number of a node's packets that use its place with room.
func (w *work) using(r waits.Resource) float64 {
	if r == waits.Ring {
		return w.received
	}
	return w.sent
}
