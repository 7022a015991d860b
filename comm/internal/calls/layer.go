package calls

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Layer is the common part of layers of the RPC model on one node, which embed
// it.
type Layer struct {
	firmware.Base
	Malformed uint64 // packets with damage that the CRC did not detect

	endpoints []*Endpoint
	stats     stats
}

// Add makes the endpoint of a process. The key is part of its address.
func (l *Layer) Add(spec Spec, space *host.Space, tag trace.Tag, key uint32, carrier Carrier) *Endpoint {
	most := l.Traits().MaxBytes
	e := &Endpoint{
		Process: l.Process(space, tag), Peers: make([]*Address, l.Nodes), At: Address{uint16(len(l.endpoints)), key}, spec: spec, carrier: carrier, stats: &l.stats,
		copies: library.NewBuffers(space, most), links: make([]*link, l.Nodes), due: sim.Never,
	}
	e.inbox = newInbox(&e.Process, most)
	l.endpoints = append(l.endpoints, e)
	return e
}

// Endpoint returns an endpoint by its number, or nil.
func (l *Layer) Endpoint(i uint16) *Endpoint {
	if int(i) >= len(l.endpoints) {
		return nil
	}
	return l.endpoints[i]
}

// Request returns a request for a packet to an endpoint, without its data.
func (l *Layer) Request(p *Packet, to Address) *firmware.Request {
	r := l.Program.NewRequest()
	r.To, r.Bytes, r.Meta, r.Op, r.Order = int32(p.Peer), p.Carries(), p.Meta, uint8(p.Op), p.Seq
	r.Words = p.Words(to)
	return r
}

// Quiet reports whether no request waits for its reply and no packet for its process.
func (l *Layer) Quiet() bool {
	for _, e := range l.endpoints {
		if e.Outstanding() > 0 || e.Len() > 0 {
			return false
		}
	}
	return l.Base.Quiet()
}

// Silent returns the peers that do not reply, or did not before requests to them were returned.
func (l *Layer) Silent() (all []comm.Silence) {
	for _, e := range l.endpoints {
		for _, k := range e.links {
			switch {
			case k == nil:
			case k.tries > 0:
				all = append(all, comm.Silence{Peer: k.peer, Again: k.tries})
			case k.gaveUp != nil:
				all = append(all, *k.gaveUp)
			}
		}
	}
	return all
}

// Traffic returns the counts of sent and rejected packets.
func (l *Layer) Traffic() comm.Traffic { return l.Program.Traffic(l.stats.Repeated) }

// CountsWith returns the counts of refused and repeated packets, with the layer's
// own counts and its name for returned requests. Only those are lost, and their
// sender knows.
func (l *Layer) CountsWith(returned string, own ...comm.Count) []comm.Count {
	s := &l.stats
	return append(own,
		comm.Count{Name: "damaged", N: l.Program.Stats().Damaged}, comm.Count{Name: "malformed", N: l.Malformed + s.Malformed},
		comm.Count{Name: "refused", N: s.Refused}, comm.Count{Name: "repeated", N: s.Repeated},
		comm.Count{Name: "timeouts", N: s.Timeouts}, comm.Count{Name: "duplicates", N: s.Duplicates},
		comm.Count{Name: "out of order", N: s.OutOfOrder}, comm.Count{Name: returned, N: s.Returned, Loss: true})
}
