package vmmc

import (
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/trace"
)

// Words of the header that a data packet uses; the probe takes the rest.
const (
	wordHandle = iota
	wordOffset
)

// Flags of the header.
const (
	flagNotify = ni.FirstProgramFlag << iota // notify once the packet is in host memory
	flagLast                                 // last packet of its message
)

// link is the data-link protocol's state for one peer, both directions. It is
// go-back-N: the receiver takes packets in sequence only, acknowledges
// cumulatively, and asks once for the first packet of a gap.
type link struct {
	// Sender: unacknowledged packets in sequence, oldest first.
	unacked []*outgoing
	claimed int    // send buffers held and not yet given a sequence number
	next    uint32 // of the next packet
	backoff int

	// Receiver.
	expected uint32   // first sequence number that has not been accepted
	done     uint32   // first sequence number that has not been deposited
	ahead    []uint32 // deposited before an earlier one: only when host DMAs do not wait for one another
	asked    bool     // a gap has been reported
	owed     bool     // an acknowledgement waits for the S engine
}

// deposited notes that a packet is in host memory.
func (l *link) deposited(seq uint32) {
	if seq != l.done {
		l.ahead = append(l.ahead, seq)
		return
	}
	l.done++
	for i := 0; i < len(l.ahead); i++ {
		if l.ahead[i] == l.done {
			l.done++
			l.ahead = append(l.ahead[:i], l.ahead[i+1:]...)
			i = -1
		}
	}
}

func (l *link) claim(*outgoing) { l.claimed++ }

func (l *link) inFlight() int { return l.claimed + len(l.unacked) }

// transmit gives a packet its sequence number and hands it to the S engine; a
// repeated packet keeps the number it has.
func (n *Node) transmit(o *outgoing, again bool) {
	l := &n.links[o.Peer]
	if !again {
		o.seq = l.next
		l.next++
		l.claimed--
		if len(l.unacked) == 0 {
			n.live = append(n.live, o.Peer)
		}
		l.unacked = append(l.unacked, o)
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
	copy(p.Payload(len(o.data)), o.data)
	p.Cookie = uint64(o.slot)
	p.WireBytes = n.spec.HeaderBytes + len(o.data)
	o.onWire = true
	o.sentAt = n.nic.Now()
	o.tries++
	if again {
		n.nic.Send(p, nil)
	} else {
		n.nic.Send(p, &o.Record)
	}
	if !n.timing {
		n.arm()
	}
}

func (n *Node) arm() {
	n.timing = true
	n.nic.SetTimer(n.nic.Now().Add(n.timeout))
}

// Timer sends again what is overdue and has left the S engine.
func (n *Node) Timer() {
	n.nic.Spend(n.cost.Timer)
	n.timing = false
	now := n.nic.Engine().Now()
	for _, peer := range n.live {
		l := &n.links[peer]
		due := l.unacked[0].sentAt.Add(n.timeout << l.backoff)
		if due <= now && !l.unacked[0].onWire {
			n.stats.Timeouts++
			if l.backoff < n.spec.BackoffLimit {
				l.backoff++
			}
			n.repeat(l, l.unacked[0].seq)
		}
	}
	if len(n.live) > 0 {
		n.arm()
	}
}

// repeat sends the unacknowledged packets of a link again, in order, from seq on.
func (n *Node) repeat(l *link, seq uint32) {
	for _, o := range l.unacked {
		if int32(o.seq-seq) < 0 {
			continue
		}
		if o.onWire {
			return // this one and those behind it have not left yet
		}
		n.nic.Spend(n.cost.Retransmit)
		n.stats.Retransmitted++
		n.transmit(o, true)
	}
}

// control sends an acknowledgement, or a request to send again from the first
// packet that has not been accepted. Both acknowledge what has been deposited.
func (n *Node) control(kind trace.Kind, peer int32) {
	n.nic.Spend(n.cost.BuildAck)
	p := n.nic.Net().NewPacket()
	p.Src, p.Dst = int32(n.nic.ID()), peer
	p.Header.Meta.Kind = kind
	p.Header.Seq, p.Header.Ack = n.links[peer].expected, n.links[peer].done
	p.WireBytes = n.spec.ControlBytes
	n.nic.Send(p, nil)
}

func (n *Node) acknowledge(peer int32) {
	n.stats.Acks++
	n.control(trace.Ack, peer)
}

// owe acknowledges a peer as soon as the S engine is free.
func (n *Node) owe(peer int32) {
	l := &n.links[peer]
	if l.owed {
		return
	}
	if n.nic.Sending() && !n.nic.Free().NetDMA {
		l.owed = true
		n.owed = append(n.owed, peer)
		n.nic.AwaitSend()
		return
	}
	n.acknowledge(peer)
}

// acked frees every packet below seq.
func (n *Node) acked(p *fabric.Packet) {
	n.nic.Spend(n.cost.TakeAck)
	l := &n.links[p.Src]
	freed := 0
	for freed < len(l.unacked) && int32(p.Header.Ack-l.unacked[freed].seq) > 0 && !l.unacked[freed].onWire {
		n.outFree = append(n.outFree, l.unacked[freed].slot)
		freed++
	}
	if freed == 0 {
		return
	}
	l.backoff = 0
	l.unacked = append(l.unacked[:0], l.unacked[freed:]...)
	if len(l.unacked) == 0 {
		for i, peer := range n.live {
			if peer == p.Src {
				n.live = append(n.live[:i], n.live[i+1:]...)
				break
			}
		}
	}
	n.resume()
}
