package host

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
)

// operations are what a program does most.
var operations = []struct {
	name string
	do   func(*Context)
}{
	{"spend", func(c *Context) { c.Spend(us) }},
	{"compute", func(c *Context) { c.Compute(Work{Flops: 100, Read: 1000}) }},
	{"pio", func(c *Context) { c.PIOWrite(8, Combining) }},
	{"copy", func(c *Context) { c.Copy(4096, false) }},
	{"enter", func(c *Context) { c.Enter(c.Enter(Messaging)); c.Spend(us) }},
	{"sleep", func(c *Context) { c.Sleep(us) }},
	{"spin", func(c *Context) { c.SpinFor(&c.nap, us, "nothing") }},
}

func loop(t testing.TB, do func(*Context)) *sim.Engine {
	e, h := newHost(t, testSpec(), Uncontended{})
	h.Go("app", Application, func(c *Context) {
		for {
			do(c)
		}
	})
	return e
}

func TestNoAllocation(t *testing.T) {
	for _, op := range operations {
		e := loop(t, op.do)
		for range 100 {
			e.Step()
		}
		require.Zero(t, testing.AllocsPerRun(1000, func() { e.Step() }), op.name)
		e.Close()
	}
	s := NewSpace("app", &Frames{})
	a := s.Alloc(4 * PageBytes)
	b := make([]byte, 6000)
	s.WriteAt(a, b)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		s.WriteAt(a, b)
		s.ReadAt(a, b)
		s.Store32(a, s.Load32(a))
		s.CopyFrom(s, a, a+2*PageBytes+100, 6000)
	}))
}

func BenchmarkContext(b *testing.B) {
	for _, op := range operations {
		b.Run(op.name, func(b *testing.B) {
			e := loop(b, op.do)
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				e.Step()
			}
			b.StopTimer()
			e.Close()
		})
	}
}

// One interrupt with its service, which stops a program that computes.
func BenchmarkInterrupt(b *testing.B) {
	e, h := newHost(b, testSpec(), Uncontended{})
	h.Go("app", Application, func(c *Context) {
		for {
			c.Copy(1<<20, false)
		}
	})
	n := 0
	h.Go("service", Handler, func(c *Context) {
		for {
			c.WaitInterrupt("requests")
			c.Spend(5 * us)
			n++
			c.Interrupt()
		}
	})
	h.contexts[1].Interrupt()
	b.ReportAllocs()
	b.ResetTimer()
	from := e.Events()
	for n < b.N {
		e.Step()
	}
	b.ReportMetric(float64(e.Events()-from)/float64(b.N), "events/op")
	b.StopTimer()
	e.Close()
}

func BenchmarkWriteAt(b *testing.B) {
	s := NewSpace("app", &Frames{})
	a := s.Alloc(4 * PageBytes)
	var w Watchpoint
	s.Watch(&w, a+PageBytes, 4)
	buf := make([]byte, 64)
	b.ReportAllocs()
	for range b.N {
		s.WriteAt(a+PageBytes-8, buf)
	}
}
