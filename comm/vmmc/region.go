package vmmc

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
)

// Peer is the node that exports.
func (m *Import) Peer() int { return int(m.peer) }

// own returns t if it is an import of this endpoint, else nil.
func (ep *Endpoint) own(to deposit.Import) *Import {
	if m, ok := to.(*Import); ok && m != nil && m.owner == ep {
		return m
	}
	return nil
}

// Export makes bytes at addr of the endpoint's memory a target of deposits.
// Messages sent with a notification call notify on the host's processor when
// their last byte has arrived; it may be nil.
func (ep *Endpoint) Export(addr host.Addr, bytes int, notify func(Deposit)) (deposit.Export, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("vmmc: export of %d B at %#x, want at least 1 B", bytes, addr)
	}
	if !ep.space.Valid(addr, bytes) {
		return nil, fmt.Errorf("vmmc: export of %d B at %#x, which are not all allocated", bytes, addr)
	}
	x := &Export{node: ep.node, id: uint32(len(ep.node.exports)), space: ep.space, spaceID: ep.id, addr: addr, bytes: bytes, notify: notify}
	ep.node.exports = append(ep.node.exports, x)
	return x, nil
}

// ExportFrames makes bytes at virtual address addr a target of deposits whose
// memory is bound as they arrive. Place returns the n bytes, within one page,
// for a deposit at an offset, or nil to refuse it.
func (ep *Endpoint) ExportFrames(addr host.Addr, bytes int, place func(offset, n int) []byte) (deposit.Export, error) {
	x, err := ep.Export(addr, bytes, nil)
	if err == nil {
		x.(*Export).place = place
	}
	return x, err
}

// Number is the number of the export on its node, by which Daemon.Import finds it.
func (x *Export) Number() uint32 { return x.id }

// OnWrite makes f run when a packet's bytes are in memory, where a spinning
// program can notice them. No processor is interrupted.
func (x *Export) OnWrite(f func(Deposit)) { x.written = f }

// Import connects to an export. Connections are set up before the measured part of a
// program, so this takes no simulated time; Daemon.Import does.
func (ep *Endpoint) Import(from deposit.Export) (deposit.Import, error) {
	x := from.(*Export)
	if x.node == ep.node {
		return nil, fmt.Errorf("vmmc: node %d imports its own export", ep.node.nic.ID())
	}
	if len(ep.imports) == 0 {
		ep.imports = make([]Import, importBlock)
	}
	m := &ep.imports[0]
	ep.imports = ep.imports[1:]
	*m = Import{owner: ep, peer: int32(x.node.nic.ID()), id: x.id, skew: uint16(x.addr.Offset()), bytes: x.bytes}
	return m, nil
}

// Redirect redirects packets that arrive from now on, wholly between the offsets lo
// and hi, hi excluded, to addr for lo. They need not be copied out of the exported
// region. Other packets are deposited as usual. It replaces an earlier redirection.
// The host writes Endpoint.RedirectWords into the interface, whose time the caller
// spends. It panics on offsets outside the export, on memory that is not allocated,
// and on an export of frames.
func (x *Export) Redirect(lo, hi int, addr host.Addr) {
	if lo < 0 || lo >= hi || hi > x.bytes || x.place != nil || !x.space.Valid(addr, hi-lo) {
		panic(fmt.Sprintf("vmmc: redirection of offsets %d to %d of an export of %d B to %#x (of frames: %t)", lo, hi, x.bytes, addr, x.place != nil))
	}
	x.redirect, x.lo, x.hi = addr, lo, hi
}

// Restore ends a redirection, at the same cost.
func (x *Export) Restore() { x.lo, x.hi = 0, 0 }

// allows reports whether n bytes at an offset may be deposited: they must be
// within one page of the region, as senders cut them.
func (x *Export) allows(offset uint64, n int) bool {
	size := uint64(x.bytes)
	return offset <= size && uint64(n) <= size-offset && (x.addr.Offset()+int(offset))%pageBytes+n <= pageBytes
}

// target returns the address of n bytes at an offset of the export, and whether
// they are redirected.
func (x *Export) target(offset, n int) (host.Addr, bool) {
	if x.lo <= offset && offset+n <= x.hi {
		return x.redirect + host.Addr(offset-x.lo), true
	}
	return x.addr + host.Addr(offset), false
}
