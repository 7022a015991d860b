package tcp

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/kernel"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build starts the kernel of a node.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	l := &Layer{spec: *s, held: map[host.Addr]int{}, alarm: sim.Never, data: make([]byte, s.Firmware.PacketBytes)}
	if err := l.Load(card, s.Traits(), nodes, s.Firmware, l); err != nil {
		return nil, err
	}
	l.Program.Use(&l.descriptors)
	l.Start(card, kernel.Spec{
		FrameBytes: s.Firmware.PacketBytes, HeaderBytes: s.Firmware.HeaderBytes, RingFrames: s.RingFrames, Arrive: s.Host.Arrive,
	}, l)
	l.blank = l.Buffers.Get()
	l.timers = card.Host().Go(card.Host().Name()+"/timers", host.Handler, l.tick)
	return l, nil
}

// Open makes a process's sockets, with a new port.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	if len(l.endpoints) > math.MaxUint16 {
		return nil, fmt.Errorf("tcp: node %d: all ports are in use", l.NIC.ID())
	}
	e := &Endpoint{Process: l.Process(space, tag), layer: l, port: uint16(len(l.endpoints)), conns: make([]*conn, l.Nodes)}
	e.out, e.in = space.Alloc(markBytes), space.Alloc(markBytes)
	l.endpoints = append(l.endpoints, e)
	return e, nil
}

// connect returns an open connection.
func (l *Layer) connect(e *Endpoint, peer int, port uint16) *conn {
	room := uint64(l.spec.ReceiveBytes)
	return &conn{
		e: e, peer: peer, port: port,
		sender:   sender{limit: room, window: l.spec.FirstWindow, threshold: math.MaxInt, deadline: sim.Never},
		receiver: receiver{advertised: room, ackAt: sim.Never},
	}
}

// Quiet reports whether all that was sent is acknowledged and no acknowledgement is
// due.
func (l *Layer) Quiet() bool {
	for _, e := range l.endpoints {
		for _, k := range e.conns {
			if k != nil && (k.queue.Len() > 0 || k.ackAt != sim.Never) {
				return false
			}
		}
	}
	return l.Idle() && l.Base.Quiet()
}

// Silent returns the peers of connections whose segments or probes have no answer.
func (l *Layer) Silent() (all []comm.Silence) {
	for _, e := range l.endpoints {
		for _, k := range e.conns {
			if k != nil && k.tries > 0 {
				all = append(all, comm.Silence{Peer: k.peer, Again: k.tries, GivenUp: k.failed != nil})
			}
		}
	}
	return all
}

// Traffic returns the counts of sent and rejected packets.
func (l *Layer) Traffic() comm.Traffic {
	s := &l.stats
	t := l.Program.Traffic(s.Repeated)
	alone := s.Acks + s.Probes
	t.Packets, t.Acks = t.Packets-alone, t.Acks+alone
	return t
}

// Counts returns the counts of lost, refused and repeated segments. Only those of
// failed connections are lost.
func (l *Layer) Counts() []comm.Count {
	s := &l.stats
	return []comm.Count{
		{Name: "ring full", N: l.RingFull}, {Name: "socket full", N: s.SocketFull}, {Name: "wrong port", N: s.Refused},
		{Name: "damaged", N: l.Program.Stats().Damaged}, {Name: "malformed", N: s.Malformed}, {Name: "wrong checksum", N: s.Checksum},
		{Name: "repeated", N: s.Repeated}, {Name: "fast", N: s.Fast}, {Name: "timeouts", N: s.Timeouts}, {Name: "probes", N: s.Probes},
		{Name: "duplicates", N: s.Duplicates}, {Name: "out of order", N: s.OutOfOrder},
		{Name: "failed", N: s.Failed, Loss: true},
	}
}
