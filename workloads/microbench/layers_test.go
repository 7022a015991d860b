package microbench_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

const us = sim.Microsecond

// profile is the platform on which a layer is measured: ppro, or the one that it is given here.
func profile(t testing.TB, layer string) *platform.Profile {
	t.Helper()
	p, err := platform.Load(cmp.Or(map[string]string{"datagram": "linux-udp", "gm": "grim-p3-lanai4", "grim": "grim-p3-lanai4", "lfc": "das-myrinet", "mpi": "das-myrinet", "rpc": "sun-rpc", "tcp": "das-wan", "trapeze": "trapeze-p3", "verbs": "cx5-roce"}[layer], "ppro"))
	require.NoError(t, err)
	return p
}

// clusterOf builds nodes with a layer.
func clusterOf(t testing.TB, layer string, nodes int, seed uint64) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Spec{
		Profile: profile(t, layer), Layer: layer, Nodes: nodes, Seed: seed, Options: monitor.Options{Build: monitor.Off}, Tags: 1,
		Kinds: []trace.Kind{trace.Data},
	})
	require.NoError(t, err)
	t.Cleanup(c.Engine.Close)
	return c
}

func everyLayer(t *testing.T, f func(t *testing.T, layer string)) {
	for _, name := range platform.AllLayers() {
		t.Run(name, func(t *testing.T) { f(t, name) })
	}
}

// figures are the pair programs' results at one size.
type figures struct {
	ping         microbench.PingPong
	stream       microbench.Stream
	both         [2]microbench.Stream
	gap, receive map[sim.Duration]sim.Duration // by spin
}

// measured runs all pair programs on one pair, messages of n bytes.
func measured(t *testing.T, layer string, n, messages int) (f figures) {
	c := clusterOf(t, layer, 2, 1)
	pair, err := c.Pair(0, 1, n)
	require.NoError(t, err)
	f.ping, err = pair.PingPong(n, messages)
	require.NoError(t, err)
	f.stream, err = pair.Stream(n, messages)
	require.NoError(t, err)
	f.both, err = pair.Simultaneous(n, messages)
	require.NoError(t, err)
	require.NoError(t, pair.Unloaded([]int{n, n}, 2, 100*us))
	f.gap, f.receive = map[sim.Duration]sim.Duration{}, map[sim.Duration]sim.Duration{}
	for _, spin := range []sim.Duration{0, 10 * us, 200 * us} {
		f.gap[spin], err = pair.SendGap(microbench.Loop{Bytes: n, Warm: messages, Messages: messages, Spin: spin})
		require.NoError(t, err)
		if t := c.Nodes[0].Layer.Traits(); !t.Consumes || t.Overflow == "Data Loss" {
			continue
		}
		f.receive[spin], err = pair.ReceiveGap(microbench.Loop{Bytes: n, Warm: messages, Messages: messages, Spin: spin})
		require.NoError(t, err)
	}
	for i, node := range c.Nodes {
		require.True(t, node.Layer.Quiet() || !node.Layer.Traits().Consumes, "node %d is at rest", i)
		for _, count := range node.Layer.Counts() {
			require.False(t, count.Loss && count.N > 0, "node %d: %d %s", i, count.N, count.Name)
		}
	}
	return f
}

// check tells whether the figures of one size fit one another.
func (f figures) check(t *testing.T, n int) {
	require.Positive(t, f.ping.RTT)
	require.Positive(t, f.stream.Overhead)
	// Messages of a stream overlap; none is faster than its send.
	perMessage := f.stream.Took / sim.Duration(f.stream.Messages)
	require.LessOrEqual(t, perMessage, f.ping.RTT+us)
	require.GreaterOrEqual(t, perMessage+us, f.stream.Overhead/2)
	for _, s := range f.both {
		require.GreaterOrEqual(t, s.Took+s.Took/10, f.stream.Took, "both ways is no faster than one way")
	}
	for _, gaps := range []map[sim.Duration]sim.Duration{f.gap, f.receive} {
		for spin, gap := range gaps {
			require.GreaterOrEqual(t, gap, spin)
			require.LessOrEqual(t, gap, gaps[0]+spin+f.ping.RTT/2, "%d B, spin %v", n, spin)
		}
	}
}

