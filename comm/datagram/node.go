package datagram

import (
	"fmt"
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
	if n.process != nil {
		return nil, fmt.Errorf("datagram: node %d: a process has the interface, and the layer serves one", n.NIC.ID())
	}
	most := n.spec.Firmware.PacketBytes
	e := &Endpoint{Process: n.Process(space, tag), node: n, spare: library.NewBuffers(space, most)}
	e.head, e.in = e.Buffer(most), e.Buffer(most)
	n.process = e
	return e, nil
}

// Quiet reports whether the node has nothing in flight.
func (n *Node) Quiet() bool { return n.process.kept() == 0 && n.Base.Quiet() }

// Counts returns the counts of lost and moved messages.
func (n *Node) Counts() []comm.Count {
	s := &n.stats
	return []comm.Count{
		{Name: "moved", N: s.moved}, {Name: "refused", N: s.refused, Loss: true},
		{Name: "damaged", N: n.Program.Stats().Damaged, Loss: true}, {Name: "flushed", N: n.NIC.Stats().Flushed, Loss: true},
		n.Reset(), {Name: "abandoned", N: s.abandoned, Loss: true},
	}
}

// Arrived leaves a message in the kernel until the program asks for it.
func (n *Node) Arrived(p *fabric.Packet) firmware.Target {
	e := n.process
	switch {
	case p.Header.Flags&firmware.FlagWaited != 0:
		if e.asked == nil || e.asked.packet != p {
			return firmware.Target{Way: firmware.Wait}
		}
		n.NIC.Spend(n.spec.Receive)
		return firmware.Target{Way: firmware.Deposit, Space: e.Space(), At: e.asked.at}
	case e == nil || !p.Header.Meta.Kind.CarriesRequest():
		n.stats.refused++
		return firmware.Target{}
	case n.stopped != nil:
		n.stats.abandoned++
		return firmware.Target{}
	}
	e.letters = append(e.letters, e.blank.Get(letter{from: int(p.Src), bytes: len(p.Data), packet: p}))
	e.Ring()
	e.press()
	return firmware.Target{Way: firmware.Wait}
}

// Timer runs when the program asks for a message.
func (n *Node) Timer() { n.Program.Retry() }

// Landed ends the copy of a message.
func (n *Node) Landed(*fabric.Packet) {
	e := n.process
	e.asked.packet, e.asked = nil, nil
	e.Fire()
}

// Lost stops the interface: nothing is sent again, and later messages would be out of order.
func (n *Node) Lost(p *fabric.Packet, why firmware.Loss) {
	if n.stopped == nil {
		what := "received a damaged message"
		if why == firmware.Flushed {
			what = "lost a message by a forward reset"
		}
		n.stopped = fmt.Errorf("datagram at %v: node %d has %s, of node %d", n.Program.Now(), n.NIC.ID(), what, p.Src)
	}
	if e := n.process; e != nil {
		e.letters = slices.DeleteFunc(e.letters, func(l *letter) bool { return l.packet == p })
		if e.asked != nil && e.asked.packet == p {
			e.asked = nil
		}
		e.Ring()
		e.press()
	}
}
