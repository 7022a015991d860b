package amii

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/trace"
)

// Build loads AM-II into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	l := &Layer{spec: *s, traits: s.Traits(), nodes: nodes, keys: card.Engine().Stream(card.Host().Name() + "/amii/keys")}
	var err error
	if l.program, err = firmware.New(card, s.Firmware, "amii", l); err != nil {
		return nil, err
	}
	return l, nil
}

// Traits says what AM-II is.
func (l *Layer) Traits() *comm.Traits { return l.traits }

// Open makes an endpoint with a new key.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	e := &Endpoint{
		layer:   l,
		address: calls.Address{Endpoint: uint16(len(l.endpoints)), Key: uint32(l.keys.Uint64())},
		peers:   make([]*Endpoint, l.nodes),
	}
	e.Endpoint = calls.New(
		calls.Spec{Window: l.spec.Credits, Timeout: l.spec.Timeout, Tries: l.spec.Tries, Silent: l.silent},
		library.NewProcess(l.traits, space, tag, l.program.NIC().ID(), l.nodes), e)
	for i := range e.regions {
		e.regions[i] = newRegion(space, l.spec.Firmware.PacketBytes, (l.nodes-1)*l.spec.Credits)
	}
	l.endpoints = append(l.endpoints, e)
	return e, nil
}

// Quiet reports whether no request waits for its reply.
func (l *Layer) Quiet() bool {
	for _, e := range l.endpoints {
		if e.Outstanding() > 0 || e.arrivals.Len() > 0 {
			return false
		}
	}
	return l.program.Quiet()
}

// calls returns what all endpoints have repeated and refused.
func (l *Layer) calls() (s calls.Stats) {
	for _, e := range l.endpoints {
		s.Add(e.Stats())
	}
	return s
}

// Traffic returns what the interface has sent and refused.
func (l *Layer) Traffic() comm.Traffic { return l.program.Traffic(l.calls().Repeated) }

// Counts returns what was refused and repeated. Only returned requests are
// lost, and their sender knows.
func (l *Layer) Counts() []comm.Count {
	s := l.calls()
	return []comm.Count{
		{Name: "damaged", N: l.program.Stats().Damaged}, {Name: "malformed", N: l.stats.Malformed + s.Malformed},
		{Name: "wrong key", N: l.stats.Refused}, {Name: "refused", N: s.Refused}, {Name: "no room", N: l.stats.NoRoom},
		{Name: "repeated", N: s.Repeated}, {Name: "timeouts", N: s.Timeouts}, {Name: "duplicates", N: s.Duplicates},
		{Name: "out of order", N: s.OutOfOrder}, {Name: "mapped", N: l.stats.Mapped}, {Name: "returned", N: s.Returned, Loss: true},
	}
}

// Arrived checks a packet's key and gives it a place in its endpoint's region.
func (l *Layer) Arrived(k *fabric.Packet) firmware.Target {
	to := calls.To(&k.Header)
	if int(to.Endpoint) >= len(l.endpoints) || l.endpoints[to.Endpoint].address != to {
		l.stats.Refused++
		return firmware.Target{Way: firmware.Drop}
	}
	e := l.endpoints[to.Endpoint]
	p, err := calls.Decode(&k.Header, int(k.Src), len(k.Data))
	if err != nil {
		l.stats.Malformed++
		return firmware.Target{Way: firmware.Drop}
	}
	at, ok := e.region(&p).claim()
	if !ok {
		l.stats.NoRoom++
		return firmware.Target{Way: firmware.Drop}
	}
	k.Header.Ack = uint32((at - e.region(&p).at).Page()) // where it lies, until it has landed
	return firmware.Target{Way: firmware.Deposit, Space: e.Space(), At: at, HeaderBytes: l.spec.HostHeaderBytes}
}

// placed returns what Arrived has decided about a packet.
func (l *Layer) placed(k *fabric.Packet) (*Endpoint, calls.Packet) {
	e := l.endpoints[calls.To(&k.Header).Endpoint]
	p, err := calls.Decode(&k.Header, int(k.Src), len(k.Data))
	if err != nil {
		panic("amii: " + err.Error() + " after it was accepted")
	}
	p.Data = e.region(&p).at + host.PageAddr(uint64(k.Header.Ack))
	return e, p
}

// Landed lets the library see a packet; what the DMA has written is in no cache.
func (l *Layer) Landed(k *fabric.Packet) {
	e, p := l.placed(k)
	l.program.NIC().Host().Evict(e.Space(), p.Data, len(k.Data))
	e.arrivals.Add(p)
}

// Lost frees the place of a packet that a forward reset has flushed.
func (l *Layer) Lost(k *fabric.Packet, why firmware.Loss) {
	if why == firmware.Flushed {
		e, p := l.placed(k)
		e.region(&p).free(p.Data)
	}
}
