package dfs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/workloads/dfs"
)

// world is a file system on a cluster.
type world struct {
	c *cluster.Cluster
	d *dfs.DFS
}

// run runs a file system to its end, or to the error that ends it, and
// verifies it. Begin may change it before.
func run(t require.TestingT, spec dfs.Spec, faults fabric.Faults, begin func(*world)) (*world, error) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	c, err := cluster.New(cluster.Spec{
		Profile: p, Nodes: spec.Nodes, Seed: spec.Seed, Options: monitor.Options{Build: monitor.Off}, Faults: faults,
	})
	require.NoError(t, err)
	defer c.Engine.Close()
	d, err := dfs.New(spec)
	require.NoError(t, err)
	n, err := c.Sockets(dfs.Sockets(0))
	require.NoError(t, err)
	w := &world{c, d}
	if begin != nil {
		begin(w)
	}
	ended := false
	require.NoError(t, d.Start(n, func() { ended = true }))
	for !ended {
		if !c.Engine.Step() {
			return w, c.Engine.RunUntil(func() bool { return ended })
		}
		if err := c.Engine.Stuck(60 * sim.Second); err != nil {
			return w, err
		}
	}
	_, wrong := d.Verify()
	return w, wrong
}

// report prints what a run has done.
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
	t.Logf("  %d B read, %d B written; %d requests to other nodes, %d blocks here, %d locks, %d from disk",
		s.BytesRead, s.BytesWritten, s.Requests, s.Local, s.Locks, s.DiskReads)
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
			text += fmt.Sprintf(" %v %.1f %%,", host.Category(k), 100*float64(d)/float64(all))
		}
	}
	t.Log(" ", text)
}
