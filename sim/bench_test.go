package sim

import (
	"fmt"
	"testing"
)

// again schedules itself anew after a random delay, so that the number of
// pending events stays what it was.
type again struct {
	e      *Engine
	stream Stream
	span   Duration
}

func (a *again) Act(uint32, uint64) { a.e.After(a.stream.Upto(a.span)+1, a, 0, 0) }

// BenchmarkQueue measures one operation, a pop and a push, with a number of
// events pending.
func BenchmarkQueue(b *testing.B) {
	for _, pending := range []int{1, 16, 1000, 100_000} {
		b.Run(fmt.Sprintf("pending=%d", pending), func(b *testing.B) {
			var q Queue[uint64]
			q.Start()
			s := NewStream(1, "bench")
			for range pending {
				q.Push(Time(s.Below(1_000_000)), 0)
			}
			var now Time
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				q.Next()
				_, now, _ = q.Pop()
				q.Push(now+Time(s.Below(1_000_000)), 0)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
		})
	}
}

// BenchmarkEngine measures whole events, dispatch and digest included.
func BenchmarkEngine(b *testing.B) {
	for _, pending := range []int{1, 16, 1000} {
		b.Run(fmt.Sprintf("pending=%d", pending), func(b *testing.B) {
			e := New(1)
			a := &again{e, e.Stream("bench"), 1_000_000}
			for range pending {
				a.Act(0, 0)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				e.Step()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

// BenchmarkProcSwitch measures a process that sleeps: two switches and an event.
func BenchmarkProcSwitch(b *testing.B) {
	e := New(1)
	e.Go("sleeper", func(p *Proc) {
		for {
			p.Sleep(10)
		}
	})
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		e.Step()
	}
	e.Close()
}
