package amii

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
)

// silent looks after the network when a peer does not answer. One probe shows
// whether its interface can be reached, whatever its processes do; if not, the
// network is mapped: all links are probed, and all nodes get new routes where theirs
// are dead (userspace, Table 1: dynamic, full). The library's process does that, and
// is kept so long. Where there is one route only, nothing can be found.
func (l *Layer) silent(c *host.Context, peer, timeouts int) {
	nic := l.program.NIC()
	net, me := nic.Net(), nic.ID()
	if l.spec.MapAfter == 0 || timeouts < l.spec.MapAfter || net.Ways(me, peer) == 1 {
		return
	}
	probe := sim.Microseconds(l.spec.Host.ProbeUs)
	c.Spend(probe)
	if net.Reaches(me, peer) {
		return
	}
	c.Spend(probe * sim.Duration(net.Links()))
	if replaced, _ := net.Remap(); replaced > 0 {
		l.stats.Mapped++
	}
}
