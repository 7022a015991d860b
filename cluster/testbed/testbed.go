package testbed

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/trace"
)

// With builds a testbed, calls f with it and closes it. It returns the result of f, or the first
// error of the testbed.
func With[T any](ctx context.Context, s Spec, f func(*Testbed) T) (T, error) {
	var none T
	b, err := Build(ctx, s)
	if err != nil {
		return none, err
	}
	defer b.Engine.Close()
	v := f(b)
	if b.err != nil {
		return none, b.Err()
	}
	return v, nil
}

// Spec describes a testbed. The zero value is two nodes of the platform shrimp
// with its own layer, under the full monitor, which records.
type Spec struct {
	Platform string // "": shrimp
	Layer    string // "": the platform's own
	Overlay  platform.Overlay
	Profile  func(*platform.Profile) // changes the profile where an overlay cannot

	Nodes int // 0: two; AllNodes
	Seed  uint64
	Bytes int // longest message; deposits of up to a page are always possible

	Monitor   monitor.BuildName // "": full
	Estimator cluster.Estimator // of the clocks; "": the filtered one
	Tags      int               // programs; 0: one
	Kinds     []trace.Kind
	Layout    func(*histo.Spec) // changes the histograms

	Cluster func(*cluster.Spec) // changes the cluster

	Silent bool // monitors are not started
	Cold   bool // no clock rounds before
}

// AllNodes stands for all nodes of the platform.
const AllNodes = -1

// Testbed is a small live cluster.
type Testbed struct {
	*cluster.Cluster
	Place platform.Place

	ctx        context.Context
	seed       uint64
	bytes      int
	err        error
	processes  []*Process
	depositors map[trace.Tag][]*Depositor
}

// Build makes and warms a testbed. The caller closes the engine.
func Build(ctx context.Context, s Spec) (*Testbed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	spec, place, err := s.cluster()
	if err != nil {
		return nil, err
	}
	b := &Testbed{Place: place, ctx: ctx, seed: s.Seed, bytes: s.Bytes, depositors: map[trace.Tag][]*Depositor{}}
	if b.Cluster, err = cluster.New(spec); err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	if !s.Cold {
		if err := b.Warm(); err != nil {
			b.Engine.Close()
			return nil, fmt.Errorf("%s: %w", place, err)
		}
	}
	if !s.Silent {
		b.Record()
	}
	return b, nil
}

// cluster returns the specification of a testbed's cluster, and its place.
func (s Spec) cluster() (spec cluster.Spec, place platform.Place, err error) {
	if s.Platform == "" {
		s.Platform = "shrimp"
	}
	p, err := platform.Load(s.Platform)
	if err != nil {
		return
	}
	if p, err = p.With(s.Overlay); err != nil {
		return
	}
	if s.Profile != nil {
		s.Profile(p)
	}
	if place, err = p.At(s.Layer); err != nil {
		return
	}
	build := monitor.Full
	if err = s.Monitor.Into(&build); err != nil {
		return
	}
	nodes := max(2, s.Nodes)
	if s.Nodes == AllNodes {
		nodes = p.Nodes
	}
	spec = cluster.Of(place, nodes, s.Seed, build)
	spec.Tags, spec.Histograms = max(1, s.Tags), s.Layout
	if spec.Kinds = s.Kinds; s.Kinds == nil {
		spec.Kinds = []trace.Kind{trace.Data}
	}
	spec.Estimator = s.Estimator
	if s.Cluster != nil {
		s.Cluster(&spec)
	}
	return
}

// Seed returns the seed of everything random.
func (b *Testbed) Seed() uint64 { return b.seed }

// Err returns the first error, with the testbed's place.
func (b *Testbed) Err() error {
	if b.err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", b.Place, b.err)
}

// OK reports whether there is no error.
func (b *Testbed) OK() bool { return b.err == nil }

// Keep stores err if it is the first error, and reports whether err is nil.
func (b *Testbed) Keep(err error) bool {
	if b.err == nil {
		b.err = err
	}
	return err == nil
}

// Fail stores an error made from the format, if it is the first.
func (b *Testbed) Fail(format string, args ...any) { b.Keep(fmt.Errorf(format, args...)) }

// keep returns a function that returns the result of a call and keeps its error.
func keep[T any](b *Testbed) func(T, error) T {
	return func(v T, err error) T {
		b.Keep(err)
		return v
	}
}

// Process is a process of any layer.
type Process = cluster.Process

// Process returns the process on a node, for messages of up to Spec.Bytes. After an
// error it returns nil.
func (b *Testbed) Process(node int) *Process {
	if b.processes == nil && b.OK() {
		b.processes = keep[[]*Process](b)(b.Processes(0, b.bytes))
	}
	if !b.OK() {
		return nil
	}
	return b.processes[node]
}

// Endpoint returns the process's end of its layer.
func (b *Testbed) Endpoint(node int) comm.Endpoint { return b.Process(node).Endpoint }
