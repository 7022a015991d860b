package testbed

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Program is what a node does.
type Program struct {
	Node int
	Do   func(*host.Context)
}

// On makes a program of a function.
func On(node int, f func(*host.Context)) Program { return Program{node, f} }

// Run executes programs side by side and waits until all have ended and all messages
// of VMMC-2 have arrived.
func (b *Testbed) Run(programs ...Program) {
	b.Keep(b.execute(programs))
	b.Settle()
}

// Play executes programs, one per node from node 0 on, until all have ended. A nil
// program is skipped.
func (b *Testbed) Play(programs ...func(*host.Context)) { b.Keep(b.execute(numbered(programs))) }

// Ends is Play for programs that may wait forever. It reports whether all have ended.
func (b *Testbed) Ends(programs ...func(*host.Context)) bool {
	var stuck *sim.DeadlockError
	err := b.execute(numbered(programs))
	if errors.As(err, &stuck) {
		return false
	}
	return b.Keep(err) && b.OK()
}

func numbered(programs []func(*host.Context)) (all []Program) {
	for i, f := range programs {
		if f != nil {
			all = append(all, On(i, f))
		}
	}
	return all
}

// execute runs programs until all have ended or one has failed.
func (b *Testbed) execute(programs []Program) error {
	if !b.OK() || !b.Keep(b.ctx.Err()) {
		return nil
	}
	ended := b.Start(programs...)
	return b.Engine.RunUntil(func() bool { return ended() || !b.OK() })
}

// Start starts programs without waiting. The function that it returns reports whether
// all have ended.
func (b *Testbed) Start(programs ...Program) (ended func() bool) {
	left := len(programs)
	for _, p := range programs {
		b.Nodes[p.Node].Host.Go(fmt.Sprintf("program%d", p.Node), host.Application, func(c *host.Context) {
			p.Do(c)
			left--
		})
	}
	return func() bool { return left == 0 }
}

// Until lets the cluster run until holds returns true.
func (b *Testbed) Until(holds func() bool) {
	if b.OK() {
		b.Keep(b.Engine.RunUntil(func() bool { return holds() || !b.OK() }))
	}
}

// Finish starts programs of an upper layer and waits until they call ended. It then
// keeps the error that err returns.
func (b *Testbed) Finish(err func() error, start func(ended func()) error) {
	done := false
	b.Keep(start(func() { done = true }))
	b.Until(func() bool { return done })
	b.Keep(err())
	b.Rest(settle)
}

// Time returns the time that a program takes.
func (b *Testbed) Time(node int, f func(*host.Context)) (took sim.Duration) {
	b.Run(On(node, func(c *host.Context) {
		begin := c.Now()
		f(c)
		took = c.Now().Sub(begin)
	}))
	return took
}

// settle is how long a testbed runs on after all messages have arrived.
const settle = sim.Millisecond

// Settle waits until all messages of VMMC-2 have arrived.
func (b *Testbed) Settle() {
	b.Until(b.idle)
	b.Rest(settle)
}

// idle reports whether all messages of VMMC-2 have arrived.
func (b *Testbed) idle() bool {
	for _, n := range b.Nodes {
		if n.VMMC != nil && (n.NIC.Requests() > 0 || n.VMMC.Unacknowledged() > 0) {
			return false
		}
	}
	return true
}

// Rest lets the cluster run on for d. It is no deadlock if service processes wait and
// no event is left.
func (b *Testbed) Rest(d sim.Duration) {
	if b.OK() {
		b.Keep(b.Cluster.Rest(d))
	}
}

// Quiet is a gap long enough for a page to arrive.
const Quiet = 300 * sim.Microsecond

// Each returns a program that deposits one message of every size. The gaps between
// them vary, so that they do not fall into step with periodic work of the firmware.
func (b *Testbed) Each(from, to int, sizes []int, gap sim.Duration) Program {
	idle := b.Engine.Stream(fmt.Sprintf("bed/%d-%d", from, to))
	return On(from, func(c *host.Context) {
		p := b.Depositor(from)
		for _, n := range sizes {
			p.Send(c, to, n)
			c.Sleep(gap + idle.Upto(gap))
		}
	})
}

// Repeat returns a program that calls f a number of times, with a gap after each.
func Repeat(node, times int, gap sim.Duration, f func(*host.Context)) Program {
	return On(node, func(c *host.Context) {
		for range times {
			f(c)
			c.Sleep(gap)
		}
	})
}

// Same returns the sizes of count messages of n bytes.
func Same(n, count int) []int {
	sizes := make([]int, count)
	for i := range sizes {
		sizes[i] = n
	}
	return sizes
}

// Lengths returns all sizes up to n bytes in steps of a word.
func Lengths(n int) (sizes []int) {
	for bytes := 4; bytes <= n; bytes += 4 {
		sizes = append(sizes, bytes)
	}
	return sizes
}

// Mixed returns the sizes of count messages, from a word to a page.
func Mixed(count int) []int {
	sizes := make([]int, count)
	for i := range sizes {
		sizes[i] = []int{4, 64, 1024, 4096, 256}[i%5]
	}
	return sizes
}
