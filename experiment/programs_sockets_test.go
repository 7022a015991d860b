package experiment

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func fileRun(ops int64, nodes int) RunSpec {
	s := DefaultRun("dfs")
	s.Size, s.Nodes, s.Build = ops, nodes, BuildOff
	return s
}

func TestFileSystemOnManyNodes(t *testing.T) {
	for _, nodes := range []int{2, 8, 16, 64} {
		if testing.Short() && nodes > 8 {
			continue
		}
		t.Run(fmt.Sprint(nodes), func(t *testing.T) {
			r := mustRun(t, fileRun(300, nodes))
			require.Contains(t, r.programs[0].how, "300 operations")
		})
	}
}

func TestFileSystemUnderFaults(t *testing.T) {
	s := fileRun(300, 8)
	s.Faults = FaultSpec{
		ErrorPerByte: 1e-6, DropAck: 0.001,
		Stalls: []Stall{{Node: 3, At: sim.Time(5 * sim.Millisecond), For: 60 * sim.Millisecond}},
	}
	mustRun(t, s)
}

// TestFileSystemSignature: the run has packets of each of its kinds, and
// operations whose steps sum to the whole.
func TestFileSystemSignature(t *testing.T) {
	s := fileRun(200, 4)
	s.Build, s.Trace = BuildFull, TraceSpans
	run, err := Run(context.Background(), s, nil)
	require.NoError(t, err)
	require.True(t, run.Manifest.Verified, run.Manifest.Verification)
	kinds := map[string]int64{}
	for _, row := range run.Signature {
		kinds[row.Kind] += row.Count
	}
	for _, k := range []trace.Kind{trace.Stream, trace.FileRequest, trace.FileReply, trace.Credit} {
		require.NotZero(t, kinds[k.String()], "%v", k)
	}
	files := 0
	for span := range run.Spans {
		if span.Operation == string(trace.OpFile) {
			files++
		}
	}
	require.Equal(t, 200, files)
	require.NoError(t, trace.CheckSteps(run.Spans, run.Steps))
}

// TestFileSystemMonitored: the monitor lengthens runs by less than the
// published bound of 3 %. Single runs differ by a percent or two either way,
// because timing decides who comes first at a shared file.
func TestFileSystemMonitored(t *testing.T) {
	testlong.Only(t, "several runs of the default size")
	sum, seeds := 0.0, uint64(3)
	for seed := range seeds {
		var took [2]sim.Duration
		for i, build := range []Build{BuildOff, BuildFull} {
			s := fileRun(0, 8)
			s.Seed, s.Build = seed+1, build
			r := mustRun(t, s)
			took[i] = r.programs[0].took
			if build == BuildFull {
				require.NotZero(t, r.programs[0].shares[0].Time[host.Monitor])
			}
		}
		pct := 100 * (took[1].Seconds()/took[0].Seconds() - 1)
		t.Logf("seed %d: %.2f %% of %v", seed+1, pct, took[0])
		sum += pct
	}
	require.Less(t, sum/float64(seeds), 3.0)
}

// TestCallsThatWaitForTheInterface: a node whose interface stands still makes a call while its
// answer to another node's waits to be sent. Both arrive.
func TestCallsThatWaitForTheInterface(t *testing.T) {
	s := fileRun(1, 16)
	s.Platform, s.Layer = "grim-p4-lanai9", "gm"
	s.Faults.Drops = []fabric.Drop{{Kind: trace.FileRequest, Nth: 3, Count: 3}}
	s.Faults.Stalls = []Stall{
		{Node: 3, At: sim.Time(13 * sim.Microsecond), For: 14118 * sim.Microsecond},
		{Node: 12, At: sim.Time(751 * sim.Microsecond), For: 156082 * sim.Microsecond},
	}
	mustRun(t, s)
}

// TestMessagesThatTheWatchdogTakes: a message that LFC's watchdog takes while the program has a
// CPU of its own wakes the program.
func TestMessagesThatTheWatchdogTakes(t *testing.T) {
	s := fileRun(4, 4)
	s.Platform, s.Layer, s.Uncontended = "das-myrinet", "mpi", []Resource{LANai, CPU}
	mustRun(t, s)
}

// TestFileSystemWithoutContention: with resources freed messages overtake one
// another, and the result is right.
func TestFileSystemWithoutContention(t *testing.T) {
	all := [][]Resource{{HDMA}, {Slots}, {SDMA, Ports}, {CPU, MemBus, PCI, HDMA, SRAM, LANai, Slots, SDMA, Ports}}
	for _, free := range all {
		t.Run(fmt.Sprint(free), func(t *testing.T) {
			s := fileRun(200, 8)
			s.Uncontended = free
			mustRun(t, s)
		})
	}
}
