package dfs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/dfs"
)

// world is a file system on a cluster.
type world struct {
	c *cluster.Cluster
	d *dfs.DFS
}

func run(t require.TestingT, spec dfs.Spec, faults fabric.Faults, begin func(*cluster.Cluster)) (*world, error) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	c, err := cluster.New(cluster.Spec{
		Profile: p, Nodes: spec.Nodes, Seed: spec.Seed, Build: monitor.Off, Oscillators: "reference", Faults: faults,
	})
	require.NoError(t, err)
	defer c.Engine.Close()
	d, err := dfs.New(spec)
	require.NoError(t, err)
	n, err := c.Sockets(dfs.Sockets(0))
	require.NoError(t, err)
	ended := false
	require.NoError(t, d.Start(n, func() { ended = true }))
	if begin != nil {
		begin(c)
	}
	for !ended {
		if !c.Engine.Step() {
			return &world{c, d}, c.Engine.RunUntil(func() bool { return ended })
		}
		if err := c.Engine.Stuck(60 * sim.Second); err != nil {
			return &world{c, d}, err
		}
	}
	_, wrong := d.Verify()
	return &world{c, d}, wrong
}

func (w *world) report(t testing.TB) {
	took, _ := w.d.Elapsed()
	s := w.d.Stats()
	how, _ := w.d.Verify()
	t.Logf("%v simulated, %d events: %s", took, w.c.Engine.Events(), how)
	for k, n := range s.Ops {
		if n > 0 {
			t.Logf("  %-9v %6d, %8.0f us each", dfs.Kind(k), n, s.Took[k].Us()/float64(n))
		}
	}
	t.Logf("  %d B read, %d B written; %d requests to other nodes, %d blocks here, %d locks", s.BytesRead, s.BytesWritten, s.Requests, s.Local, s.Locks)
	var sum [host.Categories]sim.Duration
	var all sim.Duration
	for _, sh := range w.d.Shares() {
		for k, d := range sh.Time {
			sum[k] += d
			all += d
		}
	}
	text := ""
	for k, d := range sum {
		if d > 0 {
			text += fmt.Sprintf(" %v %.1f%%,", host.Category(k), 100*float64(d)/float64(all))
		}
	}
	t.Logf(" %s", text)
}
