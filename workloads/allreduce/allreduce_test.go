package allreduce_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/jobs"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/allreduce"
)

var job = jobs.Test[allreduce.Spec, *allreduce.AllReduce]{
	New:   allreduce.New,
	Nodes: func(s allreduce.Spec) int { return s.Nodes },
	Specs: ofEach(allreduce.Spec{Nodes: 5, Elements: 20_000, Options: allreduce.Options{Steps: 2, ChunkBytes: 6000}}),
	Long:  ofEach(allreduce.Spec{Nodes: 6, Elements: 60_000, Options: allreduce.Options{Steps: 2}}),
	Check: func(t *testing.T, s allreduce.Spec, a *allreduce.AllReduce, how string) {
		require.Contains(t, how, fmt.Sprintf("all %d elements of each of %d sums", s.Elements, s.Options.Steps))
		done, total := a.Progress()
		require.Equal(t, total, done)
	},
	Seeded: func(seed uint64, on *cluster.Spec) allreduce.Spec {
		on.Seed = seed
		return allreduce.Spec{Nodes: 5, Elements: 10_000}
	},
	Refused: map[string]allreduce.Spec{
		"nodes":           {Nodes: 1},
		"size":            {Nodes: 2, Elements: -1},
		"job.steps":       {Nodes: 2, Options: allreduce.Options{Steps: -1}},
		"job.compute_us":  {Nodes: 2, Options: allreduce.Options{ComputeUs: -1}},
		"job.chunk_bytes": {Nodes: 2, Options: allreduce.Options{ChunkBytes: 4 << 20}},
	},
}

func TestJob(t *testing.T) { job.All(t) }

// ofEach returns a program by each algorithm.
func ofEach(s allreduce.Spec) (out []allreduce.Spec) {
	for _, s.Options.Algorithm = range all {
		out = append(out, s)
	}
	return out
}

var all = names.Word[allreduce.Algorithm]("").All()

// TestSums: whatever the number of nodes and however the vector is divided, every node has every sum.
func TestSums(t *testing.T) {
	for _, algorithm := range all {
		for i, elements := range []int{1, 5, 64, 1000, 4097, 50_000} {
			s := allreduce.Spec{Nodes: 2 + i*i%11, Elements: elements, Seed: uint64(i)}
			s.Options = allreduce.Options{Algorithm: algorithm, Steps: 1 + i%3, ChunkBytes: []int{256, 4096, 10_000}[i%3]}
			t.Run(fmt.Sprintf("%v of %d on %d", algorithm, elements, s.Nodes), func(t *testing.T) {
				job.Verified(t, s, nil)
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
				var seen *int
				w := job.Run(t, s, nil, func(c *cluster.Cluster, _ []deposit.Node) {
					seen = jobs.Flip(c.Net, which, 201, 4, func(p *fabric.Packet) bool { return p.Header.Meta.Kind == trace.Data })
				})
				require.Greater(t, *seen, which)
				_, wrong := w.Job.Verify()
				require.ErrorContains(t, wrong, "sum 0: element")
			})
		}
	}
}

// took returns how long a program takes without what it computes between sums.
func took(t *testing.T, s allreduce.Spec) sim.Duration {
	d, ended := job.Verified(t, s, nil).Job.Elapsed()
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

func TestSpecsThatCannotBe(t *testing.T) {
	_, err := allreduce.New(allreduce.Spec{Nodes: 2, Options: allreduce.Options{Algorithm: "tre"}})
	var word *names.Error
	require.ErrorAs(t, err, &word)
	_, err = allreduce.New(allreduce.Spec{Nodes: 2, Options: allreduce.Options{ChunkBytes: 6}})
	require.ErrorContains(t, err, "job.chunk_bytes is 6, want a multiple of 4 up to 1048576")
}
