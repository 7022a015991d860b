package grim

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var _ deposit.Native = (*Node)(nil)

// Port is a process whose deposits are remote memory writes: the receiving host takes no part.
type Port struct{ process }

// OpenPort gives a process access.
func (n *Node) OpenPort(space *host.Space, tag trace.Tag) deposit.Port {
	p := &Port{n.newProcess(space, tag)}
	n.add(&p.process)
	return p
}

// OnWrite sets the function that runs when a part of a deposit is in memory.
func (x *region) OnWrite(f func(deposit.Arrival)) { x.written = f }

// Export makes memory of the process a target of deposits.
func (p *Port) Export(at host.Addr, n int, notify func(deposit.Arrival)) (deposit.Export, error) {
	if n <= 0 || !p.Space().Valid(at, n) {
		return nil, p.Errorf("export of %d B at %#x, want allocated memory", n, at)
	}
	x := &region{owner: &p.process, id: uint32(len(p.regions)) + 1, at: at, bytes: n, notify: notify}
	p.regions = append(p.regions, x)
	return x, nil
}

// ExportFrames is Export of memory that is bound as deposits come.
func (p *Port) ExportFrames(at host.Addr, n int, place func(offset, n int) []byte) (deposit.Export, error) {
	x, err := p.Export(at, n, nil)
	if err == nil {
		x.(*region).place = place
	}
	return x, err
}

// remote is an import of a region of another node.
type remote struct {
	owner *Port
	to    *region
}

// Peer returns the exporting node.
func (m *remote) Peer() int { return m.to.owner.Node() }

// Import connects to a region of another node.
func (p *Port) Import(from deposit.Export) (deposit.Import, error) {
	x, ok := from.(*region)
	if !ok || x.owner.node == p.node {
		return nil, fmt.Errorf("grim: node %d imports %v, want an export of another node", p.Node(), from)
	}
	return &remote{p, x}, nil
}

// Depth returns 1. When Send returns, the bytes are in the interface.
func (p *Port) Depth() int { return 1 }

// Send deposits bytes.
func (p *Port) Send(c *host.Context, from host.Addr, to deposit.Import, offset, n int, meta trace.Meta, notify bool) error {
	t, err := p.request(from, to, offset, n, meta)
	if err != nil {
		return err
	}
	if notify {
		t.flags |= flagNotify
	}
	p.push(c, t, source{pieces: [2]comm.Piece{{At: from, Bytes: n}}})
	return nil
}

// SendTracked is Send: the bytes may be written again when it returns.
func (p *Port) SendTracked(c *host.Context, from host.Addr, to deposit.Import, offset, n int, meta trace.Meta, _ *deposit.Completion) error {
	return p.Send(c, from, to, offset, n, meta, false)
}

// SendFrame is Send of a frame.
func (p *Port) SendFrame(c *host.Context, at host.Addr, frame []byte, to deposit.Import, offset int, meta trace.Meta) error {
	t, err := p.request(at, to, offset, len(frame), meta)
	if err != nil {
		return err
	}
	p.push(c, t, source{pieces: [2]comm.Piece{{At: at, Bytes: len(frame)}}, frame: frame})
	return nil
}

// request validates a deposit and returns the fields that its fragments share. It returns an error
// for an import of another process, and for bytes beyond the import or not allocated.
func (p *Port) request(from host.Addr, to deposit.Import, offset, n int, meta trace.Meta) (t request, err error) {
	m, ok := to.(*remote)
	switch {
	case !ok || m == nil || m.owner != p:
		return t, p.Errorf("send through an import of another process")
	case n <= 0 || offset < 0 || n > m.to.bytes-offset:
		return t, p.Errorf("deposit of %d B at offset %d of an import of %d B", n, offset, m.to.bytes)
	case !p.Space().Valid(from, n):
		return t, p.Errorf("deposit of %d B from %#x, which is not all allocated", n, from)
	}
	return request{op: p.node.writes(), to: m.Peer(), meta: meta, at: host.Addr(offset), to64: join(m.to.owner.id, m.to.id)}, nil
}

// Polled returns false: the interface itself writes into memory.
func (p *Port) Polled() bool { return false }

// Attend does nothing: notifications come from the interface.
func (p *Port) Attend(func()) {}

// Poll does nothing.
func (p *Port) Poll(*host.Context) bool { return false }

// Wait spins until w fires.
func (p *Port) Wait(c *host.Context, w *host.Watch, reason string) { c.Spin(w, reason) }

// Sleep yields the CPU until w fires.
func (p *Port) Sleep(c *host.Context, w *host.Watch, reason string) { c.Block(w, reason) }