// TestEveryLayer: the programs run on each layer at all sorts of sizes, and
// what they measure fits together.
func TestEveryLayer(t *testing.T) {
	everyLayer(t, func(t *testing.T, layer string) {
		spec, err := profile(t, layer).LayerSpec(layer)
		require.NoError(t, err)
		for _, n := range []int{0, 1, 64, 255, 256, 1000, 4096, 4097, 20_000} {
			if n >= spec.Traits().MinBytes {
				measured(t, layer, n, 12).check(t, n)
			}
		}
	})
}

// TestLongMessages of 4 MB and more on every layer.
func TestLongMessages(t *testing.T) {
	everyLayer(t, func(t *testing.T, layer string) {
		const n = 4<<20 + 13
		pair, err := clusterOf(t, layer, 2, 1).Pair(0, 1, n)
		require.NoError(t, err)
		ping, err := pair.PingPong(n, 1)
		require.NoError(t, err)
		both, err := pair.Simultaneous(n/3, 3)
		require.NoError(t, err)
		least, most := 20e6, 133e6 // what the I/O bus carries
		switch layer {
		case "datagram":
			card := profile(t, layer).NI
			most = 2 * 1e6 * min(card.HostDMAToNIMBps, card.HostDMAToHostMBps) // what the kernel's copies carry, both ways
		case "verbs":
			least, most = 1e9, 2*12.5e9 // what the links carry, both ways
		case "rpc":
			least, most = 0.5e6, 1.25e6 // what the Ethernet carries
		case "tcp":
			least, most = 0.5e6, 2*0.75e6 // what the circuit carries, both ways
		}
		for _, rate := range []float64{n / ping.OneWay().Seconds(), both[0].BytesPerSecond() + both[1].BytesPerSecond()} {
			require.Greater(t, rate, least)
			require.Less(t, rate, most)
		}
	})
}

// TestRepeatable: the same programs measure the same on a new cluster.
func TestRepeatable(t *testing.T) {
	everyLayer(t, func(t *testing.T, layer string) {
		for _, n := range []int{4, 5000} {
			require.Equal(t, measured(t, layer, n, 10), measured(t, layer, n, 10))
		}
	})
}

// TestOtherNodes: a pair may be any two nodes.
func TestOtherNodes(t *testing.T) {
	everyLayer(t, func(t *testing.T, layer string) {
		c := clusterOf(t, layer, 4, 1)
		pair, err := c.Pair(3, 1, 1000)
		require.NoError(t, err)
		ping, err := pair.PingPong(1000, 10)
		require.NoError(t, err)
		first, err := clusterOf(t, layer, 4, 1).Pair(0, 1, 1000)
		require.NoError(t, err)
		want, err := first.PingPong(1000, 10)
		require.NoError(t, err)
		require.InEpsilon(t, float64(want.RTT), float64(ping.RTT), 0.02)
	})
}

// TestLossIsReported: a receiver too slow for a layer without flow control
// waits for messages that are lost; the program says so and ends.
func TestLossIsReported(t *testing.T) {
	pair, err := clusterOf(t, "bip", 2, 1).Pair(0, 1, 64)
	require.NoError(t, err)
	few := microbench.Loop{Bytes: 64, Messages: 8, Spin: 50 * us}
	gap, err := pair.ReceiveGap(few)
	require.NoError(t, err, "so few have room")
	require.Greater(t, gap, few.Spin)
	many := few
	many.Messages = 2000
	_, err = pair.ReceiveGap(many)
	require.ErrorContains(t, err, "no progress")
	require.ErrorContains(t, err, "lost: ")
	_, again := pair.PingPong(64, 1)
	require.Equal(t, err, again, "nothing else can be measured there")
}

