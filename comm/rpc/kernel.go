package rpc

import (
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
)

// Fetched frees the buffer of a frame that has left: the controller has read it.
func (l *Layer) Fetched(r *firmware.Request) {
	l.kernel.buffers.Put(r.From)
}

// Arrived gives a frame a buffer of the ring; without one it is lost.
func (l *Layer) Arrived(k *fabric.Packet) firmware.Target {
	if _, err := calls.Decode(&k.Header, int(k.Src), len(k.Data)); err != nil {
		l.Malformed++
		return firmware.Target{Way: firmware.Drop}
	}
	if l.kernel.incoming >= l.spec.RingFrames {
		l.stats.RingFull++
		return firmware.Target{Way: firmware.Drop}
	}
	l.kernel.incoming++
	at := l.kernel.buffers.Get()
	k.Header.Ack = uint32(at >> 12) // buffers begin with pages
	return firmware.Target{Way: firmware.Deposit, Space: l.kernel.space, At: at, HeaderBytes: l.spec.Firmware.HeaderBytes}
}

func place(k *fabric.Packet) host.Addr { return host.PageAddr(uint64(k.Header.Ack)) }

// Landed puts a frame into the ring and interrupts.
func (l *Layer) Landed(k *fabric.Packet) {
	p, err := calls.Decode(&k.Header, int(k.Src), len(k.Data))
	if err != nil {
		panic("rpc: " + err.Error() + " after it was accepted")
	}
	p.Data = place(k)
	l.NIC.Host().Evict(l.kernel.space, p.Data, len(k.Data))
	l.kernel.ring.Push(frame{calls.To(&k.Header), p})
	l.kernel.context.Interrupt()
}

// Lost frees the buffer of a frame that a forward reset has flushed.
func (l *Layer) Lost(k *fabric.Packet, why firmware.Loss) {
	if why == firmware.Flushed {
		l.kernel.incoming--
		l.kernel.buffers.Put(place(k))
	}
}

// service is the interrupt's handler.
func (l *Layer) service(c *host.Context) {
	k := &l.kernel
	for {
		for k.ring.Len() > 0 {
			c.Spend(l.spec.Host.Arrive)
			k.incoming--
			l.deliver(k.ring.Pop())
		}
		c.WaitInterrupt("a frame")
	}
}

// deliver passes a frame to its socket. The sender's port is the key: the
// process accepts frames of ports to which it is bound.
func (l *Layer) deliver(f frame) {
	e := l.Endpoint(f.to.Endpoint)
	switch {
	case e == nil || e.Peers[f.packet.Peer] == nil || uint32(e.Peers[f.packet.Peer].Endpoint) != f.to.Key:
		l.stats.Refused++
	case e.Len() >= l.spec.SocketFrames:
		l.stats.SocketFull++
	default:
		e.Add(f.packet)
		return
	}
	l.kernel.buffers.Put(f.packet.Data)
}
