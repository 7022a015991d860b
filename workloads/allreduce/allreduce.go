package allreduce

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// New returns a program, which Start starts. Errors are *bounds.Error.
func New(spec Spec) (*AllReduce, error) {
	spec, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	a := &AllReduce{spec: spec, vectors: vectors.New(sim.NewStream(spec.Seed, "workloads/allreduce/vectors"), spec.Nodes, spec.Options.Steps)}
	return a, spec.Options.Algorithm.Into(&a.algorithm)
}

// Spec returns the specification with nothing left open.
func (a *AllReduce) Spec() Spec { return a.spec }

// Phases lists the phases of the program.
func Phases() []string { return []string{computing, reducing} }

// Kinds lists the kinds of its packets.
func Kinds() []trace.Kind { return []trace.Kind{trace.Data, trace.Credit} }

// Progress returns how many elements of sums have been compared, and of how many.
func (a *AllReduce) Progress() (done, total int64) {
	return a.compared, int64(a.spec.Nodes) * int64(a.spec.Options.Steps) * int64(a.spec.Elements)
}

// Start begins the program on its nodes, whose packets carry tag. Done, which may be nil, is called
// when it has ended.
func (a *AllReduce) Start(nodes []deposit.Node, instrument func(int, *host.Context) trace.Instrument, tag trace.Tag, done func()) error {
	if len(nodes) != a.spec.Nodes {
		return fmt.Errorf("allreduce: start on %d nodes, want %d", len(nodes), a.spec.Nodes)
	}
	if err := a.Open("allreduce", nodes, tag); err != nil {
		return err
	}
	for _, m := range a.Members {
		m.Buffers(a.spec.Options.ChunkBytes)
		a.workers = append(a.workers, &worker{
			AllReduce: a, Member: m, bytes: make([]byte, a.spec.Options.ChunkBytes), more: make([]byte, a.spec.Options.ChunkBytes),
		})
	}
	connect := map[Algorithm]func() error{
		Ring: a.connectRing, Tree: func() error { return a.connectTrees(1) }, Trees: func() error { return a.connectTrees(2) },
	}
	if err := connect[a.algorithm](); err != nil {
		return err
	}
	a.Team.Start(instrument, func(m *team.Member) { a.workers[m.ID].run() }, done)
	return nil
}

// run is the program of a node.
func (w *worker) run() {
	for w.step = range w.spec.Options.Steps {
		w.Tell.Phase(computing)
		w.X.Compute(host.Work{Time: w.spec.Options.compute()})
		w.Tell.Phase(reducing)
		w.span = w.Numbers.Next()
		w.Tell.Begin(w.span, opAllReduce, stepReduce, 0)
		if w.algorithm == Ring {
			w.ring()
		} else {
			w.tree()
		}
		w.Tell.End(w.span)
		w.Tell.Phase(computing)
		w.update()
	}
	w.Tell.Phase("")
}

// Verify returns how the sums were checked, and what is wrong with them, if anything.
func (a *AllReduce) Verify() (how string, wrong error) {
	how = fmt.Sprintf("every node compared all %d elements of each of %d sums, with sums found without the vectors", a.spec.Elements, a.spec.Options.Steps)
	if done, total := a.Progress(); done != total {
		a.Wrong("%d elements of sums were compared, want %d", done, total)
	}
	return how, a.Verdict()
}
