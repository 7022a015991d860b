package analysis

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// sent is the row of packets from one node to another.
func sent(from, to, packets int64) trace.PairRow {
	return trace.PairRow{
		Group: trace.Group{Kind: trace.AllKinds}, Class: trace.Class4096, Sender: from, Receiver: to,
		Stat: trace.Stat{Stage: trace.Net, Measured: trace.Measured{Count: packets}},
	}
}

// synchronized is a run whose nodes from 1 on have clocks with these bounds.
func synchronized(bounds ...float64) (run trace.Run) {
	for i, b := range bounds {
		node := int64(i + 1)
		run.Clock = append(run.Clock,
			trace.ClockRow{Round: 2, Node: node, BoundNs: trace.Some(b)}, trace.ClockRow{Round: 1, Node: node, BoundNs: trace.Some(100 * b)})
	}
	return run
}

func TestClockErrors(t *testing.T) {
	for name, x := range map[string]struct {
		pairs []trace.PairRow
		want  float64
	}{
		"not known":         {nil, 2 * 500},
		"one way":           {[]trace.PairRow{sent(1, 2, 7)}, 300 + 500},
		"from coordinator":  {[]trace.PairRow{sent(0, 2, 7)}, 500},
		"as many both ways": {[]trace.PairRow{sent(1, 2, 7), sent(2, 1, 7)}, 0},
		"round a ring":      {[]trace.PairRow{sent(0, 1, 7), sent(1, 2, 7), sent(2, 0, 7)}, 0},
		"3 of 4 one way":    {[]trace.PairRow{sent(1, 2, 3), sent(2, 1, 1)}, (300 + 500) / 2},
	} {
		run := synchronized(300, 500)
		run.Pairs = x.pairs
		require.Equal(t, x.want, ClockErrors(run)(0, trace.Class4096), name)
	}
	median := 200.0
	run := trace.Run{Pairs: []trace.PairRow{sent(1, 2, 7)}}
	require.Zero(t, ClockErrors(run)(0, trace.Class4096), "no clock")
	run.Manifest.Clock.MedianBoundNs = &median
	require.Equal(t, 2*median, ClockErrors(run)(0, trace.Class4096))
}

// TestClockErrorsHold stamps packets by clocks that are wrong within their bounds. The
// mean latency is then wrong by no more than is said.
func TestClockErrorsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := rapid.SliceOfN(rapid.Float64Range(0, 1000), 2, 5).Draw(t, "bounds")
		run := synchronized(bounds...)
		off := []float64{0} // node 0 has the global clock
		for _, b := range bounds {
			off = append(off, b*rapid.Float64Range(-1, 1).Draw(t, "error"))
		}
		truth, measured, n := 0.0, 0.0, 0.0
		node := rapid.IntRange(0, len(bounds))
		for range rapid.IntRange(1, 40).Draw(t, "packets") {
			from, to, at := node.Draw(t, "from"), node.Draw(t, "to"), rapid.Float64Range(0, 1e6).Draw(t, "sent")
			arrived := at + rapid.Float64Range(1000, 50_000).Draw(t, "latency")
			truth += arrived - at
			measured += (arrived + off[to]) - (at + off[from])
			n++
			run.Pairs = append(run.Pairs, sent(int64(from), int64(to), 1))
		}
		wrong := math.Abs(measured-truth) / n
		if bound := ClockErrors(run)(0, trace.Class4096); wrong > bound+1e-6 {
			t.Fatalf("wrong by %v, said %v", wrong, bound)
		}
	})
}
