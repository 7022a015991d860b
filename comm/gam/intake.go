package gam

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// takes reports whether a packet's data may be written to its slot now. If not, the packet stays in
// the receive ring, behind those that wait already.
func (e *Endpoint) takes(m *message, p *fabric.Packet) bool {
	k, a := &e.intake, e.coming(m, int(p.Src))
	held := p.Header.Flags&firmware.FlagWaited != 0
	switch {
	case k.taking == a:
	case k.offered && (held || k.held == 0):
		k.offered, k.taking = false, a
	case held:
		return false
	default:
		if k.held++; k.taking == nil {
			e.Ring()
			e.interrupt()
		}
		return false
	}
	if held {
		k.held--
	}
	return true
}

// offer offers a slot, unless one is offered or being written to.
func (e *Endpoint) offer(c *host.Context) {
	k := &e.intake
	if !e.layer.spec.TakeIn || k.offered || k.taking != nil {
		return
	}
	c.PIOWrite(1, host.Words)
	if k.offered = k.taking == nil; k.held > 0 {
		e.layer.NIC.SetTimer(e.layer.Program.Now()) // the interface sees the word
	}
}

// Timer lets packets that wait take the slot that the host has offered.
func (l *Layer) Timer() { l.Program.Retry() }

// settle notes that a message's data is written.
func (k *intake) settle(a *arrival) {
	if k.taking == a {
		k.taking = nil
	}
}

// coming reports whether data wait or are being written.
func (k *intake) coming() bool { return k.held > 0 || k.taking != nil }
