package hunt

import (
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// faults draws one to three sorts of faults. Errors of links flip bits or replace bytes;
// lost acknowledgements make duplicates; long stalls end in forward resets, or are storms of pause frames.
func (d draw) faults(s experiment.RunSpec) (f experiment.FaultSpec) {
	for range 1 + d.IntN(3) {
		switch d.IntN(7) {
		case 0:
			f.ErrorPerByte = d.between(1e-7, 1e-3)
			if d.chance(0.3) {
				f.BurstBytes = int(d.between(2, 64))
			}
		case 1:
			f.DropAck = d.between(0.01, 0.7)
		case 2:
			f.Stalls = append(f.Stalls, d.times(s.Nodes)...)
		case 3:
			f.Drops = append(f.Drops, fabric.Drop{
				Kind: trace.Kind(d.IntN(int(trace.Nack) + 1)), Nth: uint64(d.between(1, 50)), Count: uint64(d.between(1, 4)),
			})
		case 4:
			if s.Nodes > 8 { // fewer have no links between switches
				f.Breaks = append(f.Breaks, fabric.Break{From: d.IntN(8), To: 8 + d.IntN(s.Nodes-8), At: sim.Time(d.between(1, 100_000)) * sim.Time(sim.Microsecond)})
			}
		case 5:
			f.Outages = append(f.Outages, d.times(s.Nodes)...)
		case 6:
			if p, err := platform.Load(s.Platform); err == nil && p.Network.Pauses() {
				f.Storms = append(f.Storms, d.times(s.Nodes)...)
			}
		}
	}
	return f
}

// times draws times of nodes in which there is a fault.
func (d draw) times(nodes int) (all []experiment.Stall) {
	for range 1 + d.IntN(3) {
		all = append(all, experiment.Stall{
			Node: d.IntN(nodes),
			At:   sim.Time(d.between(1, 5000)) * sim.Time(sim.Microsecond),
			For:  sim.Duration(d.between(10, 200_000)) * sim.Microsecond,
		})
	}
	return all
}
