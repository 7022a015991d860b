package calls

import (
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
)

// Arrivals are the packets that have come for an endpoint and that its library
// has not handled: replies and requests apart.
type Arrivals struct {
	replies, requests ring.Ring[Packet]
	library.Bell
}

// Add is the arrival of a packet. Anyone may call it.
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

// Len returns how many wait.
func (a *Arrivals) Len() int { return a.replies.Len() + a.requests.Len() }

// Spin waits until something has come, for at most d when that is not 0. A program
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

// Block is Spin without the CPU. It reports whether it has given the CPU up.
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
