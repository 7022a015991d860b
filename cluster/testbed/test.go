package testbed

import (
	"context"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// T has the methods of *testing.T, *testing.B and *rapid.T that a testbed needs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	FailNow()
}

// Test is a testbed for tests of a layer: without a monitor, with a process on every node.
// An error fails the test.
type Test struct {
	*Testbed
	T     T
	Procs []*Process
}

// Change alters a specification or its profile before a testbed is built.
type Change func(*cluster.Spec)

// New builds a testbed of a number of nodes of a platform with a layer. Most is the
// longest message in bytes. No clock rounds have run.
func New(t T, platform, layer string, nodes, most int, changes ...Change) *Test {
	t.Helper()
	b, err := Build(context.Background(), Spec{
		Platform: platform, Layer: layer, Nodes: nodes, Seed: 1, Bytes: most, Monitor: "off", Cold: true, Silent: true,
		Cluster: func(s *cluster.Spec) {
			for _, change := range changes {
				change(s)
			}
		},
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	r := &Test{Testbed: b, T: t}
	for i := range b.Nodes {
		r.Procs = append(r.Procs, b.Process(i))
	}
	r.check()
	return r
}

func (r *Test) check() {
	r.T.Helper()
	if err := r.Err(); err != nil {
		r.T.Fatalf("%v", err)
	}
}

// Go runs programs, one per node from node 0 on, until all have ended and all messages
// have arrived. A nil program is skipped.
func (r *Test) Go(programs ...func(*host.Context, *Process)) {
	r.T.Helper()
	r.Keep(r.Try(programs...))
	r.check()
}

// Try is Go that returns an error: a *sim.DeadlockError if programs wait forever.
func (r *Test) Try(programs ...func(*host.Context, *Process)) error {
	bound := make([]func(*host.Context), len(programs))
	for i, f := range programs {
		if f != nil {
			bound[i] = func(c *host.Context) { f(c, r.Procs[i]) }
		}
	}
	if err := r.execute(numbered(bound)); err != nil {
		return err
	}
	r.Rest(sim.Second)
	return r.err
}

// Count returns a counter that a node's layer must have.
func (r *Test) Count(node int, name string) uint64 {
	n, ok := r.counter(node, name)
	if !ok {
		r.T.Fatalf("the layer counts no %q", name)
	}
	return n
}
