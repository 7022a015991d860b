package fabric

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// New builds the fabric of spec. Every node must have a port, set by Attach,
// before packets are sent to it.
func New(e *sim.Engine, spec Spec) (*Net, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	n := &Net{
		engine: e,
		spec:   spec,
		layout: spec.Topology.layout(),
		hop:    spec.WireDelay + spec.SwitchDelay,
		nodes:  make([]node, spec.Topology.Nodes),

		stepwise: spec.Arbitration != FIFO,
	}
	n.ch = make([]channel, n.layout.channels())
	if err := checkRoutes(n.layout, len(n.nodes), len(n.ch), 1); err != nil {
		return nil, err
	}
	crowds := make([]crowd, len(n.ch))
	for i := range n.ch {
		n.ch[i] = channel{id: int32(i), from: noChannel, feeding: noChannel, crowd: &crowds[i]}
		crowds[i].last = noChannel
	}
	if err := n.open(spec.Free); err != nil {
		return nil, err
	}
	if spec.Buffer != nil && !spec.Uncontended {
		if err := n.addBuffers(); err != nil {
			return nil, err
		}
	}
	n.faults.init(e, &n.spec.Faults)
	for i, b := range n.spec.Faults.Breaks {
		if err := n.Break(b); err != nil {
			return nil, fmt.Errorf("fabric.Faults.Breaks[%d]: %w", i, err)
		}
	}
	if !spec.Faults.Later {
		n.Begin()
	}
	return n, nil
}

// open frees ports.
func (n *Net) open(ports []string) error {
	known := n.spec.Ports()
	for _, name := range ports {
		if err := names.Check("port", name, known); err != nil {
			return err
		}
		n.ch[len(n.nodes)+slices.Index(known, name)].signal = open
	}
	return nil
}

// Attach connects p to a node.
func (n *Net) Attach(node int, p Port) {
	n.nodes[node].port = p
	n.nodes[node].expecter, _ = p.(Expecter)
}

// Nodes returns the number of nodes.
func (n *Net) Nodes() int { return len(n.nodes) }

// Spec returns the specification that the fabric was built from.
func (n *Net) Spec() Spec { return n.spec }

// Act executes one event of the fabric.
func (n *Net) Act(op uint32, arg uint64) {
	switch op {
	case opHead:
		if p := n.deref(arg); p != nil && p.route.headAt == n.engine.Now() {
			p.route.headAt = sim.Never // a second event for the same time is stale
			n.head(p)
		}
	case opStart:
		if p := n.deref(arg); p != nil {
			n.receive(p, &n.ch[p.route.path[0]])
		}
	case opArrive:
		if p := n.deref(arg); p != nil && p.route.where == arriving && p.T5 == n.engine.Now() {
			n.arrive(p) // else its head goes step by step
		}
	case opSent:
		if p := n.deref(arg); p != nil {
			n.nodes[p.Src].port.Sent(p)
		}
	case opTail:
		c := &n.ch[uint32(arg)]
		if c.gen == uint32(arg>>32) {
			n.tail(c)
		}
	case opStop:
		c := &n.ch[uint32(arg)]
		if c.crowd.flowGen == uint32(arg>>32) {
			n.stopArrives(c)
		}
	case opGo:
		c := &n.ch[uint32(arg)]
		if c.crowd.flowGen == uint32(arg>>32) {
			n.goArrives(c)
		}
	case opLimit:
		n.limit(int(arg))
	case opDeaf:
		n.stall(&n.spec.Faults.Stalls[arg>>1], arg&1 != 0)
	default:
		n.buffers.act(op, arg)
	}
}

// Stats returns the counts up to now.
func (n *Net) Stats() Stats {
	s := n.stats
	s.InFlight = n.inFlight
	return s
}

// ResetLost returns how many packets that node id has sent were lost in
// forward resets before they had arrived.
func (n *Net) ResetLost(id int) uint64 { return n.nodes[id].resetLost }

// Misled returns how many packets node id has received with damage that the CRC does not show.
// Only diagnostics may know.
func (n *Net) Misled(id int) uint64 { return n.nodes[id].misled }

// Lacking returns how many packets to node id were lost because a switch's buffer or the node itself
// had no room.
func (n *Net) Lacking(id int) uint64 { return n.nodes[id].lacking }

// Channels returns the number of channels: two for each link.
func (n *Net) Channels() int { return len(n.ch) }

// ChannelName names a channel: "switch>node0", "level1.switch3.down2".
func (n *Net) ChannelName(i int) string { return n.layout.name(i) }

// ChannelStats returns the statistics of channel i up to now.
// Utilization is Held/elapsed, useful utilization (Held-Halted)/elapsed. On an
// uncontended fabric only the nodes' own channels are held.
func (n *Net) ChannelStats(i int) ChannelStats {
	c := &n.ch[i]
	s := c.crowd.stats
	s.Packets, s.Bytes, s.Held = c.packets, uint64(c.carried), c.held
	now := n.engine.Now()
	if n.buffers != nil {
		n.buffers.count(i, &s)
	}
	if c.holder == nil || c.end <= now {
		return s
	}
	s.Packets--
	s.Bytes -= uint64(c.bytes)
	s.Held += max(0, now.Sub(c.start))
	if c.flowing {
		s.Held -= c.end.Sub(c.start)
	} else {
		s.Halted += max(0, now.Sub(c.crowd.halt))
	}
	return s
}

// Route returns the channels that packets from src to dst take now.
func (n *Net) Route(src, dst int) []int32 {
	return n.layout.route(nil, src, dst, n.routeOf(src, dst))
}
