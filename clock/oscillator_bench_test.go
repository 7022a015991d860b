package clock_test

import (
	"testing"

	"github.com/sigview/sigview/clock"
)

func BenchmarkTicks(b *testing.B) {
	for _, c := range []struct {
		name string
		step int64
	}{{"near", 1_000_000}, {"second", 1e12}, {"round", 300e12}} {
		b.Run(c.name, func(b *testing.B) {
			o, err := clock.NewOscillator(clock.Reference(1, 1))
			if err != nil {
				b.Fatal(err)
			}
			var t int64
			var sum uint64
			b.ReportAllocs()
			for b.Loop() {
				t = (t + c.step) % (86400e12)
				sum += o.Ticks(t)
			}
			if sum == 0 {
				b.Fatal("no ticks")
			}
		})
	}
}
