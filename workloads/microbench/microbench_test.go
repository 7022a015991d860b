package microbench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

// pairOf sets a pair up on two nodes without a monitor.
func pairOf(t *testing.T, platformName string, maxBytes int) (*cluster.Cluster, *microbench.Pair) {
	t.Helper()
	p, err := platform.Load(platformName)
	require.NoError(t, err)
	c, err := cluster.New(cluster.Spec{
		Profile: p, Nodes: 2, Seed: 1, Options: monitor.Options{Build: monitor.Off}, Kinds: []trace.Kind{trace.Data},
	})
	require.NoError(t, err)
	pair, err := c.Pair(0, 1, maxBytes)
	require.NoError(t, err)
	return c, pair
}

// TestPublishedPair: VMMC-2 on the Pentium Pro pair takes 13 µs one way and
// moves 95 to 100 MB/s.
func TestPublishedPair(t *testing.T) {
	_, pair := pairOf(t, "ppro", 1<<20)
	ping, err := pair.PingPong(4, 30)
	require.NoError(t, err)
	require.InEpsilon(t, 13.0, ping.OneWay().Us(), 0.1)
	stream, err := pair.Stream(1<<20, 6)
	require.NoError(t, err)
	require.InDelta(t, 97.5e6, stream.BytesPerSecond(), 12e6)
}

// TestMeasuresAreRepeatable: a measurement gives about the same when another
// one of any size came before it on the same pair.
func TestMeasuresAreRepeatable(t *testing.T) {
	_, pair := pairOf(t, "shrimp", 8192)
	type figures struct{ oneWay, stream, overhead, both float64 }
	measure := func(n, first int) (f figures) {
		for i := range 3 {
			switch (first + i) % 3 {
			case 0:
				ping, err := pair.PingPong(n, 100)
				require.NoError(t, err)
				f.oneWay = ping.OneWay().Us()
			case 1:
				stream, err := pair.Stream(n, 300)
				require.NoError(t, err)
				f.stream, f.overhead = stream.BytesPerSecond(), stream.Overhead.Us()
			case 2:
				both, err := pair.Simultaneous(n, 300)
				require.NoError(t, err)
				f.both = both[0].BytesPerSecond() + both[1].BytesPerSecond()
			}
		}
		return f
	}
	sizes := []int{4, 64, 128, 1000, 4096, 8192}
	var first []figures
	for _, n := range sizes {
		first = append(first, measure(n, 0))
	}
	for begin := range 3 {
		for i := len(sizes) - 1; i >= 0; i-- {
			again := measure(sizes[i], begin)
			require.InEpsilon(t, first[i].oneWay, again.oneWay, 0.02, "%d B", sizes[i])
			require.InEpsilon(t, first[i].stream, again.stream, 0.02, "%d B", sizes[i])
			require.InEpsilon(t, first[i].overhead, again.overhead, 0.05, "%d B", sizes[i])
			require.InEpsilon(t, first[i].both, again.both, 0.05, "%d B", sizes[i])
		}
	}
}

// TestNoStaleMarks: what a longer stream has deposited is not taken for the end
// of a shorter one.
func TestNoStaleMarks(t *testing.T) {
	_, pair := pairOf(t, "shrimp", 8192)
	var took []sim.Duration
	for _, n := range []int{4096, 8192, 4096} {
		s, err := pair.Stream(n, 50)
		require.NoError(t, err)
		took = append(took, s.Took)
	}
	require.InEpsilon(t, float64(took[0]), float64(took[2]), 0.02)
}

// TestUnloaded sends every size both ways, and waits for each message.
func TestUnloaded(t *testing.T) {
	c, pair := pairOf(t, "shrimp", 4096)
	for range 3 {
		sent := c.Nodes[0].VMMC.Stats().Messages
		began := c.Engine.Now()
		const gap = 50 * sim.Microsecond
		sizes := []int{64, 4, 4096, 64, 128}
		require.NoError(t, pair.Unloaded(sizes, 1, gap))
		for _, n := range c.Nodes {
			require.EqualValues(t, len(sizes), n.VMMC.Stats().Messages-sent)
		}
		took := c.Engine.Now().Sub(began)
		require.Greater(t, took, 2*sim.Duration(len(sizes))*(gap+13*sim.Microsecond))
		require.Less(t, took, 2*sim.Duration(len(sizes))*(2*gap+50*sim.Microsecond)+200*sim.Microsecond)
		require.Zero(t, c.Nodes[0].NIC.Stats().HostQueued, "one at a time")
	}
}

// TestLoad sends to everybody until it is told to stop.
func TestLoad(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	c, err := cluster.New(cluster.Spec{Profile: p, Nodes: 4, Seed: 1, Options: monitor.Options{Build: monitor.Off}})
	require.NoError(t, err)
	load, err := c.Load(60 * sim.Microsecond)
	require.NoError(t, err)
	load.Start()
	require.NoError(t, c.Engine.Run(sim.Time(20*sim.Millisecond)))
	load.Stop()
	require.NoError(t, c.Engine.Run(sim.Never), "it ends")
	for i, n := range c.Nodes {
		s := n.VMMC.Stats()
		require.Greater(t, s.Messages, uint64(80), "node %d", i)
		require.Less(t, s.Messages, uint64(350))
		require.NotZero(t, s.Delivered)
		require.Zero(t, n.VMMC.Unacknowledged())
	}
	delivered := func() (n uint64) {
		for _, node := range c.Nodes {
			n += node.VMMC.Stats().Delivered
		}
		return n
	}
	before := delivered()
	require.NoError(t, load.Round(c.Engine, 200, 5))
	require.NoError(t, c.Engine.Run(sim.Never))
	require.EqualValues(t, 5*4*3, delivered()-before)
}

// TestRefusals: what the programs cannot measure is an error.
func TestRefusals(t *testing.T) {
	c, pair := pairOf(t, "shrimp", 100)
	_, err := pair.PingPong(0, 10)
	require.ErrorContains(t, err, "messages of 0 B, want 1 to 100")
	_, err = pair.PingPong(101, 10)
	require.ErrorContains(t, err, "messages of 101 B, want 1 to 100")
	_, err = pair.PingPong(4, 0)
	require.ErrorContains(t, err, "0 messages, want at least 1")
	_, err = pair.Stream(4, 2)
	require.ErrorContains(t, err, "2 messages, want at least 3")
	_, err = pair.Simultaneous(0, 10)
	require.ErrorContains(t, err, "messages of 0 B")
	require.ErrorContains(t, pair.Unloaded([]int{8, 0}, 1, sim.Microsecond), "messages of 0 B")
	require.Zero(t, c.Engine.Events())
	_, err = c.Pair(0, 1, 0)
	require.ErrorContains(t, err, "at most 0 B, want at least 1")
	_, err = c.Pair(0, 2, 4)
	require.ErrorContains(t, err, "nodes 0 and 2, want 0 to 1")
	_, err = c.Pair(1, 1, 4)
	require.ErrorContains(t, err, "node 1 takes part twice")

	_, err = microbench.NewLoad(nil, nil, sim.Microsecond)
	require.ErrorContains(t, err, "a load of 0 nodes")
	_, err = c.Load(-1)
	require.ErrorContains(t, err, "none below 0")
	load, err := c.Load(0)
	require.NoError(t, err)
	for _, n := range []int{0, 4097} {
		require.ErrorContains(t, load.Round(c.Engine, n, 1), "want 1 to 4096")
	}
}
