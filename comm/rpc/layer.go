package rpc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/trace"
)

// Build starts the kernel of a node.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	l := &Layer{spec: *s}
	if err := l.Load(card, s.Traits(), nodes, s.Firmware, l); err != nil {
		return nil, err
	}
	name := card.Host().Name() + "/kernel"
	l.kernel.space = host.NewSpace(name, &host.Frames{})
	l.kernel.buffers = library.NewBuffers(l.kernel.space, s.Firmware.PacketBytes)
	l.kernel.context = card.Host().Go(name, host.Handler, l.service)
	return l, nil
}

// Open makes a socket with a new port.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	e := &Endpoint{layer: l, in: space.Alloc(int64(l.spec.Firmware.PacketBytes))}
	e.Endpoint = l.Add(calls.Spec{Window: l.spec.Window, Timeout: l.spec.Timeout, Tries: l.spec.Tries}, space, tag, 0, e)
	return e, nil
}

// Quiet reports whether no call waits for its reply and no frame for its process.
func (l *Layer) Quiet() bool { return l.kernel.incoming == 0 && l.Layer.Quiet() }

// Counts returns the counts of lost, refused and repeated frames.
func (l *Layer) Counts() []comm.Count {
	return l.CountsWith("failed", comm.Count{Name: "ring full", N: l.stats.RingFull},
		comm.Count{Name: "socket full", N: l.stats.SocketFull}, comm.Count{Name: "wrong port", N: l.stats.Refused})
}
