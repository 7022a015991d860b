package vmmc

import (
	"fmt"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
)

// Node is VMMC-2's control program on one interface.
type Node struct {
	nic     *ni.NIC
	spec    Spec
	cost    *Cycles
	exports []*Export
	source  tlb
	dest    tlb
	spaces  uint32

	queue    ring.Ring[*message] // requests of the queue, in order
	slots    int                 // entries of the queue that they take
	room     host.Watch          // the library waits here for a free entry
	active   int                 // messages taken up and not yet injected
	stalled  []*message          // messages that wait for a buffer or the peer's window
	outs     []*outgoing         // packets from their DMA to their acknowledgement
	outFree  []uint32
	held     int // SRAM send buffers that they hold
	msgFree  []*message
	links    []*[linkBlock]link // by peer, see link
	live     []int32            // peers with unacknowledged packets
	wire     set                // slots of packets handed to the S engine and not yet injected
	shared   set                // slots of packets that lend their buffer to copies or use another one's
	early    []early
	timing   bool
	timeout  sim.Duration
	sendTime sim.Duration

	inbound []*incoming
	inFree  []uint32
	owed    []int32 // peers to be acknowledged when the S engine is free

	stats Stats
}

// Stats counts what the control program saw.
type Stats struct {
	Messages      uint64
	Packets       uint64 // data packets injected, retransmissions not counted
	Delivered     uint64 // data packets deposited
	Acks          uint64 // acknowledgements sent
	Nacks         uint64
	Retransmitted uint64
	Timeouts      uint64
	GivenUp       uint64 // links whose peer did not answer any more
	Corrupt       uint64 // packets that CRC-8 rejected
	Malformed     uint64 // packets that passed it and still cannot be right
	OutOfOrder    uint64 // packets after a gap
	Duplicates    uint64 // packets received before
	Protection    uint64 // packets for a region that is not exported
	TranslateHits uint64
	TranslateMiss uint64
	WindowStalls  uint64 // messages that waited for a buffer or the window
	Rerouted      uint64 // links whose old route was dead
	Copies        uint64 // packets sent from the buffer of another one, fetched once
	Notifications uint64
}

// New installs VMMC-2 on a card: it reserves SRAM and loads the control
// program. Peers is the number of nodes.
func New(nic *ni.NIC, spec Spec, peers int) (*Node, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	n := &Node{
		nic: nic, spec: spec, source: newTLB(spec.TLBEntries), dest: newTLB(spec.TLBEntries),
		links: make([]*[linkBlock]link, (peers+linkBlock-1)/linkBlock), wire: make(set, (spec.SendBuffers+63)/64), shared: make(set, (spec.SendBuffers+63)/64),
		timeout: sim.Microseconds(spec.RetransmitUs), sendTime: sim.Microseconds(spec.Host.SendUs),
	}
	n.cost = &n.spec.Firmware
	if card := nic.Spec(); spec.PacketBytes+spec.HeaderBytes > card.BufferBytes {
		return nil, fmt.Errorf("vmmc: packets of %d B and headers of %d B, want them to fit into ni.buffer_bytes, %d B",
			spec.PacketBytes, spec.HeaderBytes, card.BufferBytes)
	} else if 4*spec.RequestWords+spec.InlineBytes > card.RequestBytes {
		return nil, fmt.Errorf("vmmc: requests of %d words with %d B of data, want them to fit into ni.request_bytes, %d B",
			spec.RequestWords, spec.InlineBytes, card.RequestBytes)
	}
	for _, r := range []struct {
		owner string
		bytes int
	}{
		{"send buffers", spec.SendBuffers * (spec.PacketBytes + spec.HeaderBytes)},
		{"translation caches", 2 * spec.TLBEntries * spec.TLBEntryBytes},
		{"connections", peers * 16},
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
	s.TranslateHits = n.source.hits + n.dest.hits
	s.TranslateMiss = n.source.misses + n.dest.misses
	return s
}

// RequestSlots returns how many requests the queue holds.
func (n *Node) RequestSlots() int { return n.nic.Spec().RequestSlots }

// Depth returns how many messages at most are between the return of Send and
// the end of their fetch: once that many later ones have been accepted, a
// message's buffer may be written again.
func (n *Node) Depth() int { return n.nic.Spec().RequestSlots + n.spec.SendBuffers }

// Unacknowledged returns how many packets wait for an acknowledgement.
func (n *Node) Unacknowledged() int { return len(n.outs) - len(n.outFree) }

// translate pays for the translation of one page.
func (n *Node) translate(t *tlb, space uint32, addr host.Addr) {
	if t.lookup(space, addr) {
		n.nic.Spend(n.cost.TranslateHit)
	} else {
		n.nic.Spend(n.cost.TranslateMiss)
	}
}
