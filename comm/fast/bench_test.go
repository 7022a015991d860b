package fast

import (
	"fmt"
	"testing"

	"github.com/sigview/sigview/sim"
)

// myrinet is near the parameters of small messages on the platforms of the studies.
func myrinet() *Params {
	us := func(v float64) sim.Duration { return sim.Microseconds(v) }
	return &Params{Slots: 64, Points: []Point{
		{8, Cost{us(1.5), us(1.0), us(5), us(4), us(9), 0, 0, 0}},
		{64, Cost{us(2), us(1.2), us(6), us(5), us(11), 0, 0, 0}},
		{4096, Cost{us(2), us(1.2), us(45), us(40), us(90), 0, 0, 0}},
	}}
}

// Benchmark reports messages per second.
func Benchmark(b *testing.B) {
	for _, c := range []struct {
		name    string
		ranks   int
		program func(ranks, rounds, bytes int) Program
		per     func(ranks int) int // messages of a round
	}{
		{"pingpong", 2, PingPong, func(int) int { return 2 }},
		{"alltoall", 8, AllToAll, func(n int) int { return n * (n - 1) }},
		{"alltoall", 64, AllToAll, func(n int) int { return n * (n - 1) }},
		{"alltoall", 1024, AllToAll, func(n int) int { return n * (n - 1) }},
		{"dissemination", 1024, Dissemination, func(n int) int { return 10 * n }},
	} {
		b.Run(fmt.Sprintf("%s/%d", c.name, c.ranks), func(b *testing.B) {
			rounds := (b.N + c.per(c.ranks) - 1) / c.per(c.ranks)
			e, err := New(myrinet(), c.ranks, c.program(c.ranks, rounds, 64))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			r, err := e.Run(nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Messages)/b.Elapsed().Seconds()/1e6, "M_messages/s")
		})
	}
}
