package amii

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
)

// Connect tells an endpoint the names and keys of its peers, by node; those of
// nodes that take no part are nil.
func (e *Endpoint) Connect(peers []comm.Endpoint, most int) error {
	return library.Peers(&e.Process, peers, func(peer *Endpoint) error {
		e.peers[peer.Node()] = peer
		return nil
	})
}

// Transmit stores a packet into the card's request queue.
func (e *Endpoint) Transmit(c *host.Context, p *calls.Packet, _ bool) error {
	to := e.peers[p.Peer]
	if to == nil {
		return e.Errorf("no connection to node %d", p.Peer)
	}
	l := e.layer
	r := l.program.NewRequest()
	r.To, r.Bytes, r.Meta, r.Op, r.Order = int32(p.Peer), p.Carries(), p.Meta, uint8(p.Op), p.Seq
	r.Words = p.Words(to.address)
	r.Inline, r.Space, r.From, r.Descriptor = true, e.Space(), p.Data, l.spec.DescriptorWords
	l.program.Post(c, r, l.spec.Host.Send, true)
	return nil
}

// Look looks into the region.
func (e *Endpoint) Look(c *host.Context, requests bool) (calls.Packet, bool) {
	p, ok := e.arrivals.Take(requests)
	if ok {
		c.Spend(e.layer.spec.Host.Receive)
	} else {
		c.Spend(e.layer.spec.Host.Poll)
	}
	return p, ok
}

// Done frees a packet's place in the region.
func (e *Endpoint) Done(p calls.Packet) { e.region(&p).free(p.Data) }

// OnArrival sets what runs when a packet comes for the process.
func (e *Endpoint) OnArrival(f func()) { e.arrivals.OnArrival(f) }

// Due says when the process has to look: at once for what has come, or when a
// request has to be sent again.
func (e *Endpoint) Due() sim.Time {
	if e.arrivals.Len() > 0 {
		return 0
	}
	return e.Deadline()
}

// Pause spins on the region.
func (e *Endpoint) Pause(c *host.Context, d sim.Duration) { e.arrivals.Spin(c, d) }

func (e *Endpoint) region(p *calls.Packet) *region {
	if p.Op.Reply() {
		return e.regions[1]
	}
	return e.regions[0]
}

func newRegion(space *host.Space, size, places int) *region {
	size = (size + host.PageBytes - 1) &^ (host.PageBytes - 1)
	return &region{at: space.Alloc(int64(size) * int64(places)), size: size, places: places}
}

// claim takes a place, if there is one.
func (r *region) claim() (host.Addr, bool) {
	if k := len(r.spare); k > 0 {
		at := r.spare[k-1]
		r.spare = r.spare[:k-1]
		return at, true
	}
	if r.used == r.places {
		return 0, false
	}
	r.used++
	return r.at + host.Addr((r.used-1)*r.size), true
}

func (r *region) free(at host.Addr) { r.spare = append(r.spare, at) }
