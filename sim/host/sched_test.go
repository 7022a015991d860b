package host

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

// Three programs of 100 µs share a CPU in slices of 30 µs.
func TestTimeSlices(t *testing.T) {
	s := testSpec()
	s.Quantum, s.SwitchTime = 30*us, 2*us
	e, h := newHost(t, s, Uncontended{})
	h.phase = 0
	var ends [3]sim.Time
	for i := range ends {
		h.Go(fmt.Sprint("app", i), Application, func(c *Context) {
			c.Spend(60 * us)
			c.Copy(2000, false) // 40 µs more
			ends[i] = c.Now()
		})
	}
	run(t, e)
	// A slice includes the switch that begins it: 30 28 28, three rounds of 28 each, then the rests.
	for i, sh := range h.Shares() {
		require.Equal(t, 100*us, sh.Time[Computing], "program %d", i)
		require.Equal(t, sh.Elapsed-100*us, sh.Time[Descheduled], "program %d", i)
	}
	require.Equal(t, sim.Time(300*us+sim.Duration(h.stats.Switches)*2*us), ends[2])
	require.EqualValues(t, 11, h.stats.Switches)
	require.Less(t, ends[0], ends[1])
	require.Less(t, ends[1], ends[2])
}

// Without a quantum programs run until they block.
func TestRunUntilBlocked(t *testing.T) {
	s := testSpec()
	s.SwitchTime = us
	e, h := newHost(t, s, Uncontended{})
	var log []string
	var w Watch
	say := func(c *Context, what string) {
		log = append(log, fmt.Sprintf("%g %s %s", c.Now().Us(), c.Name(), what))
	}
	h.Go("a", Application, func(c *Context) {
		c.Spend(10 * us)
		say(c, "blocks")
		c.Block(&w, "b")
		say(c, "goes on")
	})
	h.Go("b", Application, func(c *Context) {
		say(c, "begins")
		c.Spend(5 * us)
		w.Fire()
		c.Spend(5 * us)
		say(c, "ends")
	})
	run(t, e)
	require.Equal(t, []string{"10 a blocks", "11 b begins", "21 b ends", "22 a goes on"}, log)
	a, b := h.Contexts()[0].Shares(), h.Contexts()[1].Shares()
	require.Equal(t, 16*us, a.Time[Computing]) // 10, and blocked from 10 to 16
	require.Equal(t, 6*us, a.Time[Descheduled])
	require.Equal(t, 11*us, b.Time[Descheduled])
}

// A program that waits behind another is descheduled even while an interrupt
// runs; the one that the interrupt stopped serves.
func TestWhoIsRobbed(t *testing.T) {
	e, h := newHost(t, testSpec(), Uncontended{})
	for _, name := range []string{"a", "b"} {
		h.Go(name, Application, func(c *Context) { c.Spend(100 * us) })
	}
	svc := h.Go("service", Handler, func(c *Context) {
		for {
			c.WaitInterrupt("requests")
			old := c.Enter(Monitor)
			c.Spend(3 * us)
			c.Enter(old)
			c.Spend(4 * us)
			require.Equal(t, us, c.Shift(Monitor, us))
		}
	})
	at(e, 50*us, svc.Interrupt)
	run(t, e)
	a, b := h.Contexts()[0].Shares(), h.Contexts()[1].Shares()
	require.Equal(t, [Categories]sim.Duration{Computing: 100 * us, Service: 18 * us, Monitor: 4 * us}, a.Time)
	require.Equal(t, [Categories]sim.Duration{Computing: 100 * us, Descheduled: 122 * us}, b.Time)
	require.Zero(t, h.stats.Absorbed)
	require.EqualValues(t, 1, h.stats.Interrupts)
}

// Interrupts that come during service cost nothing more, one that comes during
// the return enters anew, and one that is under way absorbs others.
func TestInterruptsMeet(t *testing.T) {
	e, h := newHost(t, testSpec(), Uncontended{})
	app := h.Go("app", Application, func(c *Context) { c.Spend(200 * us) })
	var served []float64
	work := 0
	svc := h.Go("service", Handler, func(c *Context) {
		for {
			for work > 0 {
				work--
				c.Spend(10 * us)
				served = append(served, c.Now().Us())
			}
			c.WaitInterrupt("requests")
		}
	})
	raise := func() { work++; svc.Interrupt() }
	at(e, 10*us, raise) // stops the CPU at 12, enters until 22, serves until 32
	at(e, 11*us, raise) // under way: served until 42
	at(e, 25*us, raise) // during service: until 52, then returns until 57
	at(e, 53*us, raise) // arrives at 55 during the return: enters from 57 to 67, serves until 77, returns until 82
	run(t, e)
	require.Equal(t, []float64{32, 42, 52, 77}, served)
	require.Equal(t, Stats{Interrupts: 3, Coalesced: 1, Absorbed: 1}, h.Stats())
	require.Equal(t, 70*us, app.Shares().Time[Service])
}

