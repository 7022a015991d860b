package vmmc

import (
	"slices"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Words of the header that a data packet uses; the probe takes the rest.
const (
	wordHandle = iota
	wordOffset
)

// Flags of the header.
const (
	flagNotify  = ni.FirstProgramFlag << iota // notify once the packet is in host memory
	flagLast                                  // last packet of its message
	flagSwamped                               // of an acknowledgement: less than a quarter of the receive ring is free
)

// link returns the link to a peer.
func (n *Node) link(peer int32) *link {
	b := n.links[uint32(peer)/linkBlock]
	if b == nil {
		b = new([linkBlock]link)
		n.links[uint32(peer)/linkBlock] = b
	}
	return &b[uint32(peer)%linkBlock]
}

// oldest returns the sequence number of the oldest unacknowledged packet, or next if there is none.
func (l *link) oldest() uint32 { return l.next - uint32(l.unacked) }

func (l *link) inFlight() int { return int(l.claimed) + int(l.unacked) }

// deposited notes that packet seq of a peer is in host memory, and advances done over all packets
// before which none is missing. Second copies, made by forward resets, change nothing.
func (n *Node) deposited(l *link, peer int32, seq uint32) {
	if int32(seq-l.done) < 0 {
		return // a forward reset has caused a second copy
	}
	if seq != l.done {
		if e := (early{peer, seq}); !slices.Contains(n.early, e) { // likewise
			n.early = append(n.early, e)
		}
		return
	}
	l.done++
	// What has overtaken this packet may follow on at once. The list is short, so it is searched anew.
	for i := 0; i < len(n.early); i++ {
		if e := n.early[i]; e.peer == peer && e.seq == l.done {
			l.done++
			n.early = append(n.early[:i], n.early[i+1:]...)
			i = -1
		}
	}
}

// transmit sends a packet. A new packet gets the next sequence number and joins the unacknowledged
// ones; a repeated packet keeps its number.
func (n *Node) transmit(o *outgoing, again bool) {
	l := n.link(o.Peer)
	if !again {
		o.seq = l.next
		l.next++
		l.claimed--
		if l.unacked == 0 {
			n.watch(l, o.Peer)
			l.first = o.slot
		} else {
			n.outs[l.last].after = o.slot
		}
		l.last = o.slot
		l.unacked++
		n.stats.Packets++
	}
	net := n.nic.Net()
	p := net.NewPacket()
	p.Src, p.Dst = int32(n.nic.ID()), o.Peer
	h := &p.Header
	h.Meta = o.Meta
	h.Seq = o.seq
	h.Words[wordHandle], h.Words[wordOffset] = uint64(o.handle), uint64(o.offset)
	h.Flags = o.flags
	if again {
		h.Flags |= ni.FlagRepeated
	}
	switch {
	case int(o.Bytes) > inlineMax && o.owner().described.Bytes > 0:
		p.Describe(o.owner().described)
	case n.nic.Free().NetDMA: // packets that are sent again may come after newer ones, and are deposited
		copy(p.Payload(int(o.Bytes)), o.data())
	default:
		net.Lend(p, o.data()) // of what comes again the data is not read
	}
	p.WireBytes = n.spec.HeaderBytes + int(o.Bytes)
	n.wire.Add(o.slot)
	o.sentAt = n.nic.Now()
	o.again = again
	o.Keep = int32(n.cost.Keep)
	n.nic.Send(p, &o.Record)
	if !n.timing {
		n.arm()
	}
}

func (n *Node) arm() {
	n.timing = true
	n.nic.SetTimer(n.nic.Now().Add(n.spec.Retransmit))
}

// giveUp is how many successive timeouts end a link: its peer has gone, or
// corruption that CRC-8 did not detect has made the two ends disagree. The engine
// can then report the waiting programs as stuck, which endless timers would
// prevent.
const giveUp = 100

// Timer repeats the packets of links whose oldest packet is overdue and not in the S engine. The
// timeout doubles with each silence, up to BackoffLimit times; a link is dead after giveUp of them.
func (n *Node) Timer() {
	n.nic.Spend(n.cost.Timer)
	n.timing = false
	now := n.nic.Engine().Now()
	for i := 0; i < len(n.live); i++ {
		peer := n.live[i]
		l := n.link(peer)
		due := n.outs[l.first].sentAt.Add(n.spec.Retransmit << min(int(l.silent), n.spec.BackoffLimit))
		if due > now || n.wire.Has(l.first) {
			continue
		}
		// A dead link sends nothing more by itself. It lives again if its peer acknowledges something.
		if l.silent == giveUp {
			n.stats.GivenUp++
			n.unwatch(l)
			l.dead = true
			i--
			continue
		}
		n.stats.Timeouts++
		if l.silent++; n.spec.RerouteAfter > 0 && int(l.silent) >= n.spec.RerouteAfter {
			n.reroute(peer)
		}
		n.repeat(l, l.oldest())
	}
	if len(n.live) > 0 {
		n.arm()
	}
}

// reroute looks for another route to a silent peer, if there is one. The network
// is managed on demand (userspace, Table 1): only the routes of this pair change.
func (n *Node) reroute(peer int32) {
	net, me := n.nic.Net(), n.nic.ID()
	if net.Ways(me, int(peer)) == 1 {
		return
	}
	probes, found := net.Reroute(me, int(peer))
	n.nic.Spend(probes * n.cost.RouteProbe)
	if found && probes > 1 {
		n.stats.Rerouted++
	}
}

// repeat sends the unacknowledged packets of a link again, in order, from seq on, up to the first
// that is still in the S engine.
func (n *Node) repeat(l *link, seq uint32) {
	// Packets below seq are only followed, to find the first that is sent again.
	slot := l.first
	for i := range uint32(l.unacked) {
		if int32(l.oldest()+i-seq) < 0 {
			slot = n.outs[slot].after
			continue
		}
		if n.wire.Has(slot) {
			return // this one and later ones have not left yet
		}
		n.nic.Spend(n.cost.Retransmit)
		n.stats.Retransmitted++
		n.transmit(n.outs[slot], true)
		slot = n.outs[slot].after
	}
}

// control sends an acknowledgement, or a NACK that asks for all packets from l.expected on. Both
// acknowledge the packets below l.done, which are in host memory.
func (n *Node) control(kind trace.Kind, l *link, peer int32, actor waits.ID) {
	n.nic.Serves(actor)
	n.nic.Spend(n.cost.BuildAck)
	p := n.nic.Net().NewPacket()
	p.Src, p.Dst = int32(n.nic.ID()), peer
	p.Header.Meta.Kind, p.Actor = kind, actor
	// Seq asks for packets again, Ack frees the sender's buffers: accepted is not yet deposited.
	p.Header.Seq, p.Header.Ack = l.expected, l.done
	if n.throttle.paces != nil && n.nic.Crowded() {
		p.Header.Flags |= flagSwamped
	}
	p.WireBytes = n.spec.ControlBytes
	n.nic.Send(p, nil)
}

func (n *Node) acknowledge(l *link, due ackDue) {
	n.stats.Acks++
	n.control(trace.Ack, l, due.peer, due.actor)
}

// owe acknowledges a peer's packets now, or, if the S engine is busy, as soon as it is free. One
// acknowledgement a link waits; it covers all that has come by then.
func (n *Node) owe(l *link, peer int32) {
	if l.ackDue {
		return
	}
	due := ackDue{peer, n.nic.Answer(trace.Ack, peer)}
	if n.nic.Sending() && !n.nic.Free().NetDMA {
		l.ackDue = true
		n.acksDue = append(n.acksDue, due)
		n.nic.AwaitSend()
		return
	}
	n.acknowledge(l, due)
}

// acked handles the acknowledgement in a control packet. One of packets that were never sent is
// malformed.
func (n *Node) acked(l *link, p *fabric.Packet) {
	n.nic.Spend(n.cost.TakeAck)
	ack := p.Header.Ack
	// Sequence numbers wrap: their order is the sign of their difference.
	if int32(ack-l.next) > 0 { // of what has not been sent
		n.stats.Malformed++
		return
	}
	n.adjust(p.Src, ack, p.Header.Flags&flagSwamped != 0)
	n.free(l, p.Src, ack)
}

// free releases the buffers of the packets below ack, oldest first. A packet that is just being
// repeated stops it; ackedBehind notes how many more are acknowledged, and Sent releases them.
// Invariant: oldest() + unacked = next.
func (n *Node) free(l *link, peer int32, ack uint32) {
	oldest, freed, again := l.oldest(), 0, false
	for freed < int(l.unacked) && int32(ack-oldest)-int32(freed) > 0 {
		slot := l.first
		if n.wire.Has(slot) {
			again = true
			l.ackedBehind = uint16(int32(ack-oldest) - int32(freed))
			break
		}
		if freed+1 < int(l.unacked) { // else it is not known, and the packet's memory need not be read
			l.first = n.outs[slot].after
		}
		if n.nic.Logs() {
			n.nic.Forget(&n.outs[slot].Record)
		}
		if n.shared.Has(slot) {
			n.release(slot)
		} else {
			n.held--
			n.outFree = append(n.outFree, slot)
		}
		freed++
	}
	if freed == 0 {
		return
	}
	l.silent = 0
	l.unacked -= uint16(freed)
	if !again {
		l.ackedBehind -= min(l.ackedBehind, uint16(freed))
	}
	if l.dead { // it answers again
		l.dead = false
		n.watch(l, peer)
		if !n.timing {
			n.arm()
		}
	}
	if l.unacked == 0 {
		l.ackedBehind = 0
		n.unwatch(l)
	}
	if len(n.stalled) > 0 {
		n.resume()
	}
}

// watch adds a link to those that the timer checks.
func (n *Node) watch(l *link, peer int32) {
	l.live = uint16(len(n.live))
	n.live = append(n.live, peer)
}

func (n *Node) unwatch(l *link) {
	// The last link takes the place: the order of live does not matter.
	end := len(n.live) - 1
	if last := n.live[end]; int(l.live) < end {
		n.live[l.live] = last
		n.link(last).live = l.live
	}
	n.live = n.live[:end]
}
