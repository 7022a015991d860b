package peers

import (
	"maps"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Slow is an engine that serves longer than the same engine of other nodes serves packets of the same size. Host
// processors are compared by the requests that they serve and by the interrupts that they take, links by the
// packets that enter the network there or leave it, and cards also by what they fetch from host memory.
type Slow struct {
	account.Place
	Node  int
	Ratio float64 // of its service to the usual one
	Works bool    // it is a processor, and the ratio that of all its work for processes, which may be more work
	// Little says that it works longer by little, though each usual piece is longer: it is told only where that puts others out of step.
	Little bool
	Piece  bool // the ratio is that of the usual piece of its work
	// Computes is how many times as long the node's processor works as any other, if host DMA is slow because memory is; 0: it is not.
	Computes float64
	// Other is the node at the other end of a link that has packets of or to one node only: its link may be
	// the slow one. -1: it is this one.
	Other int
}

const (
	slowFrom = 1.1 // ratio from which on an engine counts as slow
	// From these on it is told even if the critical path has none of it.
	certainFrom, certainLinks, certainInterrupts, certainFetches = 1.2, 1.1, 1.5, 3
	// slowKinds is how many packets of a kind a processor serves, at the least, so that the kind counts. What it does for them can
	// differ by program and node, so that a slow processor is slow for all kinds that count, and for the shortest service of each.
	slowKinds = 5
	// polledFrom is how many times as long as the shortest wait for a processor the longest of twenty is, from which on it polls. An
	// interrupt may find the processor awake, or busy with another one.
	polledFrom = 20
)

// Slowness is what of service is longer than usual, by slow engine. Others have no entry.
type Slowness map[account.Place]*Slow

// load is service of one sort: that of packets of a size in bytes by an engine, out or in. Out is also what a processor does for
// processes of its node.
type load struct {
	resource waits.Resource
	out      bool
	kind     trace.Kind // of what processors work for; 0 at other engines, which know only bytes
	size     int32
}

// own reports whether it is a processor's work for processes of its node. It shows only that a processor is not slow.
func (l load) own() bool { return l.resource == waits.CPU && l.out }

// services are the sums by sort of service and engine.
type services map[load]map[site]sum

// add adds a service that takes time.
func (s services) add(l load, at site, ps int64) {
	if ps > 0 {
		s.count(l, at, ps)
	}
}

// count adds a service that may take none.
func (s services) count(l load, at site, ps int64) {
	if s[l] == nil {
		s[l] = map[site]sum{}
	}
	x := s[l][at]
	if x.count == 0 || ps < x.least {
		x.least = ps
	}
	if x.total, x.count = x.total+ps, x.count+1; l.resource == waits.Event {
		x.all = append(x.all, float64(ps))
	}
	s[l][at] = x
}

// packet adds the service of a packet, unless it was lost and sent again. The sender's engine reads host memory, the
// receiver's writes it: each is compared with its like.
func (s services) packet(x *waits.Actor, own []account.Piece, ways ways) {
	var spent [waits.NumResources][2]int64 // by resource and side
	var fetched [2]int64                   // how often state was
	link := int32(-1)                      // on which the packet enters the network
	for _, p := range own {
		if p.Resource == waits.Timer {
			return
		}
		if p.What != waits.Service {
			continue
		}
		if p.Resource == waits.Port && link < 0 {
			link = p.Instance
		}
		side := 0
		if p.Instance == x.Node {
			side = 1
		}
		if spent[p.Resource][side] += p.Length(); p.Resource == waits.Cache {
			fetched[side]++
		}
	}
	for _, r := range []waits.Resource{waits.HostDMA, waits.SEngine, waits.Processor, waits.Pipeline} {
		l := load{resource: r, size: x.Size}
		if r == waits.Processor || r == waits.Pipeline {
			l.kind = x.Kind
		}
		s.add(l, site{account.Place{Resource: r, Instance: x.Peer}, x.Peer}, spent[r][0])
		l.out = true
		s.add(l, site{account.Place{Resource: r, Instance: x.Node}, x.Node}, spent[r][1])
	}
	// What a card fetches from host memory for a packet counts even if it is nothing: others have it in the card.
	s.count(load{resource: waits.Request, out: true, size: x.Size}, site{account.Place{Resource: waits.Request, Instance: x.Node}, x.Node}, spent[waits.Request][1])
	// Of state it is how often: each takes as long as the bus does.
	for side, node := range []int32{x.Peer, x.Node} {
		s.count(load{resource: waits.Cache}, site{account.Place{Resource: waits.Cache, Instance: node}, node}, fetched[side])
	}
	// A packet is on all links of its way at once: the slowest of them decides.
	if ps := spent[waits.Port][0] + spent[waits.Port][1]; link >= 0 && x.Node != x.Peer {
		ways.add(way{site{account.Place{Resource: waits.Port, Instance: link}, x.Node}, x.Peer}, x.Size, ps)
	}
}

// Certain reports whether it is so far beyond its peers that it is told whatever it costs. Of what the service of others varies by,
// a processor's work for its program and rare fetches vary most.
func (s *Slow) Certain() bool {
	switch {
	case s.Fetches():
		return s.Ratio >= certainFetches
	case s.Interrupts(): // some find the processor busy
		return s.Ratio >= certainInterrupts
	case s.Resource == waits.Port: // the time on a link has that on the wire in it
		return s.Ratio >= certainLinks
	}
	return !s.Works && s.Ratio >= certainFrom
}

// Fetches reports whether it is what a card fetches from host memory for its packets.
func (s *Slow) Fetches() bool { return s.Resource == waits.Cache || s.Resource == waits.Request }

// Interrupts reports whether it is the delivery of interrupts to its node's processor and back.
func (s *Slow) Interrupts() bool { return s.Resource == waits.Event }

// Room reports whether it is a place that has too little room, and not one that serves slowly.
func (s *Slow) Room() bool { return hasRoom(s.Resource) }

func hasRoom(r waits.Resource) bool { return r == waits.Ring || r == waits.Window || r == waits.Slot }

// Nameless reports whether it is a link whose channel a log does not name: one into its node, or any of a log of records.
func (s *Slow) Nameless() bool { return s.Resource == waits.Port && s.Instance < 0 }

// Engine reports whether it is an engine of which replays know for how long it serves.
func (s *Slow) Engine() bool {
	return !s.Nameless() && !s.Interrupts() && !s.Fetches() && !s.Room()
}

// handler adds the service of a host processor by the packets that have woken the handler, or else by processes of its node: what
// others ask for may come in bursts at one node, as at a barrier.
func (s services) handler(a *account.Account, x *waits.Actor, own []account.Piece) {
	var l load
	var spent int64
	known := false // by which packet
	for _, p := range own {
		switch {
		case p.What == waits.Waiting && p.Resource == waits.Event && p.Holder != 0:
			s.add(l, site{account.Place{Resource: waits.CPU, Instance: x.Node}, x.Node}, spent)
			by := &a.Actors[p.Holder]
			l, spent, known = load{resource: waits.CPU, out: by.Type == waits.Process, kind: by.Kind, size: by.Size}, 0, by.Type == waits.Packet || by.Type == waits.Process
		case p.What == waits.Service && p.Resource == waits.CPU && known:
			spent += p.Length()
		case p.What == waits.Idle && (p.Resource == waits.Event || p.Resource == waits.CPU):
			// Delivery and entry are compared with their like.
			s.add(load{resource: waits.Event, size: int32(p.Resource)}, site{interrupts(x.Node), x.Node}, p.Length())
		}
	}
}

// NewSlowness compares the engines of nodes. The usual service of a sort is the median of the engines' means.
func NewSlowness(a *account.Account) Slowness {
	out := Slowness{}
	of, ways := measure(a)
	ratios, least, own := of.ratios()
	links, only := ways.ratios()
	ratios[waits.Port] = links
	for resource, list := range ratios {
		if len(list) == 0 {
			continue
		}
		programmed := resource == waits.CPU || resource == waits.Processor || resource == waits.Event
		from := threshold(slices.Collect(maps.Values(list)), slowFrom)
		slow := map[site]float64{}
		for at, ratio := range list {
			if programmed {
				ratio = min(ratio, least[at])
			}
			if ratio >= from {
				slow[at] = ratio
			}
		}
		if programmed && 2*len(slow) >= len(list) { // there are two sorts of nodes
			continue
		}
		for at, ratio := range slow {
			if own[at] > 0 && own[at] < from { // others ask in bursts
				continue
			}
			out[at.Place] = &Slow{Place: at.Place, Node: int(at.node), Ratio: ratio, Other: -1}
			if other, ok := only[at]; ok {
				out[at.Place].Other = int(other)
			}
		}
	}
	out.both()
	out.fetching(of)
	work := worksOf(a)
	out.working(work)
	out.remembering(a, work)
	out.rooms(a, work)
	return out
}

// both makes links that are about as slow out of a node as into it one: clocks that are compared over them share the time of one way
// among both. One that is far slower makes the other seem so by its clock.
func (s Slowness) both() {
	for _, out := range s {
		in := s[into(int32(out.Node))]
		switch {
		case in == nil || out.Place != outOf(int32(out.Node)):
		case in.Ratio < nearly*out.Ratio:
			delete(s, in.Place)
		case out.Ratio < nearly*in.Ratio:
			delete(s, out.Place)
		default:
			s[out.Place] = in
		}
	}
}

// measure returns the services of engines, and the ways of packets.
func measure(a *account.Account) (services, ways) {
	of, ways := services{}, ways{}
	for id := range a.Actors {
		x := &a.Actors[id]
		switch own := a.Of(waits.ID(id)); {
		case x.Type.IsPacket() && x.Peer >= 0:
			of.packet(x, own, ways)
		case x.Type == waits.Handler:
			of.handler(a, x, own)
		}
	}
	return of, ways
}

// ratios returns how many times the usual service an engine takes, by resource: over all sorts, each weighted by its
// packets. least is the same of the shortest services, for the kind for which it is least; own that of processors for processes of
// their nodes.
func (s services) ratios() (all map[waits.Resource]map[site]float64, least, own map[site]float64) {
	did, usual := map[site]int64{}, map[site]int64{}
	all, least, own = map[waits.Resource]map[site]float64{}, map[site]float64{}, map[site]float64{}
	firmware := map[site][]float64{}
	for l, engines := range s {
		if len(engines) < slowNodes && !(l.resource == waits.Request && allOrNone(engines)) || l.resource == waits.Event && polled(engines) {
			continue
		}
		var means, shortest []float64
		for _, x := range engines {
			means, shortest = append(means, x.mean()), append(shortest, x.typical())
		}
		middle, short := lowerMedian(means), lowerMedian(shortest)
		if l.resource == waits.Event && short == 0 { // they differ
			continue
		}
		for at, x := range engines {
			if l.own() {
				if x.count >= slowKinds {
					own[at] = float64(x.least) / short
				}
				continue
			}
			did[at] += x.total
			usual[at] += int64(middle * float64(x.count)) // whole, so that the order of sums does not matter
			if x.count < slowKinds {
				continue
			}
			// Interrupts may be slow to be delivered, or to enter.
			switch ratio, known := least[at]; {
			case at.Resource == waits.Processor:
				firmware[at] = append(firmware[at], float64(x.least)/short)
			case !known:
				least[at] = x.typical() / short
			case at.Resource == waits.Event:
				least[at] = max(ratio, x.typical()/short)
			default:
				least[at] = min(ratio, float64(x.least)/short)
			}
		}
	}
	for at, list := range firmware { // it does the same for all programs
		least[at] = lowerMedian(list)
	}
	for at, total := range did {
		if all[at.Resource] == nil {
			all[at.Resource] = map[site]float64{}
		}
		all[at.Resource][at] = float64(total) / float64(max(usual[at], 1))
	}
	return all, least, own
}

// polled reports whether processors find packets by polls: at the middle one some waits are far longer than others.
func polled(engines map[site]sum) bool {
	var spread []float64
	for _, x := range engines {
		spread = append(spread, x.quantile(20)/float64(x.least))
	}
	return lowerMedian(spread) > polledFrom
}

// Polls returns the shortest time in ps in which a handler notices a packet, 0 if interrupts tell handlers.
func Polls(a *account.Account) int64 {
	s := services{}
	for id := range a.Actors {
		if x := &a.Actors[id]; x.Type == waits.Handler {
			s.handler(a, x, a.Of(waits.ID(id)))
		}
	}
	noticed := s[load{resource: waits.Event, size: int32(waits.CPU)}]
	if len(noticed) == 0 || !polled(noticed) {
		return 0
	}
	least := int64(math.MaxInt64)
	for _, x := range noticed {
		least = min(least, x.least)
	}
	return least
}

// allOrNone reports whether one of two cards fetches for each of its packets, and the other for none. No more peers are
// needed then.
func allOrNone(engines map[site]sum) bool {
	none, all := false, false
	for _, x := range engines {
		none, all = none || x.total == 0, all || x.least > 0 && x.count >= slowKinds
	}
	return none && all
}

// fetching adds the cards that fetch the entries of all packets of a size although others never fetch those of larger ones: these come
// with the doorbell.
func (s Slowness) fetching(of services) {
	fetched, pushed := map[int32]int32{}, map[int32]int32{} // by node: the smallest size that always is, the largest that never is
	for l, engines := range of {
		if l.resource != waits.Request {
			continue
		}
		for at, x := range engines {
			switch size, known := fetched[at.node]; {
			case x.count < slowKinds:
			case x.total == 0:
				pushed[at.node] = max(pushed[at.node], l.size)
			case x.least > 0 && (!known || l.size < size):
				fetched[at.node] = l.size
			}
		}
	}
	for node, size := range fetched {
		unlike, like := 0, 0
		for other, smallest := range fetched {
			if other != node && smallest <= size {
				like++
			}
		}
		for other, largest := range pushed {
			if other != node && largest >= size {
				unlike++
			}
		}
		at := account.Place{Resource: waits.Request, Instance: node}
		if s[at] == nil && like == 0 && unlike >= slowNodes-1 {
			s[at] = &Slow{Place: at, Node: int(node), Ratio: certainFetches, Other: -1}
		}
	}
}

// Of returns the slow engine that serves an actor in a piece, nil if none does.
func (s Slowness) Of(x *waits.Actor, p *account.Piece) *Slow {
	switch {
	case p.What == waits.Waiting && p.Resource == waits.IOBus: // transfers before it on the bus are slow too
		return s[account.Place{Resource: waits.HostDMA, Instance: p.Instance}]
	case p.What == waits.Waiting && (p.Resource == waits.MemBus || hasRoom(p.Resource)):
		return s[account.Place{Resource: p.Resource, Instance: p.Instance}]
	case p.What == waits.Idle && x.Type == waits.Handler && (p.Resource == waits.Event || p.Resource == waits.CPU):
		return s[interrupts(x.Node)]
	case p.What != waits.Service:
		return nil
	}
	slow := s[account.Place{Resource: p.Resource, Instance: p.Instance}]
	if slow == nil && p.Resource == waits.Port && x.Peer >= 0 {
		if slow = s[into(x.Peer)]; slow == nil {
			slow = s[outOf(x.Node)]
		}
	}
	return slow
}

// Longer returns the part of a service by a resource, both in ps, by which a slow engine serves longer than usual.
func (s *Slow) Longer(r waits.Resource, service int64) int64 {
	ratio := s.Ratio
	if r == waits.CPU && s.Computes > 0 {
		ratio = s.Computes
	}
	// service = ratio * usual, so service - usual = service * (1 - 1/ratio).
	return int64(float64(service) * (1 - 1/ratio))
}

// Share returns the part in ps of a wait by which a slow engine serves the root of its chain longer than usual.
func (s Slowness) Share(a *account.Account, p *account.Rooted) int64 {
	if len(s) == 0 {
		return 0
	}
	// 1 ps into the part is the piece in which the root is meanwhile.
	i := a.At(p.Root, p.Begin+1)
	if i < 0 {
		return 0
	}
	if at := s.Of(&a.Actors[p.Root], &a.Pieces[i]); at != nil {
		return at.Longer(a.Pieces[i].Resource, p.Length())
	}
	return 0
}
