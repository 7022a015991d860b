package experiment

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/dfs"
	"github.com/sigview/sigview/workloads/gauss"
	"github.com/sigview/sigview/workloads/operations"
)

// idleOperations are the operations of a programming model, played one at a time on two
// idle nodes.
type idleOperations struct {
	key  string // of all that determines them beside platform, layer and seed
	make func(spec RunSpec, p *platform.Profile) (program, error)
}

const idleNodes = 2

// operationsOf returns the operations of a program, false if it has none.
func operationsOf(name string, spec RunSpec) (idleOperations, bool) {
	if _, ok := memoryWorkloads[name]; ok {
		return idleOperations{fmt.Sprintf("memory %s", spec.Memory.Service), idleMemory}, true
	}
	if _, ok := messageWorkloads[name]; ok {
		return idleOperations{fmt.Sprintf("messages %s %d", spec.Broadcast, spec.Size), idleMessages}, true
	}
	if _, ok := socketWorkloads[name]; ok {
		return idleOperations{"sockets", idleFiles}, true
	}
	return idleOperations{}, false
}

// run measures the operations on the platform and layer of a run.
func (o idleOperations) run(ctx context.Context, p *platform.Profile, spec RunSpec, watch Watch) (*trace.Run, error) {
	asked := DefaultRun("operations")
	asked.Platform, asked.Layer, asked.Seed = spec.Platform, spec.Layer, spec.Seed
	asked.Memory.Service, asked.Broadcast, asked.Size = spec.Memory.Service, spec.Broadcast, spec.Size
	asked.Variance = true
	at, err := p.At(spec.Layer)
	if err != nil {
		return nil, err
	}
	prog, err := o.make(asked, p)
	if err != nil {
		return nil, err
	}
	declared := traffic{means: true}
	declared.add(prog)
	declared.kinds = withKinds(declared.kinds, at.Traits.Kinds)
	watch.Report(Progress{Stage: "operations one at a time on " + p.Name})
	r, err := perform(ctx, asked, p, idleNodes, []program{prog}, declared, nil)
	if err != nil {
		return nil, err
	}
	if wrong := r.programs[0].wrong; wrong != nil {
		return nil, wrong
	}
	return r.tables(r.cluster)
}

func idleMemory(spec RunSpec, p *platform.Profile) (program, error) {
	app, err := operations.NewMemory(spec.Seed)
	if err != nil {
		return nil, err
	}
	system, err := newMemory(app.Layout(), spec.Memory, p, false)
	return &memoryProgram{app, system}, err
}

// idleMessages plays messages up to the longest of an elimination of the run's size.
func idleMessages(spec RunSpec, p *platform.Profile) (program, error) {
	order := spec.Size
	if order == 0 {
		order = gauss.DefaultOrder
	}
	g, err := gauss.New(gauss.Spec{Order: int(order), Nodes: idleNodes, Seed: spec.Seed})
	if err != nil {
		return nil, err
	}
	app := operations.Messages{Most: g.RowBytes(), Seed: spec.Seed}
	m := &messageProgram{spec: nx.Spec{EagerBytes: g.EagerBytes()}, run: app.Run, check: app.Verify}
	return m, spec.Broadcast.Into(&m.spec.Broadcast)
}

// idleFiles plays file operations, enough to send every kind of request often.
func idleFiles(spec RunSpec, _ *platform.Profile) (program, error) {
	const ops = 120
	d, err := dfs.New(dfs.Spec{Nodes: idleNodes, Ops: ops, Seed: spec.Seed, Alone: true})
	return &dfsProgram{d}, err
}
