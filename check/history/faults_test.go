package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/history"
	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster/platform"
)

// TestUnderFaults: what arrives is what was sent, and what does not is told. The sorts of
// faults take turns at the places.
func TestUnderFaults(t *testing.T) {
	for i, at := range places(t) {
		t.Run(at.Layer+" on "+at.Name, func(t *testing.T) {
			for k := range testlong.Pick(3, 1000) {
				sort := history.BitErrors + history.Faults(i+k)%history.FewBuffers
				require.Empty(t, history.Run(at, uint64(k), sort).Findings, "%v, seed %d", sort, k)
			}
		})
	}
}

// TestRunsRepeat: a seed gives the same run again.
func TestRunsRepeat(t *testing.T) {
	for _, at := range places(t)[:3] {
		require.Equal(t, history.Run(at, 7, history.Mixed), history.Run(at, 7, history.Mixed), at.Layer)
	}
}

// TestFaultsHappen: faults of each sort reach packets of some layer.
func TestFaultsHappen(t *testing.T) {
	vmmc, verbs := place(t, "vmmc", "shrimp"), place(t, "verbs", "cx5-roce")
	for _, c := range []struct {
		at   platform.Place
		sort history.Faults
		seen func(history.Outcome) uint64
	}{
		{vmmc, history.BitErrors, func(o history.Outcome) uint64 { return o.Net.Hit }},
		{vmmc, history.LostAcks, func(o history.Outcome) uint64 { return o.Net.Dropped }},
		{vmmc, history.LostPackets, func(o history.Outcome) uint64 { return o.Net.Dropped }},
		{vmmc, history.Stalls, func(o history.Outcome) uint64 { return o.Net.Refused }},
		{vmmc, history.Resets, func(o history.Outcome) uint64 { return o.Net.Resets }},
		{place(t, "lfc", "das-myrinet"), history.DeadLinks, func(o history.Outcome) uint64 { return o.Net.Severed }},
		{vmmc, history.Outages, func(o history.Outcome) uint64 { return o.Net.Severed }},
		{vmmc, history.PauseStorms, func(o history.Outcome) uint64 { return o.Net.Refused }},
		{verbs, history.PauseStorms, func(o history.Outcome) uint64 { return o.Net.Pauses }},
		{verbs, history.FewBuffers, func(o history.Outcome) uint64 { return uint64(len(o.Errors)) }},
	} {
		n := uint64(0)
		for seed := range uint64(20) {
			out := history.Run(c.at, seed, c.sort)
			require.Empty(t, out.Findings, "%v, seed %d", c.sort, seed)
			n += c.seen(out)
		}
		require.Positive(t, n, c.sort)
	}
}

// TestRetryingIsNotHanging: TCP's tries are minutes apart, and others poll meanwhile; either all arrives in the end,
// or TCP gives up and counts it.
func TestRetryingIsNotHanging(t *testing.T) {
	for seed, missing := range map[uint64]bool{137: false, 290: true} {
		out := history.Run(place(t, "tcp", "das-wan"), seed, history.BitErrors)
		require.Empty(t, out.Findings)
		require.Equal(t, missing, len(out.Missing) > 0)
	}
}
