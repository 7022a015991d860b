package host

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
)

// TestGang: two hosts begin their slices at different times, with different programs.
// After Gang both run the program that began first, and switch at the same instants.
func TestGang(t *testing.T) {
	e := sim.New(1)
	s := testSpec()
	s.Quantum = 30 * us
	var hosts []*Host
	for i := range 2 {
		h := New(e, "h", &s, Uncontended{})
		hosts = append(hosts, h)
		h.Go("late", Handler, func(c *Context) {
			c.Spend(sim.Duration(1+10*i) * us)
		})
		h.Go("a", Application, func(c *Context) {
			if i == 1 {
				c.Sleep(5 * us) // b runs first
			}
			c.Enter(BarrierWait)
			c.Spend(300 * us)
		})
		h.Go("b", Application, func(c *Context) { c.Spend(300 * us) })
	}
	var seen [][2]int
	look := func() {
		a, spins := hosts[0].Glance()
		b, _ := hosts[1].Glance()
		require.Equal(t, a == 0, spins)
		seen = append(seen, [2]int{a, b})
	}
	for at := 5; at < 60; at += 5 {
		e.At(sim.Time(sim.Duration(at)*us), call(look), 0, 0)
	}
	e.At(sim.Time(60*us), call(func() {
		for _, h := range hosts {
			h.Gang()
		}
	}), 0, 0)
	for at := 75; at < 240; at += 30 {
		e.At(sim.Time(sim.Duration(at)*us), call(look), 0, 0)
	}
	run(t, e)
	require.True(t, slices.ContainsFunc(seen[:11], func(x [2]int) bool { return x[0] != x[1] }))
	require.Equal(t, [][2]int{{0, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, {1, 1}}, seen[11:])
}
