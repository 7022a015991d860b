package amii

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build loads AM-II into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	l := &Layer{spec: *s, keys: card.Engine().Stream(card.Host().Name() + "/amii/keys")}
	return l, l.Load(card, s.Traits(), nodes, s.Firmware, l)
}

// Open makes an endpoint with a new key.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	e := &Endpoint{layer: l}
	e.Endpoint = l.Add(calls.Spec{Window: l.spec.Credits, Timeout: l.spec.Timeout, Tries: l.spec.Tries, Silent: l.silent},
		space, tag, uint32(l.keys.Uint64()), e)
	for i := range e.regions {
		e.regions[i] = newRegion(space, l.spec.Firmware.PacketBytes, (l.Nodes-1)*l.spec.Credits)
	}
	l.endpoints = append(l.endpoints, e)
	return e, nil
}

// Counts returns the counts of refused and repeated packets.
func (l *Layer) Counts() []comm.Count {
	return l.CountsWith("returned", comm.Count{Name: "wrong key", N: l.stats.Refused},
		comm.Count{Name: "no room", N: l.stats.NoRoom}, comm.Count{Name: "mapped", N: l.stats.Mapped})
}

// Arrived checks a packet's key and gives it a place in its endpoint's region.
func (l *Layer) Arrived(k *fabric.Packet) firmware.Target {
	to := calls.To(&k.Header)
	if int(to.Endpoint) >= len(l.endpoints) || l.endpoints[to.Endpoint].At != to {
		l.stats.Refused++
		return firmware.Target{Action: firmware.Drop}
	}
	e := l.endpoints[to.Endpoint]
	p, err := calls.Decode(&k.Header, int(k.Src), k.Bytes())
	if err != nil {
		l.Malformed++
		return firmware.Target{Action: firmware.Drop}
	}
	at, ok := e.region(&p).claim()
	if !ok {
		l.stats.NoRoom++
		return firmware.Target{Action: firmware.Drop}
	}
	k.Header.Ack = uint32((at - e.region(&p).at).Page()) // its place, until it has landed
	return firmware.Target{Action: firmware.Deposit, Space: e.Space(), At: at, HeaderBytes: l.spec.HostHeaderBytes}
}

// placed returns the result of Arrived for a packet.
func (l *Layer) placed(k *fabric.Packet) (*Endpoint, calls.Packet) {
	e := l.endpoints[calls.To(&k.Header).Endpoint]
	p, err := calls.Decode(&k.Header, int(k.Src), k.Bytes())
	if err != nil {
		panic("amii: " + err.Error() + " after it was accepted")
	}
	p.Data = e.region(&p).at + host.PageAddr(uint64(k.Header.Ack))
	return e, p
}

// Landed makes a packet visible to the library; the DMA has evicted its bytes
// from the cache.
func (l *Layer) Landed(k *fabric.Packet) {
	e, p := l.placed(k)
	l.NIC.Host().Evict(e.Space(), p.Data, k.Bytes())
	e.Add(p)
}

// Lost frees the place of a packet that a forward reset has flushed.
func (l *Layer) Lost(k *fabric.Packet, why firmware.Loss) {
	if why == firmware.Flushed {
		e, p := l.placed(k)
		e.region(&p).free(p.Data)
	}
}
