package rpc

import (
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/kernel"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Fetched frees the buffer of a frame that has left: the controller has read it.
func (l *Layer) Fetched(r *firmware.Request) { l.Buffers.Put(r.From) }

// Sound reports whether a frame is a call or a reply.
func (l *Layer) Sound(k *fabric.Packet) bool {
	_, err := calls.Decode(&k.Header, int(k.Src), k.Bytes())
	if err != nil {
		l.Malformed++
	}
	return err == nil
}

// Input passes a frame to its socket. The sender's port is the key: the process
// accepts frames of ports to which it is bound.
func (l *Layer) Input(_ *host.Context, k kernel.Packet) {
	p, err := calls.Decode(&k.Header, k.From, k.Bytes)
	if err != nil {
		panic("rpc: " + err.Error() + " after it was accepted")
	}
	p.Data = k.At
	to := calls.To(&k.Header)
	e := l.Endpoint(to.Endpoint)
	switch {
	case e == nil || e.Peers[p.Peer] == nil || uint32(e.Peers[p.Peer].Endpoint) != to.Key:
		l.stats.Refused++
	case e.Len() >= l.spec.SocketFrames:
		l.stats.SocketFull++
	default:
		e.Add(p)
		return
	}
	l.Buffers.Put(p.Data)
}
