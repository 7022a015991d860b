package loggp

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
)

// OnWrite sets the function that runs when a part of a message is in memory.
func (x *region) OnWrite(f func(deposit.Arrival)) { x.written = f }

// Export makes memory of the process a target of deposits.
func (p *port) Export(at host.Addr, n int, notify func(deposit.Arrival)) (deposit.Export, error) {
	if n <= 0 || !p.space.Valid(at, n) {
		return nil, fmt.Errorf("loggp: node %d exports %d B at %#x, want allocated memory", p.layer.node, n, at)
	}
	return &region{port: p, at: at, bytes: n, notify: notify}, nil
}

// ExportFrames is Export of memory that is bound as deposits come.
func (p *port) ExportFrames(at host.Addr, n int, place func(offset, n int) []byte) (deposit.Export, error) {
	x, err := p.Export(at, n, nil)
	if err == nil {
		x.(*region).place = place
	}
	return x, err
}

// Peer returns the exporting node.
func (m *remote) Peer() int { return m.region.port.layer.node }

// Import connects to a region of another node.
func (p *port) Import(x deposit.Export) (deposit.Import, error) {
	to, ok := x.(*region)
	if !ok || to.port == p {
		return nil, fmt.Errorf("loggp: node %d imports %v, want an export of another node", p.layer.node, x)
	}
	return &remote{p, to}, nil
}

// take stores a message page by page, as interfaces do, and reports each part.
func (x *region) take(m *message) {
	var a deposit.Arrival
	for sent := 0; sent < m.bytes; sent += a.Bytes {
		a = deposit.Arrival{From: m.from, Offset: m.offset + sent, First: sent == 0}
		at := x.at + host.Addr(a.Offset)
		a.Bytes = min(m.bytes-sent, host.PageBytes-at.Offset())
		a.Last = sent+a.Bytes == m.bytes
		if x.lo <= a.Offset && a.Offset+a.Bytes <= x.hi {
			at, a.Moved = x.redirect+host.Addr(a.Offset-x.lo), true
		}
		if x.place == nil {
			m.store(x.port.space, at, sent, sent+a.Bytes)
		} else if to := x.place(a.Offset, a.Bytes); to != nil {
			m.fill(to[:a.Bytes], sent)
		} else {
			continue // refused
		}
		if x.written != nil {
			x.written(a)
		}
		if a.Last && m.notify && x.notify != nil {
			x.notify(a)
		}
	}
}
