package fabric

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Begin begins the specification's stalls, outages and storms, whose times count from now, and the loss of
// acknowledgements and on links. New calls it unless Faults.Later says that the user does.
func (n *Net) Begin() {
	stalls := n.spec.Faults.Stalls
	n.spec.Faults.Stalls = nil
	for _, s := range stalls {
		s.At += n.engine.Now()
		n.Stall(s)
	}
	for _, s := range n.spec.Faults.Outages {
		s.At += n.engine.Now()
		n.outages = append(n.outages, s)
	}
	for _, s := range n.spec.Faults.Storms {
		if n.buffers != nil { // else nothing is paused
			n.engine.After(sim.Duration(s.At), n, opStorm, uint64(s.Node)<<1|1)
			n.engine.After(sim.Duration(s.At)+s.For, n, opStorm, uint64(s.Node)<<1)
		}
	}
	if share := n.spec.Faults.DropAck; share > 0 {
		draw := n.engine.Stream("faults/acknowledgements")
		n.DropWhen(func(p *Packet) bool { return p.Header.Meta.Kind == trace.Ack && draw.Float64() < share })
	}
	for _, l := range n.spec.Faults.Losses {
		draw, also := n.engine.Stream(fmt.Sprintf("faults/losses of node %d", l.Node)), n.faults.when
		n.DropWhen(func(p *Packet) bool {
			return also != nil && also(p) || int(p.Src) == l.Node && draw.Float64() < l.Share
		})
	}
}

// Stall makes a receiver refuse packets from time s.At on. It panics if the stall begins
// in the past.
func (n *Net) Stall(s Stall) {
	i := uint64(len(n.spec.Faults.Stalls))
	n.spec.Faults.Stalls = append(n.spec.Faults.Stalls, s)
	n.engine.At(s.At, n, opDeaf, i<<1|1)
	n.engine.At(s.At.Add(s.For), n, opDeaf, i<<1)
}

// stall begins or ends an injected stall.
func (n *Net) stall(s *Stall, begin bool) {
	d := &n.nodes[s.Node]
	if begin {
		d.deafTill = max(d.deafTill, s.At.Add(s.For))
		n.ask(s.Node)
		return
	}
	if d.deafTill <= n.engine.Now() {
		n.Resume(s.Node)
	}
}

// DropWhen makes the injector drop every packet for which take returns true. Take is
// called once per packet, at injection.
func (n *Net) DropWhen(take func(*Packet) bool) {
	n.faults.when = take
	n.faults.active = true
}
