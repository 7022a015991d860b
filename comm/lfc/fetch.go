package lfc

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// FetchAndAdd adds to the variable of a node's interface, its own or another's, and returns
// what was there. The interface does it without its host.
func (e *Endpoint) FetchAndAdd(c *host.Context, of int, delta uint32, meta trace.Meta) (uint32, error) {
	n := e.node
	if of != e.Node() {
		if err := e.CheckSend(of, 0, 0, meta); err != nil {
			return 0, err
		}
	}
	if n.Stopped != nil {
		return 0, n.Stopped
	}
	n.sum.arrived = false
	if of == e.Node() {
		c.PIOWrite(n.spec.RequestWords, host.Words)
		n.sum.asked, n.sum.delta = true, delta
		n.NIC.SetTimer(c.Now())
	} else {
		if err := e.room(c); err != nil {
			return 0, err
		}
		r := e.request(opFetchAdd, int32(of), meta)
		r.Words[wordValue] = uint64(delta)
		r.Descriptor++
		n.Program.Post(c, r, n.spec.Host.Send, host.Combining)
	}
	for !n.sum.arrived {
		if n.Stopped != nil {
			return 0, n.Stopped
		}
		if !e.move(c) {
			e.Await(c, "a fetch-and-add")
		}
	}
	c.Spend(n.spec.Host.Receive)
	return n.sum.answer, nil
}

// fetchAdd serves another node. Its packet's buffer is free at once.
func (n *Node) fetchAdd(p *fabric.Packet) {
	value := n.add(uint32(p.Header.Words[wordValue]))
	n.NIC.Stored(p)
	n.empty(p.Src)
	n.Program.Control(p.Src, func(h *fabric.Header) {
		h.Meta.Kind, h.Op, h.Words[wordValue] = trace.Ack, opFetched, uint64(value)
	})
}

func (n *Node) add(delta uint32) uint32 {
	value := n.sum.value
	n.sum.value += delta
	n.stats.Fetched++
	return value
}

// answer writes the answer to a fetch-and-add into the host's memory, where the library polls
// for it.
func (n *Node) answer(value uint32) {
	n.sum.answer = value
	n.sum.dma = ni.DMA{Dir: ni.ToHost, Bytes: host.WordBytes, Owner: &n.sum}
	n.sum.landed = n.process.Ring
	n.NIC.HostDMA(&n.sum.dma)
}

// Transferred lets the library see the answer.
func (v *variable) Transferred(*ni.DMA) {
	v.arrived = true
	v.landed()
}

// HostDone implements ni.DMAOwner.
func (v *variable) HostDone(*ni.DMA, sim.Time) {}
