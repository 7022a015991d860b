package firmware

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
)

// Relay sends a packet with the data and the header of another one to a node, at the
// cursor: one that has arrived, for the next node of a multicast, or one that is being
// sent, for another receiver. The data stays in its buffer, which is the layer's to hold,
// until left runs on the processor. The monitor sees a packet of this node, whose request
// appears now.
func (p *Program) Relay(of *fabric.Packet, to int32, change func(*fabric.Header), left func()) {
	o := p.claim()
	o.Record = ni.Record{Arg: o.Arg, Meta: of.Header.Meta, Peer: to, Bytes: int32(of.Bytes()), First: of.Header.Flags&ni.FlagFirst != 0}
	o.relayed = left
	o.Actor = p.nic.Answer(of.Header.Meta.Kind, to)
	p.nic.Begin(&o.Record, &ni.Posted{Seen: p.nic.Now()})
	p.nic.Spend(p.cost.BuildHeader)
	p.nic.Loaded(&o.Record)
	k := p.nic.Net().NewPacket()
	k.Src, k.Dst = int32(p.nic.ID()), to
	k.Header = of.Header
	k.Header.Flags &^= ni.FlagRecorded | FlagWaited
	clear(k.Header.Words[ni.FirstProbeWord:])
	change(&k.Header)
	copy(k.Payload(of.Bytes()), of.Data())
	k.WireBytes = p.spec.HeaderBytes + of.Bytes()
	p.moving++
	p.stats.Packets++
	p.stats.Relayed++
	p.nic.Send(k, &o.Record)
}

// passed ends the injection of a relayed packet and calls its function.
func (p *Program) passed(o *outgoing) {
	p.nic.Spend(p.cost.Injected)
	p.moving--
	left := o.relayed
	o.relayed = nil
	p.outFree = append(p.outFree, uint32(o.Arg))
	left()
}

// Hold keeps a packet in the receive ring until Unhold, whatever becomes of it meanwhile.
func (p *Program) Hold(k *fabric.Packet) {
	if p.holds == nil {
		p.holds = map[*fabric.Packet]bool{}
	}
	p.holds[k] = false
}

// Unhold ends Hold.
func (p *Program) Unhold(k *fabric.Packet) {
	dropped := p.holds[k]
	delete(p.holds, k)
	if dropped {
		p.nic.Drop(k)
	}
}

// drop frees a packet and its place in the receive ring, unless it is held.
func (p *Program) drop(k *fabric.Packet) {
	if _, held := p.holds[k]; held {
		p.holds[k] = true
		return
	}
	p.nic.Drop(k)
}
