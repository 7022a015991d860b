package fm

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Stats returns the counters.
func (n *Node) Stats() Stats { return n.stats }

// Open gives a process access. Version 2.02 serves one per node; of version
// 2.1 processes of a node must have different tags.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	for _, ep := range n.endpoints {
		if n.spec.Version == single {
			return nil, fmt.Errorf("fm: node %d: a process has the interface, and version %s serves one", n.NIC.ID(), single)
		}
		if ep.Tag() == tag {
			return nil, fmt.Errorf("fm21: node %d: a process with tag %d has access already", n.NIC.ID(), tag)
		}
	}
	ep := newEndpoint(n, space, tag)
	n.endpoints = append(n.endpoints, ep)
	return ep, nil
}

// owner returns the process that a packet is for, or nil.
func (n *Node) owner(tag trace.Tag) *Endpoint {
	for _, ep := range n.endpoints {
		if n.spec.Version == single || ep.Tag() == tag {
			return ep
		}
	}
	return nil
}

// Counts returns the counts of losses.
func (n *Node) Counts() []comm.Count {
	s := &n.stats
	return append(n.Losses(),
		comm.Count{Name: "refused", N: s.Refused, Loss: true}, comm.Count{Name: "malformed", N: s.Malformed, Loss: true},
		comm.Count{Name: "overflow", N: s.Overflow, Loss: true}, comm.Count{Name: "unhandled", N: s.Unhandled, Loss: true},
		comm.Count{Name: "unread", N: s.Unread})
}

// maxMessage bounds the length in a header; a greater one is damage.
const maxMessage = min(1<<32, math.MaxInt)

// Arrived finds the process and gives the packet the next place of its ring or,
// if it returns credit, the word of its sender.
func (n *Node) Arrived(p *fabric.Packet) firmware.Target {
	h := &p.Header
	drop := firmware.Target{Action: firmware.Drop}
	if !h.Meta.Kind.CarriesRequest() || h.Op > opCredit || p.Src < 0 || int(p.Src) >= n.Nodes || p.Bytes() > n.spec.Firmware.PacketBytes {
		n.stats.Malformed++
		return drop
	}
	ep := n.owner(h.Meta.Tag)
	if ep == nil {
		n.stats.Refused++
		return drop
	}
	into := firmware.Target{Action: firmware.Deposit, Space: ep.Space(), HeaderBytes: n.spec.LandingBytes}
	if h.Op == opCredit {
		into.At = ep.creditWord(int(p.Src))
		return into
	}
	place, ok := ep.ring.claim()
	if !ok {
		n.stats.Overflow++
		return drop
	}
	h.Words[wordPlace] = place
	into.At = ep.ring.at(place)
	return into
}

// Landed makes the packet visible to the library.
func (n *Node) Landed(p *fabric.Packet) {
	h := &p.Header
	ep := n.owner(h.Meta.Tag)
	if h.Op == opCredit {
		ep.credited(int(p.Src), h.Words[wordHandler])
		return
	}
	at := ep.ring.at(h.Words[wordPlace])
	n.NIC.Host().Evict(ep.Space(), at, p.Bytes()+n.spec.LandingBytes)
	*ep.ring.slot(h.Words[wordPlace]) = slot{
		landed: true, from: int(p.Src), order: h.Seq, handler: uint8(h.Words[wordHandler]), message: h.Words[wordLength],
		offset: h.Words[wordOffset], bytes: p.Bytes(),
	}
	ep.Ring()
}

// Lost handles a lost packet. The library detects the gap when another packet of
// the same sender arrives. A packet that had a place in the ring when it was
// flushed leaves a hole there.
func (n *Node) Lost(p *fabric.Packet, why firmware.Loss) {
	h := &p.Header
	if why == firmware.Damaged || h.Op == opCredit {
		return
	}
	n.stats.Holes++
	ep := n.owner(h.Meta.Tag)
	*ep.ring.slot(h.Words[wordPlace]) = slot{landed: true, lost: true, from: int(p.Src)}
	ep.Ring()
}

// Credits returns how many packets a process may send to another before the
// other's library has taken any.
func (n *Node) Credits() uint64 { return n.credits }

// Build loads the layer into a card. Every sender has at least two places of a
// receiver's ring, whatever the region's size.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	place := s.place(card.Host().Spec().CacheLine)
	share := max(2, s.RegionBytes/place/max(1, nodes-1))
	n := &Node{spec: *s, place: place, credits: uint64(share)}
	return n, n.Load(card, s.Traits(), nodes, s.Firmware, n)
}
