package grim

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// What a DMA to the host is for; its Arg is the packet's slot and this.
const (
	forPiece uint64 = iota
	forPointer
	forLock
	forTranslation
	purposes
)

const (
	pointerBytes     = 4
	lockBytes        = 4
	translationBytes = 16
)

// deliver begins to move a message's data to its endpoint.
func (n *Node) deliver(in *incoming) {
	switch {
	case in.bad:
		in.started = true
		n.progress(in)
	case in.process == nil:
		n.empty(in)
	case in.header.Op == opActive:
		n.start(in, in.process.active.node.spec.RecordBytes, 0)
	case in.header.Op == opRead:
		n.read(in)
	case in.header.Op == opPhysical:
		n.start(in, 0, 0)
	default:
		at := in.process.address(&in.header)
		if n.cached(in.process, at, len(in.data())) { // mostly: it remembers nothing
			n.start(in, 0, at.Offset())
			return
		}
		n.ask(func() { n.start(in, 0, at.Offset()) })
	}
}

// data returns the data of a packet, also of one that is still arriving.
func (in *incoming) data() []byte {
	if in.packet == nil {
		return nil
	}
	return in.packet.Data()
}

// empty completes a message that moves nothing.
func (n *Node) empty(in *incoming) {
	in.started = true
	n.progress(in)
}

// start begins the DMAs of a message's data: one, or with a page offset one for each page
// of virtual memory. Extra bytes stand before the data. The DMA of a packet that is still
// arriving follows the arrival.
func (n *Node) start(in *incoming, extra, offset int) {
	data := in.data()
	if in.bad || len(data)+extra == 0 {
		n.empty(in)
		return
	}
	in.started = true
	now := n.nic.Now()
	in.pieces = in.pieces[:0]
	for at, more := 0, true; more; {
		end := len(data)
		if in.header.Op != opActive && in.header.Op != opPhysical {
			end = min(end, at+host.PageBytes-(offset+at)%host.PageBytes)
		}
		p := piece{begin: at, end: end}
		p.Dir, p.Bytes, p.Arg, p.About = ni.ToHost, end-at+extra, uint64(in.slot)*purposes+forPiece, n.order(in)
		p.For, p.Of = in.packet.Actor, waits.HostDMA
		// Cut-through: bytes up to end arrive in proportion to the rest of the packet, and the DMA waits.
		if left := in.packet.T5.Sub(now); !in.whole && left > 0 {
			p.Until = now.Add(left / sim.Duration(len(data)) * sim.Duration(end))
		}
		in.pieces = append(in.pieces, p)
		at, extra, more = end, 0, end < len(data)
	}
	in.left = len(in.pieces)
	if !in.through {
		in.pieces[in.left-1].Packet = in.packet
	}
	for i := range in.pieces {
		n.nic.HostDMA(&in.pieces[i].DMA)
	}
	n.progress(in)
}

// arrived continues with a packet all of which has come, or will not come.
func (n *Node) arrived(in *incoming) {
	in.whole = true
	n.progress(in)
}

// progress takes the next steps of a delivery that can begin. The pointer of an active message is
// written behind its data, when the packet is known to be undamaged; the answer is made meanwhile.
func (n *Node) progress(in *incoming) {
	if !in.started || !in.whole {
		return
	}
	if in.entry != nil && !in.bad && !in.pointed {
		in.pointed, in.pointing = true, true
		n.nic.SpendTime(n.cost.Pointer)
		in.back = inHostOrder(in.entry)
		n.word(in, &in.pointer, forPointer, pointerBytes)
	}
	// A real engine moves the pointer before whatever follows; one that is never busy must be waited for.
	if in.left > 0 || in.pointing && n.nic.Free().HostDMA {
		return
	}
	if in.bad {
		n.discard(in)
		return
	}
	if in.header.Flags&flagLock != 0 && in.process != nil && in.entry == nil && !in.locked {
		in.locked = true
		n.inOrder(func() { n.update(in) })
		return
	}
	n.finish(in)
}

// order returns the packet that keeps the transfers of a delivery in order on an H engine that is
// never busy, or nil: a real engine keeps the order itself.
func (n *Node) order(in *incoming) *fabric.Packet {
	if n.nic.Free().HostDMA {
		return in.packet
	}
	return nil
}

// word begins a DMA to the host of a few bytes that the interface itself has made.
func (n *Node) word(in *incoming, d *ni.DMA, purpose uint64, bytes int) {
	*d = ni.DMA{Dir: ni.ToHost, Bytes: bytes, Arg: uint64(in.slot)*purposes + purpose, About: n.order(in), For: in.packet.Actor, Of: waits.HostDMA}
	n.nic.HostDMA(d)
}

