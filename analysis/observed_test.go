package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestSeenPutsLossesByTheirShare: what is lost comes before waits if there is much of it, and behind them if not.
func TestSeenPutsLossesByTheirShare(t *testing.T) {
	waits := trace.Observed{What: trace.RunQueue, Program: "redis", Messages: 500, Of: 500, MeanNs: 100_000, MedianNs: 90_000}
	lost := trace.Observed{What: trace.DatagramsDropped, Messages: 800, Of: 1000, Where: "SOCKET_RCVBUFF on db1"}
	const words = "Dest: the receiving kernel has dropped 800 datagrams: a socket's receive buffer was full (SOCKET_RCVBUFF on db1)."
	require.Equal(t, words, Seen([]trace.Observed{waits, lost})[0])
	lost.Of = 1_000_000
	require.Equal(t, words, Seen([]trace.Observed{lost, waits})[1])
	lost.Where = "OF_A_LATER_KERNEL"
	require.Contains(t, Seen([]trace.Observed{lost})[0], "datagrams: OF_A_LATER_KERNEL.")
}

// TestSeenTellsCopiesFromLosses: segments that came a second time are no loss, and come last.
func TestSeenTellsCopiesFromLosses(t *testing.T) {
	waits := trace.Observed{What: trace.RunQueue, Program: "redis", Messages: 500, Of: 500, MeanNs: 100_000, MedianNs: 90_000}
	copies := trace.Observed{What: trace.SegmentsDropped, Program: "redis", Messages: 500, Of: 500, Where: "TCP_OLD_SEQUENCE"}
	require.Contains(t, Seen([]trace.Observed{copies, waits})[1], "500 segments of redis: they came a second time, and nothing was lost (TCP_OLD_SEQUENCE).")
	copies.Where = "TC_INGRESS"
	require.Contains(t, Seen([]trace.Observed{waits, copies})[0], "500 segments of redis: a filter of tc")
}

// TestSeenNamesTheDiscipline: one that has a packet at a time is named where packets wait in NI, and not elsewhere.
func TestSeenNamesTheDiscipline(t *testing.T) {
	one := trace.Observed{What: trace.InDiscipline, Messages: 300, Of: 300, Most: 1, Where: "tbf of eth0"}
	require.Empty(t, Seen([]trace.Observed{one}))
	one.MeanNs = 2_000_000
	require.Contains(t, Seen([]trace.Observed{one})[0], "tbf of eth0 had up to 1 packet at a time")
}
