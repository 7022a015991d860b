package calls

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
)

// link is what an endpoint keeps for one peer.
type link struct {
	peer int

	// As the one that calls. Numbers from base up to next are in the window.
	epoch      uint16
	base, next uint32
	calls      []call // by number
	tries      int    // since the last progress
	deadline   sim.Time
	failed     error // that the program has not been told of

	// As the one that is called.
	theirs   uint16 // epoch
	expected uint32
	replies  []Packet // the last ones, by number
}

// call is a request without reply.
type call struct {
	Packet
	into    host.Addr // of a get
	settled bool
}

func (e *Endpoint) link(to int) (*link, error) {
	if err := e.CheckPeer(to); err != nil {
		return nil, err
	}
	if e.links[to] == nil {
		e.links[to] = &link{
			peer: to, calls: make([]call, e.spec.Window), replies: make([]Packet, e.spec.Window), deadline: sim.Never,
		}
	}
	return e.links[to], nil
}

func (l *link) at(seq uint32) *call { return &l.calls[seq%uint32(len(l.calls))] }
func (l *link) full() bool          { return l.next-l.base == uint32(len(l.calls)) }

// open gives a request its number and its place.
func (l *link) open(p Packet, into host.Addr) *call {
	p.Peer, p.Epoch, p.Seq = l.peer, l.epoch, l.next
	k := l.at(l.next)
	*k = call{Packet: p, into: into}
	l.next++
	return k
}

// advance moves the window over what has been settled.
func (l *link) advance() {
	for l.base != l.next && l.at(l.base).settled {
		l.base++
	}
}

// close ends a request and frees its copy.
func (e *Endpoint) close(k *call) {
	k.settled = true
	e.outstanding--
	e.release(&k.Packet)
}

// release frees the copy of a packet's data.
func (e *Endpoint) release(p *Packet) {
	if p.Data != 0 {
		e.copies.Put(p.Data)
		p.Data = 0
	}
}

// withdraw takes the newest request back: it has not been sent.
func (e *Endpoint) withdraw(l *link) {
	l.next--
	e.close(l.at(l.next))
}

// failure returns the error of requests that came back from a peer, once.
func (e *Endpoint) failure(to int) error {
	l := e.links[to]
	if l == nil || l.failed == nil {
		return nil
	}
	err := l.failed
	l.failed = nil
	return err
}
