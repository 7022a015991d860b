package data

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestSeenIsAFinding: what the kernel was seen to do is a finding that leads to its stage, the most costly first.
func TestSeenIsAFinding(t *testing.T) {
	d := &Data{}
	d.Run.Manifest.Seen = []trace.Observed{
		{What: trace.RunQueue, Program: "redis", ToServer: true, Messages: 500, Of: 1000, MeanNs: 1e6},
		{What: trace.Asleep, Program: "redis", Messages: 500, Of: 1000, MeanNs: 1000},
		{What: trace.HeldByNagle, Program: "nginx", Messages: 900, Of: 1000, MeanNs: 4e7},
	}
	d.Rank()
	require.Len(t, d.Findings, 2)
	require.Contains(t, d.Findings[0].Brief, "Nagle")
	require.Equal(t, Place{View: "signature", Sel: "stage=source"}, d.Findings[0].Place)
	require.Contains(t, d.Findings[1].Text(), "run queue")
	require.Equal(t, Place{View: "signature", Sel: "stage=dest"}, d.Findings[1].Place)
	require.Equal(t, 5e8, d.Findings[1].Waits)
}
