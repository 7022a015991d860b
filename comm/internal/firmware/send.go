package firmware

import (
	"slices"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Ready reports whether the control program can start a request. Packets leave
// in the order of their requests: a packet with inline data waits until the
// data of earlier ones is in SRAM.
func (p *Program) Ready() bool {
	if p.current != nil || !p.slot() {
		return false
	}
	i := p.next()
	if i < 0 {
		return false
	}
	r := p.queue.requests[i]
	return p.fetches == 0 || r.fetch(r.Bytes) > 0
}

// next returns the place in the queue of the request that is taken up next, or -1: the
// oldest, or the oldest that flow control allows (Sort).
func (p *Program) next() int {
	for i, r := range p.queue.requests {
		if p.layer.Allows(r) {
			return i
		}
		if !p.sorts {
			break
		}
	}
	return -1
}

// fetch returns how many bytes of host memory are fetched for a packet with so much data.
func (r *Request) fetch(bytes int) int {
	if r.Inline {
		return 0
	}
	return max(bytes, r.MinFetch)
}

// Slots returns how many packets may be made before others leave.
func (p *Program) Slots() int { return p.spec.SendPackets - p.active }

// slot reports whether another packet may be made.
func (p *Program) slot() bool { return p.active < p.spec.SendPackets || p.nic.Free().Slots }

// Request takes up the next request.
func (p *Program) Request() {
	q := p.queue
	i := p.next()
	r := q.requests[i]
	q.requests = slices.Delete(q.requests, i, i+1)
	q.room.Fire()
	p.nic.Take(&r.posted)
	p.nic.Spend(p.cost.TakeRequest)
	bytes := 4 * r.Descriptor
	if r.Inline {
		bytes += r.Bytes
	}
	p.nic.ReadQueue(bytes)
	p.current, r.more = r, true
	p.advance()
}

// advance makes packets of the current request while there is a slot and the H
// engine is free, so that a fetch starts as soon as the previous one is done.
func (p *Program) advance() {
	r := p.current
	p.nic.Next(&r.posted)
	o := p.claim()
	size := min(r.Bytes-r.sent, p.spec.PacketBytes)
	if r.Piece > 0 {
		size = min(size, r.Piece)
	}
	o.Record = ni.Record{Arg: o.Arg, Meta: r.Meta, Peer: r.To, Bytes: int32(size), First: r.sent == 0}
	o.request, o.offset = r, r.sent
	o.through, o.fetched, o.left, o.done = false, false, false, false
	o.keep, o.forgotten = r.Keep, false
	r.sent += size
	r.left++
	p.active++
	p.moving++
	p.slotTaken(o)
	if r.sent == r.Bytes {
		r.more = false
		p.current = nil
	}
	p.nic.Begin(&o.Record, &r.posted)
	p.nic.Spend(p.cost.BuildHeader)
	if cap(o.data) < size {
		o.data = make([]byte, size)
	}
	o.data = o.data[:size]
	fetch := r.fetch(size)
	if fetch == 0 {
		p.nic.Spend(p.cost.InlineData)
		copy(o.data, r.data[o.offset:])
		p.nic.Loaded(&o.Record)
		p.fetched(o)
		return
	}
	busy := p.fetches > 0 || p.nic.HostBusy() || p.nic.Sending()
	o.dma.Dir, o.dma.Bytes, o.dma.Arg = ni.ToNI, fetch, o.Arg
	p.nic.HostDMA(&o.dma)
	p.fetches++
	if p.nic.Free().HostDMA {
		o.come = false
		p.order = append(p.order, o)
	}
	if p.spec.CutThrough && !busy && (len(p.queue.requests) == 0 || size > p.brief) {
		p.cutThrough(o)
	}
}

// cutThrough starts the S engine on a packet whose first words are about to be
// in SRAM; the processor waits for them. It does so if there is no other work,
// or if most of the packet is still to be fetched.
func (p *Program) cutThrough(o *outgoing) {
	p.nic.SpendTime(sim.Microseconds(p.nic.Spec().HostDMASetupUs))
	r := o.request
	r.Space.ReadAt(r.From+host.Addr(o.offset), o.data)
	o.through = true
	o.Ready = p.nic.Now()
	p.inject(o)
}

// Transferred moves the bytes of a host DMA.
func (p *Program) Transferred(d *ni.DMA) {
	if d.Dir == ni.ToHost {
		p.landed(p.ins[d.Arg])
		return
	}
	o := p.outs[d.Arg]
	if o.through {
		if o.left {
			p.stats.Underruns++
		}
		return
	}
	o.request.Space.ReadAt(o.request.From+host.Addr(o.offset), o.data)
}

// HostDone continues after a host DMA.
func (p *Program) HostDone(d *ni.DMA, _ sim.Time) {
	if d.Dir == ni.ToHost {
		p.delivered(p.ins[d.Arg])
		return
	}
	o := p.outs[d.Arg]
	if !p.nic.Free().HostDMA {
		p.fetches--
		p.fetched(o)
		return
	}
	o.come = true
	for len(p.order) > 0 && p.order[0].come { // an engine that is never busy keeps the order, too
		o = p.order[0]
		p.order = slices.Delete(p.order, 0, 1)
		p.fetches--
		p.fetched(o)
	}
}

// fetched continues with a packet whose data is all in SRAM.
func (p *Program) fetched(o *outgoing) {
	o.fetched = true
	if r := o.request; !r.more && o.offset+len(o.data) == r.Bytes && !r.Gone {
		r.Gone = true
		p.layer.Fetched(r)
		r.Watch.Fire()
	}
	if !o.through {
		p.inject(o)
	} else if o.left {
		p.injected(o)
	}
	if p.current != nil && p.slot() && p.current == o.request {
		p.advance()
	}
}

// inject hands a packet to the S engine.
func (p *Program) inject(o *outgoing) {
	r := o.request
	k := p.nic.Net().NewPacket()
	k.Src, k.Dst = int32(p.nic.ID()), r.To
	h := &k.Header
	h.Meta, h.Op, h.Flags, h.Seq = r.Meta, r.Op, r.Flags, r.Order
	copy(h.Words[:], r.Words[:])
	if o.First {
		h.Flags |= ni.FlagFirst
	}
	copy(k.Payload(len(o.data)), o.data)
	k.Owner = &o.Record
	k.WireBytes = p.spec.HeaderBytes + len(o.data)
	p.layer.Outgoing(r, k, o.offset)
	if o.keep {
		o.header = k.Header
	}
	p.stats.Packets++
	p.nic.Send(k, &o.Record)
}

// Sent handles the end of an injection.
func (p *Program) Sent(r *ni.Record, _ sim.Time) {
	o := p.outs[r.Arg]
	if o.relayed != nil {
		p.passed(o)
		return
	}
	if o.left { // it was sent again
		o.repeats--
		p.moving--
		p.settle(o)
		return
	}
	o.left = true
	if o.fetched {
		p.injected(o)
	} // else the S engine waits for data that is still being fetched
}

func (p *Program) injected(o *outgoing) {
	p.nic.Spend(p.cost.Injected)
	r := o.request
	o.done = true
	p.moving--
	r.left--
	if r.left == 0 && !r.more {
		r.Left = true
		p.layer.Injected(r)
		r.Watch.Fire()
		if !r.held {
			p.Free(r)
		}
	}
	p.settle(o)
}

// SendIdle does nothing.
func (p *Program) SendIdle() {}

func (p *Program) claim() *outgoing {
	if k := len(p.outFree); k > 0 {
		o := p.outs[p.outFree[k-1]]
		p.outFree = p.outFree[:k-1]
		return o
	}
	o := &outgoing{}
	o.Arg, o.dma.Record = uint64(len(p.outs)), &o.Record
	p.outs = append(p.outs, o)
	return o
}
