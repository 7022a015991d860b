package amii

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
)

// silent examines the network when a peer does not answer. A probe shows whether
// the peer's interface can be reached, whatever its processes do. If it cannot, the
// network is mapped: all links are probed, and all nodes get new routes where theirs
// are dead (userspace, Table 1: dynamic, full). This takes the time of the process
// that calls the library. With one route only there is nothing to find.
func (l *Layer) silent(c *host.Context, peer, timeouts int) {
	nic := l.NIC
	net, me := nic.Net(), nic.ID()
	if l.spec.MapAfter == 0 || timeouts < l.spec.MapAfter || net.Ways(me, peer) == 1 {
		return
	}
	probe := l.spec.Host.Probe
	c.Spend(probe)
	if net.Reaches(me, peer) {
		return
	}
	c.Spend(probe * sim.Duration(net.Links()))
	if replaced, _ := net.Remap(); replaced > 0 {
		l.stats.Mapped++
	}
}
