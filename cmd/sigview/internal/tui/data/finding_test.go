package data

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/trace"
)

// TestTwoEstimatesAreBothShown: a cost that is between two figures is never one figure.
func TestTwoEstimatesAreBothShown(t *testing.T) {
	f := causal.Finding{Grade: trace.Attributed, Cause: "the queue at the host processor", CostUs: 80, LeastUs: 1, MostUs: 160, Share: 0.08}
	require.Equal(t, "0.1–16.0 %", attributed(f).Worth())
	f.LeastUs, f.MostUs = 80, 80 // who computes late has one figure
	require.Equal(t, "8.0 %", attributed(f).Worth())
}
