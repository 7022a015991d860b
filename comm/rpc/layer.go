package rpc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/trace"
)

// Build starts the kernel of a node.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	l := &Layer{spec: *s, traits: s.Traits(), nodes: nodes}
	var err error
	if l.program, err = firmware.New(card, s.Firmware, "rpc", l); err != nil {
		return nil, err
	}
	name := card.Host().Name() + "/kernel"
	l.kernel.space = host.NewSpace(name, &host.Frames{})
	l.kernel.buffers = library.NewBuffers(l.kernel.space, s.Firmware.PacketBytes)
	l.kernel.context = card.Host().Go(name, host.Handler, l.service)
	return l, nil
}

// Traits says what RPC is.
func (l *Layer) Traits() *comm.Traits { return l.traits }

// Open makes a socket with a port of its own.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	e := &Endpoint{
		layer: l, port: uint16(len(l.sockets)), peers: make([]*Endpoint, l.nodes),
		in: space.Alloc(int64(l.spec.Firmware.PacketBytes)),
	}
	e.Endpoint = calls.New(
		calls.Spec{Window: l.spec.Window, Timeout: l.spec.Timeout, Tries: l.spec.Tries},
		library.NewProcess(l.traits, space, tag, l.program.NIC().ID(), l.nodes), e)
	l.sockets = append(l.sockets, e)
	return e, nil
}

// Quiet reports whether no call waits for its reply and no frame for its process.
func (l *Layer) Quiet() bool {
	for _, e := range l.sockets {
		if e.Outstanding() > 0 || e.arrivals.Len() > 0 {
			return false
		}
	}
	return l.kernel.incoming == 0 && l.program.Quiet()
}

// calls returns what all endpoints have repeated and refused.
func (l *Layer) calls() (s calls.Stats) {
	for _, e := range l.sockets {
		s.Add(e.Stats())
	}
	return s
}

// Traffic returns what the interface has sent and refused.
func (l *Layer) Traffic() comm.Traffic { return l.program.Traffic(l.calls().Repeated) }

// Counts returns what was lost, refused and repeated. Only calls that failed
// are lost for good, and their program knows.
func (l *Layer) Counts() []comm.Count {
	s := l.calls()
	return []comm.Count{
		{Name: "damaged", N: l.program.Stats().Damaged}, {Name: "malformed", N: l.stats.Malformed + s.Malformed},
		{Name: "ring full", N: l.stats.RingFull}, {Name: "socket full", N: l.stats.SocketFull},
		{Name: "wrong port", N: l.stats.Refused}, {Name: "refused", N: s.Refused},
		{Name: "repeated", N: s.Repeated}, {Name: "timeouts", N: s.Timeouts}, {Name: "duplicates", N: s.Duplicates},
		{Name: "out of order", N: s.OutOfOrder}, {Name: "failed", N: s.Returned, Loss: true},
	}
}
