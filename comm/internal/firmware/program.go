package firmware

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// load loads the control program of a layer into a card and reserves its send
// buffers; section names the layer in errors.
func load(nic *ni.NIC, spec Spec, section string, layer Layer) (*Program, error) {
	if err := spec.fits(nic.Spec(), section); err != nil {
		return nil, err
	}
	if err := nic.SRAM().Reserve("send buffers", spec.SendPackets*(spec.PacketBytes+spec.HeaderBytes)); err != nil {
		return nil, fmt.Errorf("%s on node %d: %w", section, nic.ID(), err)
	}
	p := &Program{nic: nic, spec: spec, layer: layer, queue: &Queue{}}
	p.cost = &p.spec.Cycles
	p.brief = int(nic.Spec().HostDMASetupUs * nic.Spec().HostDMAToNIMBps)
	p.acks, _ = layer.(Acknowledger)
	p.deposits, _ = layer.(Depositor)
	if p.preview, _ = layer.(Previewer); p.preview != nil {
		p.heads = map[*fabric.Packet]*incoming{}
	}
	nic.Load(p)
	return p, nil
}

// NIC returns the card.
func (p *Program) NIC() *ni.NIC { return p.nic }

// Stats returns the counters.
func (p *Program) Stats() Stats { return p.stats }

// Traffic returns the counts of sent and rejected packets; again is the number
// of packets of requests that the library has sent again.
func (p *Program) Traffic(again uint64) comm.Traffic {
	s := &p.stats
	return comm.Traffic{Packets: s.Packets - again, Acks: s.Control - s.Nacks, Nacks: s.Nacks, Repeated: s.Repeated + again, Damaged: s.Damaged}
}

// Sort lets requests that flow control allows pass older ones that it holds. Layer.Allows then
// gives the same answer for all requests whose order matters, as those to one peer.
func (p *Program) Sort() { p.sorts = true }

// Quiet reports whether no request waits and no packet is outgoing.
func (p *Program) Quiet() bool {
	return len(p.queue.requests) == 0 && p.current == nil && p.active == 0 && p.moving == 0
}

// Timer handles the program's timer.
func (p *Program) Timer() { p.layer.Timer() }

// Control sends a control packet at the cursor. Fill sets its header; the kind
// is Ack or Nack.
func (p *Program) Control(to int32, fill func(*fabric.Header)) {
	p.nic.Spend(p.cost.Control)
	p.stats.Control++
	k := p.nic.Net().NewPacket()
	k.Src, k.Dst = int32(p.nic.ID()), to
	fill(&k.Header)
	if k.Header.Meta.Kind.CarriesRequest() {
		panic(fmt.Sprintf("firmware: node %d at %v: control packet of kind %v", p.nic.ID(), p.nic.Engine().Now(), k.Header.Meta.Kind))
	}
	if k.Header.Meta.Kind == trace.Nack {
		p.stats.Nacks++
	}
	k.WireBytes = p.spec.ControlBytes
	p.nic.Send(k, nil)
}

// Now returns the current time, for parts of a layer that do not run on the
// interface processor.
func (p *Program) Now() sim.Time { return p.nic.Engine().Now() }
