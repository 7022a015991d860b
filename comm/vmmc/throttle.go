package vmmc

import "github.com/sigview/sigview/sim"

// Throttling of senders that swamp a port. An interface that has less than a quarter
// of its receive ring free says so in its acknowledgements. A sender then halves the number of
// packets that it keeps in flight to that peer, at most once for the packets in flight,
// and adds one after as many acknowledgements as it may keep in flight that do not
// say so. Requests to other peers pass those that have to wait. Packets then wait in
// the sender's memory instead of the network, where they block those of others.
//
// The flag has a free bit in the header. The cycles and the quarter are assumed.
const (
	paceCycles = 10 // of an acknowledgement: its flag, the count, the limit
	scanCycles = 4  // of each request passed over
)

// pace is how many packets a node keeps in flight to a peer.
type pace struct {
	limit uint16 // 0: Spec.Window
	good  uint16 // acknowledgements since the limit has changed
	cut   uint32 // sequence number up to which packets were sent before the last cut
}

// Swamped is a peer whose interface a node has swamped.
type Swamped struct {
	At    sim.Time // when it was first told so
	Peer  int
	Cuts  int // of the number of packets in flight
	Least int // packets in flight
}

// throttle is a node's part of throttling.
type throttle struct {
	limited int    // peers with a limit
	paces   []pace // by peer; nil: off
	found   []Swamped
}

// paceBytes is the SRAM that the state for a peer takes.
const paceBytes = 8

// Throttle makes the node keep fewer packets in flight to swamped peers.
func (n *Node) Throttle() error {
	n.throttle.paces = make([]pace, n.nodes)
	return n.nic.SRAM().Reserve("paces", n.nodes*paceBytes)
}

// Swamped returns the peers that the node has swamped, in the order of the findings.
func (n *Node) Swamped() []Swamped { return n.throttle.found }

// window returns how many packets may be in flight to a peer.
func (n *Node) window(peer int32) int {
	if n.throttle.limited > 0 && n.throttle.paces[peer].limit > 0 {
		return int(n.throttle.paces[peer].limit)
	}
	return n.spec.Window
}

// adjust halves the number of packets in flight to a peer whose acknowledgement says that its
// receive ring is nearly full. After a window of good acknowledgements it raises the number by one.
// Packets below ack are acknowledged; a limit is cut at most once a window.
func (n *Node) adjust(peer int32, ack uint32, swamped bool) {
	t := &n.throttle
	if t.paces == nil {
		return
	}
	n.nic.Spend(paceCycles)
	p := &t.paces[peer]
	switch {
	case swamped && (p.limit == 0 || int32(ack-p.cut) > 0):
		if p.limit == 0 {
			t.limited++
			p.limit = uint16(min(n.spec.Window, n.link(peer).inFlight()))
		}
		p.limit = max(1, p.limit/2)
		p.good, p.cut = 0, n.link(peer).next
		t.note(n.nic.Now(), int(peer), int(p.limit))
	case !swamped && p.limit > 0:
		if p.good++; p.good < p.limit {
			return
		}
		p.good = 0
		if p.limit++; int(p.limit) >= n.spec.Window {
			p.limit = 0
			t.limited--
		}
	}
}

// note records that the limit for a peer was cut.
func (t *throttle) note(at sim.Time, peer, limit int) {
	i := 0
	for i < len(t.found) && t.found[i].Peer != peer {
		i++
	}
	if i == len(t.found) {
		t.found = append(t.found, Swamped{At: at, Peer: peer, Least: limit})
	}
	t.found[i].Cuts++
	t.found[i].Least = min(t.found[i].Least, limit)
}

// eligible returns the position in the queue of the oldest request whose peer has room in its
// window, or -1. It is 0 for an empty queue. No request overtakes a multicast.
func (n *Node) eligible() int {
	if n.throttle.limited == 0 || n.queue.Len() == 0 {
		return 0
	}
	for i := range n.queue.Len() {
		m := *n.queue.At(i)
		if len(m.copies()) > 0 {
			if i > 0 {
				return -1
			}
			return 0
		}
		if n.link(m.peer).inFlight() < n.window(m.peer) {
			return i
		}
	}
	return -1
}
