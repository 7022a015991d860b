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
		CPUs: 1, Clock: sim.Hz(100e6), CacheLine: 32, L2KB: 256,
		Ops:    Ops{Flop: 40_000, Int: 10_000, Load: 10_000, Store: 20_000},
		MemBus: 200e6, MemRead: 100e6, MemWrite: 100e6, CopyHit: 200e6, CopyMiss: 50e6,
		IOBus: 100e6, PIOWrite: 100_000, PIOLine: 400_000, PIORead: 500_000,
		PollNotice: us / 2, Interrupt: Interrupt{Delivery: 2 * us, Entry: 10 * us, Return: 5 * us},
	}
}

func newHost(t testing.TB, s Spec, free Uncontended) (*sim.Engine, *Host) {
	e := sim.New(1)
	h := New(e, "node0", &s, free)
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
		{"words", func(c *Context) { c.PIOWrite(16, Words) }, 1600 * sim.Nanosecond},
		{"lines", func(c *Context) { c.PIOWrite(17, Combining) }, 900 * sim.Nanosecond},
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

// DMA, computing and programmed I/O slow one another, and not when their bus is
// ablated.
func TestContention(t *testing.T) {
	for _, tc := range []struct {
		name        string
		do          func(*Context)
		bytes       int64
		limit       sim.Rate
		uses        uint32
		opUs        float64 // with contention
		dmaUs       float64
		opFree      float64 // without
		dmaFree     float64
		uncontended Uncontended
	}{
		// 100 and 150 MB/s are wanted of 200: the copy gets all it wants.
		{"copy wins", func(c *Context) { c.Copy(5000, false) }, 15000, 150e6, OnMemBus,
			100, 133.333334, 100, 100, Uncontended{MemBus: true}},
		// 160 and 160 of 200: 100 each.
		{"reads lose", func(c *Context) { c.MemRead(16000) }, 16000, 160e6, OnMemBus,
			160, 160, 100, 100, Uncontended{MemBus: true}},
		{"stores and DMA", func(c *Context) { c.PIOWrite(100, Words) }, 1000, sim.Infinite, OnIOBus | OnMemBus,
			20, 20, 10, 5, Uncontended{IOBus: true}},
		{"loads and slow DMA", func(c *Context) { c.PIORead(20) }, 1000, 20e6, OnIOBus | OnSRAM,
			12.5, 50, 10, 50, Uncontended{IOBus: true}},
		{"in the cache", func(c *Context) { c.Copy(2000, true) }, 2000, 200e6, OnMemBus,
			10, 10, 10, 10, Uncontended{MemBus: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, free := range []bool{false, true} {
				spec := testSpec()
				var un Uncontended
				opUs, dmaUs := tc.opUs, tc.dmaUs
				if free {
					un, opUs, dmaUs = tc.uncontended, tc.opFree, tc.dmaFree
				}
				if tc.name == "reads lose" {
					spec.MemRead = 160e6
				}
				e, h := newHost(t, spec, un)
				var op, dma sim.Time
				h.Go("app", Application, func(c *Context) { tc.do(c); op = c.Now() })
				var f sim.Flow
				at(e, 0, func() {
					h.Pool().Start(&f, tc.bytes, tc.limit, tc.uses, call(func() { dma = e.Now() }), 0, 0)
				})
				run(t, e)
				require.InDelta(t, opUs, op.Us(), 1e-3, "free %t", free)
				require.InDelta(t, dmaUs, dma.Us(), 1e-3, "free %t", free)
			}
		})
	}
}

// The bus is held for the set-up of each transaction.
func TestDMA(t *testing.T) {
	for _, tc := range []struct {
		bytes  int
		burst  int
		limit  sim.Rate
		wantUs float64
	}{
		{0, 0, sim.Infinite, 0},
		{1000, 0, sim.Infinite, 10.2},
		{1000, 256, sim.Infinite, 10.8},
		{1024, 256, sim.Infinite, 11.04},
		{1000, 256, 50e6, 20},
		{1000, 256, 99e6, 10.8}, // the set-up does not fit into what the limit leaves
	} {
		s := testSpec()
		s.IOSetup, s.IOBurst = us/5, tc.burst
		e, h := newHost(t, s, Uncontended{})
		var f sim.Flow
		var end sim.Time
		h.DMA(&f, false, tc.bytes, tc.limit, OnIOBus|OnMemBus|OnSRAM, call(func() { end = e.Now() }), 0, 0)
		require.NoError(t, e.Run(sim.Never))
		require.InDelta(t, tc.wantUs, end.Us(), 1e-4, "%+v", tc)
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
		{"storing", func(c *Context) { c.PIOWrite(1000, Words) }, 100 * us},
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

// TestDataPathsAreCounted: what a layer moves by copies and programmed I/O can
// be told from its counters.
func TestDataPathsAreCounted(t *testing.T) {
	e, h := newHost(t, testSpec(), Uncontended{})
	h.Go("p", Application, func(c *Context) {
		c.Copy(100, true)
		c.Copy(50, false)
		c.PIOWrite(3, Combining)
		c.PIOWriteWhile(us, 4, Words)
		c.PIORead(2)
	})
	run(t, e)
	s := h.Stats()
	require.Equal(t, [3]uint64{150, 7, 2}, [3]uint64{s.Copied, s.Stored, s.Loaded})
}
