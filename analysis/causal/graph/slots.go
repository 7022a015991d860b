package graph

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// open notes that the processor first serves a packet in piece i. The packet opens a message unless it
// waited before for another one of its message.
func (s *grants) open(id waits.ID, i int32) {
	for k := s.First[id]; k < i; k++ {
		if s.Pieces[k].Resource == waits.Order {
			return
		}
	}
	s.opened = append(s.opened, opening{id, i})
}

// message is what the packets of a message have in common, and no others.
type message struct {
	cause waits.ID
	begin int64 // ps
	node  int32 // that sends it
}

// slots finds the grants of send slots: from the first service of the packet that opens a message
// until the insertion of its last one has been noted. It assumes one slot a node, and none if no
// actor of the log waits for one.
func (s *grants) slots() {
	// The last packet of a message is the one with the highest number.
	last := map[message]waits.ID{}
	of := func(id waits.ID) message { return message{s.Actors[id].Cause, s.Actors[id].Begin, s.Actors[id].Node} }
	for id := range s.Actors {
		if _, ok := s.sent[waits.ID(id)]; ok && s.Actors[id].Type == waits.Packet {
			last[of(waits.ID(id))] = waits.ID(id)
		}
	}
	if !s.awaited(waits.Slot) {
		return
	}
	for _, o := range s.opened {
		id, ok := last[of(o.packet)]
		if !ok {
			continue
		}
		s.add(account.Place{Resource: waits.Slot, Instance: s.Actors[id].Node}, o.piece, s.sent[id])
		if id != o.packet {
			s.multi(id)
		}
	}
}

// multi notes that the grant added last is for several packets, of which id is the last.
func (s *grants) multi(id waits.ID) {
	g := int32(len(s.list)) - 1
	if made := s.begins(id); made.piece >= 0 {
		s.made[g], s.list[g].multi = made, true
	}
}

// awaited reports whether an actor waits for a place of a resource.
func (s *grants) awaited(r waits.Resource) bool {
	for i := range s.Pieces {
		if s.Pieces[i].Resource == r && s.queued[i] {
			return true
		}
	}
	return false
}

// begins returns the instant at which the processor first serves a packet, none if it never does.
func (s *grants) begins(id waits.ID) edge {
	for i := s.First[id]; i < s.First[id+1]; i++ {
		if s.Pieces[i].Serves(waits.Processor) {
			return edge{i, 0}
		}
	}
	return none
}
