package host

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
)

// TestOnTurn: every change of programs is told, and nothing else: service
// processes and a program that goes on are no change.
func TestOnTurn(t *testing.T) {
	s := testSpec()
	s.Quantum, s.Gang = 30*us, true
	e, h := newHost(t, s, Uncontended{})
	var log []string
	h.OnTurn(func(c *Context) { log = append(log, fmt.Sprintf("%g %s", e.Now().Us(), c.Name())) })
	a := h.Go("a", Application, func(c *Context) { c.Spend(40 * us) })
	h.Go("b", Application, func(c *Context) {
		c.Spend(10 * us)
		c.Sleep(100 * us)
		c.Spend(10 * us)
	})
	h.Go("kernel", Handler, func(c *Context) {
		c.Sleep(5 * us)
		c.Spend(5 * us)
	})
	e.At(sim.Time(45*us), idleProbe{a, &log}, 0, 0)
	e.At(sim.Time(100*us), idleProbe{a, &log}, 0, 0)
	run(t, e)
	require.Equal(t, []string{"0 a", "30 b", "40 a", "a idle: false", "a idle: true", "140 b"}, log)
}

// idleProbe notes whether a context is idle.
type idleProbe struct {
	c   *Context
	log *[]string
}

func (p idleProbe) Act(uint32, uint64) {
	*p.log = append(*p.log, fmt.Sprintf("%s idle: %t", p.c.Name(), p.c.Idle()))
}

// TestServicesWaitForTheirProgram: while an interrupt's handler has the CPU and two programs wait, a
// service of the second one waits for its program's turn, and one of the first runs next.
func TestServicesWaitForTheirProgram(t *testing.T) {
	for name, want := range map[string][]string{
		"a": {"kernel", "service", "end of a", "end of b"},
		"b": {"kernel", "end of a", "service", "end of b"},
	} {
		e, h := newHost(t, testSpec(), Uncontended{})
		var log []string
		programs := map[string]*Context{}
		for _, name := range []string{"a", "b"} {
			programs[name] = h.Go(name, Application, func(c *Context) {
				c.Spend(100 * us)
				log = append(log, "end of "+name)
			})
		}
		kernel := h.Go("kernel", Handler, func(c *Context) {
			c.WaitInterrupt("requests")
			c.Spend(40 * us)
			log = append(log, "kernel")
			c.WaitInterrupt("more")
		})
		service := h.Go("service", Handler, func(c *Context) {
			c.Sleep(40 * us)
			log = append(log, "service")
		})
		at(e, us, func() { service.Bind(programs[name]) }) // it sleeps already
		at(e, 10*us, kernel.Interrupt)
		run(t, e)
		require.Equal(t, want, log, "service of %s", name)
	}
}
