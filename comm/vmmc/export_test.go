package vmmc

import (
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// StartSequence makes from's packets to to begin at seq.
func StartSequence(from, to *Node, seq uint32) {
	from.link(int32(to.nic.ID())).next = seq
	l := to.link(int32(from.nic.ID()))
	l.expected, l.done = seq, seq
}

// Limit returns how many packets a node may have in flight to a peer.
func Limit(n *Node, peer int) int { return n.window(int32(peer)) }

// Forge lets a packet arrive at n that the control program of the other node
// has not made. It reports whether there was room for it.
func Forge(n *Node, from int, kind trace.Kind, seq, ack uint32, handle, offset uint64, data []byte) bool {
	if !n.nic.Accept(nil) {
		return false
	}
	p := n.nic.Net().NewPacket()
	p.Src, p.Dst = int32(from), int32(n.nic.ID())
	p.Header = fabric.Header{Meta: trace.Meta{Kind: kind}, Seq: seq, Ack: ack}
	p.Header.Words[wordHandle], p.Header.Words[wordOffset] = handle, offset
	copy(p.Payload(len(data)), data)
	p.WireBytes = n.spec.HeaderBytes + len(data)
	n.nic.Arrived(p)
	return true
}

// ID returns the number that packets name the export by.
func (x *Export) ID() uint64 { return uint64(x.id) }

// Early returns how many deposits a node remembers because an earlier one of their sender is
// missing.
func Early(n *Node) int { return len(n.early) }

// Arriving returns how many records of arriving packets a node has made.
func Arriving(n *Node) int { return len(n.inbound) }

// Requests returns how long the request queue is.
func (n *Node) Requests() int { return n.queue.Len() }

// TLB lets a test look at translations.
type TLB struct{ tlb }

// NewTLB returns an empty one.
func NewTLB(entries int) *TLB { return &TLB{newTLB(entries)} }

// Lookup looks the page of an address up and caches it.
func (t *TLB) Lookup(space uint32, addr uint64) bool { return t.lookup(space, host.Addr(addr)) }
