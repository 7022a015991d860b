package peers

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

const (
	workFrom     = 1.25 // ratio from which on a processor works longer than others
	littleFrom   = 1.05 // the same where its usual piece of work is longer too
	oddFrom      = 1.01 // the same where it may have put the program out of step
	receivesFrom = 1.25 // times the packets that any other node receives from which on one receives more
	alike        = 1.25 // nodes are alike whose numbers of packets, sent and received, differ by no more than this factor
	same         = 1    // the same of nodes of which one works longer by little
)

// work is what the processes of a node do.
type work struct {
	// ps is service by the host processor, without the longest hundredth of the pieces: a few long ones are the program's.
	ps             int64
	sent, received float64
	piece          float64 // ps: the median one
}

// like reports whether two nodes send and receive about as many packets, by a factor.
func (w *work) like(v *work, alike float64) bool {
	return near(w.sent, v.sent, alike) && near(w.received, v.received, alike)
}

// near reports whether two numbers of packets differ by no more than a factor.
func near(x, y, factor float64) bool { return max(x, y)+1 <= factor*(min(x, y)+1) }

// working adds host processors that work longer for their processes than those of nodes with as many packets: because
// they or their memory are slow, or because there is more to compute. Where the usual piece of work is longer, too, a little is enough:
// the longest pieces may be pauses. Nodes with other numbers of packets may have another part in the program.
func (s Slowness) working(all map[int32]*work) {
	whole := beside(all, alike, func(w *work) float64 { return float64(w.ps) })
	pieces := beside(all, alike, func(w *work) float64 { return w.piece })
	if len(whole) == 0 {
		return
	}
	from, little, piece := beyond(whole, workFrom), beyond(whole, littleFrom), beyond(pieces, workFrom)
	var longer []*Slow
	for node, ratio := range whole {
		if ratio >= from || ratio >= little && pieces[node] >= piece {
			longer = append(longer, &Slow{Place: account.Place{Resource: waits.CPU, Instance: node}, Node: int(node), Ratio: ratio, Works: true, Little: ratio < from, Other: -1})
		}
	}
	if 2*len(longer) >= len(whole) { // there are two sorts of nodes, as of LU those with more blocks
		return
	}
	for _, x := range longer {
		if s[x.Place] == nil {
			s[x.Place] = x
		}
	}
}

// Odd returns what may have put a program out of step in which all nodes do the same at the same time, by however little it is unlike the
// others, if these are alike: the processor that works longer for its processes than those of nodes with just as many packets, or takes longer
// for the usual piece of work, or else the link on which packets take longer. It returns nil if there is none.
func Odd(a *account.Account) *Slow {
	all := worksOf(a)
	little := func(at site, ratio float64) *Slow {
		return &Slow{Place: at.Place, Node: int(at.node), Ratio: ratio, Little: true, Works: at.Resource == waits.CPU, Other: -1}
	}
	processor := func(node int32) site { return site{account.Place{Resource: waits.CPU, Instance: node}, node} }
	if node, ratio := oddest(beside(all, same, func(w *work) float64 { return float64(w.ps) }), oddFrom); ratio > 0 {
		return little(processor(node), ratio)
	}
	if node, ratio := oddest(beside(all, same, func(w *work) float64 { return w.piece }), workFrom); ratio > 0 {
		odd := little(processor(node), ratio)
		odd.Piece = true
		return odd
	}
	_, ways := measure(a)
	links, only := ways.ratios()
	at, ratio := oddest(links, oddFrom)
	if ratio == 0 {
		return nil
	}
	odd := little(at, ratio)
	if other, ok := only[at]; ok {
		odd.Other = int(other)
	}
	return odd
}

// oddest returns the one with the largest ratio, if that is unlike the others: from, or more if their ratios differ much; 0 if there is none,
// or no other.
func oddest[K comparable](ratios map[K]float64, from float64) (odd K, most float64) {
	if len(ratios) == 0 {
		return odd, 0
	}
	from = threshold(slices.Collect(maps.Values(ratios)), from)
	as := 0
	for at, r := range ratios {
		switch {
		case r < from || r < most:
		case r == most:
			as++
		default:
			odd, most, as = at, r, 0
		}
	}
	if as > 0 { // both ends of a way
		return odd, 0
	}
	return odd, most
}

