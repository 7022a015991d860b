package amii

import (
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Transmit stores a packet into the card's request queue.
func (e *Endpoint) Transmit(c *host.Context, p *calls.Packet, _ bool) error {
	to := e.Peers[p.Peer]
	if to == nil {
		return e.Errorf("no connection to node %d", p.Peer)
	}
	l := e.layer
	r := l.Request(p, *to)
	r.Inline, r.Space, r.From, r.Descriptor = true, e.Space(), p.Data, l.spec.DescriptorWords
	l.Program.Post(c, r, l.spec.Host.Send, host.Combining)
	return nil
}

// Look returns the oldest packet in the region.
func (e *Endpoint) Look(c *host.Context, requests bool) (calls.Packet, bool) {
	p, ok := e.Take(requests)
	if ok {
		c.Spend(e.layer.spec.Host.Receive)
	} else {
		c.Spend(e.layer.spec.Host.Poll)
	}
	return p, ok
}

// Done frees a packet's place in the region.
func (e *Endpoint) Done(p calls.Packet) { e.region(&p).free(p.Data) }

// Pause spins on the region.
func (e *Endpoint) Pause(c *host.Context, d sim.Duration) { e.Spin(c, d) }

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
