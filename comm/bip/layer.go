package bip

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build loads BIP into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	l := &Layer{spec: *s, unread: make([]int, nodes), blocked: make([]bool, nodes)}
	for i := s.Slots; i > 0; i-- {
		l.free = append(l.free, uint32(i-1))
	}
	if err := card.SRAM().Reserve("page lists", s.lists()); err != nil {
		return nil, fmt.Errorf("bip on node %d: %w", card.ID(), err)
	}
	return l, l.Load(card, s.Traits(), nodes, s.Firmware, l)
}

// lists returns the bytes of SRAM for the page addresses of the announced
// receives and of the one send that there can be at a time.
func (s *Spec) lists() int { return (s.Posts + 1) * s.ListPages * 4 }

// Open gives a process access, even if another one has it. All messages that
// arrive from now on go to the new process.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	l.process = &Endpoint{
		Process: l.Base.Process(space, tag), layer: l, sent: make([]uint32, l.Nodes),
		ring: space.Alloc(int64(l.spec.Slots * l.spec.slotBytes())),
	}
	return l.process, nil
}

// slotBytes returns the size of a slot of the ring.
func (s *Spec) slotBytes() int { return s.SlotHeaderBytes + s.LongBytes }

// Counts returns the counts of losses; nothing is sent again.
func (l *Layer) Counts() []comm.Count {
	c := &l.counts
	return []comm.Count{
		{Name: "overflow", N: c.overflow, Loss: true},
		{Name: "damaged", N: l.Program.Stats().Damaged, Loss: true},
		{Name: "reset", N: l.NIC.Stats().Flushed, Loss: true},
		l.Reset(),
		{Name: "broken", N: c.broken, Loss: true},
		{Name: "too long", N: c.long, Loss: true},
		{Name: "unclaimed", N: c.unclaimed, Loss: true},
		{Name: "malformed", N: c.malformed, Loss: true},
	}
}
