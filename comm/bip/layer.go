package bip

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/trace"
)

// newLayer loads BIP into a card.
func newLayer(card *ni.NIC, spec Spec, nodes int) (*Layer, error) {
	l := &Layer{
		nic: card, spec: spec, traits: spec.Traits(),
		unread: make([]int, nodes), blocked: make([]bool, nodes),
	}
	for i := spec.Slots; i > 0; i-- {
		l.free = append(l.free, uint32(i-1))
	}
	if err := card.SRAM().Reserve("page lists", spec.lists()); err != nil {
		return nil, fmt.Errorf("bip on node %d: %w", card.ID(), err)
	}
	var err error
	l.program, err = firmware.New(card, spec.Firmware, "bip.firmware", l)
	return l, err
}

// lists returns the bytes of SRAM for the page addresses of the announced
// receives and of the one send that there can be at a time.
func (s *Spec) lists() int { return (s.Posts + 1) * s.ListPages * 4 }

// Traits says what BIP is.
func (l *Layer) Traits() *comm.Traits { return l.traits }

// Open gives a process access, even if another one has it. All messages that
// arrive from now on go to the new process.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	l.process = &Endpoint{
		Process: library.NewProcess(l.traits, space, tag, l.nic.ID(), len(l.unread)), layer: l, sent: make([]uint32, len(l.unread)),
		ring: space.Alloc(int64(l.spec.Slots * l.spec.slotBytes())),
	}
	return l.process, nil
}

// slotBytes returns the size of a slot of the ring.
func (s *Spec) slotBytes() int { return s.SlotHeaderBytes + s.LongBytes }

// Quiet reports whether nothing of the node's is on its way.
func (l *Layer) Quiet() bool { return l.program.Quiet() }

// Traffic returns what the interface has sent and refused.
func (l *Layer) Traffic() comm.Traffic { return l.program.Traffic(0) }

// Counts returns what was lost and is not sent again.
func (l *Layer) Counts() []comm.Count {
	c := &l.counts
	return []comm.Count{
		{Name: "overflow", N: c.overflow, Loss: true},
		{Name: "damaged", N: l.program.Stats().Damaged, Loss: true},
		{Name: "reset", N: l.nic.Stats().Flushed, Loss: true},
		{Name: "reset on the way", N: l.nic.Net().ResetLost(l.nic.ID()), Loss: true},
		{Name: "broken", N: c.broken, Loss: true},
		{Name: "too long", N: c.long, Loss: true},
		{Name: "unclaimed", N: c.unclaimed, Loss: true},
		{Name: "malformed", N: c.malformed, Loss: true},
	}
}

var _ firmware.Layer = (*Layer)(nil)

// Build loads BIP into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) { return newLayer(card, *s, nodes) }
