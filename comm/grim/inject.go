package grim

import (
	"github.com/sigview/sigview/comm/tpil"
	"github.com/sigview/sigview/sim/host"
)

// tune asks the injection library for the fastest mechanism of each size on this machine, and
// for the time of a segment.
func (n *Node) tune() error {
	n.route = host.Combining
	if n.nic.Host().Spec().Offers(host.MMX) == nil {
		n.route = host.MMX
	}
	if n.spec.Injection == nil {
		n.plan = tpil.Plan{{By: tpil.Combining}}
		n.segment = n.nic.Host().PIOWriteTime(n.spec.SegmentBytes/host.WordBytes, n.route)
		return nil
	}
	m := tpil.Machine{Host: *n.nic.Host().Spec(), Card: *n.nic.Spec(), TPIL: *n.spec.Injection}
	m.Card.RequestSlots, m.Card.RequestBytes, m.Card.ReceiveBuffers, m.Card.BufferBytes = 1, 16, 1, 64 // of no effect there
	plan, err := tpil.Tune(m)
	if err != nil || !n.spec.SenderCutThrough {
		n.plan = plan
		return err
	}
	n.plan = plan
	s, err := m.Measure(plan.Best(n.spec.SegmentBytes), n.spec.SegmentBytes, 1)
	n.segment = s.Took
	return err
}

// injector returns the injector of a process.
func (n *Node) injector(space *host.Space) *tpil.Injector {
	spec := tpil.Spec{BufferBytes: 2 * host.PageBytes} // stores need none
	if n.spec.Injection != nil {
		spec = *n.spec.Injection
	}
	return tpil.New(n.nic, space, spec, n.plan)
}

// move injects bytes of the process's memory. One context at a time does.
func (p *process) move(c *host.Context, from host.Addr, bytes int) {
	for p.using {
		p.free.Await(c, "its turn to inject")
	}
	p.using = true
	p.injector.Inject(c, from, bytes)
	p.using = false
	p.free.Ring()
}