// update writes a message's lock: a word at a virtual address.
func (n *Node) update(in *incoming) {
	n.stats.Locks++
	n.nic.SpendTime(n.memory().Lock)
	n.translate(in.process, host.Addr(in.header.Words[wordLock]), lockBytes, func() {
		in.left++
		n.word(in, &in.lock, forLock, lockBytes)
	})
}

// finish answers a message whose data is at its endpoint.
func (n *Node) finish(in *incoming) {
	h := &in.header
	if in.through {
		in.announce(n)
	}
	if in.through || len(in.pieces) == 0 {
		n.nic.Stored(in.packet)
	}
	in.link.done = in.number + 1
	if x := in.region(); x != nil && h.Flags&flagNotify != 0 && x.notify != nil {
		n.nic.SpendTime(n.memory().Notify)
		x.notify(in.deposit(0, in.packet.Bytes()))
	}
	n.answer(in.link, trace.Ack, 0, in.link.done, h.Meta.Tag)
	n.nic.Drop(in.packet)
	// The pointer may still be on its way to the host, with the slot as its argument.
	if in.finished = true; !in.pointing {
		n.release(in)
	}
}

// discard ends the delivery of a damaged or lost packet.
func (n *Node) discard(in *incoming) {
	if in.entry != nil {
		in.process.active.fifo.release(in.entry)
	}
	if in.packet != nil {
		n.nic.Drop(in.packet)
	}
	n.release(in)
}

func (n *Node) release(in *incoming) {
	in.packet, in.process, in.entry, in.link = nil, nil, nil, nil
	n.freePacket = append(n.freePacket, in.slot)
}

func (n *Node) claimIn() *incoming {
	if k := len(n.freePacket); k > 0 {
		in := n.packets[n.freePacket[k-1]]
		n.freePacket = n.freePacket[:k-1]
		*in = incoming{slot: in.slot, pieces: in.pieces[:0]}
		return in
	}
	in := &incoming{slot: uint32(len(n.packets))}
	n.packets = append(n.packets, in)
	return in
}

// Transferred moves the bytes of a host DMA.
func (n *Node) Transferred(d *ni.DMA) {
	if d.Dir == ni.ToNI {
		m := n.messages[d.Arg]
		m.space.ReadAt(m.from, m.data)
		return
	}
	in := (*incoming)(nil)
	if d.Arg%purposes != forTranslation {
		in = n.packets[d.Arg/purposes]
	}
	switch d.Arg % purposes {
	case forTranslation:
		n.stats.Interrupts++
		n.driver.Interrupt()
	case forPiece:
		in.land(n, in.piece(d))
	case forPointer:
		in.process.active.advance(in.entry, in.back)
	case forLock:
		in.process.unlock(host.Addr(in.header.Words[wordLock]))
	}
}

// HostDone continues after a host DMA.
func (n *Node) HostDone(d *ni.DMA, _ sim.Time) {
	switch {
	case d.Dir == ni.ToNI:
		n.fetched(n.messages[d.Arg])
	case d.Arg%purposes == forPointer:
		in := n.packets[d.Arg/purposes]
		if in.pointing = false; in.finished {
			n.release(in)
		} else if n.nic.Free().HostDMA {
			n.progress(in)
		}
	case d.Arg%purposes != forTranslation:
		in := n.packets[d.Arg/purposes]
		in.left--
		n.progress(in)
	}
}

func (in *incoming) piece(d *ni.DMA) *piece {
	for i := range in.pieces {
		if &in.pieces[i].DMA == d {
			return &in.pieces[i]
		}
	}
	panic("grim: a DMA of no piece")
}

// land writes the bytes of a piece to memory. Bytes of a packet that may still be damaged are not
// reported to the process yet.
func (in *incoming) land(n *Node, p *piece) {
	data := in.data()
	if data == nil {
		return // lost by a forward reset
	}
	to := in.process
	if in.entry != nil {
		to.Space().WriteAt(in.entry.at, data)
		n.nic.Host().Evict(to.Space(), in.entry.at, len(data))
		return
	}
	x := in.region()
	if x != nil && x.place != nil && !in.through {
		in.deliver(n, p.begin, p.end)
		return
	}
	if x == nil || x.place == nil {
		at := to.address(&in.header) + host.Addr(p.begin)
		to.Space().WriteAt(at, data[p.begin:p.end])
		n.nic.Host().Evict(to.Space(), at, p.end-p.begin)
	}
	if !in.through {
		in.deliver(n, p.begin, p.end)
	}
}

// announce reports to the process all bytes of a packet that was delivered while it arrived.
func (in *incoming) announce(n *Node) {
	if in.entry == nil && len(in.pieces) > 0 {
		in.deliver(n, 0, len(in.data()))
	}
}

// region returns the exported region that a message goes to, or nil.
func (in *incoming) region() *region {
	if _, number := split(in.header.Words[wordTo]); in.process != nil && in.header.Op != opActive && number > 0 {
		return in.process.regions[number-1]
	}
	return nil
}
