package microbench_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// build makes a cluster of a platform whose clocks run and whose monitors record.
func build(tb testing.TB, on string, nodes int, firmware monitor.Build) *cluster.Cluster {
	tb.Helper()
	p, err := platform.Load(on)
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

// measure times f, which sends n data packets.
func measure(b *testing.B, c *cluster.Cluster, n int, f func() error) {
	b.ReportAllocs()
	events := c.Engine.Events()
	b.ResetTimer()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	e, s := float64(c.Engine.Events()-events), b.Elapsed().Seconds()
	b.ReportMetric(float64(n)/s/1e3, "kpackets/s")
	b.ReportMetric(e/s/1e6, "Mevents/s")
	b.ReportMetric(e/float64(n), "events/packet")
}

// each runs a benchmark for the monitored firmware and that without a monitor, and on a card of
// pipelines.
func each(b *testing.B, f func(b *testing.B, on string, firmware monitor.Build)) {
	for _, of := range []struct {
		name, on string
		firmware monitor.Build
	}{{"full", "shrimp", monitor.Full}, {"off", "shrimp", monitor.Off}, {"verbs", "cx5-roce", monitor.Full}} {
		b.Run(of.name, func(b *testing.B) { f(b, of.on, of.firmware) })
	}
}

// messageBytes is the payload of a packet in these benchmarks.
const messageBytes = 64

// BenchmarkStream is a stream between two nodes; an operation is a packet.
func BenchmarkStream(b *testing.B) {
	each(b, func(b *testing.B, on string, firmware monitor.Build) {
		c := build(b, on, 2, firmware)
		pair, err := c.Pair(0, 1, messageBytes)
		require.NoError(b, err)
		n := max(3, b.N)
		measure(b, c, n, func() error {
			_, err := pair.Stream(messageBytes, n)
			return err
		})
	})
}

// BenchmarkAllToAll lets each of 64 nodes send to all others; an operation is
// a packet, up to whole rounds of 64·63.
func BenchmarkAllToAll(b *testing.B) {
	const nodes, round = 64, 64 * 63
	each(b, func(b *testing.B, on string, firmware monitor.Build) {
		c := build(b, on, nodes, firmware)
		load, err := c.Load(sim.Microsecond)
		require.NoError(b, err)
		rounds := (b.N + round - 1) / round
		measure(b, c, rounds*round, func() error { return load.Round(c.Engine, messageBytes, rounds) })
	})
}

// BenchmarkHeap reports the live heap of a cluster per node, when its clocks have been measured and
// after a round of packets from each node to all others.
func BenchmarkHeap(b *testing.B) {
	for _, nodes := range testlong.Pick([]int{2, 64}, []int{2, 64, 256, 1024}) {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			for range b.N {
				before := live()
				c := build(b, "shrimp", nodes, monitor.Full)
				report := func(when string) {
					b.ReportMetric(float64(live()-before)/1e3/float64(nodes), "kB/node-"+when)
				}
				report("before")
				load, err := c.Load(sim.Microsecond)
				require.NoError(b, err)
				require.NoError(b, load.Round(c.Engine, messageBytes, 1))
				report("after")
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
