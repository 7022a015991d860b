package firmware

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// Demultiplex spends the cycles to classify a packet, unless its head has been handled.
func (p *Program) Demultiplex(k *fabric.Packet) {
	if _, done := p.heads[k]; !done {
		p.nic.Spend(p.cost.Demultiplex)
	}
}

// FlagWaited marks a packet that has waited in the receive ring since Arrived returned Wait.
// The receiving program sets it: no sender does, and an error on the way does not count.
const FlagWaited uint8 = 1 << 7

// Received handles a packet that has arrived.
func (p *Program) Received(k *fabric.Packet) {
	in := p.heads[k]
	delete(p.heads, k)
	if in != nil {
		p.tailArrived(in)
		return
	}
	if k.CRCError {
		p.stats.Damaged++
		p.layer.Lost(k, Damaged)
		p.drop(k)
		return
	}
	k.Header.Flags &^= FlagWaited
	if !k.Header.Meta.Kind.CarriesRequest() {
		p.nic.Spend(p.cost.Control)
		p.layer.Arrived(k)
		p.drop(k)
		return
	}
	p.place(k)
}

// place gets a packet's target from the layer and starts its delivery.
func (p *Program) place(k *fabric.Packet) {
	p.nic.Spend(p.cost.Accept)
	switch t := p.layer.Arrived(k); t.Action {
	case Drop:
		p.drop(k)
	case Wait:
		k.Header.Flags |= FlagWaited
		p.waiting = append(p.waiting, k)
	case Keep:
		p.keep(k)
	case Deposit:
		p.deposit(k, t)
	}
}

// deposit starts the transfer of a packet into host memory.
func (p *Program) deposit(k *fabric.Packet, t Target) {
	in := p.claimIn()
	in.packet, in.target, in.through = k, t, false
	if k.Bytes()+t.HeaderBytes == 0 {
		p.nic.Spend(p.cost.Delivered)
		p.nic.Stored(k)
		p.nic.Engine().At(p.nic.Now(), p, opLanded, uint64(in.slot))
	} else {
		in.dma = ni.DMA{Dir: ni.ToHost, Bytes: k.Bytes() + t.HeaderBytes, Arg: uint64(in.slot), Packet: k}
		p.nic.HostDMA(&in.dma)
		if n := t.RecordBytes; n > 0 {
			in.record = ni.DMA{Dir: ni.ToHost, Bytes: n, About: k, Owner: in}
			p.nic.HostDMA(&in.record)
		}
	}
	if p.acks != nil {
		p.acks.Acknowledge(k)
	}
}

// Events of the program.
const (
	opKept   uint32 = iota // a kept packet is visible to the host
	opLanded               // a packet without data is visible to the host
)

// Act executes the program's events, at which a packet becomes visible to the
// host.
func (p *Program) Act(op uint32, arg uint64) {
	in := p.ins[arg]
	k := in.packet
	p.inFree = append(p.inFree, in.slot)
	p.stats.Delivered++
	before := p.nic.Acts(k.Actor)
	p.layer.Landed(k)
	p.nic.Acts(before)
	if op == opLanded {
		p.drop(k)
	}
}

// keep leaves a packet in the receive ring, visible at the cursor.
func (p *Program) keep(k *fabric.Packet) {
	p.nic.Spend(p.cost.Delivered)
	p.nic.WriteQueue(p.spec.HeaderBytes + k.Bytes())
	p.nic.Stored(k)
	in := p.claimIn()
	in.packet = k
	p.nic.Engine().At(p.nic.Now(), p, opKept, uint64(in.slot))
	if p.acks != nil {
		p.acks.Acknowledge(k)
	}
}

// landed handles the instant at which a deposit's data is in host memory.
func (p *Program) landed(in *incoming) {
	in.target.Space.WriteAt(in.target.At, in.packet.Data())
	if in.target.RecordBytes == 0 {
		p.visible(in)
	}
}

func (p *Program) visible(in *incoming) {
	p.stats.Delivered++
	p.layer.Landed(in.packet)
}

// delivered continues after the DMA of a deposit.
func (p *Program) delivered(in *incoming) {
	p.nic.Spend(p.cost.Delivered)
	if p.deposits != nil {
		p.deposits.Deposited(in.packet)
	}
	if in.target.RecordBytes == 0 {
		p.finish(in)
	}
}

func (p *Program) finish(in *incoming) {
	p.inFree = append(p.inFree, in.slot)
	p.drop(in.packet)
}

// Transferred handles the instant at which a packet's record is in host memory.
func (in *incoming) Transferred(*ni.DMA) {
	if in.packet != nil {
		in.program.visible(in)
	}
}

// HostDone continues after the DMA of a record.
func (in *incoming) HostDone(*ni.DMA, sim.Time) {
	p := in.program
	p.nic.Spend(p.cost.Delivered)
	if in.packet == nil {
		p.inFree = append(p.inFree, in.slot)
		return
	}
	p.finish(in)
}

// Retry calls the layer's Arrived again for the packets that wait, oldest
// first. The layer calls it on the interface processor; no packet arrives
// meanwhile.
func (p *Program) Retry() {
	p.waiting, p.retried = p.retried[:0], p.waiting
	for _, k := range p.retried {
		p.place(k)
	}
}

// Release frees a kept packet and its place in the receive ring: the host has
// read it.
func (p *Program) Release(k *fabric.Packet) { p.drop(k) }

// Flush handles a forward reset: packets that wait for their DMA or for the
// layer are lost. Those visible to the host stay.
func (p *Program) Flush() int {
	p.forget()
	lost := len(p.waiting)
	for _, k := range p.waiting {
		p.stats.Flushed++
		p.layer.Lost(k, Flushed)
		p.drop(k)
	}
	p.waiting = p.waiting[:0]
	p.nic.CancelHost(func(d *ni.DMA) bool {
		if d.Dir == ni.ToNI {
			return false
		}
		in := p.ins[d.Arg]
		p.stats.Flushed++
		p.layer.Lost(in.packet, Flushed)
		p.drop(in.packet)
		in.packet, in.record.About = nil, nil
		if in.target.RecordBytes == 0 { // or the DMA of the record ends without effect
			p.inFree = append(p.inFree, in.slot)
		}
		lost++
		return true
	})
	return lost
}

func (p *Program) claimIn() *incoming {
	if k := len(p.inFree); k > 0 {
		in := p.ins[p.inFree[k-1]]
		p.inFree = p.inFree[:k-1]
		return in
	}
	in := &incoming{program: p, slot: uint32(len(p.ins))}
	p.ins = append(p.ins, in)
	return in
}
