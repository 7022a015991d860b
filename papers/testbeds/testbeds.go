// Package testbeds makes measures on testbeds, and holds those that rows of several papers
// share.
package testbeds

import (
	"context"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// On makes a measure on a testbed of its own.
func On(s testbed.Spec, f func(*testbed.Testbed) judge.Measured) judge.Measure {
	return judge.Run(func(session *judge.Session) judge.Measured { return Use(session, s, f) })
}

// Number makes a measure of a property of a testbed.
func Number(f func(*testbed.Testbed) float64) func(*testbed.Testbed) judge.Measured {
	return func(b *testbed.Testbed) judge.Measured { return judge.Measured{Value: f(b)} }
}

// CPUMHz returns the clock rate of a host's processor, by a count of cycles.
func CPUMHz(b *testbed.Testbed) float64 {
	const cycles = 1_000_000
	return cycles / b.Time(0, func(c *host.Context) { c.Compute(host.Work{Cycles: cycles}) }).Us()
}

// L2KB returns the size of a host's second-level cache.
func L2KB(b *testbed.Testbed) float64 { return float64(b.Nodes[0].Host.Spec().L2KB) }

// CardMHz returns the clock rate of an interface's processor.
func CardMHz(b *testbed.Testbed) float64 { return float64(b.Nodes[0].NIC.Spec().ClockHz) / 1e6 }

// SRAMMB measures the size of an interface's SRAM by allocating the rest of it.
func SRAMMB(b *testbed.Testbed) judge.Measured {
	n := b.Nodes[0].NIC
	free := n.SRAM().Free()
	b.Keep(n.SRAM().Reserve("row", free))
	if n.SRAM().Reserve("row", 1) == nil {
		b.Fail("SRAM gives more than it has")
	}
	return judge.Value(float64(n.Spec().SRAMBytes)/(1<<20), "%d KB of it free under the full monitor", free/1024)
}

// Taken returns the time that a program on a node loses to the others: it computes
// for work, and what it takes beyond that is lost.
func Taken(b *testbed.Testbed, node int, work sim.Duration, others ...testbed.Program) sim.Duration {
	var took sim.Duration
	b.Run(append(others, testbed.On(node, func(c *host.Context) {
		begin := c.Now()
		c.Compute(host.Work{Time: work})
		took = c.Now().Sub(begin)
	}))...)
	return took - work
}

// Use returns the result of f on a testbed of its own. An error ends the session.
func Use[T any](s *judge.Session, spec testbed.Spec, f func(*testbed.Testbed) T) T {
	return judge.Get(s, func(ctx context.Context) (T, error) { return testbed.With(ctx, spec, f) })
}
