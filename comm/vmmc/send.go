package vmmc

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

const pageBytes = host.PageBytes

// message is a send request, in the queue and then in progress.
type message struct {
	peer   int32
	handle uint32    // of the import
	offset int       // within the export
	local  host.Addr // of the data, unless it is inline
	bytes  int
	sent   int // bytes handed to packets
	meta   trace.Meta
	notify bool
	seen   sim.Time // when the processor first saw the request
	from   *Endpoint
	frame  []byte // the data, when it is not read from memory
	inline [inlineMax]byte
}

// inlineMax bounds Spec.InlineBytes so that a message needs no allocation.
const inlineMax = 64

// outgoing is an SRAM send buffer: a packet from its DMA to its acknowledgement.
type outgoing struct {
	ni.Record
	dma    ni.DMA
	slot   uint32
	seq    uint32
	msg    *message // until injected
	last   bool     // of its message
	data   []byte
	handle uint32
	offset int
	flags  uint8
	tries  int
	sentAt sim.Time
}

// Ready reports whether the control program takes up another message.
func (n *Node) Ready() bool {
	return (n.active < n.spec.SendSlots || n.nic.Free().Slots) && len(n.stalled) == 0
}

// Request takes up the oldest request.
func (n *Node) Request() {
	m := n.queue.pop()
	if n.queue.len() <= n.nic.Spec().RequestSlots*3/4 {
		n.room.Fire()
	}
	n.active++
	n.stats.Messages++
	n.nic.Spend(n.cost.TakeRequest)
	n.advance(m)
}

// advance sends the next packet of m, or lets m wait for room.
func (n *Node) advance(m *message) {
	l := &n.links[m.peer]
	if l.inFlight() >= n.spec.Window || len(n.outFree) == 0 && len(n.outs) == n.spec.SendBuffers {
		n.stalled = append(n.stalled, m)
		n.stats.WindowStalls++
		return
	}
	o := n.claim()
	size := n.pieceOf(m)
	o.Record = ni.Record{Meta: m.meta, Peer: m.peer, Bytes: int32(size), First: m.sent == 0}
	o.msg, o.handle, o.offset = m, m.handle, m.offset+m.sent
	o.tries = 0
	start := m.sent
	m.sent += size
	o.last = m.sent == m.bytes
	o.flags = 0
	if o.last {
		o.flags |= flagLast
	}
	if m.notify && o.last {
		o.flags |= flagNotify
	}
	if o.First {
		o.flags |= ni.FlagFirst
	}
	o.data = o.data[:size]
	l.claimed++
	if p := n.nic.Probe(); p != nil {
		p.Requested(&o.Record, min(m.seen, n.nic.Now()))
	}
	n.nic.Spend(n.cost.BuildHeader)
	if m.bytes <= n.spec.InlineBytes {
		copy(o.data, m.inline[start:m.sent])
		n.nic.Spend(n.cost.InlineData)
		o.Ready = n.nic.Now()
		n.fetched(o, o.Ready)
		return
	}
	n.translate(&n.source, m.from.id, m.local+host.Addr(start))
	o.dma.Dir, o.dma.Bytes, o.dma.Arg = ni.ToNI, size, uint64(o.slot)
	n.nic.HostDMA(&o.dma)
}

// pieceOf returns the size of the next packet of m: packets end at the page
// borders of both sides, because each needs one translation per side.
func (n *Node) pieceOf(m *message) int {
	size := min(m.bytes-m.sent, n.spec.PacketBytes)
	if m.bytes <= n.spec.InlineBytes {
		return min(size, pageBytes-(m.offset+m.sent)%pageBytes)
	}
	size = min(size, pageBytes-int(m.local+host.Addr(m.sent))%pageBytes)
	return min(size, pageBytes-(m.offset+m.sent)%pageBytes)
}

// fetched goes on when a packet's data is in SRAM: the S engine, then the next
// packet of the message, whose DMA does not wait for this one's injection.
func (n *Node) fetched(o *outgoing, at sim.Time) {
	if p := n.nic.Probe(); p != nil {
		p.Fetched(&o.Record, at)
	}
	n.transmit(o, false)
	m := o.msg
	if !o.last {
		n.nic.Spend(n.cost.NextPacket)
		n.advance(m)
	}
}

// Sent ends a packet's insertion.
func (n *Node) Sent(arg uint64, at sim.Time) {
	o := n.outs[arg]
	if p := n.nic.Probe(); p != nil && o.tries == 1 {
		p.Injected(&o.Record, at)
	}
	n.nic.Spend(n.cost.Injected)
	n.wire.remove(o.slot)
	if o.msg != nil {
		if o.last {
			n.active--
			n.msgFree = append(n.msgFree, o.msg)
		}
		o.msg = nil
	}
	n.SendIdle()
}

// SendIdle sends the acknowledgements that waited for the S engine.
func (n *Node) SendIdle() {
	if len(n.owed) > 0 && !n.nic.Sending() {
		peer := n.owed[0]
		n.owed = append(n.owed[:0], n.owed[1:]...)
		n.links[peer].owed = false
		n.acknowledge(peer)
	}
}

// resume lets stalled messages go on as far as there is room.
func (n *Node) resume() {
	for len(n.stalled) > 0 {
		m := n.stalled[0]
		before := len(n.stalled)
		n.stalled = append(n.stalled[:0], n.stalled[1:]...)
		n.advance(m)
		if len(n.stalled) == before { // put back at the end: no room yet
			copy(n.stalled[1:], n.stalled)
			n.stalled[0] = m
			n.stats.WindowStalls--
			return
		}
	}
}

// claim returns a free send buffer.
func (n *Node) claim() *outgoing {
	if k := len(n.outFree); k > 0 {
		o := n.outs[n.outFree[k-1]]
		n.outFree = n.outFree[:k-1]
		return o
	}
	o := &outgoing{slot: uint32(len(n.outs)), data: make([]byte, 0, n.spec.PacketBytes)}
	n.outs = append(n.outs, o)
	return o
}