// TestLoopRefusals: loops that cannot be run are errors.
func TestLoopRefusals(t *testing.T) {
	pair, err := clusterOf(t, "vmmc", 2, 1).Pair(0, 1, 64)
	require.NoError(t, err)
	for want, l := range map[string]microbench.Loop{
		"messages of 65 B":      {Bytes: 65, Messages: 1},
		"0 messages":            {Bytes: 64},
		"-1 messages before":    {Bytes: 64, Messages: 1, Warm: -1},
		"a spin of -0.001ns":    {Bytes: 64, Messages: 1, Spin: -1},
		"a spin of 11s, want 0": {Bytes: 64, Messages: 1, Spin: 11 * sim.Second},
	} {
		_, err := pair.SendGap(l)
		require.ErrorContains(t, err, want)
	}
	_, err = pair.ReceiveGap(microbench.Loop{Bytes: 64, Messages: 1})
	require.ErrorContains(t, err, "layer vmmc deposits messages and nobody receives them")
}

// TestRequestRefusals: patterns, bursts and layers that do not fit are errors.
func TestRequestRefusals(t *testing.T) {
	for _, x := range []struct {
		layer          string
		pattern        microbench.Pattern
		nodes, k, most int
		want           string
	}{
		{"gam", microbench.OneToMany, 4, 4, 0, "one-to-many with 4 peers, want 1 to 3"},
		{"gam", microbench.ManyToOne, 4, 0, 0, "many-to-one with 0 peers, want 1 to 3"},
		{"gam", microbench.OneToOne, 4, 1, 0, "pair with 1 peers, want 0"},
		{"gam", microbench.AllPairs, 3, 0, 0, "all-pairs over 3 nodes, want an even number"},
		{"gam", microbench.Pattern(9), 2, 0, 0, "pattern(9) is none of"},
		{"gam", microbench.OneToOne, 2, 0, -1, "stores of at most -1 B"},
		{"vmmc", microbench.OneToOne, 2, 0, 0, "layer vmmc has no requests and replies: its model is Direct Deposit"},
		{"fm", microbench.OneToOne, 2, 0, 0, "layer fm has no requests and replies"},
	} {
		_, err := clusterOf(t, x.layer, x.nodes, 1).Requests(x.pattern, x.k, x.most)
		require.ErrorContains(t, err, x.want)
	}
	r, err := clusterOf(t, "gam", 2, 1).Requests(microbench.OneToOne, 0, 100)
	require.NoError(t, err)
	for want, b := range map[string]microbench.Burst{
		"bursts of 0":                   {},
		"a spin of -0.001ns":            {M: 1, Spin: -1},
		"operation(7)":                  {M: 1, Operation: 7},
		"requests of 5 B, want 0":       {M: 1, Bytes: 5},
		"a store of 0 B, want 1 to 100": {M: 1, Operation: microbench.Store},
		"a get of 101 B, want 1 to 100": {M: 1, Operation: microbench.Get, Bytes: 101},
	} {
		n := 0
		for sample, err := range r.Costs(b) {
			require.Nil(t, sample)
			require.ErrorContains(t, err, want)
			n++
		}
		require.Equal(t, 1, n)
	}
}

// TestPatternNames: names and patterns correspond.
func TestPatternNames(t *testing.T) {
	var p microbench.Pattern
	for i, name := range p.Words().Names() {
		require.NoError(t, p.UnmarshalText([]byte(name)))
		require.Equal(t, microbench.Pattern(i), p)
		require.Equal(t, name, p.String())
	}
	require.ErrorContains(t, p.UnmarshalText([]byte("pairs")), `unknown pattern "pairs", did you mean "pair"? (known: pair, all-pairs`)
	require.Equal(t, "pattern(77) operation(9) store", fmt.Sprint(microbench.Pattern(77), " ", microbench.Operation(9), " ", microbench.Store))
}