// A switch that an interrupt stops goes on where it was.
func TestInterruptedSwitch(t *testing.T) {
	s := testSpec()
	s.SwitchTime = 10 * us
	e, h := newHost(t, s, Uncontended{})
	h.Go("a", Application, func(c *Context) { c.Spend(10 * us) })
	b := h.Go("b", Application, func(c *Context) { c.Spend(10 * us) })
	svc := h.Go("service", Handler, func(c *Context) {
		for {
			c.WaitInterrupt("requests")
		}
	})
	at(e, 14*us, svc.Interrupt) // takes the CPU from 16 to 31, in the switch from 10 to 20
	run(t, e)
	sh := b.Shares()
	require.Equal(t, 45*us, sh.Elapsed)
	require.Equal(t, [Categories]sim.Duration{Computing: 10 * us, Descheduled: 20 * us, Service: 15 * us}, sh.Time)
}

// The end of a wait that was fulfilled does not end the next one.
func TestTimeouts(t *testing.T) {
	e, h := newHost(t, testSpec(), Uncontended{})
	var w Watch
	var log []float64
	h.Go("app", Application, func(c *Context) {
		require.True(t, c.SpinFor(&w, 100*us, "a word"))
		log = append(log, c.Now().Us())
		c.Spin(&w, "a word")
		log = append(log, c.Now().Us())
		require.False(t, c.BlockFor(&w, 50*us, "a word"))
		log = append(log, c.Now().Us())
		require.False(t, w.Waiting())
		require.True(t, c.BlockFor(&w, 1000*us, "a word"))
		log = append(log, c.Now().Us())
	})
	for _, us := range []sim.Duration{10, 150, 250} {
		at(e, us*sim.Microsecond, w.Fire)
	}
	run(t, e)
	require.Equal(t, []float64{10.5, 150.5, 200.5, 250}, log)
}

// A program goes back to the CPU that it ran on.
func TestAffinity(t *testing.T) {
	s := testSpec()
	s.CPUs = 2
	e, h := newHost(t, s, Uncontended{})
	for i := range 2 {
		h.Go("app", Application, func(c *Context) {
			for range 3 {
				c.Spend(10 * us)
				c.Sleep(sim.Duration(20-15*i) * us) // the second comes back first
			}
		})
	}
	run(t, e)
	require.Zero(t, h.Stats().Switches)
}

func TestOwnCPUs(t *testing.T) {
	for _, tc := range []struct {
		cpus int
		free bool
	}{{2, false}, {1, true}} {
		s := testSpec()
		s.CPUs = tc.cpus
		e, h := newHost(t, s, Uncontended{CPU: tc.free})
		app := h.Go("app", Application, func(c *Context) { c.Spend(100 * us) })
		svc := h.Go("service", Handler, func(c *Context) {
			c.WaitInterrupt("requests")
			c.Spend(50 * us)
		})
		at(e, 10*us, svc.Interrupt)
		run(t, e)
		require.Equal(t, 100*us, app.Shares().Elapsed)
		require.Equal(t, 60*us, svc.Shares().Held)
	}
}

// Monitor's words in a descriptor are charged by shifting time.
func TestShift(t *testing.T) {
	e, h := newHost(t, testSpec(), Uncontended{})
	app := h.Go("app", Application, func(c *Context) {
		c.Spend(10 * us)
		old := c.Enter(Messaging)
		c.PIOWrite(8, Words)
		require.Equal(t, h.PIOWriteTime(2, Words), c.Shift(Monitor, h.PIOWriteTime(2, Words)))
		require.Equal(t, 600*sim.Nanosecond, c.Shift(Service, us), "not more than there is")
		c.Enter(old)
	})
	run(t, e)
	s := app.Shares()
	require.Equal(t, [Categories]sim.Duration{Computing: 10 * us, Monitor: us / 5, Service: 6 * us / 10}, s.Time)
}

