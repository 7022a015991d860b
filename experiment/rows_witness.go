package experiment

import (
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// witness stands between the cards of a bed and their control programs and
// clock services, and notes what truly happened and when: what no firmware
// can see. It changes nothing.
type witness struct {
	packets  []*instants     // in the order of arrival
	handlers [][]span        // by node: handlers of the control program
	noticed  []sim.Duration  // from the end of a host DMA to the stamp of it
	waited   []sim.Duration  // from the arrival of a data packet to its handler
	probes   []*clockMessage // clock packets in the order of arrival
	onProbe  func(*clockMessage)
	dmas     [][]hostDMA   // by node, in the order of their ends
	landing  [][]*instants // by node: packets that wait for their deposit
}

// instants are the true T3 to T6 of a data packet. T2 is known to the sender
// alone: the k-th packet of a node that sends by DMA belongs to its k-th DMA.
type instants struct {
	src, dst       int
	bytes          int
	seq            uint32
	t3, t4, t5, t6 sim.Time
}

// hostDMA is a transfer between host memory and a card.
type hostDMA struct {
	dir   ni.Direction
	bytes int
	end   sim.Time
}

// span is when a handler ran.
type span struct{ from, to sim.Time }

// clockMessage is one clock packet.
type clockMessage struct {
	kind     trace.Kind
	src, dst int
	started  sim.Time // the injection
	arrived  sim.Time // the last word
	stamped  sim.Time // as the firmware read the clock
	served   sim.Time // the handler began
}

// watch puts a witness on all nodes.
func (b *bed) watch() *witness {
	w := &witness{
		handlers: make([][]span, len(b.Nodes)),
		dmas:     make([][]hostDMA, len(b.Nodes)),
		landing:  make([][]*instants, len(b.Nodes)),
	}
	for i, n := range b.Nodes {
		n.NIC.Load(&watchedProgram{Program: n.VMMC, w: w, nic: n.NIC, node: i, ended: map[*ni.DMA]sim.Time{}})
		if n.Monitor != nil && n.Monitor.Clock() != nil {
			n.NIC.Serve(&watchedService{Service: n.Monitor.Clock(), w: w, nic: n.NIC})
		}
	}
	return w
}

type watchedProgram struct {
	ni.Program
	w     *witness
	nic   *ni.NIC
	node  int
	ended map[*ni.DMA]sim.Time // only looked up
}

func (p *watchedProgram) handle(f func()) {
	from := p.nic.Now()
	f()
	p.w.handlers[p.node] = append(p.w.handlers[p.node], span{from, p.nic.Now()})
}

// Request implements ni.Program.
func (p *watchedProgram) Request() { p.handle(p.Program.Request) }

// HostDone implements ni.Program.
func (p *watchedProgram) HostDone(d *ni.DMA, at sim.Time) {
	p.w.noticed = append(p.w.noticed, at.Sub(p.ended[d]))
	p.handle(func() { p.Program.HostDone(d, at) })
}

// Sent implements ni.Program.
func (p *watchedProgram) Sent(r *ni.Record, at sim.Time) {
	p.handle(func() { p.Program.Sent(r, at) })
}

// Demultiplex implements ni.Program: the handler of a packet begins.
func (p *watchedProgram) Demultiplex(k *fabric.Packet) {
	if k.Header.Meta.Kind.CarriesRequest() && !k.CRCError {
		p.w.waited = append(p.w.waited, p.nic.Now().Sub(k.T5))
		x := &instants{
			src: int(k.Src), dst: int(k.Dst), bytes: len(k.Data), seq: k.Header.Seq,
			t3: k.T3, t4: k.T4, t5: k.T5,
		}
		p.w.packets = append(p.w.packets, x)
		p.w.landing[p.node] = append(p.w.landing[p.node], x)
	}
	p.handle(func() { p.Program.Demultiplex(k) })
}

// Received implements ni.Program: the handler that Demultiplex has begun goes on.
func (p *watchedProgram) Received(k *fabric.Packet) {
	p.Program.Received(k)
	spans := p.w.handlers[p.node]
	spans[len(spans)-1].to = p.nic.Now()
}

// Transferred implements ni.Program.
func (p *watchedProgram) Transferred(d *ni.DMA) {
	now := p.nic.Engine().Now()
	p.ended[d] = now
	p.w.dmas[p.node] = append(p.w.dmas[p.node], hostDMA{d.Dir, d.Bytes, now})
	if q := p.w.landing[p.node]; d.Dir == ni.ToHost && len(q) > 0 {
		q[0].t6 = now
		p.w.landing[p.node] = q[1:]
	}
	p.Program.Transferred(d)
}

type watchedService struct {
	ni.Service
	w   *witness
	nic *ni.NIC
}

// Arrived implements ni.Service.
func (s *watchedService) Arrived(p *fabric.Packet, at sim.Time) {
	m := &clockMessage{
		kind: p.Header.Meta.Kind, src: int(p.Src), dst: int(p.Dst),
		started: p.T3, arrived: p.T5, stamped: at, served: s.nic.Now(),
	}
	s.w.probes = append(s.w.probes, m)
	s.Service.Arrived(p, at)
	if s.w.onProbe != nil {
		s.w.onProbe(m)
	}
}

// overlaps counts handlers that began before the one before had ended.
func (w *witness) overlaps() (n, of int) {
	for _, spans := range w.handlers {
		for i, s := range spans {
			of++
			if i > 0 && s.from < spans[i-1].to {
				n++
			}
		}
	}
	return n, of
}
