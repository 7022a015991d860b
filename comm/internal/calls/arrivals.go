package calls

import (
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Arrivals holds the packets that have arrived for an endpoint and are not
// handled, replies and requests separately.
type Arrivals struct {
	replies, requests ring.Ring[Packet]
	library.Bell
}

// Add adds an arrived packet. Any caller may use it.
func (a *Arrivals) Add(p Packet) {
	if p.Op.Reply() {
		a.replies.Push(p)
	} else {
		a.requests.Push(p)
	}
	a.Ring()
}

// Take returns the oldest reply or, with requests and no reply, the oldest
// request.
func (a *Arrivals) Take(requests bool) (p Packet, ok bool) {
	q := &a.replies
	if q.Len() == 0 && requests {
		q = &a.requests
	}
	if q.Len() == 0 {
		return p, false
	}
	return q.Pop(), true
}

// Len returns the number of packets.
func (a *Arrivals) Len() int { return a.replies.Len() + a.requests.Len() }

// Spin waits until a packet has arrived, for at most d if that is not 0. A program
// keeps the CPU.
func (a *Arrivals) Spin(c *host.Context, d sim.Duration) {
	switch {
	case a.Len() > 0:
	case c.Shares().Level == host.Handler: // lets programs of its host run
		a.Block(c, d)
	case d > 0:
		c.SpinFor(&a.Watch, d, "a message")
	default:
		c.Spin(&a.Watch, "a message")
	}
}

// Block is Spin that yields the CPU. It reports whether it has yielded it.
func (a *Arrivals) Block(c *host.Context, d sim.Duration) bool {
	switch {
	case a.Len() > 0:
		return false
	case d > 0:
		c.BlockFor(&a.Watch, d, "a message")
	default:
		c.Block(&a.Watch, "a message")
	}
	return true
}
