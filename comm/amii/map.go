package amii

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// silent examines the network when a peer does not answer. A probe shows whether the
// peer's interface is reachable. If it is not, the network is mapped: all links are
// probed, and dead routes of all nodes are replaced (userspace, Table 1: dynamic,
// full). The process that calls the library spends the time. It does nothing if
// there is only one route.
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
