package experiment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
)

// TestAProgramThatCannotGoOn: FM loses packets on a network with errors and says so.
func TestAProgramThatCannotGoOn(t *testing.T) {
	spec := experiment.DefaultRun("alltoall")
	spec.Platform, spec.Layer, spec.Nodes = "ppro", "fm", 4
	spec.Faults.ErrorPerByte = 1e-3
	_, err := experiment.Run(context.Background(), spec, nil)
	require.ErrorContains(t, err, "the run stopped: patterns: node")
	require.ErrorContains(t, err, "want a network that loses none")
	require.NotContains(t, err.Error(), "goroutine", "the model is at fault")
}
