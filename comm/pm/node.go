package pm

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// linkBytes is the SRAM that a link takes: four numbers in each direction.
const linkBytes = 32

// Build loads the layer into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	n := &Node{spec: *s}
	if err := n.Load(card, s.Traits(), nodes, s.Firmware, n); err != nil {
		return nil, err
	}
	if err := card.SRAM().Reserve("links", nodes*linkBytes); err != nil {
		return nil, fmt.Errorf("pm on node %d: %w", card.ID(), err)
	}
	card.Host().OnTurn(n.turn)
	return n, nil
}

// Open gives a process access. Processes of one node must have different tags.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	c := n.channel(tag)
	if c.process != nil {
		return nil, fmt.Errorf("pm: node %d: a process with tag %d has access already", n.NIC.ID(), tag)
	}
	e := newEndpoint(n, space, tag)
	c.process = e
	n.processes, n.Bells = append(n.processes, e), append(n.Bells, &e.Bell)
	if n.owner == nil {
		n.owner, n.gang.next = e, e
		n.Program.Use(&e.queue)
	}
	return e, nil
}

func (n *Node) channel(tag trace.Tag) *channel {
	if n.channels[tag] == nil {
		n.channels[tag] = &channel{links: make([]link, n.Nodes)}
	}
	return n.channels[tag]
}

// Quiet reports whether the node has nothing in flight: packets count until the
// receiver's interface has accepted them.
func (n *Node) Quiet() bool {
	for _, e := range n.processes {
		if e != n.owner && !e.queue.Quiet() {
			return false
		}
	}
	return n.Base.Quiet()
}

// Stats returns the counters.
func (n *Node) Stats() Stats { return n.stats }

// Counts returns the counts of lost, refused and repeated packets. An underrun is
// a cut-through packet whose fetch another engine has slowed. In the model it
// arrives too early, by at most that delay.
func (n *Node) Counts() []comm.Count {
	s, f := &n.stats, n.Program.Stats()
	return []comm.Count{
		{Name: "rejected", N: s.Rejected}, {Name: "discarded", N: s.Discarded}, {Name: "repeated", N: f.Repeated},
		{Name: "absent", N: s.Absent}, {Name: "written", N: s.Written}, {Name: "moved", N: s.Moved}, {Name: "changes", N: s.Changes},
		{Name: "malformed", N: s.Malformed}, {Name: "underruns", N: f.Underruns},
		{Name: "refused", N: s.Refused, Loss: true}, {Name: "damaged", N: f.Damaged, Loss: true},
		{Name: "flushed", N: f.Flushed, Loss: true}, n.Reset(),
		{Name: "abandoned", N: n.Abandoned, Loss: true},
	}
}

// Allows holds requests to a peer that has rejected a packet, and all requests while
// the interface is about to change its process. The queue of a process without
// its own turn is still emptied.
func (n *Node) Allows(r *firmware.Request) bool {
	if n.gang.changing && (n.owner == nil || !n.owner.idle()) {
		return false
	}
	return n.channel(r.Meta.Tag).links[r.To].flow == open
}

// Outgoing numbers a packet.
func (n *Node) Outgoing(r *firmware.Request, p *fabric.Packet, _ int) {
	l := &n.channel(r.Meta.Tag).links[r.To]
	p.Header.Seq, p.Header.Ack = l.sent.Add(firmware.Slot(p)), l.round
}

// Arrived returns the target of a packet, and handles answers.
func (n *Node) Arrived(p *fabric.Packet) firmware.Target {
	c := n.channel(p.Header.Meta.Tag)
	l := &c.links[p.Src]
	switch k := p.Header.Meta.Kind; {
	case n.Abandons(p):
		return firmware.Target{}
	case (k == trace.Ack || k == trace.Nack) && c.process != nil && c.process != n.owner:
		n.postpone(c.process, p.Src, &p.Header)
		return firmware.Target{}
	case k == trace.Ack || k == trace.Nack:
		n.answered(l, &p.Header)
		return firmware.Target{}
	case !k.CarriesRequest():
		n.stats.Malformed++
		return firmware.Target{}
	}
	return n.accept(l, c.process, p)
}

// Acknowledge reports to the sender that a packet has a buffer.
func (n *Node) Acknowledge(p *fabric.Packet) {
	c := n.channel(p.Header.Meta.Tag)
	n.acknowledge(p.Src, p.Header.Meta.Tag, &c.links[p.Src])
	n.welcome(c.process)
}

// Landed records that the message and its record are in the host's buffer.
func (n *Node) Landed(p *fabric.Packet) { n.channel(p.Header.Meta.Tag).process.landed(p) }
