// Package layertest tries communication layers out: a small cluster without a
// monitor with one process per node, and what every layer has to pass.
package layertest

import (
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// T is what a rig needs of *testing.T, *testing.B or *rapid.T.
type T interface {
	require.TestingT
	Helper()
	Fatalf(format string, args ...any)
}

// Rig is a cluster with a process per node.
type Rig struct {
	T T
	*cluster.Cluster
	Procs []*Proc
}

// Proc is one process.
type Proc = cluster.Process

// Change alters a profile or a specification before the cluster is built.
type Change func(*cluster.Spec)

// New builds a rig of nodes of a platform with a layer; most is the longest message.
func New(t T, platformName, layer string, nodes, most int, changes ...Change) *Rig {
	t.Helper()
	p, err := platform.Load(platformName)
	require.NoError(t, err)
	spec := cluster.Spec{
		Profile: p, Layer: layer, Nodes: nodes, Seed: 1, Build: monitor.Off, Tags: 1,
		Kinds: []trace.Kind{trace.Data}, Estimator: clock.Filtered, Oscillators: "reference",
	}
	for _, change := range changes {
		change(&spec)
	}
	c, err := cluster.New(spec)
	require.NoError(t, err)
	procs, err := c.Processes(0, most)
	require.NoError(t, err)
	return &Rig{t, c, procs}
}

// Go runs programs, one per node from node 0 on, until all have ended, and
// then lets what is on its way arrive. A program that is nil is none.
func (r *Rig) Go(programs ...func(c *host.Context, p *Proc)) {
	r.T.Helper()
	require.NoError(r.T, r.Try(programs...))
}

// Try is Go that returns what went wrong: a *sim.DeadlockError when programs
// wait for what never comes.
func (r *Rig) Try(programs ...func(c *host.Context, p *Proc)) error {
	bound := make([]func(*host.Context), len(programs))
	for i, f := range programs {
		if f != nil {
			bound[i] = func(c *host.Context) { f(c, r.Procs[i]) }
		}
	}
	if err := r.Run(bound...); err != nil {
		return err
	}
	return r.Rest(sim.Second)
}

// Count returns a counter of a node's layer.
func (r *Rig) Count(node int, name string) uint64 {
	for _, c := range r.Nodes[node].Layer.Counts() {
		if c.Name == name {
			return c.N
		}
	}
	r.T.Fatalf("the layer counts no %q", name)
	return 0
}

// Lost returns how much all nodes have lost for good.
func (r *Rig) Lost() (n uint64) {
	for _, node := range r.Nodes {
		for _, c := range node.Layer.Counts() {
			if c.Loss {
				n += c.N
			}
		}
	}
	return n
}
