package loggp

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var (
	_ comm.Layer         = (*Layer)(nil)
	_ deposit.Native     = (*Layer)(nil)
	_ deposit.Port       = (*port)(nil)
	_ deposit.Redirector = redirecting{}
)

// OpenPort gives a process access.
func (l *Layer) OpenPort(space *host.Space, _ trace.Tag) deposit.Port {
	p := &port{layer: l, space: space}
	if l.net.params.Polled {
		return p
	}
	return redirecting{p}
}

// redirecting is a port whose interface stores messages itself and can redirect them.
type redirecting struct{ *port }

// Redirect implements deposit.Redirector.
func (redirecting) Redirect(x deposit.Export, lo, hi int, at host.Addr) {
	r := x.(*region)
	if lo < 0 || lo >= hi || hi > r.bytes || r.place != nil || !r.port.space.Valid(at, hi-lo) {
		panic(fmt.Sprintf("loggp: redirection of offsets %d to %d of an export of %d B to %#x", lo, hi, r.bytes, at))
	}
	r.redirect, r.lo, r.hi = at, lo, hi
}

// Restore implements deposit.Redirector.
func (redirecting) Restore(x deposit.Export) { x.(*region).lo, x.(*region).hi = 0, 0 }

// RedirectWords returns the words of a redirection in VMMC-2.
func (redirecting) RedirectWords() int { return 4 }
