package experiment

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

func congested(t *testing.T, workload, platform string, p PatternSpec) *trace.Run {
	t.Helper()
	s := DefaultRun(workload)
	s.Platform, s.Nodes, s.Pattern = platform, 9, p
	run, err := Run(context.Background(), s, nil)
	require.NoError(t, err)
	var ports, flows trace.Lost
	for _, r := range run.Ports {
		require.NoError(t, trace.CheckRow(&r))
		ports.Overflowed, ports.Unreceived, ports.Marked, ports.PausedNs = ports.Overflowed+r.Dropped, ports.Unreceived+r.Unreceived, ports.Marked+r.Marked, ports.PausedNs+r.PausedNs
	}
	packets := int64(0)
	for _, r := range run.Flows {
		require.NoError(t, trace.CheckRow(&r))
		require.LessOrEqual(t, r.BlockedNs, r.HeldNs)
		flows.Overflowed, flows.Unreceived, flows.Marked = flows.Overflowed+r.Dropped, flows.Unreceived+r.Unreceived, flows.Marked+r.Marked
		flows.Retransmitted, packets = flows.Retransmitted+r.Repeated, packets+r.Packets
	}
	lost := run.Manifest.Lost
	require.Equal(t, trace.Lost{Overflowed: lost.Overflowed, Unreceived: lost.Unreceived, Marked: lost.Marked, PausedNs: lost.PausedNs}, ports)
	if run.Ports != nil {
		require.Equal(t, trace.Lost{Overflowed: lost.Overflowed, Unreceived: lost.Unreceived, Marked: lost.Marked, Retransmitted: lost.Retransmitted}, flows)
		require.Equal(t, run.Manifest.Packets, packets)
	}
	for _, r := range run.Pauses {
		require.NoError(t, trace.CheckRow(&r))
	}
	return run
}

// TestPausesNameTheCrowdedPort: of messages to random nodes, most of them to node 0, the port to node 0 is the crowded
// one. The links of all senders are halted because of it, and packets to others wait there too. Those to node 0 do not wait because of another.
func TestPausesNameTheCrowdedPort(t *testing.T) {
	run := congested(t, "hotspot", "cx5-roce", PatternSpec{Bytes: 1 << 19, Count: 40, Skew: 0.8})
	require.NotZero(t, run.Manifest.Lost.Pauses)
	require.Zero(t, run.Manifest.Lost.Dropped)
	c := analysis.CongestionOf(*run)
	crowded := c.Crowded()
	require.Equal(t, "switch>node0", crowded[0].Port.Name)
	require.Len(t, crowded[0].Halted, 8)
	require.Greater(t, float64(crowded[0].Ns), 0.9*float64(run.Manifest.Lost.PausedNs))
	victims := 0
	for _, f := range run.Flows {
		if f.Receiver == 0 && !f.Own {
			require.Less(t, f.BlockedNs, f.HeldNs/10+1)
		} else if f.BlockedNs > 0 && !f.Own {
			victims++
		}
	}
	require.Greater(t, victims, 5)
	t.Log(strings.Join(c.Lines(), "\n"))
	lines := strings.Join(c.Lines(), "\n")
	require.Contains(t, lines, "Port switch>node0 is crowded")
	require.Contains(t, lines, "8 other ports were halted")
	require.Contains(t, lines, "Head-of-line blocking")
	require.NotContains(t, lines, "dropped")
}

// TestDropsNameTheirPort: a switch without pause frames drops at the port to the receiver, and going back costs time.
func TestDropsNameTheirPort(t *testing.T) {
	run := congested(t, "incast", "cx5-ex", PatternSpec{Bytes: 65536, Count: 200})
	lost := run.Manifest.Lost
	require.NotZero(t, lost.Overflowed)
	require.Zero(t, lost.Pauses)
	require.Empty(t, run.Pauses)
	c := analysis.CongestionOf(*run)
	require.Len(t, c.Crowded(), 1)
	require.Equal(t, lost.Overflowed, c.Crowded()[0].Port.Dropped)
	lines := strings.Join(c.Lines(), "\n")
	t.Log(lines)
	require.Contains(t, lines, "Port switch>node0 dropped")
	require.Contains(t, lines, "100.0 % of all drops")
	require.Contains(t, lines, "Queue pairs went back")
	data, again, port := int64(0), int64(0), c.Crowded()[0].Port
	for _, f := range run.Flows {
		if f.Receiver == 0 && !f.Own {
			data, again = data+f.Bytes.Value, again+f.RepeatedBytes.Value
		}
	}
	require.EqualValues(t, 8*200*65536, data, "each byte once")
	require.NotZero(t, again)
	gbps := func(bytes int64) string {
		return fmt.Sprintf("%.1f Gb/s", 8*float64(bytes)/float64(run.Manifest.RunTimeNs()))
	}
	require.Contains(t, lines, fmt.Sprintf("It carried %s over the run. Its flows are %s of data, and sent %.1f MB again", gbps(port.Bytes), gbps(data), float64(again)/1e6))
	require.Len(t, c.CarriedView().Rows, 8)
	require.NotContains(t, lines, "halted")
}

// TestWithoutBuffersNothingIsCounted: networks whose switches have no buffers of their own have none of these tables.
func TestWithoutBuffersNothingIsCounted(t *testing.T) {
	run := congested(t, "hotspot", "shrimp", PatternSpec{Bytes: 1024, Count: 20})
	require.Nil(t, run.Ports)
	require.Nil(t, run.Pauses)
	require.Nil(t, run.Flows)
	require.Empty(t, analysis.CongestionOf(*run).Lines())
}