// monkey runs random programs and interrupts and checks that time adds up, that
// the CPU never idles while something is ready, and that work takes as long as it
// has to.
func monkey(rt *rapid.T, s Spec, free Uncontended) (*sim.Engine, *Host, []sim.Duration) {
	e := sim.New(7)
	h := New(e, "node", &s, free)
	var w Watch
	n := rapid.IntRange(1, 4).Draw(rt, "programs")
	alone := make([]sim.Duration, n)
	for i := range n {
		ops := rapid.SliceOfN(rapid.IntRange(0, 6), 1, 12).Draw(rt, "ops")
		times := rapid.SliceOfN(rapid.Int64Range(0, 50_000_000), len(ops), len(ops)).Draw(rt, "times")
		h.Go(fmt.Sprint("app", i), Application, func(c *Context) {
			for k, op := range ops {
				d := sim.Duration(times[k])
				c.Enter(Category(k % 3))
				switch op {
				case 0, 1:
					c.Spend(d)
					alone[i] += d
				case 2:
					c.Copy(int(d/20_000), false)
					alone[i] += s.CopyMiss.Time(int(d / 20_000))
				case 3:
					c.PIOWrite(int(d/100_000), Words)
					alone[i] += d / 100_000 * 100_000
				case 4:
					c.SpinFor(&w, d, "a word")
				case 5:
					c.Sleep(d)
				case 6:
					w.Fire()
				}
			}
		})
	}
	work := sim.Duration(0)
	svc := h.Go("service", Handler, func(c *Context) {
		for {
			for work > 0 {
				d := work
				work = 0
				c.Spend(d)
			}
			c.WaitInterrupt("requests")
		}
	})
	for range rapid.IntRange(0, 10).Draw(rt, "interrupts") {
		d := sim.Duration(rapid.Int64Range(0, 20_000_000).Draw(rt, "service"))
		at(e, sim.Duration(rapid.Int64Range(0, 500_000_000).Draw(rt, "at")), func() { work += d; svc.Interrupt() })
	}
	return e, h, alone
}

func TestSchedulerProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := testSpec()
		s.CPUs = rapid.IntRange(1, 2).Draw(rt, "cpus")
		s.Quantum = sim.Duration(rapid.SampledFrom([]int64{0, 5_000_000, 30_000_000}).Draw(rt, "quantum"))
		s.SwitchTime = sim.Duration(rapid.Int64Range(0, 3_000_000).Draw(rt, "switch"))
		free := Uncontended{CPU: rapid.Bool().Draw(rt, "free")}
		e, h, alone := monkey(rt, s, free)
		idle := sim.Duration(0)
		last := sim.Time(0)
		for e.Pending() > 0 {
			running := 0
			for _, c := range h.cpus {
				if c != nil {
					running++
				}
			}
			if running < len(h.cpus) {
				require.Empty(rt, h.queue, "idle at %v", e.Now())
			}
			e.Step()
			idle += sim.Duration(len(h.cpus)-running) * e.Now().Sub(last)
			last = e.Now()
		}
		held := sim.Duration(0)
		for i, c := range h.Contexts() {
			sh := c.Shares() // panics when it does not add up
			held += sh.Held
			if c.level != Application {
				continue
			}
			require.Equal(rt, ended, c.state)
			require.GreaterOrEqual(rt, sh.Held, alone[i]-12)
			if free.CPU {
				require.Zero(rt, sh.Time[Descheduled])
				require.Zero(rt, sh.Time[Service])
			}
		}
		if !free.CPU {
			require.Equal(rt, sim.Duration(len(h.cpus))*e.Now().Sub(0), held+idle)
		}
		e.Close()
	})
}

// Preempted work takes exactly as long as alone, plus what was preempted.
func TestOneProgramProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := sim.New(1)
		h := New(e, "node", new(testSpec()), Uncontended{})
		ops := rapid.SliceOfN(rapid.IntRange(1, 3000), 1, 10).Draw(rt, "ops")
		want := sim.Duration(0)
		app := h.Go("app", Application, func(c *Context) {
			for i, n := range ops {
				switch i % 3 {
				case 0:
					c.Copy(n, false)
					want += h.spec.CopyMiss.Time(n)
				case 1:
					c.PIORead(n)
					want += h.PIOReadTime(n)
				case 2:
					c.Compute(Work{Flops: int64(n)})
					want += sim.Duration(n) * h.spec.Ops.Flop
				}
			}
		})
		svc := h.Go("service", Handler, func(c *Context) {
			for {
				c.WaitInterrupt("requests")
				c.Copy(123, false)
			}
		})
		for range rapid.IntRange(0, 20).Draw(rt, "interrupts") {
			at(e, sim.Duration(rapid.Int64Range(0, 1_000_000_000).Draw(rt, "at")), svc.Interrupt)
		}
		run(t, e)
		s := app.Shares()
		require.InDelta(rt, int64(want), int64(s.Time[Computing]), float64(len(ops)))
		if s.Elapsed > 1002*us { // nothing can come later
			require.Equal(rt, s.Time[Service], svc.Shares().Held)
		}
	})
}

// The same run has the same events.
func TestDeterminism(t *testing.T) {
	digests := map[uint64]bool{}
	for range 3 {
		s := testSpec()
		s.Quantum, s.SwitchTime = 10*us, us
		e, h := newHost(t, s, Uncontended{})
		for i := range 3 {
			h.Go(fmt.Sprint(i), Application, func(c *Context) {
				for range 10 {
					c.Copy(1000, false)
					c.Sleep(3 * us)
				}
			})
		}
		run(t, e)
		digests[e.Digest()] = true
	}
	require.Len(t, digests, 1)
}
