package data

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/trace"
)

// TestTwoEstimatesAreBothShown: a cost that is between two figures is never one figure.
func TestTwoEstimatesAreBothShown(t *testing.T) {
	f := causal.Finding{Grade: trace.Attributed, Cause: "the queue at the host processor", Share: 0.08, LeastShare: 0.001, MostShare: 0.16}
	require.Equal(t, "0.1–16.0 %", attributed(f).Worth())
	f.LeastShare, f.MostShare = 0.08, 0.08
	require.Equal(t, "8.0 %", attributed(f).Worth())
}
