package cluster_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/svmcheck"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// TestOperationsOfRandomPrograms: with locks, false sharing, several writers,
// homes of every sort, by interrupt and polling, each operation has its stages
// in an order that makes sense.
func TestOperationsOfRandomPrograms(t *testing.T) {
	shape := svmcheck.Shape{Nodes: 5, Pages: 4, Locks: 3, Phases: 3, Ops: 6, WordsPerPage: svm.PageSize / svm.WordSize}
	seen := map[string]int{}
	for seed := range uint64(24) {
		p := svmcheck.Random(rand.New(rand.NewPCG(seed, 7)), shape)
		homes := svm.Homes(seed % 3)
		layout, err := svm.NewLayout(p.Nodes)
		require.NoError(t, err)
		_, err = layout.Alloc(p.Pages*svm.PageSize, homes)
		require.NoError(t, err)
		s := setup{nodes: p.Nodes, packets: seed%4 > 1, spans: true, service: svm.Service(seed / 3 % 2)}
		r := runMemory(t, s, layout, nil, func(th *svm.Thread) {
			for _, op := range p.Ops[th.Node()] {
				perform(th, op)
			}
		})
		got := r.Trace()
		require.Zero(t, got.Open, "seed %d", seed)
		require.NoError(t, trace.CheckRows(got.Spans))
		require.NoError(t, trace.CheckRows(got.Steps))
		require.NoError(t, trace.CheckSteps(slices.Values(got.Spans), slices.Values(got.Steps)))
		n, stats := counts(got.Spans), r.stats()
		require.EqualValues(t, stats.Grants, n["lock_acquire"], "seed %d", seed)
		require.LessOrEqual(t, stats.Grants, stats.Acquires)
		require.EqualValues(t, stats.Barriers, n["barrier"])
		require.EqualValues(t, stats.Diffs, n["diff_flush"])
		if homes == svm.FirstTouch { // the first to ask gets the home, and no page
			require.GreaterOrEqual(t, n["page_fetch"], int(stats.Fetches))
		} else {
			require.EqualValues(t, stats.Fetches, n["page_fetch"])
		}
		for name, k := range n {
			seen[name] += k
		}
		checkOrder(t, seed, got.Spans, got.Steps, seen)
	}
	// For differences nobody waits here; TestWaitingForDifferences loses one.
	for _, what := range []string{"page_fetch", "lock_acquire", "barrier", "diff_flush", "held", "forward", "gather", "queue", "notice"} {
		require.NotZero(t, seen[what], what)
	}
}

// TestWaitingForDifferences: the difference of the first of three owners of a lock is
// lost. The second asks the page's home for the page, which waits for the
// difference; the third is the home and waits itself.
func TestWaitingForDifferences(t *testing.T) {
	layout, err := svm.NewLayout(4)
	require.NoError(t, err)
	_, err = layout.Alloc(4*svm.PageSize, svm.Blocks)
	require.NoError(t, err)
	for _, order := range [][]int{{1, 2}, {1, 2, 0}} {
		s := setup{nodes: 4, spans: true, faults: fabric.Faults{Drops: []fabric.Drop{{Kind: trace.Diff, Nth: 1}}}}
		r := runMemory(t, s, layout, nil, func(th *svm.Thread) {
			for turn, node := range order {
				if node == th.Node() {
					th.Compute(host.Work{Time: sim.Duration(turn) * sim.Millisecond})
					th.Lock(3)
					if turn == 0 || turn == len(order)-1 {
						b := th.WritePiece(0, 4)
						require.EqualValues(t, turn, b[0], "turn %d", turn)
						b[0] = byte(len(order) - 1)
					}
					th.Unlock(3)
				}
			}
			th.Barrier(3) // at another node, so that nothing makes the home ask for what it lacks
		})
		got := r.Trace()
		require.NoError(t, trace.CheckSteps(slices.Values(got.Spans), slices.Values(got.Steps)))
		seen := counts(got.Spans)
		checkOrder(t, 0, got.Spans, got.Steps, seen)
		if order[len(order)-1] == 0 {
			require.NotZero(t, seen["home_wait"])
		} else {
			require.NotZero(t, seen["diff_wait"])
		}
	}
}

// checkOrder checks how operations begin and end, and counts stages into seen.
func checkOrder(t *testing.T, seed uint64, spans []trace.SpanRow, stages []trace.StepRow, seen map[string]int) {
	first := map[string]string{"page_fetch": "trap", "home_wait": "trap", "lock_acquire": "flush", "barrier": "flush", "diff_flush": "compare"}
	for _, s := range spans {
		k := 0
		for k < len(stages) && stages[k].Span == s.Span && stages[k].Operation == s.Operation {
			seen[stages[k].Step]++
			require.GreaterOrEqual(t, stages[k].DurationNs, -2*s.BoundNs, "seed %d: %v", seed, stages[k])
			k++
		}
		own := stages[:k]
		stages = stages[k:]
		require.Equal(t, first[s.Operation], own[0].Step, "seed %d", seed)
		last := own[k-1].Step
		switch s.Operation {
		case "diff_flush":
			require.Equal(t, "apply", last, "seed %d", seed)
		case "home_wait": // the difference may come during the trap
			require.Contains(t, []string{"resume", "trap"}, last, "seed %d: %v", seed, own)
		case "barrier": // the last to come at the barrier's own node waits for nothing
			require.True(t, last == "resume" || k == 1, "seed %d: %v", seed, own)
		default:
			require.Equal(t, "resume", last, "seed %d: %v", seed, own)
		}
	}
	require.Empty(t, stages)
}

func perform(th *svm.Thread, op svmcheck.Op) {
	a := svm.Addr(op.At * svm.WordSize)
	switch op.Kind {
	case svmcheck.Load:
		th.ReadPiece(a, 4)
	case svmcheck.Store, svmcheck.Restore:
		b := th.WritePiece(a, 4)
		binary.NativeEndian.PutUint32(b, binary.NativeEndian.Uint32(b)+1)
	case svmcheck.Lock:
		th.Lock(uint32(op.At))
	case svmcheck.Unlock:
		th.Unlock(uint32(op.At))
	case svmcheck.Meet:
		th.Barrier(uint32(op.At))
	}
}
