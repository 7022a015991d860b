package grim

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build loads the layer into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	n := &Node{
		nic: card, spec: *s, traits: s.Traits(), nodes: nodes, armed: sim.Never,
		heads: map[*fabric.Packet]*incoming{}, cache: newCache(s.CachePages),
	}
	n.cost = &n.spec.Firmware
	n.scoreboard = int(n.cost.Scoreboard.Us() * float64(card.Spec().ClockHz) / 1e6)
	if err := n.tune(); err != nil {
		return nil, fmt.Errorf("grim on node %d: %w", card.ID(), err)
	}
	for _, r := range []struct {
		owner string
		bytes int
	}{
		{"logical channels", (s.Channels + 1) * s.ChannelBytes},
		{"translation cache", s.CachePages * s.CacheEntryBytes},
		{"links", (s.Channels + 1) * nodes * linkBytes},
	} {
		if err := card.SRAM().Reserve(r.owner, r.bytes); err != nil {
			return nil, fmt.Errorf("grim on node %d: %w", card.ID(), err)
		}
	}
	for i := range s.Channels + 1 {
		ch := &channel{links: make([]link, nodes)}
		for j := range ch.links {
			ch.links[j] = link{channel: int32(i), peer: int32(j), due: sim.Never}
		}
		n.channels = append(n.channels, ch)
	}
	card.Load(n)
	return n, nil
}

// linkBytes is the SRAM that a link takes: numbers in both directions, the next repetition.
const linkBytes = 16

// Open gives a process access. Processes of one node must have different tags.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	for _, p := range n.processes {
		if p.active != nil && p.Tag() == tag {
			return nil, fmt.Errorf("grim: node %d: a process with tag %d has access already", n.nic.ID(), tag)
		}
	}
	e := &Endpoint{process: n.newProcess(space, tag), parts: map[part]*arrival{}, buffers: map[int]*library.Buffers{}}
	e.open, e.words = map[uint32]call{}, space.Alloc(dataBytes)
	e.fifo = fifo{at: space.Alloc(int64(n.spec.FIFOBytes)), bytes: int64(n.spec.FIFOBytes)}
	e.active = e
	n.add(&e.process)
	return e, nil
}

// newProcess returns a process that sends by the next channel.
func (n *Node) newProcess(space *host.Space, tag trace.Tag) process {
	k := len(n.processes)
	return process{
		injector: n.injector(space),
		Process:  library.NewProcess(n.traits, space, tag, n.nic.ID(), n.nodes),
		node:     n, id: uint32(k), channel: n.channels[k%n.spec.Channels], reads: map[uint32]*reading{},
	}
}

func (n *Node) add(p *process) {
	if n.driver == nil {
		n.driver = n.nic.Host().Go("grim driver", host.Handler, n.translations)
	}
	n.processes = append(n.processes, p)
}

// Traits returns the properties of the layer.
func (n *Node) Traits() *comm.Traits { return n.traits }

// Stats returns the counters.
func (n *Node) Stats() Stats { return n.stats }

// Quiet reports whether all that the node has sent is answered.
func (n *Node) Quiet() bool {
	for _, ch := range n.channels {
		if ch.used > 0 {
			return false
		}
	}
	return true
}

// Traffic returns the counts of sent and rejected packets.
func (n *Node) Traffic() comm.Traffic {
	s := &n.stats
	return comm.Traffic{Packets: s.Packets, Acks: s.Acks, Nacks: s.Nacks, Repeated: s.Repeated, Damaged: s.Damaged}
}

// Counts returns the counts of what was not simply delivered. A late packet has left, in the
// model, before the host had stored all of its data.
func (n *Node) Counts() []comm.Count {
	s := &n.stats
	return []comm.Count{
		{Name: "damaged", N: s.Damaged}, {Name: "flushed", N: s.Flushed}, {Name: "repeated", N: s.Repeated},
		{Name: "timeouts", N: s.Timeouts}, {Name: "duplicates", N: s.Duplicates}, {Name: "out of order", N: s.OutOfOrder},
		{Name: "no room", N: s.NoRoom}, {Name: "moved", N: s.Moved}, {Name: "malformed", N: s.Malformed},
		{Name: "late", N: s.Late}, {Name: "translated", N: s.Misses}, {Name: "locks", N: s.Locks},
		{Name: "refused", N: s.Refused, Loss: true}, {Name: "given up", N: s.GivenUp, Loss: true},
	}
}
