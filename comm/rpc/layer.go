package rpc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/kernel"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build starts the kernel of a node.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	l := &Layer{spec: *s}
	if err := l.Load(card, s.Traits(), nodes, s.Firmware, l); err != nil {
		return nil, err
	}
	l.Start(card, kernel.Spec{
		FrameBytes: s.Firmware.PacketBytes, HeaderBytes: s.Firmware.HeaderBytes, RingFrames: s.RingFrames, Arrive: s.Host.Arrive,
	}, l)
	return l, nil
}

// Open makes a socket with a new port.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	e := &Endpoint{layer: l, in: space.Alloc(int64(l.spec.Firmware.PacketBytes))}
	e.Endpoint = l.Add(calls.Spec{Window: l.spec.Window, Timeout: l.spec.Timeout, Tries: l.spec.Tries}, space, tag, 0, e)
	return e, nil
}

// Quiet reports whether no call waits for its reply and no frame for its process.
func (l *Layer) Quiet() bool { return l.Idle() && l.Layer.Quiet() }

// Counts returns the counts of lost, refused and repeated frames.
func (l *Layer) Counts() []comm.Count {
	return l.CountsWith("failed", comm.Count{Name: "ring full", N: l.RingFull},
		comm.Count{Name: "socket full", N: l.stats.SocketFull}, comm.Count{Name: "wrong port", N: l.stats.Refused})
}
