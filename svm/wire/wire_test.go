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
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
)

// run executes program on a system over VMMC-2 on a cluster.
func run(t *testing.T, seed uint64, nodes, pages, ring int, homes svm.Homes, service svm.Service, faults fabric.Faults,
	program func(*svm.Thread)) (*cluster.Cluster, *svm.System, error) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	c, err := cluster.New(cluster.Spec{Profile: p, Nodes: nodes, Seed: seed, Options: monitor.Options{Build: monitor.Off}, Faults: faults})
	require.NoError(t, err)
	l, err := svm.NewLayout(nodes)
	require.NoError(t, err)
	_, err = l.Alloc(pages*svm.PageSize, homes)
	require.NoError(t, err)
	s, err := svm.NewSystem(svm.Spec{Layout: l, Costs: p.SVM.Costs, Service: service, Check: seed%3 == 0})
	require.NoError(t, err)
	require.NoError(t, c.AttachMemory(s, 0, pages, ring))
	require.NoError(t, s.Start(program, nil))
	defer c.Engine.Close()
	end := c.Engine.Run(sim.Time(20 * sim.Second))
	if err := s.Err(); err != nil {
		return c, s, err
	}
	if end != nil {
		return c, s, end
	}
	if _, ended := s.Elapsed(); !ended {
		return c, s, fmt.Errorf("not ended after 20 s")
	}
	return c, s, nil
}

// TestRandomPrograms runs the oracle's programs over the whole stack, with
// the smallest rings so that writers have to wait for room, and with errors on
// the links.
func TestRandomPrograms(t *testing.T) {
	shape := svmcheck.Shape{Nodes: 5, Pages: 4, Locks: 3, Phases: 3, Ops: 6, WordsPerPage: svm.PageSize / svm.WordSize}
	runs := 60
	if testing.Short() {
		runs = 12
	}
	var retransmitted uint64
	for seed := range uint64(runs) {
		p := svmcheck.Random(rand.New(rand.NewPCG(seed, 3)), shape)
		o := svmcheck.NewOracle(p.Nodes, p.Words)
		var wrong error
		faults := fabric.Faults{}
		if seed%2 == 1 {
			faults = fabric.Faults{ErrorPerByte: 1e-5}
		}
		c, _, err := run(t, seed, p.Nodes, p.Pages, 4096, svm.Homes(seed/2%3), svm.Service(seed/6%2), faults, func(th *svm.Thread) {
			for _, op := range p.Ops[th.Node()] {
				if err := svmcheck.Perform(th, o, op); err != nil && wrong == nil {
					wrong = err
				}
			}
		})
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, wrong, "seed %d", seed)
		for _, n := range c.Nodes {
			retransmitted += n.VMMC.Stats().Retransmitted
		}
	}
	require.NotZero(t, retransmitted)
}

// TestCrossFire lets all nodes send more diffs to one another than the
// rings hold, at the same time.
func TestCrossFire(t *testing.T) {
	for _, service := range []svm.Service{svm.Interrupt, svm.Polling} {
		t.Run(service.String(), func(t *testing.T) {
			const nodes, pages = 4, 64
			_, s, err := run(t, 1, nodes, pages, 4096, svm.Blocks, service, fabric.Faults{}, func(th *svm.Thread) {
				for round := range 3 {
					for p := range pages {
						v := svm.View[uint32](th.WritePiece(svm.Addr(p)*svm.PageSize, svm.PageSize))
						for i := th.Node(); i < len(v); i += nodes {
							v[i] += uint32(round + p)
						}
					}
					th.Barrier(uint32(round))
				}
				th.Compute(host.Work{Time: sim.Millisecond})
			})
			require.NoError(t, err)
			out := make([]byte, pages*svm.PageSize)
			require.NoError(t, s.Snapshot(0, out))
			for i, v := range svm.View[uint32](out) {
				require.EqualValues(t, 3+3*(i*4/svm.PageSize), v)
			}
		})
	}
}

// TestBothWait lets two nodes fill one another's ring at the same instant
// with parts of diffs that are longer than it.
func TestBothWait(t *testing.T) {
	for _, service := range []svm.Service{svm.Interrupt, svm.Polling} {
		t.Run(service.String(), func(t *testing.T) {
			const pages = 8
			_, s, err := run(t, 1, 2, pages, 4096, svm.Blocks, service, fabric.Faults{}, func(th *svm.Thread) {
				far := svm.Addr(1-th.Node()) * pages / 2 * svm.PageSize
				for off, b := range th.Write(far, pages/2*svm.PageSize) {
					for i := range svm.View[uint32](b) {
						svm.View[uint32](b)[i] = uint32(off + i + 1)
					}
				}
				th.Barrier(0)
				th.Barrier(1)
			})
			require.NoError(t, err)
			require.EqualValues(t, 4, s.Member(0).Stats().Diffs)
		})
	}
}

// TestUnseenCorruption lets errors through that CRC-8 cannot show. Whatever
// they hit, the run ends: with an error, or with pages that are known to be
// damaged, or harmlessly.
func TestUnseenCorruption(t *testing.T) {
	outcomes := map[string]int{}
	runs := 60
	if testing.Short() {
		runs = 24
	}
	for seed := range uint64(runs) {
		faults := fabric.Faults{ErrorPerByte: 1e-4, BurstBytes: 6}
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("seed %d: panic: %v", seed, r)
				}
			}()
			_, s, err := run(t, seed, 3, 12, 4096, svm.Blocks, svm.Interrupt, faults, func(th *svm.Thread) {
				for round := range 6 {
					for p := range 12 {
						svm.View[uint32](th.WritePiece(svm.Addr(p)*svm.PageSize, svm.PageSize))[th.Node()+8*round] = uint32(p)
					}
					th.Lock(3)
					svm.View[uint32](th.WritePiece(0, svm.PageSize))[1000]++
					th.Unlock(3)
					th.Barrier(uint32(round))
				}
			})
			switch {
			case err != nil:
				outcomes["error"]++
				t.Logf("seed %d: %v", seed, err)
			case s.Member(0).Stats().Damaged+s.Member(1).Stats().Damaged+s.Member(2).Stats().Damaged > 0:
				outcomes["damaged pages"]++
			default:
				outcomes["as if nothing were"]++
			}
		}()
	}
	t.Log(outcomes)
	require.NotZero(t, outcomes["damaged pages"])
}
