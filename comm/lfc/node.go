package lfc

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
	n := &Node{spec: *s, links: make([]link, nodes), casts: map[*fabric.Packet]*cast{}}
	var err error
	if n.credits, err = s.share(nodes); err != nil {
		return nil, err
	}
	if err := n.Load(card, s.Traits(), nodes, s.Firmware, n); err != nil {
		return nil, err
	}
	for i := range n.links {
		n.links[i].peer = int32(i)
	}
	n.Program.Use(&n.queue)
	n.Program.Sort()
	return n, nil
}

// Open gives the process of a node access.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	p, err := n.Sole(space, tag)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{Process: p, node: n}
	e.Watchdog = library.NewWatchdog(n.NIC.Engine(), n.spec.Watchdog)
	e.Pool = library.NewPool(&e.Process, n.spec.Buffers, n.spec.Firmware.PacketBytes+n.spec.RecordBytes, n.spec.Host.Receive, e.vacate, e.wait)
	n.process, n.Bells = e, []*library.Bell{&e.Bell}
	return e, nil
}

// Quiet reports whether the node has nothing in flight: packets count until their
// buffers' credits are back or may still be reported with later packets.
func (n *Node) Quiet() bool {
	for i := range n.links {
		if l := &n.links[i]; l.next-l.freed >= n.credits {
			return false
		}
	}
	return n.waiting == 0 && len(n.casts) == 0 && n.Base.Quiet()
}

// Stats returns the counters.
func (n *Node) Stats() Stats { return n.stats }

// Credits returns how many packets an interface may send to another before it
// reports that buffers are free again.
func (n *Node) Credits() int { return int(n.credits) }

// Counts returns the counts of lost and delayed packets.
func (n *Node) Counts() []comm.Count {
	s := &n.stats
	return append([]comm.Count{
		{Name: "waited", N: s.Waited}, {Name: "moved", N: s.Moved}, {Name: "malformed", N: s.Malformed},
		{Name: "forwarded", N: s.Forwarded}, {Name: "fetched", N: s.Fetched},
		{Name: "refused", N: s.Refused, Loss: true},
	}, n.Losses()...)
}

// Arrived gives a packet the next free buffer of the host, or lets it wait for one.
func (n *Node) Arrived(p *fabric.Packet) firmware.Target {
	h := &p.Header
	l := &n.links[p.Src]
	switch {
	case n.Abandons(p):
		return firmware.Target{}
	case h.Meta.Kind == trace.Ack && h.Op == opFetched:
		n.answer(uint32(h.Words[wordValue]))
		return firmware.Target{}
	case h.Meta.Kind == trace.Ack:
		n.reported(l, h)
		return firmware.Target{}
	case !h.Meta.Kind.CarriesRequest():
		n.stats.Malformed++
		return firmware.Target{}
	case h.Flags&firmware.FlagWaited != 0:
		return n.place(p)
	case h.Seq != l.expected:
		n.Missing(l.expected, p)
		return firmware.Target{}
	}
	l.expected++
	n.reported(l, h)
	switch {
	case h.Op == opFetchAdd:
		n.fetchAdd(p)
		return firmware.Target{}
	case h.Op == opMulticast && !n.forward(p):
		n.stats.Refused++
		n.empty(p.Src)
		return firmware.Target{}
	case n.process == nil:
		n.stats.Refused++
		n.empty(p.Src)
		return firmware.Target{}
	}
	if n.waiting > 0 || n.process.Pool.Free() == 0 {
		n.stats.Waited++
		n.waiting++
		n.wake()
		return firmware.Target{Action: firmware.Wait}
	}
	return n.deposit(p)
}

// place gives a packet that has waited the next free buffer.
func (n *Node) place(p *fabric.Packet) firmware.Target {
	if n.process.Pool.Free() == 0 {
		return firmware.Target{Action: firmware.Wait}
	}
	n.waiting--
	return n.deposit(p)
}

func (n *Node) deposit(p *fabric.Packet) firmware.Target {
	e := n.process
	i := e.Pool.Take()
	p.Header.Words[wordBuffer] = uint64(i)
	return firmware.Target{Action: firmware.Deposit, Space: e.Space(), At: e.Pool.At(i), HeaderBytes: n.spec.RecordBytes}
}

// Timer runs when the host has changed a word in SRAM: it has freed a buffer and packets wait
// for one, or it asks for a fetch-and-add here. The library may have to free another buffer.
func (n *Node) Timer() {
	if n.sum.asked {
		n.sum.asked = false
		n.answer(n.add(n.sum.delta))
	}
	n.Program.Retry()
	if n.waiting > 0 {
		n.wake()
	}
}

// wake makes the library check whether packets wait for a buffer.
func (n *Node) wake() {
	n.process.Ring()
	n.queue.Room().Fire()
}

// Landed records that a packet and its record are in the host's buffer.
func (n *Node) Landed(p *fabric.Packet) {
	e := n.process
	i := int(p.Header.Words[wordBuffer])
	n.NIC.Host().Evict(e.Space(), e.Pool.At(i), p.Bytes()+n.spec.RecordBytes)
	e.Pool.Landed(i, int(sender(p)), p.Bytes())
	e.Ring()
	e.Look()
}