// beside returns the ratios of a figure of nodes to its median at nodes with as many packets, by a factor.
func beside(all map[int32]*work, alike float64, figure func(*work) float64) map[int32]float64 {
	ratios := map[int32]float64{}
	for node, w := range all {
		var group []float64
		for _, v := range all {
			if w.like(v, alike) {
				group = append(group, figure(v))
			}
		}
		if middle := lowerMedian(group); len(group) >= slowNodes && middle > 0 {
			ratios[node] = figure(w) / middle
		}
	}
	return ratios
}

// beyond returns the ratio from which on one of several is unlike the others.
func beyond(ratios map[int32]float64, from float64) float64 {
	return threshold(slices.Collect(maps.Values(ratios)), from)
}

// worksOf returns the work of the processes of each node.
func worksOf(a *account.Account) map[int32]*work {
	out, pieces := map[int32]*work{}, map[int32][]int64{}
	at := func(node int32) *work {
		if out[node] == nil {
			out[node] = new(work)
		}
		return out[node]
	}
	for id := range a.Actors {
		switch x := &a.Actors[id]; {
		case x.Type == waits.Process:
			for _, p := range a.Of(waits.ID(id)) {
				if p.What == waits.Service && p.Resource == waits.CPU {
					pieces[x.Node] = append(pieces[x.Node], p.Length())
				}
			}
		case x.Type == waits.Packet && x.Peer >= 0 && a.First[id] < a.First[id+1]:
			at(x.Node).sent++
			at(x.Peer).received++
		}
	}
	for node, list := range pieces {
		slices.Sort(list)
		at(node).piece = float64(list[(len(list)-1)/2])
		for _, ps := range list[:len(list)-len(list)/100] {
			at(node).ps += ps
		}
	}
	return out
}

// Received counts the packets that each node receives from others.
func Received(a *account.Account) map[int]int {
	out := map[int]int{}
	for id := range a.Actors {
		if x := &a.Actors[id]; x.Type == waits.Packet && x.Peer >= 0 && x.Peer != x.Node {
			out[int(x.Peer)]++
		}
	}
	return out
}

// Most returns the node that receives the most packets, and how many times as many as any other. Of fewer than three
// nodes that receive any, or of nodes alike, it returns false.
func Most(received map[int]int) (node int, times float64, ok bool) {
	all := slices.SortedFunc(maps.Keys(received), func(m, n int) int { return cmp.Compare(received[n], received[m]) })
	if len(all) < slowNodes {
		return 0, 0, false
	}
	times = float64(received[all[0]]) / float64(received[all[1]])
	return all[0], times, times >= receivesFrom
}

const (
	memoryFrom = 4   // times the contention for the memory of other nodes from which on it is the memory that is slow
	computes   = 1.1 // times the work of the processor of any other node from which on slow memory makes that longer too
)

// remembering tells slow memory from slow host DMA: others wait for it too, more than for the I/O bus, and the processor works longer.
func (s Slowness) remembering(a *account.Account, work map[int32]*work) {
	contended, before := map[int32]float64{}, map[int32]float64{} // the memory, the I/O bus before it
	for i := range a.Pieces {
		switch p := &a.Pieces[i]; {
		case p.What != waits.Waiting:
		case p.Resource == waits.MemBus:
			contended[p.Instance] += float64(p.Length())
		case p.Resource == waits.IOBus:
			before[p.Instance] += float64(p.Length())
		}
	}
	if len(contended) < slowNodes {
		return
	}
	usual := lowerMedian(slices.Collect(maps.Values(contended)))
	for node, ps := range contended {
		place := func(r waits.Resource) account.Place { return account.Place{Resource: r, Instance: node} }
		slow, own := s[place(waits.HostDMA)], work[node]
		if slow == nil || own == nil || ps < memoryFrom*usual || ps < before[node] {
			continue
		}
		most := int64(1)
		for other, w := range work {
			if other != node {
				most = max(most, w.ps)
			}
		}
		if ratio := float64(own.ps) / float64(most); ratio >= computes {
			slow.Computes = ratio
			s[place(waits.MemBus)], s[place(waits.CPU)] = slow, slow
		}
	}
}
