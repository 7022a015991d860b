package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/trace"
)

// TestTimeline: a packet is at its sender until T4 and at its receiver from then to T6.
func TestTimeline(t *testing.T) {
	some := trace.Some[int64]
	for nodes, lanes := range map[int]int{2: 2, 64: 64, 65: 33, 1024: 64} {
		tl := newTimeline(trace.Manifest{Nodes: nodes, SimulatedNs: slots * 1000})
		last := int64(nodes - 1)
		tl.Add([]trace.PacketRow{
			{Sender: 0, Receiver: last, T1Ns: some(0), T4Ns: some(1500), T6Ns: some(4000)},
			{Sender: last, Receiver: 0, T4Ns: some(1500), T6Ns: some(2000)}, // its sender's record is lost
		}, 0, slots)
		require.Equal(t, lanes, tl.lanes)
		require.Equal(t, []float64{1000, 1000, 0, 0}, tl.busy[:4], "500 of the sender and 500 of the other packet's receiver")
		require.Equal(t, []float64{0, 500, 1000, 1000, 0}, tl.busy[(lanes-1)*slots:(lanes-1)*slots+5])
		c := tl.chart(nil, nil, 2)
		require.Len(t, c.Cells, 5)
		require.Len(t, c.Y.Marks, lanes)
	}
	tl := newTimeline(trace.Manifest{Nodes: 2, SimulatedNs: slots * 1000})
	from, to := tl.Window(3)
	require.Equal(t, []int64{3000, 3999}, []int64{from, to})
	tl.Add([]trace.PacketRow{{Sender: 0, Receiver: 1, T1Ns: some(0), T4Ns: some(9000)}}, 3, 4)
	require.Equal(t, []float64{0, 0, 0, 1000, 0}, tl.busy[:5], "only the slot that was read")
	require.Contains(t, tl.chart(nil, nil, 10).Notes, "10 packets")
	c := tl.chart(nil, []causal.Event{{What: "takes no packets", Node: 1, FromNs: 2000, ToNs: 5000}}, 10)
	require.Len(t, c.Boxes, 1)
	require.Equal(t, "node 1 takes no packets, 3.000 µs, 2.000 to 5.000 µs", c.Boxes[0].Hint)
	require.Less(t, c.Boxes[0].Y1, 1.0, "in the lane of node 1, the lower one")
}
