package experiment

import (
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/gauss"
)

// messageWorkloads are programs that pass messages.
var messageWorkloads = map[string]workload{
	"gauss": {
		summary: "Gaussian elimination of a dense matrix by message passing",
		detail: "A matrix of size rows (1024 by default, 2 to 8192), dealt to the nodes in turn. In each step the owner of\n" +
			"the pivot's row sends the rest of the row to all others: with --broadcast separate (the default)\n" +
			"as one send after another of the same buffer, with tree along a binomial tree of nodes, with\n" +
			"firmware as one request that the interface fetches once and injects for every receiver. The\n" +
			"largest element of the row is the pivot. At most as many nodes as rows. A system of equations is\n" +
			"solved with the factors; a scaled residual above 16 fails the run.\n",
		size:   gauss.DefaultOrder,
		memory: func(s RunSpec, nodes int64, _ *comm.Traits) int64 { return 26*s.Size*s.Size + rings(nodes) },
		make:   newGauss,
	},
	GOAL: {
		summary: "a GOAL schedule of LogGOPSim, replayed by message passing",
		detail: "--schedule FILE has what each rank computes (in ns), sends and receives, and in what order, as text for\n" +
			"LogGOPSim's txt2bin. sigview export --to goal writes one of a traced run. Rank n runs on node n; there may\n" +
			"be more nodes. A node has one processor, whatever cpu an operation names. Every message has to arrive\n" +
			"once and at the right receive.\n",
		make: newReplay,
	},
}

// messageProgram runs a program that passes messages.
type messageProgram struct {
	spec   nx.Spec
	run    func(*nx.Process) error
	check  func() (how string, wrong error)
	far    func() (done, total int64) // nil: not known
	note   string                     // what of it is not done; empty if all is
	system *nx.System
}

func newGauss(s RunSpec, p *platform.Profile, nodes int) (program, error) {
	if p.NX == nil {
		return nil, wrong("platform", p.Name, "one with a section [nx], the costs of message passing")
	}
	g, err := gauss.New(gauss.Spec{Order: int(s.Size), Nodes: nodes, Seed: s.Seed})
	if err != nil {
		return nil, err
	}
	m := &messageProgram{spec: nx.Spec{EagerBytes: g.EagerBytes()}, run: g.Run, far: g.Progress}
	if err := s.Broadcast.Into(&m.spec.Broadcast); err != nil {
		return nil, err
	}
	m.check = func() (string, error) {
		c, wrong := g.Verify()
		return fmt.Sprintf("scaled residual %s (%s of an independent solution), at most %d allowed", bounds.Below(c.Residual, 1), bounds.Below(c.Other, 1), gauss.Tolerance), wrong
	}
	return m, nil
}

func (m *messageProgram) progress() (done, total int64) {
	if m.far == nil {
		return 0, 0
	}
	return m.far()
}

func (m *messageProgram) kinds() []trace.Kind {
	return []trace.Kind{trace.Message, trace.Broadcast, trace.Envelope, trace.Credit}
}

// sequences: a message's envelope follows its data, and packets follow those before them.
func (m *messageProgram) sequences() []trace.Sequence {
	return []trace.Sequence{
		{Kind: trace.Message, After: trace.SameMessage},
		{Kind: trace.Broadcast, After: trace.SameMessage},
		{Kind: trace.Envelope, After: trace.Message},
		{Kind: trace.Envelope, After: trace.Broadcast},
	}
}

func (m *messageProgram) start(c *cluster.Cluster, tag trace.Tag, done func()) error {
	m.spec.Tag = tag
	var err error
	if m.system, err = c.Messages(m.spec); err != nil {
		return err
	}
	return m.system.Start(m.run, done)
}

func (m *messageProgram) finish() (outcome, error) {
	o, err := finish(m.system, m.system.Nodes(), func(i int) host.Shares { return m.system.Process(i).Shares() }, m.check)
	o.note = m.note
	return o, err
}
