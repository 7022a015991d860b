package microbench

import (
	"testing"

	"github.com/sigview/sigview/monitor"
)

// BenchmarkStream is a two-node stream of 64-byte messages under the full
// monitor, with reliability. One operation is one data packet; its
// acknowledgement is part of it.
func BenchmarkStream(b *testing.B) {
	for _, build := range []monitor.Build{monitor.Full, monitor.Off} {
		b.Run(build.String(), func(b *testing.B) {
			c := clusterOf(b, "shrimp", build, 2)
			p, err := NewPair(c, 0, 1, 64)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			before := c.Engine.Events()
			if _, err := p.Stream(64, max(b.N, 4)); err != nil {
				b.Fatal(err)
			}
			report(b, c.Engine.Events()-before, uint64(max(b.N, 4)))
		})
	}
}

func report(b *testing.B, events, packets uint64) {
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(packets)/seconds/1e3, "kpackets/s")
	b.ReportMetric(float64(events)/seconds/1e6, "Mevents/s")
	b.ReportMetric(float64(events)/float64(packets), "events/packet")
}
