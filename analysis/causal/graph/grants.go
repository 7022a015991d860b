package graph

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// grant is one hold of a place that serves one at a time: from before the begin of a piece of its
// actor until an instant, mostly one of the same actor.
type grant struct {
	place, piece int32
	next         int32 // the grant that the same piece needs after this one; -1: none
	rank         int32 // index in the recorded order of its place
	// ready is the recorded time from which on the actor could have had the place, lag the recorded time
	// between the grant and the begin of the piece; both in ps. Invariant: 0 <= lag.
	ready, lag int64
	kind       kind
	continues  bool // it goes on with what the place does, before all others
	multi      bool // a send slot for several packets
}

// granted is a place with its grants.
type granted struct {
	account.Place
	order []int32 // indices of grants, in the recorded order
}

// opening is a packet that opens a message. It has got a send slot before the piece.
type opening struct {
	packet waits.ID
	piece  int32
}

// grants are all grants of a graph.
type grants struct {
	*Graph
	list   []grant
	places []granted
	need   []int32 // by piece: its first grant; -1: none
	// queued tells by piece whether it is part of a wait for a place, and so lasts until that
	// is granted.
	queued []bool
	level  [numKinds]int // by kind: processors serve a higher one first
	*draft
}

// draft is what is needed until a rerun is laid out.
type draft struct {
	until   []edge                  // by grant: when it ends
	made    map[int32]edge          // by grant of a send slot for several packets: when the last of them is made
	index   map[account.Place]int32 // of places
	noting  map[waits.ID][]waits.ID // by packet: tasks that note its insertion
	noticed []notice                // when processors see ends of transfers, in their order
	sent    map[waits.ID]edge       // by packet: when its insertion has been noted
	opened  []opening
}

// newGrants finds all grants of a graph and their recorded orders.
func newGrants(g *Graph) *grants {
	s := &grants{
		Graph: g, need: make([]int32, len(g.Pieces)), queued: make([]bool, len(g.Pieces)),
		draft: &draft{index: map[account.Place]int32{}, made: map[int32]edge{}, noting: map[waits.ID][]waits.ID{}, sent: map[waits.ID]edge{}},
	}
	most := len(g.Actors) // of grants: a slot and services
	for i := range g.Pieces {
		s.need[i] = -1
		if p := &g.Pieces[i]; p.What == waits.Service && p.Resource.Single() {
			most++
		}
		if p := &g.Pieces[i]; p.Resource == waits.HostDMA && p.What == waits.Service {
			s.noticed = append(s.noticed, notice{p.Instance, s.time(s.seen(int32(i)))})
		}
	}
	s.list, s.until = make([]grant, 0, most), make([]edge, 0, most)
	slices.SortFunc(s.noticed, notice.compare)
	for id := range g.Actors {
		if x := &g.Actors[id]; x.Type == waits.Task && x.Cause != 0 {
			s.noting[x.Cause] = append(s.noting[x.Cause], waits.ID(id))
		}
	}
	for id := range g.Actors {
		// Work at times of its own asks nobody for a place.
		if !ownTime(s.Graph.Account, waits.ID(id)) {
			s.waits(waits.ID(id))
			s.services(waits.ID(id))
		}
	}
	// slots needs sent, which services fills in; orders needs all grants; levels needs the ranks and kinds of
	// orders.
	s.slots()
	s.orders()
	s.level = s.levels()
	// A layout needs no more of the draft than the ends of grants.
	s.draft = &draft{until: s.until, made: s.made}
	return s
}

// ownTime reports whether an actor is a task without a cause: an interface does it at times of its own.
func ownTime(a *account.Account, id waits.ID) bool {
	return a.Actors[id].Type == waits.Task && a.Actors[id].Cause == 0
}

// begun returns the recorded begin of the piece of grant g, in ps.
func (s *grants) begun(g int32) int64 { return s.Pieces[s.list[g].piece].Begin }

