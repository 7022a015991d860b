package allreduce_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/allreduce"
)

// world is a program on a cluster without a monitor.
type world struct {
	*cluster.Cluster
	program *allreduce.AllReduce
}

// run runs a program to its end. Change, which may be nil, may change where, and begin the network.
func run(tb testing.TB, s allreduce.Spec, change func(*cluster.Spec), begin func(*world)) *world {
	tb.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(tb, err)
	spec := cluster.Spec{Profile: p, Nodes: s.Nodes, Seed: 1, Options: monitor.Options{Build: monitor.Off}}
	if change != nil {
		change(&spec)
	}
	w := &world{}
	w.Cluster, err = cluster.New(spec)
	require.NoError(tb, err)
	tb.Cleanup(w.Engine.Close)
	w.program, err = allreduce.New(s)
	require.NoError(tb, err)
	ended := false
	require.NoError(tb, w.program.Start(w.Deposits(), w.Instrument(0), 0, func() { ended = true }))
	if begin != nil {
		begin(w)
	}
	require.NoError(tb, w.Engine.RunUntil(func() bool { return ended }))
	require.NoError(tb, w.program.Err())
	return w
}

// on places a program.
func on(t testing.TB, name, layer string) func(*cluster.Spec) {
	p, err := platform.Load(name)
	require.NoError(t, err)
	return func(s *cluster.Spec) { s.Profile, s.Layer = p, layer }
}

var all = names.Word[allreduce.Algorithm]("").All()

// TestSums: whatever the number of nodes and however the vector is divided, every node has every sum.
func TestSums(t *testing.T) {
	for _, algorithm := range all {
		for i, elements := range []int{1, 5, 64, 1000, 4097, 50_000} {
			s := allreduce.Spec{Nodes: 2 + i*i%11, Elements: elements, Seed: uint64(i)}
			s.Options = allreduce.Options{Algorithm: algorithm, Steps: 1 + i%3, ChunkBytes: []int{256, 4096, 10_000}[i%3]}
			t.Run(fmt.Sprintf("%v of %d on %d", algorithm, elements, s.Nodes), func(t *testing.T) {
				w := run(t, s, nil, nil)
				how, wrong := w.program.Verify()
				require.NoError(t, wrong)
				require.Contains(t, how, fmt.Sprintf("all %d elements of each of %d sums", elements, s.Options.Steps))
				done, total := w.program.Progress()
				require.Equal(t, total, done)
			})
		}
	}
}

// TestPlaces runs it on layers that carry programs in different ways.
func TestPlaces(t *testing.T) {
	for _, at := range [][2]string{{"ppro", "gam"}, {"ppro", "fm"}, {"gm-p3", "gm"}, {"das-wan", "tcp"}, {"linux-udp", "datagram"}, {"grim-p3-lanai9", "grim"}} {
		for _, algorithm := range all {
			t.Run(fmt.Sprint(at, algorithm), func(t *testing.T) {
				s := allreduce.Spec{Nodes: 5, Elements: 20_000, Options: allreduce.Options{Algorithm: algorithm, Steps: 2, ChunkBytes: 6000}}
				_, wrong := run(t, s, on(t, at[0], at[1]), nil).program.Verify()
				require.NoError(t, wrong)
			})
		}
	}
}

// TestChangedBytesAreNoticed plants a change that no checksum shows, in a number on its way and in one of the sum.
func TestChangedBytesAreNoticed(t *testing.T) {
	for _, algorithm := range all {
		for _, which := range []int{3, 60} {
			t.Run(fmt.Sprint(algorithm, which), func(t *testing.T) {
				s := allreduce.Spec{Nodes: 4, Elements: 30_000, Options: allreduce.Options{Algorithm: algorithm, Steps: 1}}
				seen := 0
				w := run(t, s, nil, func(w *world) {
					w.Net.DropWhen(func(p *fabric.Packet) bool {
						if p.Header.Meta.Kind == trace.Data {
							if seen++; seen == which {
								p.Data[201] ^= 4
							}
						}
						return false
					})
				})
				require.Greater(t, seen, which)
				_, wrong := w.program.Verify()
				require.ErrorContains(t, wrong, "sum 0: element")
			})
		}
	}
}

