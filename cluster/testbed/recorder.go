package testbed

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// Recorder records true times, which no firmware can see, and changes nothing. It stands between
// the cards of a testbed and their control programs and clock services.
type Recorder struct {
	Packets  []*Instants          // data packets in the order of arrival
	Handlers [][]Interval         // by node: handlers of the control program
	Noticed  []float64            // from the end of a host DMA to its stamp, µs
	Waited   []float64            // from the arrival of a data packet to its handler, µs
	Probes   []*ClockPacket       // in the order of handlers
	DMAs     [][]HostDMA          // by node, in the order of their ends
	landing  [][]*Instants        // by node: packets that wait for their deposit
	asked    map[int]*ClockPacket // by node: its latest query
}

// Instants are the true T3 to T6 of a data packet. T2 is the end of a host DMA of the
// sender: the k-th packet of a node that sends by DMA belongs to its k-th DMA.
type Instants struct {
	Src, Dst       int
	Bytes          int
	Seq            uint32
	T3, T4, T5, T6 sim.Time
}

// HostDMA is a transfer between host memory and a card.
type HostDMA struct {
	Dir   ni.Direction
	Bytes int
	End   sim.Time
}

// Interval is when a handler ran.
type Interval struct{ From, To sim.Time }

// ClockPacket is one packet of the clock protocol.
type ClockPacket struct {
	Kind     trace.Kind
	Src, Dst int
	Started  sim.Time     // the injection
	Arrived  sim.Time     // the last word
	Stamped  sim.Time     // when the firmware read the clock
	Served   sim.Time     // the handler began
	Query    *ClockPacket // that a reply answers
}

// Watch installs a recorder on all nodes.
func (b *Testbed) Watch() *Recorder {
	w := &Recorder{
		Handlers: make([][]Interval, len(b.Nodes)),
		DMAs:     make([][]HostDMA, len(b.Nodes)),
		landing:  make([][]*Instants, len(b.Nodes)),
		asked:    map[int]*ClockPacket{},
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
	w     *Recorder
	nic   *ni.NIC
	node  int
	ended map[*ni.DMA]sim.Time // only looked up
}

func (p *watchedProgram) handle(f func()) {
	from := p.nic.Now()
	f()
	p.w.Handlers[p.node] = append(p.w.Handlers[p.node], Interval{from, p.nic.Now()})
}

// Request implements ni.Program.
func (p *watchedProgram) Request() { p.handle(p.Program.Request) }

// HostDone implements ni.Program.
func (p *watchedProgram) HostDone(d *ni.DMA, at sim.Time) {
	p.w.Noticed = append(p.w.Noticed, at.Sub(p.ended[d]).Us())
	p.handle(func() { p.Program.HostDone(d, at) })
}

// Sent implements ni.Program.
func (p *watchedProgram) Sent(r *ni.Record, at sim.Time) {
	p.handle(func() { p.Program.Sent(r, at) })
}

// Demultiplex implements ni.Program: the handler of a packet begins.
func (p *watchedProgram) Demultiplex(k *fabric.Packet) {
	if k.Header.Meta.Kind.CarriesRequest() && !k.CRCError {
		p.w.Waited = append(p.w.Waited, p.nic.Now().Sub(k.T5).Us())
		x := &Instants{
			Src: int(k.Src), Dst: int(k.Dst), Bytes: k.Bytes(), Seq: k.Header.Seq,
			T3: k.T3, T4: k.T4, T5: k.T5,
		}
		p.w.Packets = append(p.w.Packets, x)
		p.w.landing[p.node] = append(p.w.landing[p.node], x)
	}
	p.handle(func() { p.Program.Demultiplex(k) })
}

// Received implements ni.Program: the handler that Demultiplex began continues.
func (p *watchedProgram) Received(k *fabric.Packet) {
	p.Program.Received(k)
	spans := p.w.Handlers[p.node]
	spans[len(spans)-1].To = p.nic.Now()
}

// Transferred implements ni.Program.
func (p *watchedProgram) Transferred(d *ni.DMA) {
	now := p.nic.Engine().Now()
	p.ended[d] = now
	p.w.DMAs[p.node] = append(p.w.DMAs[p.node], HostDMA{d.Dir, d.Bytes, now})
	if q := p.w.landing[p.node]; d.Dir == ni.ToHost && len(q) > 0 {
		q[0].T6 = now
		p.w.landing[p.node] = q[1:]
	}
	p.Program.Transferred(d)
}

type watchedService struct {
	ni.Service
	w   *Recorder
	nic *ni.NIC
}

// Arrived implements ni.Service.
func (s *watchedService) Arrived(p *fabric.Packet, at sim.Time) {
	m := &ClockPacket{
		Kind: p.Header.Meta.Kind, Src: int(p.Src), Dst: int(p.Dst),
		Started: p.T3, Arrived: p.T5, Stamped: at, Served: s.nic.Now(),
	}
	switch m.Kind {
	case trace.ClockQuery:
		s.w.asked[m.Dst] = m
	case trace.ClockReply:
		m.Query = s.w.asked[m.Src]
	}
	s.w.Probes = append(s.w.Probes, m)
	s.Service.Arrived(p, at)
}

// Overlaps counts handlers that began before the previous one had ended.
func (w *Recorder) Overlaps() (n, of int) {
	for _, spans := range w.Handlers {
		for i, s := range spans {
			of++
			if i > 0 && s.From < spans[i-1].To {
				n++
			}
		}
	}
	return n, of
}
