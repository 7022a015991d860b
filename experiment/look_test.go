package experiment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestLookingDoesNotChangeARun: whoever watches may look at the tables as they
// stand, and the run is the same event by event.
func TestLookingDoesNotChangeARun(t *testing.T) {
	spec := DefaultRun("fft")
	spec.Nodes, spec.Size = 4, 4096
	plain, err := Run(context.Background(), spec, nil)
	require.NoError(t, err)
	looks, last := 0, int64(0)
	watched, err := Run(context.Background(), spec, func(p Progress) {
		if p.Look == nil {
			return
		}
		run, err := p.Look()
		require.NoError(t, err)
		require.False(t, run.Manifest.Verified)
		require.GreaterOrEqual(t, p.SimulatedNs, last)
		looks, last = looks+1, p.SimulatedNs
		if len(run.Signature) > 0 {
			require.NoError(t, trace.CheckRows(run.Signature))
			require.NoError(t, trace.CheckRows(run.Pairs))
		}
	})
	require.NoError(t, err)
	require.Positive(t, looks)
	require.Equal(t, plain.Manifest.EventDigest, watched.Manifest.EventDigest)
	require.Equal(t, plain.Signature, watched.Signature)
	require.Equal(t, plain.Pairs, watched.Pairs)
}

// TestFindingsAreSeenWhileARunGoesOn: what a policy has acted on is in the tables of
// the unfinished run, and stays there.
func TestFindingsAreSeenWhileARunGoesOn(t *testing.T) {
	spec := smallRun("ocean", 8)
	spec.Policies = []Policy{MigrateHomes}
	require.NoError(t, spec.Memory.Homes.UnmarshalText([]byte("single")))
	var seen []trace.OnlineRow
	run, err := Run(context.Background(), spec, func(p Progress) {
		if p.Look != nil {
			run, err := p.Look()
			require.NoError(t, err)
			require.NotNil(t, run.Online)
			require.Subset(t, run.Online, seen)
			seen = run.Online
		}
	})
	require.NoError(t, err)
	require.NotEmpty(t, seen)
	require.Subset(t, run.Online, seen)
	require.NoError(t, trace.CheckRows(run.Online))
}
