package experiment

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// gaussRun is an elimination of a small matrix.
func gaussRun(broadcast BroadcastName, size int64, nodes int) RunSpec {
	s := DefaultRun("gauss")
	s.Size, s.Nodes, s.Broadcast, s.Build = size, nodes, broadcast, BuildOff
	return s
}

func TestGaussOnManyNodes(t *testing.T) {
	for _, broadcast := range BroadcastName("").All() {
		for _, nodes := range []int{2, 8, 16, 64} {
			t.Run(fmt.Sprint(broadcast, nodes), func(t *testing.T) {
				mustRun(t, gaussRun(broadcast, 128, nodes))
			})
		}
	}
}

// TestGaussUnderFaults corrupts packets, loses acknowledgements and stalls a
// node for longer than a sender waits for its way.
func TestGaussUnderFaults(t *testing.T) {
	for _, broadcast := range BroadcastName("").All() {
		t.Run(broadcast.String(), func(t *testing.T) {
			s := gaussRun(broadcast, 256, 8)
			s.Faults = FaultSpec{
				ErrorPerByte: 1e-6, DropAck: 0.001,
				Stalls: []Stall{{Node: 3, At: sim.Time(5 * sim.Millisecond), For: 60 * sim.Millisecond}},
			}
			r := mustRun(t, s)
			require.Positive(t, r.cluster.Net.Stats().Resets, "the stall was not felt")
			require.Greater(t, r.programs[0].took, 100*sim.Millisecond)
		})
	}
}

// TestGaussWithoutContention frees resources, some of which keep packets in
// order.
func TestGaussWithoutContention(t *testing.T) {
	for _, broadcast := range BroadcastName("").All() {
		for _, free := range [][]Resource{{MemBus}, {Slots}, {HDMA, Slots}, {Ports, SDMA}, {CPU, MemBus, PCI, HDMA, SRAM, LANai, Slots, SDMA, Ports}} {
			t.Run(fmt.Sprint(broadcast, free), func(t *testing.T) {
				s := gaussRun(broadcast, 200, 8)
				s.Uncontended = free
				mustRun(t, s)
			})
		}
	}
}

// TestGaussOperations: every broadcast is told of, and its steps sum to it.
func TestGaussOperations(t *testing.T) {
	whole := map[BroadcastName]int64{}
	for _, broadcast := range BroadcastName("").All() {
		s := gaussRun(broadcast, 256, 8)
		s.Build, s.Trace = BuildFull, TraceAll
		run, err := Run(context.Background(), s, nil)
		require.NoError(t, err)
		sum := map[int64]int64{}
		for x := range run.Steps {
			require.GreaterOrEqual(t, x.DurationNs, int64(0))
			sum[x.Span] += x.DurationNs
		}
		count := int64(0)
		for x := range run.Spans {
			require.EqualValues(t, trace.OpBroadcast, x.Operation)
			require.Equal(t, x.DurationNs, sum[x.Span])
			require.GreaterOrEqual(t, x.Packets, int64(7))
			whole[broadcast] += x.DurationNs
			count++
		}
		require.EqualValues(t, 255, count)
	}
	require.Less(t, whole["firmware"], whole["separate"])
}

func TestGaussRepeats(t *testing.T) {
	for _, broadcast := range BroadcastName("").All() {
		s := gaussRun(broadcast, 100, 5)
		s.Build = BuildFull
		var first *trace.Run
		for range 2 {
			run, err := Run(context.Background(), s, nil)
			require.NoError(t, err)
			if first == nil {
				first = run
			}
			require.Equal(t, first.Manifest, run.Manifest)
			require.Equal(t, first.Signature, run.Signature)
		}
	}
}

// TestGaussBesideFFT runs both programming models on the same nodes.
func TestGaussBesideFFT(t *testing.T) {
	s := DefaultRun("gauss+fft")
	s.Nodes, s.Build = 4, BuildOff
	if testing.Short() {
		t.Skip("both at their default sizes")
	}
	mustRun(t, s)
}

func TestBroadcastNeedsMessages(t *testing.T) {
	s := DefaultRun("fft")
	s.Broadcast = "tree"
	require.ErrorContains(t, s.Validate(Known()), "broadcast is tree, want a program that passes messages, not fft")
	s = DefaultRun("gauss")
	s.Broadcast = "tre"
	require.ErrorContains(t, s.Validate(Known()), `unknown broadcast "tre", did you mean "tree"?`)
	s = gaussRun("", 10, 11)
	_, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.ErrorContains(t, err, "nodes is 11, want 2 to size = 10")
}

// positions returns the mean of a stage, in µs, over the packets of a size
// class by their receiver's place in the order of a broadcast's sends.
func positions(t *testing.T, run *trace.Run, class string, stage trace.Stage) []float64 {
	n := run.Manifest.Nodes
	sum, count := make([]float64, n), make([]float64, n)
	for _, p := range run.Pairs {
		if p.Class == class && p.Stage == stage && p.MeanNs.OK {
			place := (int(p.Receiver) - int(p.Sender) + n) % n
			sum[place] += float64(p.MeanNs.Value * float64(p.Count))
			count[place] += float64(p.Count)
		}
	}
	var out []float64
	for place := 1; place < n; place++ {
		require.NotZero(t, count[place], "place %d", place)
		out = append(out, sum[place]/count[place]/1000)
	}
	return out
}

// gaussPositions runs the elimination and returns Source and LANai of whole
// pages by place.
func gaussPositions(t *testing.T, broadcast BroadcastName, free ...Resource) (source, lanai []float64) {
	s := gaussRun(broadcast, 640, 8)
	s.Build = BuildFull
	s.Uncontended = free
	run, err := Run(context.Background(), s, nil)
	require.NoError(t, err)
	require.True(t, run.Manifest.Verified)
	source, lanai = positions(t, run, trace.Class4096, trace.Source), positions(t, run, trace.Class4096, trace.LANai)
	t.Logf("%s %v: Source %.1f LANai %.1f", broadcast, free, source, lanai)
	return source, lanai
}

// TestGaussPosition: of separate sends the later ones wait longer in the
// request queue, about a service time each, which slots without limit take
// away; LANai knows no position. With one request for all, the waiting is
// for the wire.
func TestGaussPosition(t *testing.T) {
	source, lanai := gaussPositions(t, "separate")
	require.True(t, slices.IsSorted(source), source)
	require.Greater(t, source[6], 5*source[0])
	require.Greater(t, source[6], 400.)
	require.InDelta(t, lanai[0], lanai[6], 1)

	source, lanai = gaussPositions(t, "firmware")
	require.InDelta(t, source[0], source[6], 2)
	require.True(t, slices.IsSorted(lanai), lanai)
	require.Greater(t, lanai[6], 4*lanai[0])
}
