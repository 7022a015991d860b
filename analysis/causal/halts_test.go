package causal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestHaltsOfPorts: ports that were not halted do not count, and a port costs no more than the time for which it was.
func TestHaltsOfPorts(t *testing.T) {
	h := HaltsOf([]trace.PortRow{
		{Port: 0, QueueBytes: 10, Paused: 3, PausedNs: 2000}, {Port: 1, QueueBytes: 26_640}, {Port: 2, Paused: 1, PausedNs: 4000},
	})
	require.Equal(t, Halts{Ports: 2, Times: 4, Mean: 3_000_000, Most: 26_640}, h)
	e := Explanation{To: 20_000_000, Halts: h}
	found := e.Findings()
	require.Len(t, found, 1)
	require.Equal(t, pausing, found[0].Cause)
	require.InDelta(t, 6, found[0].MostUs, 1e-9)
	require.Contains(t, found[0].Text, "2 ports for 3.000 µs each")
	e.To = 2_000_000_000
	require.Empty(t, e.Findings(), "of a run in which it is nothing")
	require.Equal(t, Halts{}, HaltsOf(nil))
}