// time returns the recorded time of an instant, in ps.
func (g *Graph) time(e edge) int64 { return g.Pieces[e.piece].Begin + e.after }

// waits marks the pieces in which an actor waits for a place as queued. What lies between two of
// them, such as a turn of the main loop, counts as such a wait too. Of the waits for channels only
// those for the link to the receiver and those behind the sender's own packets count.
func (s *grants) waits(id waits.ID) {
	self := &s.Actors[id]
	for i := s.First[id]; i < s.First[id+1]; i++ {
		p := &s.Pieces[i]
		by := &s.Actors[p.Holder]
		switch {
		case p.What != waits.Waiting || p.Holder == 0 || ownTime(s.Graph.Account, p.Holder):
			s.queued[i] = i > s.First[id] && s.queued[i-1] && s.pausing(i) && (p.Resource == waits.Processor || p.Resource == waits.Request)
		case p.Resource == waits.Port:
			s.queued[i] = by.Peer == self.Peer || by.Node == self.Node
		default:
			s.queued[i] = p.Resource.Single() || p.Resource == waits.Slot
		}
	}
}

// pausing reports whether the actor waits for a place in piece i, or idles before it does.
func (s *grants) pausing(i int32) bool {
	p := &s.Pieces[i]
	return p.What != waits.Service && (p.Resource.Single() || p.Resource == waits.Slot || p.Resource == waits.Request)
}

// services adds the grants that an actor needs for its services.
func (s *grants) services(id waits.ID) {
	handler := int32(-1) // the last piece for which it needed the processor
	for i := s.First[id]; i < s.First[id+1]; i++ {
		p := &s.Pieces[i]
		switch {
		case p.Serves(waits.Processor):
			if next := i + 1; next < s.First[id+1] && s.Pieces[next].Serves(waits.HostDMA) && s.notices(notice{p.Instance, p.End}) {
				s.queued[i] = true // a part of the handler that sees the end of the transfer before
				continue
			}
			s.add(account.Place{Resource: p.Resource, Instance: p.Instance}, i, edge{i, p.Length() + s.Outlasted(id, p.End)})
			if handler < 0 && s.Actors[id].Type == waits.Packet {
				s.open(id, i)
			}
			handler = i
		case p.Serves(waits.HostDMA):
			// It has the engine from this piece on, or from where the processor began to start the transfer.
			from := i
			if i > s.First[id] && !s.queued[i-1] {
				from = s.since(i, handler)
			}
			s.add(account.Place{Resource: p.Resource, Instance: p.Instance}, from, s.seen(i))
		case p.Serves(waits.SEngine): // in logs that know no more of it
			s.add(account.Place{Resource: p.Resource, Instance: p.Instance}, i, edge{i, p.Length()})
		case p.Serves(waits.Port) && !s.moving(i-1, id):
			s.sends(id, i, handler)
		}
	}
}

// moving reports whether piece i is of this packet and the packet is in the network then.
func (s *grants) moving(i int32, id waits.ID) bool {
	return i >= s.First[id] && i < s.First[id+1] && (s.Pieces[i].Resource == waits.Port || s.Pieces[i].Resource == waits.Ring)
}

// sends adds the grants of a packet that is in the network from piece i on: the S engine until it has
// been inserted, the link to the receiver until it has arrived. handler is the last piece before for
// which it needed the processor, -1: none.
func (s *grants) sends(id waits.ID, i, handler int32) {
	link, end := i, i
	for k := i; s.moving(k, id); k++ {
		end = k
		if s.queued[k] {
			link = k + 1
		}
	}
	// there is the arrival at the receiver.
	there := edge{end, s.Pieces[end].Length()}
	if link < s.First[id+1] {
		s.add(account.Place{Resource: waits.Port, Instance: s.Actors[id].Peer}, link, there)
	}
	inserted, noted := there, there
	for _, task := range s.noting[id] {
		// The task that notes the insertion begins when the S engine is free, and ends when the slot may be.
		if x := &s.Actors[task]; x.Begin > s.Pieces[i].Begin && x.Begin <= s.Pieces[end].End && s.First[task] < s.First[task+1] {
			last := s.First[task+1] - 1
			inserted, noted = s.anchored(id, x.Begin), edge{last, s.Pieces[last].Length()}
		}
	}
	// A log with services of the S engine has grants of those.
	if i == s.First[id] || !s.Pieces[i-1].Serves(waits.SEngine) {
		s.add(account.Place{Resource: waits.SEngine, Instance: s.Actors[id].Node}, s.since(i, handler), inserted)
	}
	s.sent[id] = noted
}

