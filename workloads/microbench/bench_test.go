package microbench_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/internal/testlong"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// build makes a cluster of the shrimp profile whose clocks run and whose
// monitors record.
func build(tb testing.TB, nodes int, firmware monitor.Build) *cluster.Cluster {
	tb.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(tb, err)
	c, err := cluster.New(cluster.Spec{
		Profile: p, Nodes: nodes, Seed: 1, Options: monitor.Options{Build: firmware}, Tags: 1, Kinds: []trace.Kind{trace.Data},
	})
	require.NoError(tb, err)
	tb.Cleanup(c.Engine.Close)
	require.NoError(tb, c.Warm())
	c.Record()
	return c
}

// delivered returns how many data packets have been deposited.
func delivered(c *cluster.Cluster) (n uint64) {
	for _, node := range c.Nodes {
		n += node.VMMC.Stats().Delivered
	}
	return n
}

// measure times f and reports data packets, acknowledgements not counted.
func measure(b *testing.B, c *cluster.Cluster, f func() error) {
	b.ReportAllocs()
	packets, events := delivered(c), c.Engine.Events()
	b.ResetTimer()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	n, e := float64(delivered(c)-packets), float64(c.Engine.Events()-events)
	s := b.Elapsed().Seconds()
	b.ReportMetric(n/s/1e3, "kpackets/s")
	b.ReportMetric(e/s/1e6, "Mevents/s")
	b.ReportMetric(e/n, "events/packet")
}

// messageBytes is the payload of a packet in these benchmarks.
const messageBytes = 64

// BenchmarkStream is a stream between two nodes; an operation is a packet.
func BenchmarkStream(b *testing.B) {
	for _, firmware := range []monitor.Build{monitor.Full, monitor.Off} {
		b.Run(firmware.String(), func(b *testing.B) {
			c := build(b, 2, firmware)
			pair, err := c.Pair(0, 1, messageBytes)
			require.NoError(b, err)
			measure(b, c, func() error {
				_, err := pair.Stream(messageBytes, max(3, b.N))
				return err
			})
		})
	}
}

// BenchmarkAllToAll lets each of 64 nodes send to all others; an operation is
// a packet, up to whole rounds of 64·63.
func BenchmarkAllToAll(b *testing.B) {
	const nodes = 64
	for _, firmware := range []monitor.Build{monitor.Full, monitor.Off} {
		b.Run(firmware.String(), func(b *testing.B) {
			c := build(b, nodes, firmware)
			load, err := c.Load(sim.Microsecond)
			require.NoError(b, err)
			rounds := (b.N + nodes*(nodes-1) - 1) / (nodes * (nodes - 1))
			measure(b, c, func() error { return load.Round(c.Engine, messageBytes, rounds) })
		})
	}
}

// BenchmarkHeap reports the live heap of a cluster after a round of packets from each node to all
// others, per node.
func BenchmarkHeap(b *testing.B) {
	for _, nodes := range testlong.Pick([]int{2, 64}, []int{2, 64, 256, 1024}) {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			for range b.N {
				before := live()
				c := build(b, nodes, monitor.Full)
				load, err := c.Load(sim.Microsecond)
				require.NoError(b, err)
				require.NoError(b, load.Round(c.Engine, messageBytes, 1))
				b.ReportMetric(float64(live()-before)/1e3/float64(nodes), "kB/node")
				runtime.KeepAlive(c)
			}
		})
	}
}

// live is the size of all live objects, in bytes.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
