package firmware

import (
	"fmt"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
)

// A packet of a request with Keep stays in its send buffer after its injection
// until the layer forgets it. Layer.Outgoing finds its slot in the packet's
// record (Slot). Meanwhile it can be sent again: after a receiver has rejected it.

// Slot returns the slot of a packet that the control program has made.
func Slot(p *fabric.Packet) uint32 { return uint32(p.Owner.(*ni.Record).Arg) }

// Again sends the kept packet of a slot again at the cursor, with its header as
// altered by change.
func (p *Program) Again(slot uint32, change func(*fabric.Header)) {
	o := p.outs[slot]
	if !o.keep || o.forgotten {
		panic(fmt.Sprintf("firmware: node %d at %v: the packet in slot %d is not kept", p.nic.ID(), p.Now(), slot))
	}
	p.nic.Spend(p.cost.BuildHeader)
	k := p.nic.Net().NewPacket()
	k.Src, k.Dst = int32(p.nic.ID()), o.Peer
	k.Header = o.header
	k.Header.Flags |= ni.FlagRepeated
	change(&k.Header)
	copy(k.Payload(len(o.data)), o.data)
	k.WireBytes = p.spec.HeaderBytes + len(o.data)
	o.repeats++
	p.moving++
	p.stats.Repeated++
	p.nic.Send(k, &o.Record)
}

// Forget frees the send buffer of a kept packet, as soon as the S engine has
// finished with it.
func (p *Program) Forget(slot uint32) {
	o := p.outs[slot]
	if !o.keep || o.forgotten {
		panic(fmt.Sprintf("firmware: node %d at %v: the packet in slot %d is forgotten twice", p.nic.ID(), p.Now(), slot))
	}
	o.forgotten = true
	p.settle(o)
}

// settle frees the slot of a packet that is injected and no longer kept.
func (p *Program) settle(o *outgoing) {
	if !o.done || o.repeats > 0 || o.keep && !o.forgotten {
		return
	}
	p.active--
	p.slotFreed(o)
	p.outFree = append(p.outFree, uint32(o.Arg))
	if p.current != nil && p.slot() {
		p.advance()
	}
}
