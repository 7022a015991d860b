package experiment_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// Run a workload: what sigview run does. rundir.WriteRun keeps the run, report.Of shows it.
func ExampleRun() {
	spec := experiment.DefaultRun("fft")
	spec.Nodes, spec.Size = 4, 4096
	run, err := experiment.Run(context.Background(), spec, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: verified %t, %d packets\n", run.Manifest.Title(), run.Manifest.Verified, run.Manifest.Packets)
	for _, p := range analysis.Whole(analysis.Of(*run).ByClass(), 0) {
		if s := p.Stat(trace.Source); p.Class == trace.ClassUnder128 {
			fmt.Printf("Source of small packets: %s µs, %s idle\n", analysis.Us(s.MeanNs), analysis.Us(s.BaselineNs))
		}
	}
	// Output:
	// fft on shrimp, 4 nodes, seed 1: verified true, 425 packets
	// Source of small packets: 27.46 µs, 6.08 idle
}

// ring is an application on shared memory: in each turn every node increments the number
// of its left neighbour.
type ring struct {
	layout  *svm.Layout
	numbers svm.Addr // a page for each node
	turns   int
	done    int64
}

func newRing(p experiment.Problem) (experiment.MemoryApp, error) {
	layout, err := svm.NewLayout(p.Nodes)
	if err != nil {
		return nil, err
	}
	numbers, err := layout.Alloc(p.Nodes*svm.PageSize, p.Homes)
	return &ring{layout: layout, numbers: numbers, turns: p.Size}, err
}

func (r *ring) Layout() *svm.Layout           { return r.layout }
func (r *ring) Load(*svm.System) error        { return nil }
func (r *ring) Progress() (done, total int64) { return r.done, int64(r.turns * r.layout.Nodes()) }

// at returns the address of a node's number.
func (r *ring) at(node int) svm.Addr { return r.numbers + svm.Addr(node*svm.PageSize) }

// Run is the program of a node.
func (r *ring) Run(t *svm.Thread) {
	left := (t.Node() + r.layout.Nodes() - 1) % r.layout.Nodes()
	for range r.turns {
		t.Phase("turn", func() {
			svm.View[int64](t.WritePiece(r.at(left), 8))[0]++
			t.Compute(host.Work{Ints: 1000})
			t.Barrier(0)
		})
		r.done++
	}
}

func (r *ring) Verify(s *svm.System) (how string, wrong error) {
	for node := range r.layout.Nodes() {
		number := make([]byte, 8)
		if err := s.Snapshot(r.at(node), number); err != nil {
			return "", err
		}
		if svm.View[int64](number)[0] != int64(r.turns) {
			return "", errors.New("a node's number is not the number of turns")
		}
	}
	return "every number is the number of turns", nil
}

// Add a workload: afterwards it can be named wherever fft can.
func ExampleAddMemory() {
	if err := experiment.AddMemory("ring", "increments of a neighbour's number", 10, []string{"turn"}, newRing); err != nil {
		fmt.Println(err)
		return
	}
	spec := experiment.DefaultRun("ring")
	spec.Nodes = 4
	run, err := experiment.Run(context.Background(), spec, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Manifest.Verification)
	fmt.Println(analysis.Digits(run.Manifest.Packets), "packets")
	// Output:
	// every number is the number of turns
	// 108 packets
}
