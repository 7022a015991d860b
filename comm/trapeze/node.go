package trapeze

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build loads the layer into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	n := &Node{spec: *s}
	return n, n.Load(card, s.Traits(), nodes, s.Firmware, n)
}

// Open gives the process of a node access.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	p, err := n.Sole(space, tag)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{Process: p, node: n}
	e.Pool = library.NewPool(&e.Process, n.spec.Frames, n.spec.Firmware.PacketBytes, n.spec.Host.Receive, e.vacate, e.wait)
	n.process = e
	return e, nil
}

// Quiet reports whether the node has nothing in flight.
func (n *Node) Quiet() bool { return n.waiting == 0 && n.Base.Quiet() }

// Counts returns the counts of lost and delayed messages.
func (n *Node) Counts() []comm.Count {
	return append([]comm.Count{{Name: "waited", N: n.waited}, {Name: "refused", N: n.refused, Loss: true}}, n.Losses()...)
}

// wordBuffer is the header word in which the receiving interface stores the frame of a message, counted
// from 1.
const wordBuffer = 0

// Arrived gives a message the next page frame, or lets it wait for one.
func (n *Node) Arrived(p *fabric.Packet) firmware.Target { return n.place(p) }

// Preview implements firmware.Previewer.
func (n *Node) Preview() bool { return n.spec.ReceiveThrough }

// Head gives a payload a page frame while it arrives. One that would have to wait does not cut
// through, nor does one in a control message.
func (n *Node) Head(p *fabric.Packet) firmware.Target {
	if p.Bytes() <= n.spec.InlineBytes || n.process == nil || n.process.Pool.Free() == 0 || n.waiting > 0 {
		return firmware.Target{}
	}
	return n.place(p)
}

func (n *Node) place(p *fabric.Packet) firmware.Target {
	e := n.process
	if e == nil || !p.Header.Meta.Kind.CarriesRequest() {
		n.refused++
		return firmware.Target{}
	}
	again := p.Header.Flags&firmware.FlagWaited != 0
	if e.Pool.Free() == 0 || !again && n.waiting > 0 {
		if !again {
			n.waited++
			n.waiting++
		}
		return firmware.Target{Action: firmware.Wait}
	}
	if again {
		n.waiting--
	}
	i := e.Pool.Take()
	p.Header.Words[wordBuffer] = uint64(i + 1)
	t := firmware.Target{Action: firmware.Deposit, Space: e.Space(), At: e.Pool.At(i)}
	if p.Bytes() <= n.spec.InlineBytes {
		t.HeaderBytes = n.spec.ControlBytes
	} else {
		t.RecordBytes = n.spec.ControlBytes
	}
	return t
}

// Landed records a message whose control message is in the receive ring.
func (n *Node) Landed(p *fabric.Packet) {
	e := n.process
	i := int(p.Header.Words[wordBuffer]) - 1
	n.NIC.Host().Evict(e.Space(), e.Pool.At(i), p.Bytes())
	e.Pool.Landed(i, int(p.Src), p.Bytes())
	e.Ring()
}

// Timer runs when the host has provided a frame and messages wait for one.
func (n *Node) Timer() { n.Program.Retry() }

// Lost handles a message that is lost after its arrival, or while it was delivered: it no longer
// waits, or its frame is free again.
func (n *Node) Lost(p *fabric.Packet, why firmware.Loss) {
	switch frame := int(p.Header.Words[wordBuffer]); {
	case why == firmware.Damaged:
	case frame == 0:
		n.waiting--
	default:
		n.process.Pool.Put(frame - 1)
	}
}
