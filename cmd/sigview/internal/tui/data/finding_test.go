package data

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/trace"
)

// TestTwoEstimatesAreBothShown: a cost that is between two figures is never one figure.
func TestTwoEstimatesAreBothShown(t *testing.T) {
	f := causal.Finding{Grade: trace.Attributed, Cause: "the queue at the host processor", CostUs: 80.5, OnPathUs: 1, ReplayUs: 160, Share: 0.0805}
	require.Equal(t, "0.1–16.0 %", attributed(f).Worth())
	f.OnPathUs, f.ReplayUs = 0, 0 // who computes late has neither
	require.Equal(t, "8.1 %", attributed(f).Worth())
}
