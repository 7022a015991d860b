package calls

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Undeliverable is the error of requests that had no reply after all tries or
// were refused. It is not known whether they were handled.
type Undeliverable struct {
	Layer    string
	To       int
	Requests int // that came back
	Tries    int // of each; 0: they were refused
}

// Error names the peer and how often the request was sent.
func (u *Undeliverable) Error() string {
	why := fmt.Sprintf("had no reply after %d tries", u.Tries)
	if u.Tries == 0 {
		why = "were refused"
	}
	return fmt.Sprintf("%s: %d requests to node %d %s and were returned", u.Layer, u.Requests, u.To, why)
}

// watch sets the time at which the oldest request to a peer times out, unless it is set.
func (e *Endpoint) watch(l *link, now sim.Time) {
	switch {
	case l.base == l.next:
		l.deadline, l.tries = sim.Never, 0
	case l.deadline == sim.Never:
		l.deadline = now.Add(e.spec.Timeout << l.tries)
	}
	e.due = min(e.due, l.deadline)
}

// repeat sends timed-out requests again and returns how many it gave up.
func (e *Endpoint) repeat(c *host.Context) int {
	if c.Now() < e.due {
		return 0
	}
	e.due = sim.Never
	n := 0
	for _, l := range e.links {
		if l == nil {
			continue
		}
		if c.Now() >= l.deadline {
			n += e.expire(c, l)
		}
		e.due = min(e.due, l.deadline)
	}
	return n
}

// expire handles a timeout: it sends the whole window again, in order, because
// the receiver accepts nothing after a gap.
func (e *Endpoint) expire(c *host.Context, l *link) int {
	e.stats.Timeouts++
	l.tries++
	if l.tries >= e.spec.Tries {
		return e.giveUp(c, l)
	}
	if e.spec.Silent != nil {
		e.spec.Silent(c, l.peer, l.tries)
	}
	for seq := l.base; seq != l.next; seq++ {
		if k := l.at(seq); !k.settled {
			e.again(c, &k.Packet)
		}
	}
	l.deadline = sim.Never
	e.watch(l, c.Now())
	return 0
}

// again sends a packet again. It has been sent before, so its address is valid.
func (e *Endpoint) again(c *host.Context, p *Packet) {
	e.stats.Repeated++
	if err := e.carrier.Transmit(c, p, true); err != nil {
		panic(fmt.Sprintf("calls: node %d at %v: cannot repeat: %v", e.Node(), c.Now(), err))
	}
}

// giveUp returns all requests to a peer to their sender. It begins a new epoch,
// so the peer cannot mistake a late request for a new one.
func (e *Endpoint) giveUp(c *host.Context, l *link) int {
	var back []comm.Call
	for seq := l.base; seq != l.next; seq++ {
		if k := l.at(seq); !k.settled {
			back = append(back, comm.Call{From: l.peer, Args: k.Args, At: k.At, Bytes: k.Bytes})
			e.close(k)
		}
	}
	l.epoch++
	l.gaveUp = &comm.Silence{Peer: l.peer, Again: l.tries - 1, GivenUp: true}
	tries := l.tries
	l.base, l.next, l.tries, l.deadline = 0, 0, 0, sim.Never
	e.bounce(c, l, tries, back...)
	return len(back)
}

// bounce reports requests to the program that were returned after a number of tries, or refused.
func (e *Endpoint) bounce(c *host.Context, l *link, tries int, back ...comm.Call) {
	e.stats.Returned += uint64(len(back))
	if e.returned == nil {
		l.failed = &Undeliverable{Layer: e.Traits().Name, To: l.peer, Requests: len(back), Tries: tries}
		return
	}
	for _, q := range back {
		e.returned(c, q)
	}
}
