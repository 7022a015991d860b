package vmmc

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// An endpoint implements the contracts of package deposit.
var (
	_ deposit.Native      = (*Node)(nil)
	_ deposit.Redirector  = (*Endpoint)(nil)
	_ deposit.Multicaster = (*Endpoint)(nil)
)

// OpenPort gives a process access to the interface.
func (n *Node) OpenPort(space *host.Space, tag trace.Tag) deposit.Port { return n.Process(space, tag) }

// Depth returns the largest number of messages between the return of Send and
// the end of their fetch. A message's buffer may be written again when that
// many later messages have been accepted.
func (ep *Endpoint) Depth() int { return ep.node.nic.Spec().RequestSlots + ep.node.spec.SendBuffers }

// Redirect calls Export.Redirect.
func (ep *Endpoint) Redirect(x deposit.Export, lo, hi int, at host.Addr) {
	x.(*Export).Redirect(lo, hi, at)
}

// Restore calls Export.Restore.
func (ep *Endpoint) Restore(x deposit.Export) { x.(*Export).Restore() }

// RedirectWords returns how many words a host writes to change a redirection:
// export, bounds, address.
func (ep *Endpoint) RedirectWords() int { return 4 }

// Polled returns false: the interface itself writes into memory.
func (ep *Endpoint) Polled() bool { return false }

// Attend does nothing: notifications come from the interface.
func (ep *Endpoint) Attend(func()) {}

// Poll does nothing.
func (ep *Endpoint) Poll(*host.Context) bool { return false }

// Wait spins until w fires.
func (ep *Endpoint) Wait(c *host.Context, w *host.Watch, reason string) { c.Spin(w, reason) }

// Sleep yields the CPU until w fires.
func (ep *Endpoint) Sleep(c *host.Context, w *host.Watch, reason string) { c.Block(w, reason) }
