package vmmc

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Port is an endpoint by the contract that programs use on every layer.
type Port struct{ *Endpoint }

var (
	_ deposit.Native      = Layer{}
	_ deposit.Redirector  = Port{}
	_ deposit.Multicaster = Port{}
)

// OpenPort gives a process access to the interface.
func (l Layer) OpenPort(space *host.Space, tag trace.Tag) deposit.Port {
	return Port{l.Node.Open(space, tag)}
}

// Export is that of the endpoint.
func (p Port) Export(at host.Addr, n int, notify func(Deposit)) (deposit.Export, error) {
	return p.Endpoint.Export(at, n, notify)
}

// ExportFrames is that of the endpoint.
func (p Port) ExportFrames(at host.Addr, n int, place func(offset, n int) []byte) (deposit.Export, error) {
	return p.Endpoint.ExportFrames(at, n, place)
}

// Import is that of the endpoint.
func (p Port) Import(x deposit.Export) (deposit.Import, error) { return p.Endpoint.Import(x.(*Export)) }

// Depth is that of the node.
func (p Port) Depth() int { return p.node.Depth() }

// MulticastBytes is that of the node.
func (p Port) MulticastBytes() int { return p.node.MulticastBytes() }

// Redirect is that of the export.
func (p Port) Redirect(x deposit.Export, lo, hi int, at host.Addr) {
	x.(*Export).RedirectPart(lo, hi, at)
}

// Restore is that of the export.
func (p Port) Restore(x deposit.Export) { x.(*Export).Restore() }

// RedirectWords is the price of changing a redirection.
func (p Port) RedirectWords() int { return RedirectWords }

// Polled is false: the interface writes into memory by itself.
func (p Port) Polled() bool { return false }

// Attend does nothing: notifications come from the interface.
func (p Port) Attend(func()) {}

// Poll does nothing.
func (p Port) Poll(*host.Context) bool { return false }

// Wait spins until w fires.
func (p Port) Wait(c *host.Context, w *host.Watch, reason string) { c.Spin(w, reason) }

// Sleep gives the CPU up until w fires.
func (p Port) Sleep(c *host.Context, w *host.Watch, reason string) { c.Block(w, reason) }
