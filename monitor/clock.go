package monitor

import (
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// GlobalClock is the service that runs the clock protocol on one card. Node 0
// also coordinates.
type GlobalClock struct {
	converter *clock.Converter
	subtick   float64 // of the nominal clock, ps
	clockPort
	pass     interpolation
	rounds   *rounds       // on node 0, else nil
	adopting []clock.Entry // of the table packet that is being read
}

func newGlobalClock(nic *ni.NIC, cost *Cycles, p clock.Protocol, curves *clock.Curves) (*GlobalClock, error) {
	c := &GlobalClock{clockPort: clockPort{nic: nic, cost: cost, protocol: p}}
	perTick := float64(sim.Second) * float64(p.HzDen) / float64(p.HzNum)
	c.subtick = perTick / (1 << clock.FracBits)
	var err error
	if c.converter, err = clock.NewConverter(p, nic.ID()); err != nil {
		return nil, err
	}
	c.converter.Share(curves)
	if err := nic.SRAM().Reserve("clock table", p.Nodes*p.ConverterBytes()); err != nil {
		return nil, fmt.Errorf("clock on node %d: %w", nic.ID(), err)
	}
	if nic.ID() == 0 {
		if c.rounds, err = newRounds(c); err != nil {
			return nil, err
		}
	}
	phase := nic.Engine().Stream(fmt.Sprintf("node%d/clock", nic.ID()))
	c.pass.due = nic.Engine().Now().Add(phase.Upto(sim.Duration(p.InterpolatePs())))
	nic.SetServiceTimer(c.due())
	return c, nil
}

// Converter returns the node's map from registers to global time.
func (c *GlobalClock) Converter() *clock.Converter { return c.converter }

// Rounds returns how many rounds have ended on node 0.
func (c *GlobalClock) Rounds() int { return int(c.stats.Rounds) }

// OnRound makes node 0 call f after each round.
func (c *GlobalClock) OnRound(f func(round uint32)) { c.rounds.ended = f }

// due returns when the service next has work, or sim.Never.
func (c *GlobalClock) due() sim.Time {
	if c.rounds == nil {
		return c.pass.due
	}
	return min(c.pass.due, c.rounds.due())
}

func (c *GlobalClock) arm() { c.nic.SetServiceTimer(max(c.due(), c.nic.Engine().Now())) }

// Due implements ni.Service. It runs local interpolation, and on node 0 the
// rounds.
func (c *GlobalClock) Due() {
	now := c.nic.Engine().Now()
	if now >= c.pass.due {
		c.interpolate(now)
	}
	if c.rounds != nil {
		c.rounds.run(now)
	}
	c.arm()
}

// interpolation is a pass over the node's table, entry by entry.
type interpolation struct {
	due   sim.Time // time of its next entry, or of the next pass
	begun sim.Time
	entry int // its next entry
}

// interpolate re-evaluates one entry of the table. A query never waits for the
// whole table, because half of a reply's delay becomes error of the midpoint. The
// entries of a large table are spread over the time until the next pass.
func (c *GlobalClock) interpolate(now sim.Time) {
	c.nic.Spend(c.cost.Interpolate)
	p := &c.pass
	if p.entry == 0 {
		p.begun = now
	}
	p.entry++
	if c.protocol.FirstTable() > 1 && !c.converter.Ready(c.nic.ID()) {
		p.entry = c.protocol.Nodes // the table is empty
	}
	every := sim.Duration(c.protocol.InterpolatePs())
	if p.entry < c.protocol.Nodes {
		p.due = c.nic.Now()
		if c.many() {
			p.due = max(p.due, p.begun.Add(every/sim.Duration(c.protocol.Nodes)*sim.Duration(p.entry)))
		}
		return
	}
	p.entry = 0
	c.converter.Interpolate(c.counter(c.nic.Now()))
	p.due = now.Add(every)
	if c.many() {
		p.due = max(c.nic.Now(), p.begun.Add(every))
	}
}

// adopt adopts entries of a table.
func (c *GlobalClock) adopt(entries []clock.Entry) {
	c.nic.Spend(c.cost.ClockAdopt * len(entries))
	if err := c.converter.Adopt(entries, c.counter(c.nic.Now())); err != nil {
		c.stats.Malformed++
	}
}

// Serves implements ni.Service.
func (c *GlobalClock) Serves(k trace.Kind) bool {
	return k == trace.ClockQuery || k == trace.ClockReply || k == trace.ClockTable
}

// Injecting implements ni.Service. It stamps the start of a query or a reply as
// late as possible.
func (c *GlobalClock) Injecting(p *fabric.Packet) {
	switch p.Header.Meta.Kind {
	case trace.ClockQuery:
		c.rounds.coordinator.Queried(int(p.Dst), c.counter(c.nic.Now()))
	case trace.ClockReply:
		if c.protocol.Estimator == clock.Filtered {
			stampReply(p, c.converter.Extend(c.counter(c.nic.Now())))
		}
	}
}

// Arrived implements ni.Service.
func (c *GlobalClock) Arrived(p *fabric.Packet, at sim.Time) {
	c.read(p)
	if err := c.take(p, at); err != nil {
		c.stats.Malformed++
	}
}

// take processes a packet whose words have been read.
func (c *GlobalClock) take(p *fabric.Packet, at sim.Time) error {
	switch p.Header.Meta.Kind {
	case trace.ClockQuery:
		q, err := c.protocol.DecodeQuery(c.words)
		if err != nil {
			return err
		}
		c.nic.Spend(c.cost.ClockReply)
		if c.protocol.Estimator == clock.Cristian {
			// One time represents both ends of the reply's handling: the middle.
			at = at.Add(c.nic.Duration(c.cost.ClockReply+c.nic.Spec().Loop.NetStartCycles) / 2)
		}
		c.words = c.protocol.AppendReply(c.words[:0], c.converter.Reply(q, c.counter(at)))
		c.send(trace.ClockReply, int(p.Src))
	case trace.ClockReply:
		r, err := c.protocol.DecodeReply(c.words)
		if err != nil {
			return err
		}
		if c.rounds == nil {
			return fmt.Errorf("clock: reply at node %d", c.nic.ID())
		}
		c.rounds.replied(r, at)
	case trace.ClockTable:
		_, entries, err := c.protocol.DecodeTable(c.adopting[:0], c.words)
		if err != nil {
			return err
		}
		c.adopting = entries
		c.adopt(entries)
	}
	return nil
}
