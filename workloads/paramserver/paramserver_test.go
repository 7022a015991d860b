package paramserver_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/jobs"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/paramserver"
)

var job = jobs.Test[paramserver.Spec, *paramserver.ParamServer]{
	New:   paramserver.New,
	Nodes: func(s paramserver.Spec) int { return s.Nodes },
	Specs: specs(),
	Long:  []paramserver.Spec{{Nodes: 5, Parameters: 50_000}},
	Check: func(t *testing.T, s paramserver.Spec, _ *paramserver.ParamServer, how string) {
		require.Contains(t, how, "parameters after each of")
		if s.Parameters > 0 {
			require.Contains(t, how, fmt.Sprintf("all %d parameters after each of", s.Parameters))
		}
	},
	Seeded: func(seed uint64, on *cluster.Spec) paramserver.Spec {
		on.Seed = seed
		return paramserver.Spec{Nodes: 5, Parameters: 9000}
	},
	Refused: map[string]paramserver.Spec{
		"nodes":           {Nodes: 1},
		"size":            {Nodes: 2, Parameters: -1},
		"job.servers":     {Nodes: 2, Options: paramserver.Options{Servers: 2}},
		"job.steps":       {Nodes: 2, Options: paramserver.Options{Steps: -1}},
		"job.compute_us":  {Nodes: 2, Options: paramserver.Options{ComputeUs: -1}},
		"job.chunk_bytes": {Nodes: 600, Options: paramserver.Options{Servers: 500}},
	},
}

func TestJob(t *testing.T) { job.All(t) }

// specs are programs of different forms.
func specs() (out []paramserver.Spec) {
	for i, o := range []paramserver.Options{
		{},
		{Servers: 2, Steps: 3, ChunkBytes: 4096},
		{Servers: 3, Steps: 1, ChunkBytes: 1000, ComputeUs: 50},
		{Servers: 1, Steps: 2, ChunkBytes: 40_000},
	} {
		out = append(out, paramserver.Spec{Nodes: 3 + o.Servers + i, Parameters: []int{5000, 2, 7001, 30_000}[i], Seed: uint64(i), Options: o})
	}
	return out
}

// TestChangedBytesAreNoticed plants a change that no checksum shows, in a gradient and in parameters.
func TestChangedBytesAreNoticed(t *testing.T) {
	for _, kind := range []trace.Kind{trace.Request, trace.Reply} {
		w := job.Run(t, paramserver.Spec{Nodes: 4, Parameters: 5000, Options: paramserver.Options{Steps: 2}}, nil, func(c *cluster.Cluster, _ []deposit.Node) {
			jobs.Flip(c.Net, 7, 201, 4, func(p *fabric.Packet) bool { return p.Header.Meta.Kind == kind })
		})
		_, wrong := w.Job.Verify()
		require.ErrorContains(t, wrong, "element")
		if kind == trace.Request { // the server keeps it
			require.ErrorContains(t, wrong, "more)")
		}
	}
}

// TestServersShareTheLoad: with one server a step takes as long as its link and its processor need; four of them need much less.
func TestServersShareTheLoad(t *testing.T) {
	took := func(servers int) sim.Duration {
		d, ended := job.Verified(t, paramserver.Spec{Nodes: 8 + servers, Options: paramserver.Options{Servers: servers, Steps: 2}}, nil).Job.Elapsed()
		require.True(t, ended)
		return d
	}
	one, four := took(1), took(4)
	t.Logf("one server %v, four %v", one, four)
	require.Greater(t, one, 2*four)
	require.Less(t, one, 5*four)
}