// since returns the piece before which an actor gets the engine that serves it from piece i on. That is
// earlier than i if the processor worked for the actor after the wait for the engine, or to start it.
func (s *grants) since(i, handler int32) int32 {
	for k := i; k > s.First[s.Owner[i]]; k-- {
		p := &s.Pieces[k-1]
		if p.What == waits.Waiting && (p.Resource == waits.SEngine || p.Resource == waits.HostDMA) {
			return k
		}
		if p.Resource != waits.Processor {
			break
		}
	}
	if i > s.First[s.Owner[i]] && s.Pieces[i-1].Serves(waits.Processor) {
		return handler
	}
	return i
}

// notice is a time at which the processor of a node sees the end of a transfer.
type notice struct {
	node int32
	at   int64 // ps
}

func (x notice) compare(y notice) int {
	return cmp.Or(cmp.Compare(x.node, y.node), cmp.Compare(x.at, y.at))
}

// notices reports whether a processor sees the end of a transfer at x.
func (s *grants) notices(x notice) bool {
	_, ok := slices.BinarySearchFunc(s.noticed, x, notice.compare)
	return ok
}

// seen returns the instant at which the processor sees the end of the transfer in piece i: the begin of
// the next service, or the end of the last piece before the actor waits for something else.
func (s *grants) seen(i int32) edge {
	to := i + 1
	for ; to < s.First[s.Owner[i]+1]; to++ {
		p := &s.Pieces[to]
		if p.What == waits.Service {
			return edge{to, 0}
		}
		if !p.Resource.Shared() && p.Resource != waits.Processor {
			break
		}
	}
	return edge{to - 1, s.Pieces[to-1].Length()}
}

// anchored returns the instant t of an actor, in ps, relative to the begin of its last service before,
// so that waits since then keep their recorded length.
func (s *grants) anchored(id waits.ID, t int64) edge {
	i := s.At(id, t)
	// The actor has ended: its last service counts.
	if i < 0 {
		i = s.First[id+1] - 1
	}
	for i > s.First[id] && s.Pieces[i].What != waits.Service {
		i--
	}
	return edge{i, t - s.Pieces[i].Begin}
}

// add adds a grant of a place to an actor from before a piece until an instant. If a piece needs
// several, it asks first for the one that was added last.
func (s *grants) add(at account.Place, piece int32, until edge) {
	k, ok := s.index[at]
	if !ok {
		k = int32(len(s.places))
		s.index[at] = k
		s.places = append(s.places, granted{Place: at})
	}
	// ready is the begin of the piece less the time in the line before it.
	x := grant{place: k, piece: piece, next: s.need[piece], ready: s.Pieces[piece].Begin}
	for i := piece; i > s.First[s.Owner[piece]] && s.pausing(i-1); i-- {
		if s.queued[i-1] {
			x.ready -= s.Pieces[i-1].Length()
		}
	}
	s.need[piece] = int32(len(s.list))
	s.places[k].order = append(s.places[k].order, s.need[piece])
	s.list, s.until = append(s.list, x), append(s.until, until)
}

// kind is what makes a processor serve an actor: the event that its handler is for.
type kind uint8

// Kinds.
const (
	moved    kind = iota // a transfer has ended
	inserted             // a packet has been inserted
	arrived              // a packet has come
	answered             // a packet that an interface has made has come
	asked                // the host has posted a request
	other
	numKinds
)
