package wire_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/svmcheck"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/svm"
)

// TestRingSizes runs the oracle's programs with rings below a page, which lie
// side by side, and with rings of several pages.
func TestRingSizes(t *testing.T) {
	shape := svmcheck.Shape{Nodes: 5, Pages: 4, Locks: 3, Phases: 3, Ops: 6, WordsPerPage: svm.PageSize / svm.WordSize}
	for i, ring := range []int{1 << 10, 1 << 10, 2 << 10, 2 << 10, 16 << 10} {
		seed := uint64(i)
		p := svmcheck.Random(rand.New(rand.NewPCG(seed, 4)), shape)
		o := svmcheck.NewOracle(p.Nodes, p.Words)
		var wrong error
		_, _, err := run(t, seed, p.Nodes, p.Pages, ring, svm.Homes(seed%3), svm.Service(seed%2), fabric.Faults{}, func(th *svm.Thread) {
			for _, op := range p.Ops[th.Node()] {
				if err := svmcheck.Perform(th, o, op); err != nil && wrong == nil {
					wrong = err
				}
			}
		})
		require.NoError(t, err, "ring of %d B, seed %d", ring, seed)
		require.NoError(t, wrong, "ring of %d B, seed %d", ring, seed)
	}
}

func TestRingsThatCannotBe(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	for _, ring := range []int{0, 512, 1025, 3 << 10} {
		c, err := cluster.New(cluster.Spec{Profile: p, Nodes: 2, Seed: 1, Options: monitor.Options{Build: monitor.Off}})
		require.NoError(t, err)
		l, err := svm.NewLayout(2)
		require.NoError(t, err)
		s, err := svm.NewSystem(svm.Spec{Layout: l, Costs: p.SVM.Costs})
		require.NoError(t, err)
		require.ErrorContains(t, c.AttachMemory(s, 0, 1, ring), fmt.Sprintf("a ring of %d B, want a power of two of at least 1024 B", ring))
	}
}
