package calls

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// link is the state of an endpoint for one peer.
type link struct {
	peer int

	// As the caller. Numbers from base up to next are in the window.
	epoch      uint16
	base, next uint32
	calls      []call        // by number
	tries      int           // since the last progress
	gaveUp     *comm.Silence // after which requests were returned, or nil
	deadline   sim.Time
	failed     error // not yet returned to the program

	// As the callee.
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

// open gives a request its number and its entry.
func (l *link) open(p Packet, into host.Addr) *call {
	p.Peer, p.Epoch, p.Seq = l.peer, l.epoch, l.next
	k := l.at(l.next)
	*k = call{Packet: p, into: into}
	l.next++
	return k
}

// advance moves the window past settled requests.
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

// withdraw removes the newest request, which has not been sent.
func (e *Endpoint) withdraw(l *link) {
	l.next--
	e.close(l.at(l.next))
}

// failure returns the error of requests returned from a peer, and clears it.
func (e *Endpoint) failure(to int) error {
	l := e.links[to]
	if l == nil || l.failed == nil {
		return nil
	}
	err := l.failed
	l.failed = nil
	return err
}
