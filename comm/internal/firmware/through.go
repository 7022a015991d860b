package firmware

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace/waits"
)

// HeadBytes implements ni.Previewer.
func (p *Program) HeadBytes() int {
	if p.preview == nil || !p.preview.Preview() {
		return 0
	}
	return p.spec.HeaderBytes
}

// Head begins the delivery of a packet that is still arriving. The DMA follows the arrival.
func (p *Program) Head(k *fabric.Packet) {
	left := k.T5.Sub(p.nic.Now())
	if left <= 0 || p.nic.Free().HostDMA {
		return // all of it has come, or a record could pass its packet
	}
	p.nic.Spend(p.cost.Demultiplex)
	p.heads[k] = nil
	k.Header.Flags &^= FlagWaited
	t := p.preview.Head(k)
	if t.Action != Deposit {
		return
	}
	p.nic.Spend(p.cost.Accept)
	in := p.claimIn()
	in.packet, in.target, in.through = k, t, true
	in.moved, in.whole = false, false
	in.dma = ni.DMA{Dir: ni.ToHost, Bytes: k.Bytes(), Owner: (*arriving)(in), Until: k.T5, For: k.Actor, Of: waits.HostDMA}
	p.heads[k] = in
	p.nic.HostDMA(&in.dma)
}

// tailArrived handles the end of a packet whose delivery began with its head.
func (p *Program) tailArrived(in *incoming) {
	in.whole = true
	if in.packet.CRCError {
		p.stats.Damaged++
		p.layer.Lost(in.packet, Spoiled)
	} else {
		in.record = ni.DMA{Dir: ni.ToHost, Bytes: in.target.RecordBytes, About: in.packet, Owner: in}
		p.nic.HostDMA(&in.record)
	}
	p.settled(in)
}

// settled continues with a packet that has cut through, when its data is in host memory and it
// has all arrived: T6, or the end of a lost one.
func (p *Program) settled(in *incoming) {
	switch {
	case !in.moved || !in.whole:
	case in.packet == nil:
		p.inFree = append(p.inFree, in.slot)
	case in.packet.CRCError:
		p.finish(in)
	default:
		p.nic.Stored(in.packet)
	}
}

// forget handles a forward reset: packets that are still arriving are lost, and so are those
// that the program has not seen. The network or the card frees them.
func (p *Program) forget() {
	for k, in := range p.heads {
		delete(p.heads, k)
		if in == nil {
			continue
		}
		p.stats.Flushed++
		p.layer.Lost(k, Flushed)
		in.packet, in.whole = nil, true
		p.settled(in)
	}
}

// arriving is the DMA of a packet that cuts through.
type arriving incoming

// Transferred moves the bytes of the DMA.
func (a *arriving) Transferred(*ni.DMA) {
	if a.packet != nil {
		a.target.Space.WriteAt(a.target.At, a.packet.Data())
	}
}

// HostDone continues after the DMA.
func (a *arriving) HostDone(*ni.DMA, sim.Time) {
	in := (*incoming)(a)
	in.moved = true
	in.program.nic.Spend(in.program.cost.Delivered)
	in.program.settled(in)
}
