package graph

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// open notes a packet that the processor serves from piece i on for the first time. It opens
// a message unless it has waited for another packet.
func (s *grants) open(id waits.ID, i int32) {
	for k := s.First[id]; k < i; k++ {
		if s.Pieces[k].Resource == waits.Order {
			return
		}
	}
	s.opened = append(s.opened, opening{id, i})
}

// message is what the packets of a message have in common.
type message struct {
	cause waits.ID
	begin int64
	node  int32
}

// slots finds the grants of send slots: from the packet that opens a message until the
// insertion of its last one has been noted. It takes a node to have one slot, and none if
// nobody waits for any.
func (s *grants) slots() {
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
			s.several(id)
		}
	}
}

// several notes that the grant that was added last is for several packets, of which one is the last.
func (s *grants) several(id waits.ID) {
	g := int32(len(s.list)) - 1
	if made := s.begins(id); made.piece >= 0 {
		s.made[g], s.list[g].several = made, true
	}
}

// awaited reports whether an actor waits for a resource.
func (s *grants) awaited(r waits.Resource) bool {
	for i := range s.Pieces {
		if s.Pieces[i].Resource == r && s.queued[i] {
			return true
		}
	}
	return false
}

// begins returns when the processor serves a packet first.
func (s *grants) begins(id waits.ID) edge {
	for i := s.First[id]; i < s.First[id+1]; i++ {
		if s.Pieces[i].Serves(waits.Processor) {
			return edge{i, 0}
		}
	}
	return none
}
