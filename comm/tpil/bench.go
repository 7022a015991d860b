package tpil

import (
	"slices"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Machine is a host and a card to measure on.
type Machine struct {
	Host host.Spec
	Card ni.Spec
	TPIL Spec
}

// bench is a machine of its own, with nothing else on it.
type bench struct {
	engine   *sim.Engine
	host     *host.Host
	injector *Injector
	source   host.Addr
}

// newBench returns a machine that injects up to most bytes.
func newBench(m Machine, seed uint64, most int) (*bench, error) {
	b := &bench{engine: sim.New(seed)}
	net, err := fabric.New(b.engine, fabric.Spec{
		Topology: fabric.Topology{Shape: fabric.Cable, Nodes: 2}, LinkRate: sim.MBps(160), WireDelay: sim.Nanosecond,
		SlackBytes: 80, StopBytes: 56, GoBytes: 32, BlockLimit: 50 * sim.Millisecond,
	})
	if err != nil {
		return nil, err
	}
	b.host = host.New(b.engine, "bench", &m.Host, host.Uncontended{})
	rtc, err := clock.NewOscillator(clock.Spec{HzNum: m.Card.ClockHz, HzDen: 1, WidthBits: 32})
	if err != nil {
		return nil, err
	}
	card, err := ni.New(b.engine, 0, &m.Card, b.host, net, rtc, ni.Uncontended{})
	if err != nil {
		return nil, err
	}
	card.Load(ni.Bare{})
	space := host.NewSpace("bench", &host.Frames{})
	b.injector = New(card, space, m.TPIL, nil)
	b.source = space.Alloc(int64(most))
	return b, nil
}

// Sample is what injections of one size by one mechanism cost.
type Sample struct {
	Took       sim.Duration // the median
	Words      uint64       // stored by the CPU, per injection
	Interrupts uint64       // per injection
	Longest    int          // transfer that the host has started, bytes
}

// Measure measures injections of n bytes by a mechanism one by one, each from memory that is not
// in the cache, on an idle machine.
func (m Machine) Measure(how Mechanism, n int, seed uint64) (s Sample, err error) {
	if err := Offers(&m.Host, how); err != nil {
		return s, err
	}
	b, err := newBench(m, seed, n)
	if err != nil {
		return s, err
	}
	defer b.engine.Close()
	var all []sim.Duration
	b.host.Go("injections", host.Application, func(c *host.Context) {
		for range runs {
			b.host.Evict(b.injector.space, b.source, n)
			began := c.Now()
			b.injector.By(c, how, b.source, n)
			all = append(all, c.Now().Sub(began))
		}
	})
	err = b.engine.Run(sim.Never)
	if _, serves := err.(*sim.DeadlockError); err != nil && !(serves && len(all) == runs) {
		return s, err // otherwise only the driver waits
	}
	slices.Sort(all)
	h := b.host.Stats()
	return Sample{portable.Median(all), h.Stored / runs, h.Interrupts / runs, b.injector.longest}, nil
}

// runs is the number of injections behind a median.
const runs = 7
