package host

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
)

const us = sim.Microsecond

// testSpec has round numbers that are easy to add up.
func testSpec() Spec {
	return Spec{
		CPUs: 1, Clock: sim.MHz(100), CacheLine: 32, L2: 256 << 10, WordBytes: 4,
		Ops:    Ops{Flop: 40_000, Int: 10_000, Load: 10_000, Store: 20_000},
		MemBus: 200e6, MemRead: 100e6, MemWrite: 100e6, CopyHit: 200e6, CopyMiss: 50e6,
		IOBus: 100e6, PIOWrite: 100_000, PIOLine: 400_000, PIORead: 500_000,
		PollNotice: us / 2, Interrupt: Interrupt{Delivery: 2 * us, Entry: 10 * us, Return: 5 * us},
	}
}

func newHost(t testing.TB, s Spec, free Uncontended) (*sim.Engine, *Host) {
	e := sim.New(1)
	h, err := New(e, "node0", s, free)
	require.NoError(t, err)
	return e, h
}

type call func()

func (c call) Act(uint32, uint64) { c() }

func at(e *sim.Engine, d sim.Duration, fn func()) { e.At(sim.Time(d), call(fn), 0, 0) }

// run ends when the programs have ended; service processes wait for ever.
func run(t testing.TB, e *sim.Engine) {
	err := e.Run(sim.Never)
	if _, ok := err.(*sim.DeadlockError); !ok {
		require.NoError(t, err)
	}
	e.Close()
}

func TestOperations(t *testing.T) {
	cases := []struct {
		name string
		do   func(*Context)
		want sim.Duration
	}{
		{"nothing", func(c *Context) { c.Compute(Work{}) }, 0},
		{"flops and others", func(c *Context) { c.Compute(Work{Flops: 10, Ints: 5, Loads: 3, Stores: 2, Cycles: 7, Time: us}) },
			400_000 + 50_000 + 30_000 + 40_000 + 70_000 + us},
		{"misses", func(c *Context) { c.Compute(Work{Read: 1000, Write: 500, Time: 5 * us}) }, 20 * us},
		{"few misses", func(c *Context) { c.Compute(Work{Read: 100, Time: 999 * us}) }, 1000 * us},
		{"copy in cache", func(c *Context) { c.Copy(1000, true) }, 5 * us},
		{"copy", func(c *Context) { c.Copy(1000, false) }, 20 * us},
		{"read", func(c *Context) { c.MemRead(4096) }, 40960 * sim.Nanosecond},
		{"write", func(c *Context) { c.MemWrite(4096) }, 40960 * sim.Nanosecond},
		{"words", func(c *Context) { c.PIOWrite(16, false) }, 1600 * sim.Nanosecond},
		{"lines", func(c *Context) { c.PIOWrite(17, true) }, 1200 * sim.Nanosecond},
		{"loads", func(c *Context) { c.PIORead(4) }, 2 * us},
		{"sleep", func(c *Context) { c.Sleep(3 * us) }, 3 * us},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			e, h := newHost(t, testSpec(), Uncontended{})
			var took sim.Duration
			h.Go("app", Application, func(c *Context) {
				from := c.Now()
				tc.do(c)
				took = c.Now().Sub(from)
			})
			run(t, e)
			require.Equal(t, tc.want, took)
		})
	}
}

// DMA and computing slow one another, and not at all when the bus is ablated.
func TestContention(t *testing.T) {
	for _, free := range []bool{false, true} {
		e, h := newHost(t, testSpec(), Uncontended{MemBus: free, IOBus: free})
		var copied, stored sim.Time
		h.Go("app", Application, func(c *Context) {
			c.Copy(5000, false) // wants 100 of 200 MB/s for 100 µs
			copied = c.Now()
			c.PIOWrite(100, false) // wants all of the I/O bus for 10 µs
			stored = c.Now()
		})
		var dma, dma2 sim.Flow
		// 150 MB/s is wanted: each gets 100 on the memory bus.
		h.Pool().SetCapacity(IOBus, 150e6)
		h.Pool().Start(&dma, 150*100, 150e6, OnMemBus, call(func() {}), 0, 0)
		at(e, 100*us, func() { require.Equal(t, !free, dma.Running()) })
		at(e, 200*us, func() {
			h.Pool().SetCapacity(IOBus, 100e6)
			if free {
				h.Pool().SetCapacity(IOBus, sim.Infinite)
			}
		})
		_ = dma2
		run(t, e)
		require.Equal(t, sim.Time(100*us), copied)
		require.GreaterOrEqual(t, stored, sim.Time(110*us))
	}
}

// An interrupt stretches what it interrupts by exactly the time that it takes,
// whatever that is.
func TestInterruptStretches(t *testing.T) {
	for _, tc := range []struct {
		name string
		do   func(*Context)
		want sim.Duration
	}{
		{"computing", func(c *Context) { c.Spend(100 * us) }, 100 * us},
		{"copying", func(c *Context) { c.Copy(5000, false) }, 100 * us},
		{"storing", func(c *Context) { c.PIOWrite(1000, false) }, 100 * us},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e, h := newHost(t, testSpec(), Uncontended{})
			app := h.Go("app", Application, func(c *Context) { tc.do(c); tc.do(c) })
			var served []sim.Time
			svc := h.Go("service", Handler, func(c *Context) {
				for {
					c.WaitInterrupt("requests")
					c.Spend(7 * us)
					served = append(served, c.Now())
				}
			})
			at(e, 33*us, svc.Interrupt)
			run(t, e)
			require.Equal(t, []sim.Time{sim.Time(52 * us)}, served)
			s := app.Shares()
			require.Equal(t, 2*tc.want+22*us, s.Elapsed)
			require.Equal(t, 2*tc.want, s.Time[Computing])
			require.Equal(t, 22*us, s.Time[Service])
			require.Equal(t, s.Elapsed-22*us, s.Held)
			require.Equal(t, 22*us, svc.Shares().Held)
		})
	}
}

func TestSpin(t *testing.T) {
	e, h := newHost(t, testSpec(), Uncontended{})
	var w Watch
	var woke []sim.Time
	app := h.Go("app", Application, func(c *Context) {
		old := c.Enter(PageWait)
		for range 3 {
			c.Spin(&w, "a word")
			woke = append(woke, c.Now())
		}
		require.False(t, c.SpinFor(&w, 10*us, "a word"))
		woke = append(woke, c.Now())
		c.Enter(old)
	})
	svc := h.Go("service", Handler, func(c *Context) {
		for {
			c.WaitInterrupt("requests")
			c.Spend(5 * us)
		}
	})
	at(e, 10*us, w.Fire)
	at(e, 18*us, svc.Interrupt) // runs from 20 to 40
	at(e, 30*us, w.Fire)
	at(e, 60*us, w.Fire)
	run(t, e)
	require.Equal(t, []sim.Time{
		sim.Time(10*us + us/2), sim.Time(40*us + us/2), sim.Time(60*us + us/2), sim.Time(71 * us)}, woke)
	s := app.Shares()
	require.Equal(t, 20*us, s.Time[Service])
	require.Equal(t, 10*us, s.Overlapped)
	require.Equal(t, s.Elapsed-20*us, s.Time[PageWait])
}