// TestPacketsThatOvertake: in the ablation in which packets overtake one another, and over errors of the network,
// sums are right.
func TestPacketsThatOvertake(t *testing.T) {
	for _, algorithm := range all {
		s := allreduce.Spec{Nodes: 6, Elements: 60_000, Options: allreduce.Options{Algorithm: algorithm, Steps: 2}}
		_, wrong := run(t, s, func(c *cluster.Spec) {
			c.Ports, c.Cards.NetDMA = true, true
			c.Cards.HostDMA, c.Cards.Slots, c.Hosts.IOBus, c.Cards.Processor = true, true, true, true
		}, nil).program.Verify()
		require.NoError(t, wrong)
		w := run(t, s, func(c *cluster.Spec) { c.Faults.ErrorPerByte = 1e-6 }, nil)
		_, wrong = w.program.Verify()
		require.NoError(t, wrong)
		require.NotZero(t, w.Net.Stats().Detected)
	}
}

// took returns how long a program takes without what it computes between sums.
func took(t *testing.T, s allreduce.Spec) sim.Duration {
	w := run(t, s, nil, nil)
	_, wrong := w.program.Verify()
	require.NoError(t, wrong)
	d, ended := w.program.Elapsed()
	require.True(t, ended)
	return d
}

// TestAlgorithms: a short vector takes as many steps as a ring has nodes, twice, but only the depth of a tree. Of a
// long one each node of a ring sends twice its bytes, and one inside of a tree three times; with two trees
// every node sends about as much as in a ring.
func TestAlgorithms(t *testing.T) {
	spec := func(a allreduce.Algorithm, elements int) allreduce.Spec {
		return allreduce.Spec{Nodes: 16, Elements: elements, Options: allreduce.Options{Algorithm: names.Word[allreduce.Algorithm](a.String()), Steps: 1}}
	}
	short := [...]sim.Duration{took(t, spec(allreduce.Ring, 64)), took(t, spec(allreduce.Tree, 64))}
	require.Greater(t, short[0], 2*short[1])
	long := [...]sim.Duration{took(t, spec(allreduce.Ring, 1<<19)), took(t, spec(allreduce.Tree, 1<<19)), took(t, spec(allreduce.Trees, 1<<19))}
	t.Logf("64 elements: ring %v, tree %v; 512K: %v", short[0], short[1], long)
	require.Less(t, long[0], long[1])
	require.Less(t, long[2], long[1])
}

func TestSameSeedSameRun(t *testing.T) {
	digest := func(seed uint64) uint64 {
		s := allreduce.Spec{Nodes: 5, Elements: 10_000}
		return run(t, s, func(c *cluster.Spec) { c.Seed = seed }, nil).Engine.Digest()
	}
	require.Equal(t, digest(1), digest(1))
	require.NotEqual(t, digest(1), digest(2))
}

func TestSpecsThatCannotBe(t *testing.T) {
	for field, s := range map[string]allreduce.Spec{
		"nodes":           {Nodes: 1},
		"size":            {Nodes: 2, Elements: -1},
		"job.steps":       {Nodes: 2, Options: allreduce.Options{Steps: -1}},
		"job.compute_us":  {Nodes: 2, Options: allreduce.Options{ComputeUs: -1}},
		"job.chunk_bytes": {Nodes: 2, Options: allreduce.Options{ChunkBytes: 4 << 20}},
		"job.algorithm":   {Nodes: 2, Options: allreduce.Options{Algorithm: "tre"}},
	} {
		_, err := allreduce.New(s)
		if word := (*names.Error)(nil); field == "job.algorithm" {
			require.ErrorAs(t, err, &word)
			continue
		}
		var wrong *bounds.Error
		require.ErrorAs(t, err, &wrong, field)
		require.Equal(t, field, wrong.Field)
	}
	_, err := allreduce.New(allreduce.Spec{Nodes: 2, Options: allreduce.Options{ChunkBytes: 6}})
	require.ErrorContains(t, err, "job.chunk_bytes is 6, want a multiple of 4 up to 1048576")
}
