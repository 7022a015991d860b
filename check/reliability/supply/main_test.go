package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatReachesOutsideHasAReason: sigview has no package that opens connections or starts
// programs but those listed, and none that is listed has gone.
func TestWhatReachesOutsideHasAReason(t *testing.T) {
	list, err := reaches(filepath.Join("..", "..", ".."), "./cmd/sigview")
	require.NoError(t, err)
	for _, r := range list {
		require.NotEmpty(t, reasons[r], "%s imports %s: say why, or leave it out", r.by, r.of)
	}
	require.Len(t, list, len(reasons), "reasons for imports that are gone")
}
