package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/largeheap"
)

// TestRunsThatDoNotFitAreRefused: before there is a cluster, and as a mistake of the user.
func TestRunsThatDoNotFitAreRefused(t *testing.T) {
	ctx, stop := largeheap.Within(t.Context(), largeheap.Limit{Bytes: 1 << 30, From: "--memory"})
	defer stop()
	spec := DefaultRun("fft")
	spec.Size = 16 << 20
	_, err := Run(ctx, spec, func(Progress) { t.Error("a run has begun") })
	require.EqualError(t, err, "the run needs about 1.4 GiB of memory by estimate, and may take 1.0 GiB (--memory): want fewer nodes, a smaller size or more memory")
	var usage interface{ Usage() bool }
	require.ErrorAs(t, err, &usage)
}
