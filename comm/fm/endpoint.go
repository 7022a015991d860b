package fm

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func newEndpoint(n *Node, space *host.Space, tag trace.Tag) *Endpoint {
	ep := &Endpoint{
		Process: n.Process(space, tag), node: n, peers: make([]peer, n.Nodes),
	}
	places := int(n.credits) * max(1, n.Nodes-1)
	ep.ring = ring{base: space.Alloc(int64(places * n.place)), place: n.place, slots: make([]slot, places)}
	ep.words = space.Alloc(int64(8 * n.Nodes))
	ep.handlers[letters] = ep.mail
	return ep
}

// Poll extracts the packets that have arrived and returns their number.
func (e *Endpoint) Poll(c *host.Context) (packets int) {
	for e.extract(c) {
		packets++
	}
	return packets
}

// Due reports whether a packet has landed or a message waits.
func (e *Endpoint) Due() sim.Time {
	if s, _ := e.ring.next(); s != nil {
		return 0
	}
	for _, l := range e.mailbox.letters {
		if l.whole {
			return 0
		}
	}
	return sim.Never
}

// await extracts packets until ready; between them it spins.
func (e *Endpoint) await(c *host.Context, reason string, ready func() bool) error {
	for !ready() {
		if e.err != nil {
			return e.err
		}
		if !e.extract(c) && !ready() && e.err == nil {
			e.Await(c, reason)
		}
	}
	return nil
}

// creditWord returns the address of the credit word of a peer.
func (e *Endpoint) creditWord(from int) host.Addr { return e.words + host.Addr(8*from) }

// credited stores the credit that a peer has returned.
func (e *Endpoint) credited(from int, freed uint64) {
	p := &e.peers[from]
	if freed < p.freed || freed > p.sent {
		e.node.stats.Malformed++
		return
	}
	p.freed = freed
	e.Ring()
}

// returnCredit sends a peer the number of its packets taken, once half of its
// share of the ring is free again.
func (e *Endpoint) returnCredit(c *host.Context, to int) {
	p := &e.peers[to]
	if p.taken-p.credited < max(1, e.node.credits/2) {
		return
	}
	p.credited = p.taken
	n := e.node
	n.stats.Credits++
	r := n.Program.NewRequest()
	r.To, r.Op, r.Descriptor = int32(to), opCredit, n.spec.RequestWords
	r.Meta = trace.Meta{Tag: e.Tag(), Kind: trace.Credit}
	r.Words[wordHandler] = p.taken
	n.Program.Post(c, r, n.spec.Host.Packet, host.Combining)
}
