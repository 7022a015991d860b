package sampled

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
)

// Peer returns the exporting node.
func (m *remote) Peer() int { return m.full.Peer() }

// OnWrite sets the function that runs when a part of a message is in memory.
func (x *region) OnWrite(f func(deposit.Arrival)) { x.written = f }

// Export makes memory of the process a target of deposits in both details.
func (p *port) Export(at host.Addr, n int, notify func(deposit.Arrival)) (deposit.Export, error) {
	x := &region{port: p, notifies: notify != nil}
	return x.export(func(p deposit.Port, full bool) (deposit.Export, error) {
		if notify == nil {
			return p.Export(at, n, nil)
		}
		return p.Export(at, n, func(a deposit.Arrival) {
			notify(a)
			x.senders[a.From].arrived(full, 1)
		})
	})
}

// ExportFrames is Export of memory that is bound as deposits come.
func (p *port) ExportFrames(at host.Addr, n int, place func(offset, n int) []byte) (deposit.Export, error) {
	x := &region{port: p}
	return x.export(func(p deposit.Port, _ bool) (deposit.Export, error) { return p.ExportFrames(at, n, place) })
}

// export makes a region in both details, each by a function of its port.
func (x *region) export(in func(p deposit.Port, full bool) (deposit.Export, error)) (_ deposit.Export, err error) {
	if x.full, err = in(x.port.Port, true); err != nil {
		return nil, err
	}
	if x.fast, err = in(x.port.fast, false); err != nil {
		return nil, err
	}
	x.full.OnWrite(func(a deposit.Arrival) { x.arrived(a, true) })
	x.fast.OnWrite(func(a deposit.Arrival) { x.arrived(a, false) })
	return x, nil
}

func (x *region) arrived(a deposit.Arrival, full bool) {
	if x.written != nil {
		x.written(a)
	}
	x.senders[a.From].arrived(full, a.Bytes)
}

// Import connects to an export of another node in both details.
func (p *port) Import(of deposit.Export) (deposit.Import, error) {
	x, ok := of.(*region)
	if !ok {
		return nil, fmt.Errorf("sampled: node %d imports %T, want an export of a port in both details", p.node, of)
	}
	full, err := p.Port.Import(x.full)
	if err != nil {
		return nil, err
	}
	fast, err := p.fast.Import(x.fast)
	if err != nil {
		return nil, err
	}
	if more := p.node + 1 - len(x.senders); more > 0 {
		x.senders = append(x.senders, make([]*pair, more)...)
	}
	q := p.pairWith(x.port.node)
	x.senders[p.node] = q
	return &remote{q, x, full, fast}, nil
}

// pairWith returns the pair with a node.
func (p *port) pairWith(peer int) *pair {
	for _, q := range p.pairs {
		if q.peer == peer {
			return q
		}
	}
	q := &pair{port: p, peer: peer}
	p.pairs = append(p.pairs, q)
	return q
}

// Redirect redirects deposits in both details.
func (r *redirecting) Redirect(of deposit.Export, lo, hi int, at host.Addr) {
	x := of.(*region)
	r.Redirector.Redirect(x.full, lo, hi, at)
	r.fast.(deposit.Redirector).Redirect(x.fast, lo, hi, at)
}

// Restore ends a redirection in both details.
func (r *redirecting) Restore(of deposit.Export) {
	x := of.(*region)
	r.Redirector.Restore(x.full)
	r.fast.(deposit.Redirector).Restore(x.fast)
}
