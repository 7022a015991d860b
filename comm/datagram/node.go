package datagram

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build starts the kernel of a node.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	n := &Node{spec: *s}
	return n, n.Load(card, s.Traits(), nodes, s.Firmware, n)
}

// Open gives the process of a node a socket.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	p, err := n.Sole(space, tag)
	if err != nil {
		return nil, err
	}
	most := n.spec.Firmware.PacketBytes
	e := &Endpoint{Process: p, node: n, spare: library.NewBuffers(space, most)}
	e.head, e.in = e.Buffer(most), e.Buffer(most)
	n.process, n.Bells = e, []*library.Bell{&e.Bell}
	return e, nil
}

// Quiet reports whether the node has nothing in flight.
func (n *Node) Quiet() bool { return n.process.kept() == 0 && n.Base.Quiet() }

// Counts returns the counts of lost and moved messages.
func (n *Node) Counts() []comm.Count {
	return append([]comm.Count{{Name: "moved", N: n.stats.moved}, {Name: "refused", N: n.stats.refused, Loss: true}}, n.Losses()...)
}

// Arrived leaves a message in the kernel until the program asks for it.
func (n *Node) Arrived(p *fabric.Packet) firmware.Target {
	e := n.process
	switch {
	case p.Header.Flags&firmware.FlagWaited != 0:
		if e.asked == nil || e.asked.packet != p {
			return firmware.Target{Action: firmware.Wait}
		}
		n.NIC.Spend(n.spec.Receive)
		return firmware.Target{Action: firmware.Deposit, Space: e.Space(), At: e.asked.at}
	case e == nil || !p.Header.Meta.Kind.CarriesRequest():
		n.stats.refused++
		return firmware.Target{}
	case n.Abandons(p):
		return firmware.Target{}
	}
	e.letters = append(e.letters, e.blank.Get(letter{from: int(p.Src), bytes: p.Bytes(), packet: p}))
	e.Ring()
	e.press()
	return firmware.Target{Action: firmware.Wait}
}

// Timer runs when the program has asked for a message: the copy begins.
func (n *Node) Timer() { n.Program.Retry() }

// Landed ends the copy of a message.
func (n *Node) Landed(*fabric.Packet) {
	e := n.process
	e.asked.packet, e.asked = nil, nil
	e.Fire()
}

// Lost stops the interface: nothing is sent again, and later messages would be out of order.
func (n *Node) Lost(p *fabric.Packet, why firmware.Loss) {
	e := n.process
	if e != nil {
		e.letters = slices.DeleteFunc(e.letters, func(l *letter) bool { return l.packet == p })
		if e.asked != nil && e.asked.packet == p {
			e.asked = nil
		}
	}
	what := "received a damaged message"
	if why == firmware.Flushed {
		what = "lost a message by a forward reset"
	}
	n.Stop("node %d has %s, of node %d", n.NIC.ID(), what, p.Src)
	if e != nil {
		e.press()
	}
}
