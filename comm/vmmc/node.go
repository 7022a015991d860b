package vmmc

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/internal/bitset"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/host"
)

// Build installs VMMC-2 on a card: it reserves SRAM and loads the control
// program.
func (s *Spec) Build(nic *ni.NIC, nodes int) (comm.Layer, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	n := &Node{
		nic: nic, spec: s, nodes: nodes, fetches: newTLB(s.TLBEntries), deposits: newTLB(s.TLBEntries),
		links: make([]*[linkBlock]link, (nodes+linkBlock-1)/linkBlock), wire: bitset.New(s.SendBuffers), shared: bitset.New(s.SendBuffers),
	}
	n.cost = &s.Firmware
	if n.most = int32(s.SendSlots); nic.Free().Slots {
		n.most = math.MaxInt32
	}
	if card := nic.Spec(); s.PacketBytes+s.HeaderBytes > card.BufferBytes {
		return nil, fmt.Errorf("vmmc: packets of %d B and headers of %d B, want them to fit into ni.buffer_bytes, %d B",
			s.PacketBytes, s.HeaderBytes, card.BufferBytes)
	} else if 4*s.RequestWords+s.InlineBytes > card.RequestBytes {
		return nil, fmt.Errorf("vmmc: requests of %d words with %d B of data, want them to fit into ni.request_bytes, %d B",
			s.RequestWords, s.InlineBytes, card.RequestBytes)
	}
	for _, r := range []struct {
		owner string
		bytes int
	}{
		{"send buffers", s.SendBuffers * (s.PacketBytes + s.HeaderBytes)},
		{"translation caches", 2 * s.TLBEntries * s.TLBEntryBytes},
		{"connections", nodes * 16},
	} {
		if err := nic.SRAM().Reserve(r.owner, r.bytes); err != nil {
			return nil, fmt.Errorf("vmmc on node %d: %w", nic.ID(), err)
		}
	}
	nic.Load(n)
	return n, nil
}

// Stats returns the counters.
func (n *Node) Stats() Stats {
	s := n.stats
	s.TranslateHits = n.fetches.hits + n.deposits.hits
	s.TranslateMiss = n.fetches.misses + n.deposits.misses
	return s
}

// RequestSlots returns how many requests the queue holds.
func (n *Node) RequestSlots() int { return n.nic.Spec().RequestSlots }

// Unacknowledged returns how many packets wait for an acknowledgement.
func (n *Node) Unacknowledged() int { return len(n.outs) - len(n.outFree) }

// translate spends the cycles to translate one page.
func (n *Node) translate(t *tlb, space uint32, addr host.Addr) {
	if t.lookup(space, addr) {
		n.nic.Spend(n.cost.TranslateHit)
	} else {
		n.nic.Spend(n.cost.TranslateMiss)
	}
}
